"""`Doubt`, a class of clauses that a rule is not sure of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sda_hf.syntax.clause import Clause


@dataclass(frozen=True, slots=True)
class Doubt:
    """A class of clauses that a rule is not sure of.

    Attributes:
        reason: the reason of the skip, for users.
        holds: whether a clause belongs to the class.
    """

    reason: str
    holds: Callable[[Clause], bool]
