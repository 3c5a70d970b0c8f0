"""Vectors of tokens in their context: layers that each look at a token and its two neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from sda_hf.syntax.arrays.workspace import Floats, Workspace

# Added to the variance, as in thinc's layer normalization.
VARIANCE = np.float32(1e-8)


class Layer(NamedTuple):
    """A maxout layer with two pieces, and layer normalization.

    Attributes:
        weights: of shape (3 * width, 2 * width); one piece after the other.
        bias: of shape (2 * width,).
        scale: of shape (width,).
        shift: of shape (width,).
    """

    weights: Floats
    bias: Floats
    scale: Floats
    shift: Floats

    @classmethod
    def of(cls, model: Any) -> Layer:
        """Return the weights of a layer of a `spacy.MaxoutWindowEncoder.v2`."""
        (maxout,) = (layer for layer in model.walk() if layer.name == "maxout")
        (norm,) = (layer for layer in model.walk() if layer.name == "layernorm")
        weights = maxout.get_param("W")  # of shape (width, pieces, window * width)
        return cls(
            np.ascontiguousarray(weights.transpose(2, 1, 0).reshape(weights.shape[2], -1)),
            maxout.get_param("b").T.reshape(-1),
            norm.get_param("G"),
            norm.get_param("b"),
        )


class WindowEncoder:
    """The layers of a `spacy.MaxoutWindowEncoder.v2` with two pieces and a window of one token on each side."""

    def __init__(self, model: Any) -> None:
        self.layers = [Layer.of(layer) for layer in model.layers[0].layers]

    @property
    def padding(self) -> int:
        """The rows of zeros that have to stand before, between and after texts: one a layer."""
        return len(self.layers)

    def __call__(self, table: Floats, rows: Sequence[int], work: Workspace) -> Floats:
        """Return the vectors of tokens in their context, of shape (rows, width).

        Args:
            table: vectors without context, of shape (any, width).
            rows: a row of the table for each token and each padding.
            work: memory to work in.
        """
        count, width = len(rows), table.shape[1]
        vectors = work.floats("vectors", count + 2, width)
        vectors[0] = vectors[-1] = 0
        np.take(table, rows, axis=0, out=vectors[1:-1], mode="clip")  # "raise" would copy
        # The three neighbouring rows of each row, as one row: a view of the same memory.
        stride = vectors.strides[0]
        windows = np.lib.stride_tricks.as_strided(vectors, (count, 3 * width), (stride, vectors.itemsize))
        inputs, outputs = work.floats("inputs", count, 3 * width), work.floats("outputs", count, 2 * width)
        best = work.floats("best", count, width)
        for layer in self.layers:
            np.copyto(inputs, windows)
            np.dot(inputs, layer.weights, out=outputs)
            outputs += layer.bias
            np.maximum(outputs[:, :width], outputs[:, width:], out=best)
            best -= best.mean(axis=1, keepdims=True)
            variance = np.einsum("ij,ij->i", best, best) / np.float32(width) + VARIANCE
            best *= (1 / np.sqrt(variance))[:, None]
            best *= layer.scale
            best += layer.shift
            vectors[1:-1] += best
        return vectors[1:-1]
