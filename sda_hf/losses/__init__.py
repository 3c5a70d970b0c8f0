"""Losses for sentence-transformers' trainer.

A loss of your own subclasses `SentenceLoss` and is registered with `LOSSES.register("its-name")`, which makes it
usable in recipes.
"""

from __future__ import annotations

from collections.abc import Mapping

from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
from torch import nn

from sda_hf.losses.base import SentenceLoss, configured
from sda_hf.losses.embedding_augmentation import EmbeddingAugmentation
from sda_hf.losses.heads import ProjectionHead
from sda_hf.losses.margin_negation_infonce import MarginNegationInfoNCELoss
from sda_hf.losses.nt_xent import NTXentLoss
from sda_hf.losses.simcse_edacse import SimCSEEdaCSELoss
from sda_hf.registry import LOSSES

__all__ = [
    "LOSSES",
    "EmbeddingAugmentation",
    "MarginNegationInfoNCELoss",
    "NTXentLoss",
    "ProjectionHead",
    "SentenceLoss",
    "SimCSEEdaCSELoss",
    "from_config",
]

# AugCSE's objective (Eq. 1), with every negative of the batch in the denominator, is the library's own.
LOSSES.register("multiple-negatives-ranking")(MultipleNegativesRankingLoss)


def from_config(model: SentenceTransformer, config: Mapping[str, object]) -> nn.Module:
    """Make the loss that a recipe describes.

    Args:
        model: The model to train.
        config: The `name` of the loss and any of its arguments.

    Raises:
        InputValueError: The name is unknown, or the loss has no such argument; the message suggests the nearest one.

    Example:
        >>> import torch
        >>> from_config(torch.nn.Identity(), {"name": "nt-xent", "temperature": 0.1}).temperature
        0.1
    """
    arguments = {key: value for key, value in config.items() if key != "name"}
    loss: nn.Module = configured(LOSSES.get(str(config["name"])), model, arguments)
    return loss
