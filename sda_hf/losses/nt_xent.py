"""NT-Xent over both views of each sentence, with generated hard negatives in some of the batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import torch
from sentence_transformers import SentenceTransformer
from torch import Tensor
from torch.nn import functional

from sda_hf.losses.base import SentenceLoss
from sda_hf.losses.embedding_augmentation import EmbeddingAugmentation
from sda_hf.losses.heads import HeadKind
from sda_hf.losses.length_groups import Features
from sda_hf.losses.validation import finite_number, positive_integer
from sda_hf.papers import PAPERS
from sda_hf.registry import LOSSES


@LOSSES.register("nt-xent")
class NTXentLoss(SentenceLoss):
    """Pulls the two views of a sentence together and away from all other views and all generated negatives.

    For N pairs, with z the 2N views (anchors, then positives), p(i) the other view of i's sentence, n the generated
    negatives of the batch, s the cosine similarity and t the temperature:

        L = mean over the 2N views of
            -log( exp(s(z_i, z_p(i)) / t) / (sum_{k != i} exp(s(z_i, z_k) / t) + sum_m exp(s(z_i, n_m) / t)) )

    Args:
        model: The model to train.
        temperature: The temperature t, above 0.
        negative_every: During training, the columns of negatives are used (and embedded) only in every
            `negative_every`-th batch, starting with the first. Checkpoints keep the count.
        gather_across_devices: Whether the views and negatives of all processes are candidates for those of each.
        mini_batch_size: How many rows are embedded at a time, for batches that do not fit into memory; None for all.
        projection: The kind of `ProjectionHead` between the embeddings and the loss: "none", "mlp" or "mlp2bn".
        embedding_augmentation: An `EmbeddingAugmentation` of the positives during training, or a mapping of its
            arguments (kind, strength); None for none.

    Inputs:
        | Columns                                                      | Labels           |
        | ------------------------------------------------------------ | ---------------- |
        | (anchor, positive)                                           | none, or ignored |
        | (anchor, positive, negative of the anchor)                   | none, or ignored |
        | (anchor, positive, negative of the anchor, of the positive)  | none, or ignored |

    Shapes:
        Embeddings: (batch, dim) each. Logits: (2 * batch, world * (2 + columns of negatives) * batch). Output: a
        scalar, in float32 for half-precision embeddings.

    Raises:
        InputTypeError: An argument is of the wrong type.
        InputValueError: An argument is out of range, or there are fewer than two columns.

    Source:
        Shu et al., Unsupervised hard Negative Augmentation for contrastive learning (UNA), sections 2.1 and 3: the
        loss over 2N views and the batch doubled by negatives, once every five batches (Appendix C.4); Chen et al.,
        A Simple Framework for Contrastive Learning of Visual Representations, ICML 2020, Eq. 1.

    Example:
        >>> import torch
        >>> from sda_hf.losses import NTXentLoss
        >>> anchor = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
        >>> positive = torch.tensor([[0.8, 0.6], [0.6, 0.8]])
        >>> negative = torch.tensor([[0.6, 0.8], [0.8, 0.6]])
        >>> loss = NTXentLoss(torch.nn.Identity(), temperature=0.2)
        >>> for columns in ([anchor, positive], [anchor, positive, negative]):
        ...     print(f"{loss.compute_loss_from_embeddings(columns):.4f}")
        0.8028
        1.5788
    """

    columns: ClassVar[str] = "(anchor, positive) or (anchor, positive, negative, ...)"
    min_columns: ClassVar[int] = 2
    source: ClassVar[str] = "Shu et al., UNA, section 3 and Appendix C.4"
    equation: ClassVar[str] = r"""
\mathcal{L} = -\frac{1}{2N} \sum_{i=1}^{2N} \log
\frac{e^{s(z_i, z_{p(i)}) / \tau}}{\sum_{k \neq i} e^{s(z_i, z_k) / \tau} + \sum_{m} e^{s(z_i, n_m) / \tau}}
"""

    batches: Tensor

    def __init__(
        self,
        model: SentenceTransformer,
        temperature: float = 0.05,
        negative_every: int = 5,
        gather_across_devices: bool = False,
        mini_batch_size: int | None = None,
        projection: HeadKind = "none",
        embedding_augmentation: EmbeddingAugmentation | Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(model, gather_across_devices, mini_batch_size, projection, embedding_augmentation)
        self.temperature = finite_number("temperature", temperature, positive=True, usual="0.01 to 1")
        self.negative_every = positive_integer("negative_every", negative_every, usual="5")
        self.register_buffer("batches", torch.zeros((), dtype=torch.long))

    def views(self, features: Sequence[Features]) -> list[Features]:
        """Return the anchors and positives, and in every `negative_every`-th batch the negatives."""
        if not (self.training and torch.is_grad_enabled()):
            return list(features)
        turn = int(self.batches) % self.negative_every == 0
        self.batches += 1
        return list(features) if turn else list(features[:2])

    def compute_loss_from_embeddings(self, embeddings: Sequence[Tensor], labels: Tensor | None = None) -> Tensor:
        """Return the loss of embedded columns, each (batch, dim), anchors and positives first."""
        columns = [functional.normalize(column) for column in self.check(embeddings)]
        gathered = [self.gather(column) for column in columns]
        rows, world_rows, first = len(columns[0]), len(gathered[0][0]), gathered[0][1]
        views = torch.cat(columns[:2])  # (2 * batch, dim)
        candidates = torch.cat([column for column, _ in gathered])  # (world * batch * columns, dim)
        logits = views @ candidates.T / self.temperature  # (2 * batch, world * batch * columns)
        own = torch.arange(first, first + rows, device=views.device)
        itself = torch.cat([own, own + world_rows])  # (2 * batch,): each view's own column
        logits = logits.scatter(1, itself[:, None], float("-inf"))
        return functional.cross_entropy(logits, torch.cat([own + world_rows, own]))

    @property
    def citation(self) -> str:
        """BibTeX of the paper."""
        return PAPERS["UNA"]
