"""The correlations of the STS tasks as a metric of the `evaluate` library, which needs no network."""

from __future__ import annotations

import tempfile
from typing import Any

import datasets
import evaluate

DESCRIPTION = "Spearman's rank correlation and Pearson's correlation between predicted and human similarity scores."
USAGE = """
Args:
    predictions: predicted similarities, any scale.
    references: human scores, as many.

Returns:
    spearman: rank correlation, between -1 and 1.
    pearson: linear correlation, between -1 and 1.
"""
CITATION = """@inproceedings{gao2021simcse,
    title = "{S}im{CSE}: Simple Contrastive Learning of Sentence Embeddings",
    author = "Gao, Tianyu and Yao, Xingcheng and Chen, Danqi",
    booktitle = "Proceedings of the 2021 Conference on Empirical Methods in Natural Language Processing",
    year = "2021",
}"""


class Correlation(evaluate.Metric):  # type: ignore[misc]
    """Spearman's and Pearson's correlation, by scipy.

    Source:
        SDA (2022), equation 4; SimCSE (Gao et al., 2021), appendix B: Spearman's is the one to report.

    Example:
        >>> metric = Correlation(keep_in_memory=True)
        >>> metric.compute(predictions=[0.1, 0.4, 0.3], references=[0.0, 5.0, 2.5])
        {'spearman': 1.0, 'pearson': 0.98...}
    """

    def _info(self) -> evaluate.MetricInfo:
        features = datasets.Features({name: datasets.Value("float64") for name in ("predictions", "references")})
        return evaluate.MetricInfo(
            description=DESCRIPTION, citation=CITATION, inputs_description=USAGE, features=features
        )

    def _compute(self, predictions: list[float], references: list[float]) -> dict[str, Any]:
        from scipy.stats import pearsonr, spearmanr  # here, because it is slow to import

        return {
            "spearman": float(spearmanr(references, predictions).statistic),
            "pearson": float(pearsonr(references, predictions).statistic),
        }


def correlations(predictions: list[float], references: list[float]) -> dict[str, float]:
    """Both correlations, without a trace in the user's cache.

    Args:
        predictions: predicted similarities.
        references: human scores, as many.

    Example:
        >>> correlations([0.1, 0.4, 0.3], [0.0, 5.0, 2.5])["spearman"]
        1.0
    """
    with tempfile.TemporaryDirectory() as folder:  # the library makes a folder even where it keeps all in memory
        metric = Correlation(keep_in_memory=True, cache_dir=folder, seed=0)
        found: dict[str, float] = metric.compute(predictions=predictions, references=references)
    return found
