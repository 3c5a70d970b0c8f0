"""What a model scored on a task."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

# Figures on their own scale, and numbers of rows; every other figure is a share or correlation times 100.
PLAIN = ("cosine", "difference", "alignment", "uniformity", "length_bias", "jaccard")
COUNTS = ("pairs", "rows")


@dataclasses.dataclass(frozen=True)
class Measurement:
    """What a model scored on a task.

    Args:
        metrics: name → figure; the headline first, the number of rows last. Correlations, accuracies and F1 are times
            100; cosines, alignment and uniformity are as they are.
        items: one figure a row: a similarity, or 1 for right and 0 for wrong; what the headline is made of.
        gold: the human score of each row, where the headline is the correlation of `items` with it; None where it is
            the mean of `items`.

    Example:
        >>> Measurement({"accuracy": 50.0, "triples": 2}, np.array([1.0, 0.0])).headline
        ('accuracy', 50.0)
    """

    metrics: dict[str, float]
    items: NDArray[np.float64]
    gold: NDArray[np.float64] | None = None

    @property
    def headline(self) -> tuple[str, float]:
        """Name and value of the figure that tables show."""
        return next(iter(self.metrics.items()))
