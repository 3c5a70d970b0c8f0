"""The loss that holds sentences to the embeddings of the untrained encoder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from sentence_transformers import SentenceTransformer
from torch import Tensor
from torch.nn import functional

from sda_hf.errors import InputValueError
from sda_hf.losses.base import SentenceLoss
from sda_hf.losses.validation import finite_number
from sda_hf.papers import PAPERS
from sda_hf.registry import LOSSES


@LOSSES.register("retention")
class RetentionLoss(SentenceLoss):
    """Holds ordinary sentences to the embeddings that the encoder gave them before training.

    Beside a loss that teaches something new, it keeps what the encoder knew. For a batch of N sentences with
    embeddings h and earlier ones g, and with s the cosine similarity:

        L = weight * (L_own + similarity_weight * L_similarities)
        L_own = mean_i (1 - s(h_i, g_i))
        L_similarities = mean_ij (s(h_i, h_j) - s(g_i, g_j))^2

    The trainer logs both parts, as `own` and `similarities`, with their weights.

    Args:
        model: The model to train.
        weight: The weight of the whole loss, above 0.
        similarity_weight: The weight of the similarities between sentences; 0 for none.
        gather_across_devices: Whether the similarities to the sentences of all processes count.
        mini_batch_size: How many rows are embedded at a time, for batches that do not fit into memory; None for all.

    Inputs:
        | Columns    | Labels                                                        |
        | ---------- | ------------------------------------------------------------- |
        | (sentence) | (batch, dim): the embeddings of the sentences before training |

        A recipe adds the labels with `labels: embeddings`. Inside `MatryoshkaLoss`, which truncates the embeddings, the
        labels are truncated to the same dimensions.

    Shapes:
        Embeddings and labels: (batch, dim). Similarities: (batch, world * batch). Output: two scalars by name, or with
        `mini_batch_size` their sum, in float32 for half-precision embeddings.

    Raises:
        InputTypeError: An argument is of the wrong type.
        InputValueError: An argument is out of range, there is more than one column, or the labels are missing or do
            not fit.

    Source:
        The squared difference of the similarities is that of Tung and Mori, Similarity-Preserving Knowledge
        Distillation, ICCV 2019, on cosine similarities.

    Relations:
        With `similarity_weight=0` and `weight=1`, this is sentence-transformers' `EmbedDistillLoss(model)`.

    Example:
        >>> import torch
        >>> from sda_hf.losses import RetentionLoss
        >>> before = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
        >>> after = torch.tensor([[0.8, 0.6], [0.0, 1.0]])
        >>> parts = RetentionLoss(torch.nn.Identity()).compute_loss_from_embeddings([after], before)
        >>> {name: round(part.item(), 4) for name, part in parts.items()}
        {'own': 1.0, 'similarities': 18.0}
    """

    columns: ClassVar[str] = "(sentence)"
    min_columns: ClassVar[int] = 1
    needs_other_rows: ClassVar[bool] = False
    source: ClassVar[str] = "Tung and Mori, Similarity-Preserving Knowledge Distillation, ICCV 2019"
    equation: ClassVar[str] = r"""
\mathcal{L} = w \left( \frac{1}{N} \sum_{i} (1 - s(h_i, g_i))
+ \frac{\lambda}{N^2} \sum_{i, j} (s(h_i, h_j) - s(g_i, g_j))^2 \right)
"""

    def __init__(
        self,
        model: SentenceTransformer,
        weight: float = 10.0,
        similarity_weight: float = 10.0,
        gather_across_devices: bool = False,
        mini_batch_size: int | None = None,
    ) -> None:
        super().__init__(model, gather_across_devices, mini_batch_size)
        self.weight = finite_number("weight", weight, positive=True, usual="1 to 100")
        self.similarity_weight = finite_number("similarity_weight", similarity_weight, positive=False, usual="0 to 100")
        if self.similarity_weight < 0:
            raise InputValueError(f"similarity_weight is {similarity_weight!r}: give 0 or more, usually 0 to 100")

    def compute_loss_from_embeddings(
        self, embeddings: Sequence[Tensor], labels: Tensor | None = None
    ) -> dict[str, Tensor]:
        """Return both parts of the loss of embedded sentences, (batch, dim), with their earlier embeddings."""
        found = self.check(embeddings)
        if len(found) > 1:
            raise InputValueError(f"RetentionLoss got {len(found)} columns of sentences but takes 1, {self.columns}")
        after = functional.normalize(found[0])
        before = functional.normalize(self._targets(after, labels))
        candidates, targets = self.gather(after)[0], self.gather(before)[0]  # (world * batch, dim)
        differences = after @ candidates.T - before @ targets.T  # (batch, world * batch)
        return {
            "own": self.weight * (1 - (after * before).sum(dim=1)).mean(),
            "similarities": self.weight * self.similarity_weight * differences.square().mean(),
        }

    def _targets(self, after: Tensor, labels: Tensor | None) -> Tensor:
        """Return the labels, in as many dimensions as the embeddings have."""
        batch, dim = after.shape
        if labels is None:
            raise InputValueError(
                "RetentionLoss got no labels: give it a column label with the embeddings of the sentences before "
                "training (in a recipe, labels: embeddings)"
            )
        if labels.ndim != 2 or len(labels) != batch or labels.shape[1] < dim:
            raise InputValueError(
                f"RetentionLoss got labels of shape {tuple(labels.shape)} for embeddings of shape {(batch, dim)}: give "
                "the embeddings of the same sentences before training, from the same encoder"
            )
        return labels[:, :dim].to(after)

    @property
    def citation(self) -> str:
        """BibTeX of the paper."""
        return PAPERS["Similarity-Preserving Knowledge Distillation"]
