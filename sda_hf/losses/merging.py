"""Several columns through the model in one forward pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from sentence_transformers import SentenceTransformer
from torch import Tensor
from torch.nn import functional


def merged(model: SentenceTransformer, features: Sequence[dict[str, Any]]) -> list[Tensor]:
    """The embeddings of each column, from one batch of all their rows.

    Columns whose features are not all (batch, length) or (batch,) tensors under the same names go through one by one:
    flattened or multimodal inputs know better how they are joined.

    Args:
        model: the encoder.
        features: the tokenised columns.
    """
    if not _mergeable(features):
        return [model(column)["sentence_embedding"] for column in features]
    batch: dict[str, Any] = {}
    for name in features[0]:
        values = [column[name] for column in features]
        batch[name] = torch.cat(_padded(model, name, values)) if isinstance(values[0], Tensor) else values[0]
    embeddings: Tensor = model(batch)["sentence_embedding"]
    return list(torch.split(embeddings, [_rows(column) for column in features]))


def _rows(column: dict[str, Any]) -> int:
    return len(column["input_ids"])


def _mergeable(features: Sequence[dict[str, Any]]) -> bool:
    names = set(features[0])
    if "input_ids" not in names or "attention_mask" not in names or any(set(column) != names for column in features):
        return False
    for column in features:
        shape = column["input_ids"].shape
        for value in column.values():
            if isinstance(value, Tensor) and value.shape not in (shape, shape[:1]):
                return False
    plain = [name for name in names if not isinstance(features[0][name], Tensor)]
    return all(column[name] == features[0][name] for column in features for name in plain)


def _padded(model: SentenceTransformer, name: str, values: Sequence[Tensor]) -> list[Tensor]:
    """The tensors of one feature at the length of the longest."""
    if values[0].ndim == 1:
        return list(values)
    longest = max(value.shape[1] for value in values)
    tokenizer = getattr(model, "tokenizer", None)
    fill = (getattr(tokenizer, "pad_token_id", None) or 0) if name == "input_ids" else 0
    left = getattr(tokenizer, "padding_side", "right") == "left"
    padded = []
    for value in values:
        missing = longest - value.shape[1]
        padded.append(functional.pad(value, (missing, 0) if left else (0, missing), value=fill))
    return padded
