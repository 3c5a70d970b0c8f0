"""The correlations of the STS tasks as a metric of the `evaluate` library; it needs no network."""

from __future__ import annotations

import datasets
import evaluate

from sda_hf.evaluation.tasks.correlation import correlations

DESCRIPTION = "Spearman's rank correlation and Pearson's correlation between predicted and human similarity scores."
USAGE = """
Args:
    predictions: predicted similarities, on any scale.
    references: human scores, one per prediction.

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
    """Spearman's and Pearson's correlation, computed with SciPy.

    Source:
        SDA (2022), equation 4; SimCSE (Gao et al., 2021), appendix B, which recommends reporting Spearman's.

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

    def _compute(self, predictions: list[float], references: list[float]) -> dict[str, float]:
        return correlations(predictions, references)
