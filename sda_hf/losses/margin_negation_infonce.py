"""InfoNCE with the anchor's negation in the denominator, less a margin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

import torch
from sentence_transformers import SentenceTransformer
from torch import Tensor
from torch.nn import functional

from sda_hf.errors import InputValueError, unknown
from sda_hf.losses.base import SentenceLoss
from sda_hf.losses.embedding_augmentation import EmbeddingAugmentation
from sda_hf.losses.heads import HeadKind
from sda_hf.losses.validation import finite_number, positive_integer
from sda_hf.papers import PAPERS
from sda_hf.registry import LOSSES


@LOSSES.register("margin-negation-infonce")
class MarginNegationInfoNCELoss(SentenceLoss):
    """Pulls each anchor toward its positive and away from the rest of the batch, but less so from its own negation.

    A negation is a hard negative that still shares the anchor's subject, so it should not be pushed away as far as an
    unrelated sentence: `margin` is subtracted from its similarity. For a batch of N, with s the cosine similarity and
    t the temperature, the loss is the mean over i of

        -log( exp(s(h_i, h_i+) / t) / (sum_j exp(s(h_i, h_j+) / t) + exp((s(h_i, h_i-) - margin) / t)) )

    With several positives per anchor, it is the mean over them. All positives of the other anchors are in the sum, but
    the positives of one anchor are not contrasted with each other.

    Args:
        model: The model to train.
        temperature: The temperature t, above 0: 1 / `scale` in sentence-transformers' losses.
        margin: Subtracted from the cosine similarity to the anchor's own negation. A negative margin adds to it, which
            enforces a gap.
        negatives: "own": only the anchor's own negation is in the denominator, as in the paper. "batch": all negations
            of the batch are, with the margin on the anchor's own.
        gather_across_devices: Whether the positives (and with "batch" the negations) of all processes are candidates
            for the anchors of each. All processes must hold the same number of rows.
        mini_batch_size: How many rows are embedded at a time, for batches that do not fit into memory; None for all.
        projection: The kind of `ProjectionHead` between the embeddings and the loss: "none", "mlp" or "mlp2bn".
        positives: How many columns after the anchors hold positives.
        embedding_augmentation: An `EmbeddingAugmentation` of each column of positives during training, or a mapping of
            its arguments (kind, strength); None for none.

    Inputs:
        | Columns                                         | Labels           |
        | ----------------------------------------------- | ---------------- |
        | (anchor, positive)                              | none, or ignored |
        | (anchor, positive, negative)                    | none, or ignored |
        | (anchor, positive, negative_1, ..., negative_n) | none, or ignored |

        Every column after the positives holds negations of the anchor in its row. Without any, this is InfoNCE.

    Shapes:
        p positive columns, n negative ones, `world` processes (1 unless gathered). Embeddings: (batch, dim) each.
        Logits: (batch, world * batch * p + n) for "own", (batch, world * batch * (p + n)) for "batch". Output: a
        scalar, in float32 for half-precision embeddings.

    Raises:
        InputTypeError: An argument is of the wrong type.
        InputValueError: An argument is out of range, there are too few columns, the columns differ in shape, or
            the processes hold different numbers of rows to gather.

    Source:
        Zhu et al., SDA: Simple Discrete Augmentation for Contrastive Sentence Representation Learning,
        LREC-COLING 2024, Eq. 4 (the printed equation lacks the log). Several positives: the mean outside the log,
        as in Khosla et al., Supervised Contrastive Learning, NeurIPS 2020, Eq. 2.

    Relations:
        Equals sentence-transformers' `MultipleNegativesRankingLoss(model, scale=1 / temperature)` on
        (anchor, positive), and with `margin=0, negatives="batch"` on any number of columns.

    Example:
        Given embeddings, the loss does not need a model.

        >>> import torch
        >>> from sda_hf.losses import MarginNegationInfoNCELoss
        >>> anchor = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
        >>> positive = torch.tensor([[0.8, 0.6], [0.6, 0.8]])
        >>> negative = torch.tensor([[0.6, 0.8], [0.8, 0.6]])
        >>> for margin in (0.0, 0.5):
        ...     loss = MarginNegationInfoNCELoss(torch.nn.Identity(), temperature=0.2, margin=margin)
        ...     print(f"{margin}: {loss.compute_loss_from_embeddings([anchor, positive, negative]):.4f}")
        0.0: 0.5514
        0.5: 0.3351
    """

    columns: ClassVar[str] = "(anchor, positive) or (anchor, positive, negative, ...)"
    min_columns: ClassVar[int] = 2
    source: ClassVar[str] = "Zhu et al., SDA, LREC-COLING 2024, Eq. 4"
    equation: ClassVar[str] = r"""
\mathcal{L} = -\frac{1}{N} \sum_{i=1}^{N} \log
\frac{e^{s(h_i, h_i^+) / \tau}}{\sum_{j=1}^{N} e^{s(h_i, h_j^+) / \tau} + e^{(s(h_i, h_i^-) - m) / \tau}}
"""

    def __init__(  # noqa: PLR0913 - the arguments of a recipe
        self,
        model: SentenceTransformer,
        temperature: float = 0.05,
        margin: float = 0.5,
        negatives: Literal["own", "batch"] = "own",
        gather_across_devices: bool = False,
        mini_batch_size: int | None = None,
        projection: HeadKind = "none",
        positives: int = 1,
        embedding_augmentation: EmbeddingAugmentation | Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(model, gather_across_devices, mini_batch_size, projection, embedding_augmentation)
        if negatives not in ("own", "batch"):
            raise unknown("kind of negatives", negatives, ("own", "batch"))
        self.temperature = finite_number("temperature", temperature, positive=True, usual="0.01 to 1")
        self.margin = finite_number("margin", margin, positive=False, usual="-1 to 1")
        self.negatives = negatives
        self.positives = positive_integer("positives", positives, usual="1")

    @property
    def positive_views(self) -> range:
        """The indices of the columns of positives."""
        return range(1, 1 + self.positives)

    def compute_loss_from_embeddings(self, embeddings: Sequence[Tensor], labels: Tensor | None = None) -> Tensor:
        """Return the loss of embedded columns, each (batch, dim), anchors first; the labels are ignored."""
        anchors, *columns = [functional.normalize(column) for column in self.check(embeddings)]
        if len(columns) < self.positives:
            raise InputValueError(
                f"MarginNegationInfoNCELoss(positives={self.positives}) got {len(columns) + 1} columns: give it the "
                f"anchor, {self.positives} positives, then the negatives"
            )
        gathered = [self.gather(positive) for positive in columns[: self.positives]]
        positives, first = torch.cat([column for column, _ in gathered]), gathered[0][1]  # (world * batch * p, dim)
        world_rows = len(gathered[0][0])
        own = torch.arange(first, first + len(anchors), device=anchors.device)  # (batch,): the row of each anchor
        similarities = [anchors @ positives.T]  # (batch, world * batch * p)
        similarities += [self._to_negative(anchors, negative, own) for negative in columns[self.positives :]]
        logits = torch.cat(similarities, dim=1) / self.temperature  # (batch, every candidate)

        targets = [own + k * world_rows for k in range(self.positives)]  # (batch,) each
        losses = []
        for target in targets:
            rivals = logits
            for other in targets:
                if other is not target:
                    rivals = rivals.scatter(1, other[:, None], float("-inf"))
            losses.append(functional.cross_entropy(rivals, target))
        return torch.stack(losses).mean()

    def _to_negative(self, anchors: Tensor, negative: Tensor, own: Tensor) -> Tensor:
        """Return the similarities to a column of negations, with the margin subtracted from each anchor's own."""
        if self.negatives == "own":
            return (anchors * negative).sum(dim=1, keepdim=True) - self.margin  # (batch, 1)
        similarity = anchors @ self.gather(negative)[0].T  # (batch, world * batch)
        is_own = torch.arange(similarity.shape[1], device=own.device) == own[:, None]  # (batch, world * batch)
        return torch.where(is_own, similarity - self.margin, similarity)

    @property
    def citation(self) -> str:
        """BibTeX of the paper."""
        return PAPERS["SDA"]
