"""SimCSE's loss, combined with the same loss against augmented sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.losses.merged_forward import embed_columns
from torch import Tensor
from torch.nn import functional

from sda_hf.errors import InputValueError
from sda_hf.losses.base import SentenceLoss
from sda_hf.losses.embedding_augmentation import EmbeddingAugmentation
from sda_hf.losses.heads import HeadKind
from sda_hf.losses.length_groups import Features
from sda_hf.losses.validation import finite_number
from sda_hf.papers import PAPERS
from sda_hf.registry import LOSSES


@LOSSES.register("simcse-edacse")
class SimCSEEdaCSELoss(SentenceLoss):
    """Pulls each anchor toward a second dropout pass of itself and toward its augmented form.

    For a batch of N, with h and h' two passes of the anchors under different dropout, g the augmented sentences, s the
    cosine similarity and t the temperature:

        L = L_CSE + weight * L_EdaCSE
        L_CSE = mean_i -log( exp(s(h_i, h'_i) / t) / sum_j exp(s(h_i, h'_j) / t) )
        L_EdaCSE = mean_i -log( exp(s(h_i, g_i) / t) / sum_j exp(s(h_i, g_j) / t) )

    The model embeds the three views in one pass. The trainer logs both parts, as `cse` and `edacse` (weighted).

    Args:
        model: The model to train. It needs dropout: without it, the first part has nothing to learn from.
        temperature: The temperature t, above 0. The paper does not state it; 0.05 is that of SimCSE.
        weight: The paper's lambda: 0.6 for BERT-base, 0.3 or 0.6 for its other encoders (Table 15).
        gather_across_devices: Whether the views of all processes are candidates for the anchors of each.
        mini_batch_size: How many rows are embedded at a time, for batches that do not fit into memory; None for all.
        projection: The kind of `ProjectionHead` between the embeddings and the loss: "none", "mlp" or "mlp2bn".
        embedding_augmentation: An `EmbeddingAugmentation` of the anchors' second pass during training, or a mapping of
            its arguments (kind, strength); None for none.

    Inputs:
        | Columns             | Labels           |
        | ------------------- | ---------------- |
        | (anchor, augmented) | none, or ignored |

    Shapes:
        Embeddings: (batch, dim) for anchors, second pass and augmented sentences. Output: two scalars by name, or
        with `mini_batch_size` their sum, in float32 for half-precision embeddings.

    Raises:
        InputTypeError: An argument is of the wrong type.
        InputValueError: An argument is out of range, or there are not two columns.

    Source:
        EdaCSE, Applied Sciences 2023, 13, 10120, Eq. 1 and 2 (the printed equations lack the log).

    Example:
        >>> import torch
        >>> from sda_hf.losses import SimCSEEdaCSELoss
        >>> anchor = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
        >>> augmented = torch.tensor([[0.8, 0.6], [0.6, 0.8]])
        >>> loss = SimCSEEdaCSELoss(torch.nn.Identity(), temperature=0.2)
        >>> parts = loss.compute_loss_from_embeddings([anchor, anchor, augmented])
        >>> {name: round(part.item(), 4) for name, part in parts.items()}
        {'cse': 0.0067, 'edacse': 0.188}
    """

    columns: ClassVar[str] = "(anchor, augmented)"
    min_columns: ClassVar[int] = 3  # with the second pass
    source: ClassVar[str] = "EdaCSE, Applied Sciences 2023, 13, 10120, Eq. 2"
    equation: ClassVar[str] = r"""
\mathcal{L} = -\frac{1}{N} \sum_{i=1}^{N} \left(
\log \frac{e^{s(h_i, h_i') / \tau}}{\sum_{j=1}^{N} e^{s(h_i, h_j') / \tau}}
+ \lambda \log \frac{e^{s(h_i, g_i) / \tau}}{\sum_{j=1}^{N} e^{s(h_i, g_j) / \tau}} \right)
"""

    def __init__(
        self,
        model: SentenceTransformer,
        temperature: float = 0.05,
        weight: float = 0.6,
        gather_across_devices: bool = False,
        mini_batch_size: int | None = None,
        projection: HeadKind = "none",
        embedding_augmentation: EmbeddingAugmentation | Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(model, gather_across_devices, mini_batch_size, projection, embedding_augmentation)
        self.temperature = finite_number("temperature", temperature, positive=True, usual="0.01 to 1")
        self.weight = finite_number("weight", weight, positive=True, usual="0.3 to 1")

    def views(self, features: Sequence[Features]) -> list[Features]:
        """Return the anchors twice, then the augmented sentences."""
        if len(features) != 2:
            raise InputValueError(
                f"SimCSEEdaCSELoss got {len(features)} column(s) of sentences but takes 2, {self.columns}: the loss "
                "embeds the anchors twice by itself"
            )
        anchor, augmented = features
        return [dict(anchor), dict(anchor), augmented]

    def embed(self, features: Sequence[Features]) -> list[Tensor]:
        """Return the embeddings of the three views, which are of similar length, from one pass."""
        embeddings: list[Tensor] = embed_columns(self.model, features, separate_first=False)
        return embeddings

    def compute_loss_from_embeddings(
        self, embeddings: Sequence[Tensor], labels: Tensor | None = None
    ) -> dict[str, Tensor]:
        """Return both parts of the loss of anchors, second passes and augmented sentences: (batch, dim) each."""
        anchors, again, augmented = [functional.normalize(column) for column in self.check(embeddings)]
        return {
            "cse": self._against(anchors, again),
            "edacse": self.weight * self._against(anchors, augmented),
        }

    def _against(self, anchors: Tensor, own_candidates: Tensor) -> Tensor:
        candidates, first = self.gather(own_candidates)  # (world * batch, dim)
        own = torch.arange(first, first + len(anchors), device=anchors.device)  # (batch,)
        logits = anchors @ candidates.T / self.temperature  # (batch, world * batch)
        return functional.cross_entropy(logits, own)

    @property
    def citation(self) -> str:
        """BibTeX of the paper."""
        return PAPERS["EdaCSE"]
