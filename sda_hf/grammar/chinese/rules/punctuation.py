"""Punctuation: marks inserted without changing the characters."""

from __future__ import annotations

import random

from sda_hf.grammar.edits import Coverage, Result, Skip
from sda_hf.syntax.clause import Clause


def punctuate(clause: Clause, rng: random.Random, variant: str, strategy: str, coverage: Coverage) -> Result:
    """Insert punctuation marks without changing the characters."""
    return Skip("not written yet")
