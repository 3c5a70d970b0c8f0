"""What an augmenter reads from the rows that `datasets` and its like hand in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sda_hf.errors import InputTypeError, InputValueError

INPUT_COLUMNS = ("text", "sentence", "anchor", "sentence1")


def text_column(rows: Mapping[str, Any], given: str | None, setting: str = "input_column") -> str:
    """Return the name of the column that holds the texts.

    Args:
        rows: a row or a batch.
        given: the user's choice; None for the first of text, sentence, anchor, sentence1.
        setting: what the user sets to choose, for the message.

    Raises:
        InputTypeError: `rows` is not a mapping.
        InputValueError: there is no such column; the message names those that there are.

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


def is_batch(value: object) -> bool:
    """A column of a batch, rather than the value of one row."""
    return not isinstance(value, (str, bytes)) and isinstance(value, Iterable)


def texts_of(values: Any, column: str = "") -> list[str]:
    """The texts of a column, each checked to be a string.

    Raises:
        InputTypeError: a lone string, or a value that is none; the message has its row and type.

    Example:
        >>> texts_of(("It rains.", None))
        Traceback (most recent call last):
        ...
        sda_hf.errors.InputTypeError: row 1 is None (NoneType), not a string: drop or fill such rows first
    """
    if not is_batch(values):
        raise InputTypeError(
            f"a list of texts is wanted, got a lone {type(values).__name__}: {_short(values)}; wrap it in a list"
        )
    texts = list(values)
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            place = f"row {i} of column {column!r}" if column else f"row {i}"
            raise InputTypeError(
                f"{place} is {_short(text)} ({type(text).__name__}), not a string: drop or fill such rows first"
            )
    return texts


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def drop_unchanged(rows: Mapping[str, Any]) -> Any:
    """Which rows have a new text: a filter for `datasets`, for one row or a batch.

    A row goes whose negative, or where there is none its positive, is None or the sentence itself: AugCSE, section 3.1,
    leaves out the rows that an augmentation could not change.

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
        return rows[new] is not None and rows[new] != rows[column]
    return [text is not None and text != old for old, text in zip(rows[column], rows[new], strict=True)]
