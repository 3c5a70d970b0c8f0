"""Rows to train on are complete: a missing text is told before a trainer or a collator fails on it."""

from __future__ import annotations

from collections.abc import Mapping

from datasets import Dataset

from sda_hf.errors import InputTypeError, InputValueError

# Types of the columns that hold texts; one that holds nothing has the last.
TEXTS = ("string", "large_string", "null")
BATCH = 10_000


def check_rows(dataset: Dataset | Mapping[str, Dataset]) -> None:
    """Check that no text of a dataset is missing, such as the negative of a sentence that has none.

    `map` writes None for a text that a negative augmenter skips. `Triplets` leaves such rows out, and
    `dataset.filter(sda_hf.drop_unchanged)` does so afterwards. `LossState` and `NewDraws` check the rows when training
    begins.

    Args:
        dataset: the dataset for the trainer, or several by name.

    Raises:
        InputTypeError: it is not a dataset.
        InputValueError: a text is missing; the message has its column and row.

    Example:
        >>> check_rows(Dataset.from_dict({"anchor": ["He left.", "Hello!"], "negative": ["He didn't leave.", None]}))
        Traceback (most recent call last):
        ...
        sda_hf.errors.InputValueError: column 'negative' has no text in row 1 (1 of 2 rows): leave such rows out, \
with dataset.filter(sda_hf.drop_unchanged), or make them with sda_hf.Triplets
    """
    if isinstance(dataset, Mapping):
        for one in dataset.values():
            check_rows(one)
        return
    if not isinstance(dataset, Dataset):
        raise InputTypeError(f"check_rows takes a Dataset, got {type(dataset).__name__}")
    for column, feature in dataset.features.items():
        if getattr(feature, "dtype", None) not in TEXTS or dataset.data.column(column).null_count == 0:
            continue
        missing = _missing(dataset, column)
        if missing:
            raise InputValueError(
                f"column {column!r} has no text in row {missing[0]:,} ({len(missing):,} of {len(dataset):,} rows): "
                "leave such rows out, with dataset.filter(sda_hf.drop_unchanged), or make them with sda_hf.Triplets"
            )


def _missing(dataset: Dataset, column: str) -> list[int]:
    """Return the rows without a value; the table of a dataset may have rows that are not among its own."""
    stored = dataset.with_format("arrow")
    missing: list[int] = []
    for start in range(0, len(dataset), BATCH):
        absent = stored[start : start + BATCH][column].is_null().to_pylist()
        missing += [start + i for i, is_absent in enumerate(absent) if is_absent]
    return missing
