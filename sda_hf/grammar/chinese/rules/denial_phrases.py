"""Phrases of double negation: what they hold, and where they go."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Literal

from sda_hf.grammar.chinese import lexicon

GAP = "…"
DENIALS = lexicon.words("double-negation", "denials")
DENIAL = re.compile("|".join(sorted(DENIALS, key=len, reverse=True)))
ENDING = "，,。"
# What goes into the clause, in place of a word or before the predicate.
INSIDE = {
    name: lexicon.words("double-negation", name) for name in ("predicate", "duty", "frame-of-duty", "certain", "all")
}
PhraseKind = Literal["predicate", "duty", "frame-of-duty", "certain", "all", "denied", "kept"]


@dataclass(frozen=True, slots=True)
class DenialPhrase:
    """A phrase of double negation.

    Attributes:
        kind: "predicate" (并非: before the negated predicate), "duty" (不得不: for 必须), "frame-of-duty" (非…不可),
            "certain" (不会不: for 会, 一定), "all" (没有不: for 所有 ... 都); or, of a phrase around a whole statement,
            "denied" if it holds one negation (说…是不对的) and "kept" if it holds two (不可否认).
        opening: what goes before the claim.
        closing: what goes after it.
    """

    kind: PhraseKind
    opening: str
    closing: str


@functools.lru_cache(maxsize=256)
def parsed(phrase: str) -> DenialPhrase:
    """Return a phrase with its kind.

    Example:
        >>> parsed("不可否认").kind, parsed("说…是不对的").kind, parsed("不得不").kind
        ('kept', 'denied', 'duty')
    """
    opening, gap, closing = phrase.replace("...", GAP).replace(GAP * 2, GAP).partition(GAP)
    for name, members in INSIDE.items():
        if opening + gap + closing in members:
            return DenialPhrase(name, opening, closing)  # type: ignore[arg-type]
    return DenialPhrase("kept" if denies_twice(phrase) else "denied", opening.rstrip(ENDING), closing)


def denies_twice(phrase: str) -> bool:
    """Whether a phrase holds two negations, which cancel out.

    Example:
        >>> denies_twice("不可否认"), denies_twice("说…是不对的"), denies_twice("这一点不假")
        (True, False, True)
    """
    found = len(DENIAL.findall(phrase))
    return found > 0 and found % 2 == 0
