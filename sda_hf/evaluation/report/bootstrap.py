"""Confidence intervals of the difference between two models: a paired bootstrap over the rows of a task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputValueError
from sda_hf.evaluation.tasks.measurement import Measurement


class Difference(NamedTuple):
    """The difference between two models on a task, second minus first, in units of the headline metric.

    Args:
        value: the measured difference.
        low: lower end of the confidence interval.
        high: upper end; if the interval excludes 0, the rows suffice to tell the two models apart.
    """

    value: float
    low: float
    high: float


def difference(
    first: Sequence[Measurement],
    second: Sequence[Measurement],
    *,
    scale: float = 1.0,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Difference:
    """Return the difference between two models and its confidence interval, by a paired bootstrap.

    Each sample draws rows with replacement, the same ones for both models. A model trained with several seeds has one
    measurement per seed and is scored by their mean. The interval reflects the choice of rows, not of seeds.

    Args:
        first: measurements of the first model on a task, one per seed.
        second: measurements of the second model on the same rows.
        scale: factor of the scores: 100 for shares and correlations.
        samples: number of bootstrap samples.
        confidence: share of the samples inside the interval.
        seed: seed of the draws.

    Raises:
        InputValueError: measurements are missing, made on different rows or on fewer than two, no sample has a
            correlation, `samples` is below 1, or `confidence` is not between 0 and 1.

    Source:
        Efron and Tibshirani (1993), percentile interval; Berg-Kirkpatrick et al. (2012) on paired samples.

    Example:
        >>> better = Measurement({"accuracy": 100.0, "rows": 3}, np.ones(3))
        >>> worse = Measurement({"accuracy": 0.0, "rows": 3}, np.zeros(3))
        >>> difference([worse], [better], scale=100)
        Difference(value=100.0, low=100.0, high=100.0)
    """
    if samples < 1 or not 0 < confidence < 1:
        raise InputValueError(
            f"samples is {samples} and confidence {confidence}: give at least 1 sample, and a confidence between 0 "
            "and 1"
        )
    _check(first, second)
    rng = np.random.default_rng(seed)
    rows = len(first[0].items)
    drawn = np.array([_difference(first, second, rng.integers(rows, size=rows)) for _ in range(samples)])
    if np.isnan(drawn).all():
        raise InputValueError(f"no sample of the {rows:,} rows has a correlation: scores or similarities are all equal")
    # A sample whose scores are all equal has no correlation.
    low, high = np.nanquantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Difference(*(scale * float(value) for value in (_difference(first, second, np.arange(rows)), low, high)))


def _check(first: Sequence[Measurement], second: Sequence[Measurement]) -> None:
    both = [*first, *second]
    if not first or not second:
        raise InputValueError("a difference needs at least one measurement of each model")
    if len({len(one.items) for one in both}) > 1 or not all(_same(both[0].gold, one.gold) for one in both):
        raise InputValueError("the models were measured on different rows: measure both on the same rows")
    if len(both[0].items) < 2:
        raise InputValueError(f"a confidence interval needs at least two rows, got {len(both[0].items)}")


def _same(one: NDArray[np.float64] | None, other: NDArray[np.float64] | None) -> bool:
    return one is other or (one is not None and other is not None and np.array_equal(one, other))


def _difference(first: Sequence[Measurement], second: Sequence[Measurement], rows: NDArray[np.intp]) -> float:
    return _score(second, rows) - _score(first, rows)


def _score(measurements: Sequence[Measurement], rows: NDArray[np.intp]) -> float:
    gold = measurements[0].gold
    if gold is None:
        return float(np.mean([one.items[rows].mean() for one in measurements]))
    from scipy.stats import rankdata  # slow to import

    # Spearman's correlation is Pearson's of the ranks. SciPy's function would also compute a p-value for each sample.
    ranks = rankdata(gold[rows])
    return float(np.mean([_correlation(rankdata(one.items[rows]), ranks) for one in measurements]))


def _correlation(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    first, second = first - first.mean(), second - second.mean()
    lengths = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / lengths if lengths else float("nan")
