"""Switch: subject and object exchanged."""

from __future__ import annotations

from sda_hf.grammar.edits import Coverage, Result, Skip
from sda_hf.syntax.clause import Clause


def switch(clause: Clause, coverage: Coverage) -> Result:
    """Exchange subject and object."""
    return Skip("not written yet")
