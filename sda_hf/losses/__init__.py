"""Losses for sentence-transformers' trainer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
from torch import nn

from sda_hf.losses.base import configured
from sda_hf.losses.embedding_augmentation import EmbeddingAugmentation
from sda_hf.losses.heads import ProjectionHead
from sda_hf.losses.margin_negation_infonce import MarginNegationInfoNCELoss
from sda_hf.losses.nt_xent import NTXentLoss
from sda_hf.losses.simcse_edacse import SimCSEEdaCSELoss
from sda_hf.registry import LOSSES

__all__ = [
    "EmbeddingAugmentation",
    "MarginNegationInfoNCELoss",
    "NTXentLoss",
    "ProjectionHead",
    "SimCSEEdaCSELoss",
    "from_config",
]

# AugCSE's objective (Eq. 1), every negative of the batch in the denominator, is the library's own.
LOSSES.register("multiple-negatives-ranking")(MultipleNegativesRankingLoss)


def from_config(model: SentenceTransformer, config: Mapping[str, Any]) -> nn.Module:
    """The loss that a recipe names.

    Args:
        model: the model to train.
        config: the loss's `name`, and any of its arguments.

    Raises:
        InputValueError: an unknown name, or an argument that the loss does not have; the message has the nearest one.

    Example:
        >>> import torch
        >>> from_config(torch.nn.Identity(), {"name": "nt-xent", "temperature": 0.1}).temperature
        0.1
    """
    arguments = {key: value for key, value in config.items() if key != "name"}
    loss: nn.Module = configured(LOSSES.get(config["name"]), model, arguments)
    return loss
