"""Doubts: the named classes of clauses whose rewrites by a rule are right less than 97 times in 100.

With coverage="sound" such a clause is skipped, and the doubt is the reason; with coverage="full" it is rewritten, and
the doubt stands with its edits.
"""

from __future__ import annotations

from sda_hf.grammar.chinese.doubts import (
    antonyms,
    common,
    discourse,
    double_negation,
    modality,
    negation,
    punctuation,
    reported,
    statements,
    switch,
    unaffirmed,
    unclaimed,
)
from sda_hf.grammar.chinese.doubts.doubt import Doubt
from sda_hf.syntax.clause import Clause

# By the method of `Grammar`, or the relation between the words that are exchanged.
DOUBTS: dict[str, tuple[Doubt, ...]] = {
    "punctuate": punctuation.DOUBTS,
    "modalise": (*common.DOUBTS, *common.CLAIM_DOUBTS, *modality.DOUBTS),
    "negate": (*common.DOUBTS, *common.CLAIM_DOUBTS, *unclaimed.DOUBTS, *discourse.DOUBTS, *negation.DOUBTS),
    "deny": (*unclaimed.DOUBTS, *discourse.DOUBTS, *reported.DOUBTS, *statements.DOUBTS),
    "negate_twice": (*common.DOUBTS, *common.CLAIM_DOUBTS, *double_negation.CLAIM_DOUBTS),
    "frame": (*double_negation.TEXT_DOUBTS, *double_negation.FRAME_DOUBTS),
    "affirm": unaffirmed.DOUBTS,
    "affirmation": (*double_negation.TEXT_DOUBTS, *double_negation.FRAME_DOUBTS, *modality.FRAME_DOUBTS),
    "switch": switch.DOUBTS,
    "antonym": antonyms.DOUBTS,
    "synonym": (),
}


def doubt_about(clause: Clause, family: str) -> str:
    """Return the first doubt about rewriting a clause by a family of rules; empty if there is none.

    Args:
        clause: the main clause.
        family: a key of `DOUBTS`.
    """
    return next((doubt.reason for doubt in DOUBTS[family] if doubt.holds(clause)), "")
