"""Quantified subjects negated: 不是每, 没有人, 没有多少."""

from __future__ import annotations

from sda_hf.grammar.edits import Result
from sda_hf.syntax.clause import Clause


def quantified(clause: Clause) -> Result | None:
    """Negate a claim about all, some or many; None if its subject is a definite one."""
    return None
