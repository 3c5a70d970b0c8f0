"""Commands negated: 别."""

from __future__ import annotations

from sda_hf.grammar.edits import Result, Skip
from sda_hf.syntax.clause import Clause


def forbidden(clause: Clause) -> Result:
    """Negate a command with 别, after 请."""
    return Skip("not written yet")
