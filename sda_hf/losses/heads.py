"""The projection head between encoder and loss, used only during training."""

from __future__ import annotations

from typing import Literal, get_args

from torch import Tensor, nn

from sda_hf.errors import unknown

HeadKind = Literal["none", "mlp", "mlp2bn"]


class ProjectionHead(nn.Module):
    """Maps embeddings to the vectors that a contrastive loss compares.

    It belongs to the loss, so it is not saved with the model: the papers drop it for evaluation.

    Args:
        kind: "none" passes embeddings through. "mlp" is one layer with tanh (SimCSE; SDA 2022, Training Details).
            "mlp2bn" is two layers with batch normalization (SDA 2024, section 5.3). The paper gives no widths: here,
            both layers are as wide as the embedding, with a ReLU in between and no learned scale after the second,
            as in DiffCSE.
        width: The dimension of the embeddings.

    Shapes:
        (batch, width) → (batch, width).

    Raises:
        InputValueError: The kind is unknown.

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
        """Return the projected embeddings; with "mlp2bn", batch statistics are taken over all rows given."""
        projected: Tensor = self.layers(embeddings)
        return projected


def _layers(kind: HeadKind, width: int) -> list[nn.Module]:
    if kind == "mlp":
        return [nn.Linear(width, width), nn.Tanh()]
    if kind == "mlp2bn":
        first = [nn.Linear(width, width, bias=False), nn.BatchNorm1d(width), nn.ReLU()]
        return [*first, nn.Linear(width, width, bias=False), nn.BatchNorm1d(width, affine=False)]
    return []
