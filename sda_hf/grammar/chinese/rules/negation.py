"""Negation: the claim negated, or its negation removed."""

from __future__ import annotations

from sda_hf.grammar.edits import Coverage, Result, Skip
from sda_hf.syntax.clause import Clause


def negate(clause: Clause, method: str, coverage: Coverage) -> Result:
    """Negate the claim, or restore the positive of a claim that is already negated."""
    return Skip("not written yet")
