"""Double negation: two negations that cancel out."""

from __future__ import annotations

import random
from collections.abc import Sequence

from sda_hf.grammar.edits import Coverage, Result, Skip
from sda_hf.syntax.clause import Clause


def negate_twice(
    clause: Clause, rng: random.Random, variant: str, phrases: Sequence[str], coverage: Coverage
) -> Result:
    """Add two negations that cancel out."""
    return Skip("not written yet")
