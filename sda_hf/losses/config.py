"""Losses by their registered names."""

from __future__ import annotations

from collections.abc import Mapping

from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
from torch import nn

from sda_hf.errors import InputError, InputTypeError, InputValueError, shown
from sda_hf.losses.base import SentenceLoss, configured
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
        InputTypeError: There is no name, or an argument has the wrong type.
        InputValueError: The name or an argument is unknown, and the message suggests the nearest one; or a value is
            not allowed.

    Example:
        >>> import torch
        >>> from_config(torch.nn.Identity(), {"name": "nt-xent", "temperature": 0.1}).temperature
        0.1
    """
    name = config.get("name")
    if not isinstance(name, str):
        raise InputTypeError(
            f"a loss's config needs a name, which is a string; got {type(name).__name__}: {shown(name)}"
        )
    cls = LOSSES.get(name)
    try:
        loss: nn.Module = configured(cls, model, {key: value for key, value in config.items() if key != "name"})
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError) or issubclass(cls, SentenceLoss):
            raise
        # Losses from elsewhere check their arguments in their own ways.
        raise InputValueError(f"{name}: {' '.join(str(error).split())}") from error
    return loss
