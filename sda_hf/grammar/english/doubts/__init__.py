"""Doubts: the named classes of clauses whose rewrites by a rule are right less than 97 times in 100.

With coverage="sound" such a clause is skipped, and the doubt is the reason; with coverage="full" it is rewritten, and
the doubt stands with its edits. What a rule is wrong about under one of its forms alone stands with that form: see
`sda_hf.grammar.edits.Rule`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sda_hf.grammar.english.doubts import (
    antonyms,
    common,
    double_negation,
    language,
    modality,
    negation,
    negation_scope,
    punctuation,
    requests,
)
from sda_hf.grammar.english.doubts.doubt import Doubt
from sda_hf.syntax.clause import Clause

# Negation is sure of some of the clauses of these classes.
OF_NEGATION: dict[Callable[[Clause], bool], Callable[[Clause], bool]] = {
    common.is_clipped_question: requests.is_clipped,
    common.is_inverted: negation.is_inverted,
}
# By the method of `Grammar`, or the relation between the words that are exchanged.
DOUBTS: dict[str, tuple[Doubt, ...]] = {
    "punctuate": (*common.DOUBTS, *punctuation.DOUBTS),
    "modalise": (*common.DOUBTS, *common.CLAIM_DOUBTS, *common.AGREEMENTS, *modality.DOUBTS),
    "negate": (
        *common.DOUBTS,
        *(replace(doubt, holds=OF_NEGATION.get(doubt.holds, doubt.holds)) for doubt in common.CLAIM_DOUBTS),
        *negation.DOUBTS,
        *negation_scope.DOUBTS,
    ),
    "negate_twice": (*common.DOUBTS, *common.CLAIM_DOUBTS, *common.AGREEMENTS, *double_negation.DOUBTS),
    "switch": (*common.DOUBTS, *common.CLAIM_DOUBTS, *common.AGREEMENTS, *antonyms.SWITCH_DOUBTS),
    "antonym": antonyms.DOUBTS,
    "synonym": (language.FOREIGN,),
}


def doubt_about(clause: Clause, family: str) -> str:
    """Return the first doubt about rewriting a clause by a family of rules; empty if there is none.

    Args:
        clause: the main clause.
        family: a key of `DOUBTS`.
    """
    return next((doubt.reason for doubt in DOUBTS[family] if doubt.holds(clause)), "")
