"""Pooling as the papers do it, with sentence-transformers' own modules."""

from __future__ import annotations

import torch
from sentence_transformers.sentence_transformer.modules import Pooling, Transformer, WeightedLayerPooling
from torch import nn

# The two layers that are averaged; -1 is the last one. The embedding layer does not count.
LAYERS = {"first-last": (1, -1), "last-two": (-2, -1)}


def pooling_modules(transformer: Transformer, kind: str) -> list[nn.Module]:
    """Return the modules that turn an encoder's token embeddings into a sentence embedding.

    Args:
        transformer: the encoder; for an average of layers, its config is changed to return all hidden states.
        kind: "mean", "cls" or "max" of the last layer; "first-last" and "last-two": the mean over the tokens of the
            average of two layers (avg_first_last and avg_top2 in SimCSE's code).

    Returns:
        Modules that a plain installation of sentence-transformers can load.
    """
    config = transformer.model.config
    width = config.hidden_size
    if kind not in LAYERS:
        return [Pooling(width, kind)]
    count = config.num_hidden_layers
    chosen = sorted(layer % (count + 1) for layer in LAYERS[kind])
    config.output_hidden_states = True
    weights = torch.zeros(count + 1 - chosen[0])
    for layer in chosen:
        weights[layer - chosen[0]] += 1.0
    layers = WeightedLayerPooling(
        width,
        num_hidden_layers=count,
        layer_start=chosen[0],
        layer_weights=nn.Parameter(weights, requires_grad=False),
    )
    return [layers, Pooling(width, "mean")]
