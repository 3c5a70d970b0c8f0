"""The columns of a batch through the model, as one batch of all their rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from sentence_transformers import SentenceTransformer
from torch import Tensor
from torch.nn import functional

# Further passes pay where they spare at least this share of the tokens of one pass.
LEAST_SPARED = 0.1

Features = dict[str, Any]


def embedded(model: SentenceTransformer, columns: Sequence[Features], passes: int | None = None) -> list[Tensor]:
    """The embeddings of each column, from one batch of all their rows.

    Where that spares padding, the rows go through the model by length, in as many passes as there are columns. Columns
    whose features are not all (batch, length) or (batch,) tensors under the same names go through one by one: flattened
    or multimodal inputs know better how they are joined.

    Args:
        model: the encoder.
        columns: the tokenised columns.
        passes: most passes through the model; None for the number of columns.
    """
    if not _joinable(columns):
        return [model(column)["sentence_embedding"] for column in columns]
    left = getattr(getattr(model, "tokenizer", None), "padding_side", "right") == "left"
    batch = _joined(model, columns, left)
    lengths = _lengths(batch["attention_mask"], left)
    order, parts = _by_length(lengths, passes or len(columns))
    if len(parts) == 1:
        embeddings: Tensor = model(batch)["sentence_embedding"]
    else:
        found = [model(_rows(batch, part, int(lengths[part].max()), left))["sentence_embedding"] for part in parts]
        embeddings = torch.cat(found)[torch.argsort(order)]
    return list(torch.split(embeddings, [len(column["input_ids"]) for column in columns]))


def _joinable(columns: Sequence[Features]) -> bool:
    names = set(columns[0])
    if "input_ids" not in names or "attention_mask" not in names or any(set(column) != names for column in columns):
        return False
    for column in columns:
        shape = column["input_ids"].shape
        for value in column.values():
            if isinstance(value, Tensor) and value.shape not in (shape, shape[:1]):
                return False
    plain = [name for name in names if not isinstance(columns[0][name], Tensor)]
    return all(column[name] == columns[0][name] for column in columns for name in plain)


def _joined(model: SentenceTransformer, columns: Sequence[Features], left: bool) -> Features:
    """One batch of all rows, at the length of the longest column."""
    longest = max(column["input_ids"].shape[1] for column in columns)
    filler = getattr(getattr(model, "tokenizer", None), "pad_token_id", None) or 0
    batch: Features = {}
    for name, first in columns[0].items():
        values = [column[name] for column in columns]
        if isinstance(first, Tensor) and first.ndim == 2:
            fill = filler if name == "input_ids" else 0
            missing = [longest - value.shape[1] for value in values]
            values = [
                functional.pad(value, (more, 0) if left else (0, more), value=fill)
                for value, more in zip(values, missing, strict=True)
            ]
        batch[name] = torch.cat(values) if isinstance(first, Tensor) else first
    return batch


def _lengths(mask: Tensor, left: bool) -> Tensor:
    """How much of each row is no padding behind (or before) its tokens: (rows,)."""
    seen = mask.flip(1) if left else mask
    return (seen.ne(0) * torch.arange(1, mask.shape[1] + 1, device=mask.device)).amax(1).clamp(min=1)


def _by_length(lengths: Tensor, passes: int) -> tuple[Tensor, list[Tensor]]:
    """The rows from short to long, and in parts of like lengths; in one part where more would spare little."""
    order = torch.argsort(lengths, stable=True)
    parts = [part for part in torch.tensor_split(order, passes) if len(part)]
    tokens = sum(len(part) * int(lengths[part].max()) for part in parts)
    whole = len(order) * int(lengths.max())
    return order, parts if tokens <= (1 - LEAST_SPARED) * whole else [order]


def _rows(batch: Features, rows: Tensor, length: int, left: bool) -> Features:
    """Some rows of a batch, without the padding that none of them needs."""
    part: Features = {}
    for name, value in batch.items():
        if isinstance(value, Tensor):
            value = value[rows]
            if value.ndim == 2:
                value = value[:, -length:] if left else value[:, :length]
        part[name] = value
    return part
