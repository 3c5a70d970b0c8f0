"""Intensifiers: an adverb of degree before a gradable adjective."""

from __future__ import annotations

import random

from sda_hf.grammar.edits import Coverage, Result, Skip
from sda_hf.syntax.clause import Clause


def intensify(clause: Clause, rng: random.Random, coverage: Coverage) -> Result:
    """Put an adverb of degree before an adjective."""
    return Skip("not written yet")
