"""Doubts of negation: claims whose negation is right, or natural, less often."""

from __future__ import annotations

import itertools

from sda_hf.grammar.chinese.doubts.doubt import Doubt
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause

COMMAS = ("，", ",")
EXCLAIMING = ("多么", "瞧", "难怪", "怪不得")
WHEN = ("什么时候", "何时")
RESULTS = ("所以", "因此", "因而", "于是", "从而")


def is_exclamation(clause: Clause) -> bool:
    """Whether the sentence exclaims how much something is so: 多么美."""
    first = form(clause.words[0])
    ends = clause.end_mark is not None and clause.end_mark.text[0] in "！!"
    return first in EXCLAIMING or (ends and any(form(w) in ("多么", "多") and w.pos == "ADV" for w in clause.words))


def asks_when(clause: Clause) -> bool:
    """Whether a typed question without its mark asks when something will be: a negated one is rarely asked."""
    text = "".join(map(form, clause.words))
    return clause.mood == "interrogative" and clause.end_mark is None and any(w in text for w in WHEN)


def has_result(clause: Clause) -> bool:
    """Whether a later part of the sentence is said to follow from the claim."""
    rest = clause.words[clause.predicate.index :]
    return any(w.text in COMMAS and form(after) in RESULTS for w, after in itertools.pairwise(rest))


def has_title(clause: Clause) -> bool:
    """Whether the predicate stands in a title."""
    before = clause.words[: clause.predicate.index]
    return sum(w.text == "《" for w in before) > sum(w.text == "》" for w in before)


def has_many_parts(clause: Clause) -> bool:
    """Whether the predicate is the bare verb of the last of four parts or more, far from its subject."""
    commas = [w.index for w in clause.words if w.text in COMMAS]
    before = [i for i in commas if i < clause.predicate.index]
    return len(before) >= 3 and clause.subject is None


DOUBTS: tuple[Doubt, ...] = (
    Doubt("an exclamation", is_exclamation),
    Doubt("a question of when, without its mark", asks_when),
    Doubt("what follows from the claim is told, too", has_result),
    Doubt("uncertain predicate: in a title", has_title),
    Doubt("uncertain predicate: far from its subject", has_many_parts),
)
