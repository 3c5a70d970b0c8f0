"""The loss of squares of opposition: sentences on the same side are closer than sentences on opposite sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import torch
from sentence_transformers import SentenceTransformer
from torch import Tensor
from torch.nn import functional

from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.losses.base import SentenceLoss
from sda_hf.losses.embedding_augmentation import EmbeddingAugmentation
from sda_hf.losses.heads import HeadKind
from sda_hf.losses.validation import finite_number
from sda_hf.papers import PAPERS
from sda_hf.registry import LOSSES

# The sides of claim, denial, contrary and equivalent.
SQUARE = (1, -1, -1, 1)
# Added to a similarity that does not count; finite, so that a row without any rival has gradients.
NO_RIVAL = -1e4


@LOSSES.register("opposition")
class OppositionLoss(SentenceLoss):
    """Makes each sentence of a row closer to those on its own side than to those on the other side, by a margin.

    In a square of opposition, the claim ("The food is good.") and its equivalent ("The food isn't bad.") are on one
    side, the denial ("The food isn't good.") and the contrary ("The food is bad.") on the other. With s the cosine
    similarity, m the margin and t the temperature, the loss is the mean of

        softplus((s(h_c, h_o) - s(h_c, h_p) + m) / t)

    over each corner c, each other corner p on its side, and each corner o on the other side, times the weight. A row is
    compared with no other row: what other sentences mean to each other is not touched.

    Args:
        model: The model to train.
        temperature: The temperature t, above 0.
        margin: The margin m: how much higher the cosine similarity to the own side should be.
        in_batch: Whether the corners of all other rows are negatives too. The loss is then InfoNCE: for each corner c
            and each p, the other side of the row (plus the margin) and the other rows share one softmax.
        gather_across_devices: With `in_batch`, whether the rows of all processes are negatives.
        mini_batch_size: How many rows are embedded at a time, for batches that do not fit into memory; None for all.
        projection: The kind of `ProjectionHead` between the embeddings and the loss: "none", "mlp" or "mlp2bn".
        embedding_augmentation: An `EmbeddingAugmentation` of the equivalents during training, or a mapping of its
            arguments (kind, strength); None for none.
        weight: The weight of the loss, above 0, where several datasets with losses of their own are trained on.

    Inputs:
        | Columns                               | Labels                                            |
        | ------------------------------------- | ------------------------------------------------- |
        | (claim, denial, contrary, equivalent) | none, or one a row, which is ignored               |
        | (corner_1, ..., corner_n)             | (batch, n): 1 and -1 for the two sides, 0 for a   |
        |                                       | corner that is missing, whose text is not used    |

    Shapes:
        n corners, `world` processes (1 unless gathered). Embeddings: (batch, dim) each. Similarities: (batch, n, n),
        with `in_batch` (batch * n, world * batch * n). Output: a scalar, in float32 for half-precision embeddings; 0
        for a batch without two corners on a side and one on the other.

    Raises:
        InputTypeError: An argument is of the wrong type.
        InputValueError: An argument is out of range, the columns differ in number or shape from what is expected, or a
            label is not 1, -1 or 0.

    Source:
        The pairwise logistic loss of Burges et al., Learning to Rank using Gradient Descent (RankNet), ICML 2005, with
        a margin and a temperature.

    Relations:
        With `margin=0`, each term is `MultipleNegativesRankingLoss`'s for one positive and one hard negative, without
        any other row.

    Example:
        Given embeddings, the loss does not need a model.

        >>> import torch
        >>> from sda_hf.losses import OppositionLoss
        >>> claim, denial = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.8, 0.6]])
        >>> loss = OppositionLoss(torch.nn.Identity(), temperature=0.2, margin=0.2)
        >>> loss.compute_loss_from_embeddings([claim, denial, denial, claim])  # two points, one for each side
        tensor(0.6931)
        >>> loss.compute_loss_from_embeddings([claim, claim, denial, denial])  # "not" moves nothing
        tensor(1.7201)
    """

    columns: ClassVar[str] = "(claim, denial, contrary, equivalent)"
    min_columns: ClassVar[int] = 3
    needs_other_rows: ClassVar[bool] = False
    source: ClassVar[str] = "Burges et al., RankNet, ICML 2005, with a margin and a temperature"
    equation: ClassVar[str] = r"""
\mathcal{L} = \frac{1}{N} \sum_{c, p, o} \log \left( 1 + e^{(s(h_c, h_o) - s(h_c, h_p) + m) / \tau} \right)
"""

    def __init__(  # noqa: PLR0913 - each is an option
        self,
        model: SentenceTransformer,
        temperature: float = 0.05,
        margin: float = 0.2,
        in_batch: bool = False,
        gather_across_devices: bool = False,
        mini_batch_size: int | None = None,
        projection: HeadKind = "none",
        embedding_augmentation: EmbeddingAugmentation | Mapping[str, object] | None = None,
        weight: float = 1.0,
    ) -> None:
        super().__init__(model, gather_across_devices, mini_batch_size, projection, embedding_augmentation)
        self.temperature = finite_number("temperature", temperature, positive=True, usual="0.01 to 1")
        self.margin = finite_number("margin", margin, positive=False, usual="0 to 0.5")
        if not isinstance(in_batch, bool):
            raise InputTypeError(f"in_batch is {in_batch!r}: give True or False")
        self.in_batch = in_batch
        self.weight = finite_number("weight", weight, positive=True, usual="0.1 to 10")

    @property
    def positive_views(self) -> range:
        """The index of the equivalents."""
        return range(3, 4)

    def compute_loss_from_embeddings(self, embeddings: Sequence[Tensor], labels: Tensor | None = None) -> Tensor:
        """Return the loss of embedded corners, each (batch, dim), with their sides, (batch, corners)."""
        corners = functional.normalize(torch.stack(self.check(embeddings), dim=1), dim=2)  # (batch, n, dim)
        sides = self._sides(corners, labels)  # (batch, n)
        similarities = corners @ corners.transpose(1, 2)  # (batch, n, n)
        relation = sides[:, :, None] * sides[:, None, :]  # (batch, n, n): 1 same side, -1 opposite, 0 missing
        is_partner = (relation > 0) & ~torch.eye(corners.shape[1], dtype=torch.bool, device=corners.device)
        if self.in_batch:
            rivals, is_rival = self._softmax_of_rivals(corners, sides, relation), is_partner.any(2, keepdim=True)
        else:
            rivals, is_rival = similarities + self.margin, relation < 0  # (batch, n, n)
        # (batch, n, n, rivals): of each corner, each partner with each rival
        gaps = (rivals[:, :, None, :] - similarities[:, :, :, None]) / self.temperature
        counts = is_partner[:, :, :, None] & is_rival[:, :, None, :]
        terms = functional.softplus(gaps.masked_fill(~counts, float("-inf")))
        return self.weight * terms.sum() / counts.sum().clamp(min=1)

    def _softmax_of_rivals(self, corners: Tensor, sides: Tensor, relation: Tensor) -> Tensor:
        """Return the soft maximum of the similarities of each corner to the rest of the batch, (batch, n, 1)."""
        batch, count, dim = corners.shape
        candidates, first = self.gather(corners.reshape(batch * count, dim))  # (world * batch * n, dim)
        is_given = self.gather(sides.reshape(batch * count, 1))[0].reshape(-1, count) != 0  # (world * batch, n)
        logits = (corners @ candidates.T).reshape(batch, count, -1, count)  # (batch, n, world * batch, n)
        no_rival, margin = logits.new_tensor(NO_RIVAL), logits.new_tensor(self.margin)
        offsets = torch.where(is_given, 0.0, no_rival).expand_as(logits).clone()
        rows = torch.arange(batch, device=corners.device)
        own = torch.where(relation < 0, margin, no_rival)  # (batch, n, n): a partner is no rival
        offsets[rows, :, first // count + rows] = own
        rivals = torch.logsumexp(((logits + offsets) / self.temperature).flatten(2), dim=2, keepdim=True)
        return rivals * self.temperature

    def _sides(self, corners: Tensor, labels: Tensor | None) -> Tensor:
        """Return the side of each corner, (batch, n); one label a row, as `fit` gives, is not looked at."""
        batch, count, _ = corners.shape
        if labels is None or labels.ndim == 1:
            if count != len(SQUARE):
                raise InputValueError(
                    f"OppositionLoss got {count} columns without labels: give it {self.columns}, or a column label "
                    f"with {count} sides a row, each 1 or -1, or 0 for a corner that is missing"
                )
            return corners.new_tensor(SQUARE).expand(batch, -1)
        if labels.shape != (batch, count):
            raise InputValueError(
                f"OppositionLoss got labels of shape {tuple(labels.shape)}: give one side for each of the {count} "
                f"columns, ({batch}, {count})"
            )
        if not bool((labels.abs() * (labels.abs() - 1) == 0).all()):
            raise InputValueError(
                "OppositionLoss got labels that are no sides: give 1 or -1, or 0 for a corner that is missing"
            )
        return labels.to(corners)

    @property
    def citation(self) -> str:
        """BibTeX of the paper."""
        return PAPERS["RankNet"]
