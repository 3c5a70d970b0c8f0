"""Modality: a modal verb or an adverb of affirmation before the predicate."""

from __future__ import annotations

import random
from collections.abc import Sequence

from sda_hf.grammar.edits import Coverage, Result, Skip
from sda_hf.syntax.clause import Clause


def modalise(clause: Clause, rng: random.Random, phrases: Sequence[str], coverage: Coverage) -> Result:
    """Put one of the phrases before the predicate."""
    return Skip("not written yet")
