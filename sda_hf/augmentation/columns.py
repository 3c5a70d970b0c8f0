"""The columns of the rows and batches that augmenters are called with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeGuard

from sda_hf.augmentation.protocol import Rows
from sda_hf.errors import InputTypeError, InputValueError

INPUT_COLUMNS = ("text", "sentence", "anchor", "sentence1")


def text_column(rows: Mapping[str, object], given: str | None, setting: str = "input_column") -> str:
    """Return the name of the column with the texts.

    Args:
        rows: a row or a batch.
        given: the user's choice; None for the first of text, sentence, anchor, sentence1.
        setting: the setting that chooses the column, for the message.

    Raises:
        InputTypeError: `rows` is not a mapping.
        InputValueError: there is no such column; the message lists the existing ones.

    Example:
        >>> text_column({"id": 1, "sentence": "It rains."}, None)
        'sentence'
    """
    if not isinstance(rows, Mapping):
        raise InputTypeError(
            f"an augmenter is called with a row or a batch (a mapping of columns), got {type(rows).__name__}: "
            "use augmenter.augment([...]) for a list of texts"
        )
    wanted = INPUT_COLUMNS if given is None else (given,)
    for name in wanted:
        if name in rows:
            return name
    there = ", ".join(map(repr, rows)) or "none"
    if given is None:
        raise InputValueError(
            f"no text column: looked for {', '.join(map(repr, INPUT_COLUMNS))}, the columns are {there}: name one "
            f"with {setting}"
        )
    raise InputValueError(f"no column {given!r}: the columns are {there}: check {setting}")


def is_batch(value: object) -> TypeGuard[Iterable[object]]:
    """Whether a value is a column of a batch, rather than a cell of one row."""
    return not isinstance(value, (str, bytes)) and isinstance(value, Iterable)


def texts_of(values: object, column: str = "") -> list[str]:
    """Return the texts of a column as a list, after checking that each is a string.

    Raises:
        InputTypeError: a single string, or a value that is not a string; the message has its row and type.

    Example:
        >>> texts_of(("It rains.", None))
        Traceback (most recent call last):
        ...
        sda_hf.errors.InputTypeError: row 1 is None (NoneType), not a string: drop or fill such rows first
    """
    if not is_batch(values):
        raise InputTypeError(
            f"expected a list of texts, got a single {type(values).__name__}: {_short(values)}; wrap it in a list"
        )
    texts: list[str] = []
    for i, text in enumerate(values):
        if not isinstance(text, str):
            place = f"row {i} of column {column!r}" if column else f"row {i}"
            raise InputTypeError(
                f"{place} is {_short(text)} ({type(text).__name__}), not a string: drop or fill such rows first"
            )
        texts.append(text)
    return texts


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def drop_unchanged(rows: Rows) -> bool | list[bool]:
    """Return which rows to keep: a filter for `datasets`, for single rows and batches.

    A row is dropped if its negative (or its positive, if there is no column of negatives) is None or the sentence
    itself. AugCSE, section 3.1, leaves out the rows that an augmentation could not change.

    Example:
        >>> from datasets import Dataset
        >>> from sda_hf import Negation
        >>> rows = Dataset.from_dict({"text": ["He left.", "Hello!"]}).map(Negation())
        >>> rows.filter(drop_unchanged)["text"][:]
        ['He left.']
    """
    column = text_column(rows, None)
    new = next((name for name in ("negative", "positive") if name in rows), None)
    if new is None:
        raise InputValueError(
            f"no column 'negative' or 'positive' among {', '.join(map(repr, rows))}: map an augmenter first"
        )
    if not is_batch(rows[column]):
        return bool(rows[new] is not None and rows[new] != rows[column])
    return [text is not None and text != old for old, text in zip(rows[column], rows[new], strict=True)]
