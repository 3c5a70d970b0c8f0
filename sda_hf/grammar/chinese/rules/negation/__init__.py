"""Negation: the claim negated, or its negation removed."""

from __future__ import annotations

from sda_hf.grammar.chinese.rules.negation.affirmation import affirmed
from sda_hf.grammar.chinese.rules.negation.commands import forbidden
from sda_hf.grammar.chinese.rules.negation.predicates import denied
from sda_hf.grammar.chinese.rules.negation.quantifiers import quantified
from sda_hf.grammar.chinese.rules.negation.refusals import refusal
from sda_hf.grammar.chinese.rules.negation.whole_claim import prefixed
from sda_hf.grammar.edits import Coverage, Result, Skip
from sda_hf.syntax.clause import Clause


def negate(clause: Clause, method: str, coverage: Coverage) -> Result:
    """Negate the claim, or restore the positive of a claim that is already negated.

    Args:
        clause: the main clause.
        method: "prefix" puts 并非 before a statement; otherwise the predicate is negated.
        coverage: "sound" or "full".
    """
    reason = refusal(clause)
    if reason:
        return Skip(reason)
    if clause.negation is not None:
        return affirmed(clause)
    if method == "prefix":
        return prefixed(clause)
    if clause.mood == "imperative":
        return forbidden(clause)
    whole = quantified(clause)
    return denied(clause) if whole is None else whole
