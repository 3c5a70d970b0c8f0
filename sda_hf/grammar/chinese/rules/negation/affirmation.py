"""Affirmation: a negated claim without its negation."""

from __future__ import annotations

from sda_hf.grammar.edits import Result, Skip
from sda_hf.syntax.clause import Clause


def affirmed(clause: Clause) -> Result:
    """Remove the negation of a claim, and restore its aspect."""
    return Skip("not written yet")
