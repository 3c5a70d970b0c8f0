"""The measurements of one model, trained with one seed or several."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from sda_hf.errors import InputValueError
from sda_hf.evaluation.scoring.measuring import Measured


@dataclasses.dataclass(frozen=True)
class ModelResult:
    """The measurements of a model, or of one recipe trained with several seeds.

    Args:
        name: name in tables.
        runs: one entry per seed.

    Raises:
        InputValueError: there are no runs.
    """

    name: str
    runs: Sequence[Measured]

    def __post_init__(self) -> None:
        if not self.runs:
            raise InputValueError(f"model {self.name!r} has no runs: give the measurements of at least one")

    def values(self, task: str, metric: str) -> list[float]:
        """Return a metric of each run."""
        return [run.measurements[task].metrics[metric] for run in self.runs]
