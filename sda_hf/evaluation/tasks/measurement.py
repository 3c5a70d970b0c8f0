"""What a model scored on a task."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputValueError

# Metrics on a scale of their own, with their ranges. The others are counts, and shares or correlations times 100.
RANGES = {
    "cosine": (-1, 1),
    "difference": (-2, 2),
    "alignment": (0, 4),
    "uniformity": (-8, 0),
    "length_bias": (-2, 2),
    "jaccard": (0, 1),
}
PLAIN = tuple(RANGES)
ROUNDING = 1e-4  # embeddings have single precision
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


def check_figures(measurement: Measurement) -> None:
    """Refuse figures that are not finite, or that no model can score.

    Raises:
        InputValueError: the first such figure.

    Example:
        >>> check_figures(Measurement({"cosine": 1.5}, np.zeros(0)))
        Traceback (most recent call last):
        sda_hf.errors.InputValueError: cosine is 1.5: it lies between -1 and 1
    """
    if not measurement.metrics:
        raise InputValueError("it has no metrics")
    for name, value in measurement.metrics.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise InputValueError(f"{name} is {value!r:.60}, not a number")
        low, high = (0, math.inf) if name in COUNTS else RANGES.get(name, (-100, 100))
        if not low - ROUNDING <= value <= high + ROUNDING or value == math.inf:
            raise InputValueError(f"{name} is {value:g}: it lies between {low:g} and {high:g}")
    for what, numbers in (("items", measurement.items), ("gold", measurement.gold)):
        if numbers is not None and (numbers.ndim != 1 or not np.isfinite(numbers).all()):
            raise InputValueError(f"{what} are not a list of finite numbers")
    if measurement.gold is not None and len(measurement.gold) != len(measurement.items):
        raise InputValueError(f"{len(measurement.items)} items and {len(measurement.gold)} gold scores")


def row_count(metrics: Mapping[str, float]) -> float | None:
    """Return the number of rows behind the metrics; None if unknown.

    Example:
        >>> row_count({"spearman": 31.5, "pairs": 1379})
        1379
    """
    return next((value for name, value in metrics.items() if name in COUNTS), None)
