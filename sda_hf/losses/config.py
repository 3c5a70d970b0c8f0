"""Losses by their registered names."""

from __future__ import annotations

from collections.abc import Mapping

from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
from torch import nn

from sda_hf.losses.base import configured
from sda_hf.registry import LOSSES

register = LOSSES.register

# AugCSE's objective (Eq. 1), with every negative of the batch in the denominator, is part of sentence-transformers.
register("multiple-negatives-ranking")(MultipleNegativesRankingLoss)


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
