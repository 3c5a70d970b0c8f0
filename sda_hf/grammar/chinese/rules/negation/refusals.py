"""Claims that have no negation: the reasons for which a sentence stays as it is."""

from __future__ import annotations

from sda_hf.syntax.clause import Clause


def refusal(clause: Clause) -> str:
    """Return why a clause is not negated; empty if it can be."""
    if clause.mood == "fragment":
        return "no claim to negate"
    return ""
