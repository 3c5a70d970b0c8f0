"""Spearman's and Pearson's correlation."""

from __future__ import annotations

from numpy.typing import ArrayLike


def correlations(predictions: ArrayLike, references: ArrayLike) -> dict[str, float]:
    """Return both correlations, between -1 and 1.

    Args:
        predictions: predicted similarities, (n,).
        references: human scores, (n,).

    Example:
        >>> correlations([0.1, 0.4, 0.3], [0.0, 5.0, 2.5])
        {'spearman': 1.0, 'pearson': 0.98...}
    """
    from scipy.stats import pearsonr, spearmanr  # slow to import

    return {
        "spearman": float(spearmanr(references, predictions).statistic),
        "pearson": float(pearsonr(references, predictions).statistic),
    }
