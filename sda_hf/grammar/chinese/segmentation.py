"""The words of a text: the embedded pipeline up to the component that groups characters into words, without a parse."""

from __future__ import annotations

import functools

from sda_hf.grammar.base import named_parser
from sda_hf.grammar.chinese.surface import has_han
from sda_hf.grammar.tokens import Span
from sda_hf.syntax.parsers import SpacyParser

GROUPING = "zh_words"  # the component that returns words


def segmented(text: str, runs: list[Span]) -> list[Span]:
    """Return runs of characters grouped into words.

    Args:
        text: in either script.
        runs: the start and end of each character, and of each run of other text, which stays whole.
    """
    starts = _starts(text)
    words: list[Span] = []
    for start, end in runs:
        joins = bool(words) and words[-1][1] == start and start not in starts
        if joins and end - start == 1 and has_han(text[words[-1][0]]):
            words[-1] = (words[-1][0], end)
        else:
            words.append((start, end))
    return words


@functools.lru_cache(maxsize=1024)
def _starts(text: str) -> frozenset[int]:
    parser = named_parser("zh", None)
    assert isinstance(parser, SpacyParser)
    return frozenset(start for start, _ in parser.tokens(text, GROUPING))
