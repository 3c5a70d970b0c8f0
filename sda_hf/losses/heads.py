"""The projection head: between encoder and loss while training, gone afterwards."""

from __future__ import annotations

from typing import Literal, get_args

from torch import Tensor, nn

from sda_hf.errors import unknown

HeadKind = Literal["none", "mlp", "mlp2bn"]


class ProjectionHead(nn.Module):
    """Maps embeddings to what a contrastive loss compares.

    It lives in the loss, so that the saved model has never heard of it: the papers drop it for evaluation.

    Args:
        kind: "none" passes embeddings through. "mlp" is one layer with tanh (SimCSE; SDA 2022, Training Details).
            "mlp2bn" is two layers with batch normalisation (SDA 2024, section 5.3, which gives no widths: both are
            the embedding's, with a ReLU between them and no learnt scale behind the second, as DiffCSE has it).
        width: the dimension of the embeddings.

    Shapes:
        (batch, width) → (batch, width).

    Raises:
        InputValueError: an unknown kind.

    Example:
        >>> import torch
        >>> ProjectionHead("mlp2bn", 8)(torch.randn(4, 8)).shape
        torch.Size([4, 8])
    """

    def __init__(self, kind: HeadKind, width: int) -> None:
        super().__init__()
        if kind not in get_args(HeadKind):
            raise unknown("kind of projection", kind, get_args(HeadKind))
        self.kind = kind
        self.layers = nn.Sequential(*_layers(kind, width))

    def forward(self, embeddings: Tensor) -> Tensor:
        """The projected embeddings; with "mlp2bn" the statistics are those of all rows together."""
        projected: Tensor = self.layers(embeddings)
        return projected


def _layers(kind: HeadKind, width: int) -> list[nn.Module]:
    if kind == "mlp":
        return [nn.Linear(width, width), nn.Tanh()]
    if kind == "mlp2bn":
        first = [nn.Linear(width, width, bias=False), nn.BatchNorm1d(width), nn.ReLU()]
        return [*first, nn.Linear(width, width, bias=False), nn.BatchNorm1d(width, affine=False)]
    return []
