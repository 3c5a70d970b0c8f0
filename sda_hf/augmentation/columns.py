"""The columns of the rows and batches that augmenters are called with."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from typing import Any, TypeGuard

from sda_hf.augmentation.protocol import RowAugmenter, Rows
from sda_hf.errors import InputTypeError, InputValueError

INPUT_COLUMNS = ("text", "sentence", "anchor", "sentence1")


# What separates the cells of a .csv file that has no commas.
SEPARATORS = (";", "\t", "|")


def text_column(rows: Mapping[str, object], given: str | None, setting: str = "input_column") -> str:
    """Return the name of the column with the texts.

    Args:
        rows: a row or a batch.
        given: the user's choice; None for the first of text, sentence, anchor, sentence1.
        setting: the setting that chooses the column, for the message.

    Raises:
        InputTypeError: `rows` is not a mapping.
        InputValueError: there is no such column; the message lists the existing ones, or names another delimiter.

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
    separator = next((mark for mark in SEPARATORS if len(rows) == 1 and mark in next(iter(rows))), None)
    if separator is not None:
        raise InputValueError(
            f"there is one column only, {there}: if {separator!r} separates the cells, give it as the delimiter, or "
            "save the file with commas"
        )
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
    names = list(values) if isinstance(values, Mapping) else _column_names(values)
    if names is not None:  # iterating over it gives the names of its columns, or rows
        raise InputTypeError(
            f"expected a list or column of texts, got a {type(values).__name__} with the columns "
            f"{', '.join(map(repr, names)) or 'none'}: give one of them, such as data[{(*names, 'text')[0]!r}]"
        )
    if not is_batch(values):
        raise InputTypeError(
            f"expected a list of texts, got a single {type(values).__name__}: {_short(values)}; wrap it in a list"
        )
    texts: list[str] = []
    to_list = getattr(values, "to_pylist", None)  # of Arrow, whose elements are not strings
    for i, text in enumerate(values if to_list is None else to_list()):
        if not isinstance(text, str):
            # Of a batch, nobody knows where in the data it began.
            place = f"column {column!r}, in row {i} of this batch," if column else f"row {i}"
            raise InputTypeError(
                f"{place} is {_short(text)} ({type(text).__name__}), not a string: drop or fill such rows first"
            )
        texts.append(text)
    return texts


def _column_names(table: object) -> list[object] | None:
    """Return the columns of a data frame, a table or a dataset; None for a list, a series or another column."""
    names = getattr(table, "column_names", getattr(table, "columns", None))
    return list(names) if isinstance(names, Iterable) and not isinstance(names, str) else None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def keep_rows(rows: Rows, kept: Sequence[int], new: Collection[str]) -> bool:
    """Leave out rows of the other columns of a batch of `Dataset.map`, which merges them with the new columns.

    Args:
        rows: the batch.
        kept: the numbers of the rows that stay.
        new: the names of the new columns.

    Returns:
        Whether it was done: not for a batch that the caller owns, nor for a dataset with a format, of which the columns
        are merged unseen.
    """
    if not _is_of_map(rows) or type(rows.formatter).__name__ != "PythonFormatter":
        return False
    import pyarrow  # slow to load

    numbers = pyarrow.array(kept, pyarrow.int64())
    for name in rows:
        if name not in new:
            rows[name] = rows.pa_table[name].take(numbers)  # columns that are removed later are never decoded
    return True


def in_order(rows: Rows, columns: dict[str, list[str | None]]) -> Any:
    """Return new columns as `Dataset.map` takes them in their order.

    It puts columns that exist already before the others, and trainers go by the order. If that would change the order,
    the new columns alone are the result: a table, which replaces the batch.
    """
    there = [name for name in rows if name in columns]
    if not _is_of_map(rows) or [*there, *(name for name in columns if name not in there)] == list(columns):
        return columns
    import pyarrow  # slow to load

    return pyarrow.table({name: pyarrow.array(values, pyarrow.string()) for name, values in columns.items()})


def with_other_columns(augmenter: RowAugmenter, rows: Rows) -> dict[str, Any]:
    """Return the other columns of a batch beside the new ones of an augmenter.

    Raises:
        InputValueError: the augmenter leaves rows out.
    """
    new = augmenter(rows)
    given, made = _length(rows), _length(new)
    if made != given:
        raise InputValueError(
            f"{type(augmenter).__name__} leaves out {given - made} of {given} rows, which is not possible while rows "
            "are read: leave them out first, with dataset.map(augmenter, batched=True), or give on_skip='null'"
        )
    return {name: values for name, values in rows.items() if name not in new} | dict(new)


def _length(rows: Mapping[str, Any]) -> int:
    """Return the number of rows of a batch; 1 for a single row."""
    values = next(iter(rows.values()), ())
    return len(values) if is_batch(values) and isinstance(values, Sized) else 1


def _is_of_map(rows: Rows) -> TypeGuard[Any]:
    """Whether a row or batch comes from `Dataset.map`."""
    lazy = getattr(sys.modules.get("datasets.formatting.formatting"), "LazyDict", None)
    return lazy is not None and isinstance(rows, lazy)


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
