"""A model as it was measured, with one seed or several."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from sda_hf.errors import InputValueError
from sda_hf.evaluation.scoring.measuring import Measured


@dataclasses.dataclass(frozen=True)
class ModelResult:
    """A model, or the models of one recipe with several seeds, as measured.

    Args:
        name: what it is called in the tables.
        runs: one entry a seed.

    Raises:
        InputValueError: no runs.
    """

    name: str
    runs: Sequence[Measured]

    def __post_init__(self) -> None:
        if not self.runs:
            raise InputValueError(f"model {self.name!r} has no runs: give the measurements of one at least")

    def values(self, task: str, metric: str) -> list[float]:
        """The figure of each run."""
        return [run.measurements[task].metrics[metric] for run in self.runs]
