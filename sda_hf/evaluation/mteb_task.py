"""A task of mteb as a task of ours, so that it stands in the same tables."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from sda_hf.evaluation.mteb import check_name, mteb_scores, mteb_title
from sda_hf.evaluation.tasks import MTEB, Measurement, Task
from sda_hf.evaluation.vectors import Vectors


@dataclasses.dataclass(frozen=True, kw_only=True)
class MtebTask(Task[None]):
    """A task of mteb, loaded, run and scored by that library; its name begins with "mteb:".

    Its rows come from the Hub in any case, and mteb embeds them itself.
    """

    metric: ClassVar[str] = "main_score"
    roles: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def of(cls, name: str) -> MtebTask:
        """The task that mteb calls by this name.

        Example:
            >>> MtebTask.of("NevIR").title
            'NevIR (MTEB)'
        """
        return cls(name=MTEB + name, title=mteb_title(name))

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> None:
        """Checks that mteb is there and has the task.

        Raises:
            MissingPackageError: mteb is not installed.
            InputValueError: an unknown name, or a task about more than text.
        """
        check_name(self.name.removeprefix(MTEB))

    def texts(self, data: None) -> Iterable[str]:
        """None: mteb reads and embeds its own."""
        return ()

    def measure(self, data: None, vectors: Vectors) -> Measurement:
        """The main score of mteb, times 100; see `Task.measure`."""
        scores = mteb_scores(
            self.name.removeprefix(MTEB),
            vectors.model,
            batch_size=vectors.batch_size,
            show_progress=vectors.show_progress,
        )
        return Measurement(scores, np.zeros(0))

    def protocol(self) -> dict[str, Any]:
        """The task, and the version of mteb."""
        from importlib.metadata import version

        return {**super().protocol(), "mteb": version("mteb")}
