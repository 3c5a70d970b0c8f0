"""Negation: the claim negated, or its negation removed."""

from __future__ import annotations

from sda_hf.grammar.chinese.rules.negation.affirmation import affirmed
from sda_hf.grammar.chinese.rules.negation.commands import allowed, asks_for, forbidden, forbids
from sda_hf.grammar.chinese.rules.negation.focus import focused, tag_changed
from sda_hf.grammar.chinese.rules.negation.predicates import denied
from sda_hf.grammar.chinese.rules.negation.quantifiers import quantified
from sda_hf.grammar.chinese.rules.negation.refusals import refusal
from sda_hf.grammar.chinese.rules.negation.statement import statement_denied
from sda_hf.grammar.chinese.rules.negation.whole_claim import prefixed
from sda_hf.grammar.edits import Coverage, Result, Skip
from sda_hf.syntax.clause import Clause

__all__ = ["negate", "statement_denied"]


def negate(clause: Clause, method: str, coverage: Coverage) -> Result:
    """Negate the claim, or restore the positive of a claim that is already negated.

    Args:
        clause: the main clause.
        method: "prefix" puts 并非 before a statement; otherwise the predicate is negated.
        coverage: "sound" or "full".
    """
    clause = focused(clause)
    reason = refusal(clause)
    if reason:
        return Skip(reason)
    if asks_for(clause):
        return _commanded(clause, method)
    if clause.negation is not None:
        return affirmed(clause)
    if method == "prefix":
        return prefixed(clause)
    result = quantified(clause)
    if result is None:
        result = denied(clause)
    return result if isinstance(result, Skip) else [*result, *tag_changed(clause)]


def _commanded(clause: Clause, method: str) -> Result:
    forbidding = forbids(clause)
    if forbidding is not None:
        return allowed(clause, forbidding)
    if clause.negation is not None and clause.negation.kind not in ("别", "不", "没", "没有"):
        return affirmed(clause)
    return Skip("command") if method == "prefix" else forbidden(clause)
