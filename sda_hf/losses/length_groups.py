"""Embed the columns of a batch together, short rows apart from long ones."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.losses.merged_forward import merge_feature_batches
from torch import Tensor

# The tokenizer's output for a column: tensors, and values for all rows at once, such as the modality.
Features = dict[str, object]

# Splitting a batch pays off if it saves at least this share of the tokens.
MIN_SAVING = 0.1


def embed_by_length(model: SentenceTransformer, columns: Sequence[Features]) -> list[Tensor]:
    """Return the embeddings of each column, (batch, dim) each.

    sentence-transformers merges the columns into one batch. If that saves padding, its rows are sorted by length and
    go through the model in as many passes as there are columns. Columns that cannot be merged, or must not be because
    of `column_merging_disabled`, go through the model one by one.
    """
    merged = merge_feature_batches(list(columns)) if len(columns) > 1 else None
    if merged is None:
        return [model(column)["sentence_embedding"] for column in columns]
    groups = _groups(merged, len(columns))
    if groups:
        passes = [model(_select(merged, rows, width))["sentence_embedding"] for rows, width in groups]
        embeddings = torch.cat(passes)[torch.argsort(torch.cat([rows for rows, _ in groups]))]
    else:
        embeddings = model(merged)["sentence_embedding"]
    return list(embeddings.chunk(len(columns)))


def _groups(batch: Features, count: int) -> list[tuple[Tensor, int]]:
    """Return the rows of groups of similar length, each with its width in tokens, or nothing if it saves too little."""
    mask = batch.get("attention_mask")
    if not isinstance(mask, Tensor):
        return []
    positions = torch.arange(1, mask.shape[1] + 1, device=mask.device)
    lengths = (mask.ne(0) * positions).amax(dim=1).clamp(min=1)  # (rows,): up to the last token
    order = torch.argsort(lengths, stable=True)
    groups = [(rows, int(lengths[rows].max())) for rows in torch.tensor_split(order, count) if len(rows)]
    tokens = sum(len(rows) * width for rows, width in groups)
    return groups if tokens <= (1 - MIN_SAVING) * mask.numel() else []


def _select(batch: Features, rows: Tensor, width: int) -> Features:
    """Return some rows of a merged batch, without the padding that they do not need."""
    mask = batch["attention_mask"]
    selected: Features = {}
    for name, value in batch.items():
        # prompt_length applies to the whole batch, even as a tensor.
        if isinstance(value, Tensor) and name != "prompt_length":
            has_tokens = value.ndim > 1 and isinstance(mask, Tensor) and value.shape[1] == mask.shape[1]
            value = value[rows, :width] if has_tokens else value[rows]
        selected[name] = value
    return selected
