"""Named classes of sentences and of results, as patterns of simplified text: `patterns.tsv`.

- "odd sentence", "odd result": what a negation inside the clause makes odd, in the sentence and in the result.
- "unaffirmed": sentences that nobody affirms with 的确 or 确实.
- "uncommanded": signs that what looks like a command is none.
"""

from __future__ import annotations

import functools
import itertools
import re

from sda_hf.grammar.chinese import thesaurus


@functools.cache
def patterns(name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the classes of a list, in the order of the file: the reason and a pattern of all their rows.

    Example:
        >>> patterns("unaffirmed")[0][0]
        'a contrast or a turn of the talk'
    """
    rows = ((reason, pattern) for listed, reason, pattern in thesaurus.rows("patterns.tsv") if listed == name)
    classes = itertools.groupby(rows, key=lambda row: row[0])
    return tuple((reason, re.compile("|".join(pattern for _, pattern in found))) for reason, found in classes)


def class_of(name: str, text: str) -> str:
    """Return the reason of the first class of a list that a simplified text is in; empty if it is in none.

    Example:
        >>> class_of("odd result", "房间里没有两个人。")
        'a number under a negation'
        >>> class_of("odd result", "他没去北京。")
        ''
    """
    return next((reason for reason, pattern in patterns(name) if pattern.search(text)), "")
