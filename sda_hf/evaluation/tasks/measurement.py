"""What a model scored on a task."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

# Metrics on a scale of their own, and numbers of rows. All other metrics are shares or correlations times 100.
PLAIN = ("cosine", "difference", "alignment", "uniformity", "length_bias", "jaccard")
COUNTS = ("pairs", "rows")


@dataclasses.dataclass(frozen=True)
class Measurement:
    """What a model scored on a task.

    Args:
        metrics: name → value, with the headline metric first and the number of rows last. Correlations, accuracies
            and F1 are times 100; cosines, alignment and uniformity are not scaled.
        items: one number per row, from which the headline metric is computed: a similarity, or 1 for a correct answer
            and 0 for a wrong one.
        gold: the human score of each row, if the headline metric is the correlation of `items` with it; None if it is
            the mean of `items`.

    Example:
        >>> Measurement({"accuracy": 50.0, "rows": 2}, np.array([1.0, 0.0])).headline
        ('accuracy', 50.0)
    """

    metrics: dict[str, float]
    items: NDArray[np.float64]
    gold: NDArray[np.float64] | None = None

    @property
    def headline(self) -> tuple[str, float]:
        """Name and value of the metric that tables show."""
        return headline(self.metrics)


def headline(metrics: Mapping[str, float]) -> tuple[str, float]:
    """Return name and value of the metric that tables show: the first one.

    Example:
        >>> headline({"spearman": 31.5, "pearson": 30.0, "pairs": 1379})
        ('spearman', 31.5)
    """
    return next(iter(metrics.items()))


def row_count(metrics: Mapping[str, float]) -> float | None:
    """Return the number of rows behind the metrics; None if unknown.

    Example:
        >>> row_count({"spearman": 31.5, "pairs": 1379})
        1379
    """
    return next((value for name, value in metrics.items() if name in COUNTS), None)
