"""How token vectors become a sentence vector, as the papers do it, with sentence-transformers' own modules."""

from __future__ import annotations

import torch
from sentence_transformers.sentence_transformer.modules import Pooling, Transformer, WeightedLayerPooling
from torch import nn

# Layers that are averaged, counted from the last (-1); the embeddings below the first layer are not among them.
LAYERS = {"first-last": (1, -1), "last-two": (-2, -1)}


def pooling_modules(transformer: Transformer, kind: str) -> list[nn.Module]:
    """The modules behind an encoder that pool its tokens.

    Args:
        transformer: the encoder; for an average of layers it is told to hand out all of them.
        kind: "mean", "cls" and "max" of the last layer; "first-last" and "last-two": the mean over the tokens of the
            average of two layers (SimCSE's avg_first_last and avg_top2). The last layer is counted, the embeddings
            are not.

    Returns:
        Modules that any installation of sentence-transformers loads.
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
