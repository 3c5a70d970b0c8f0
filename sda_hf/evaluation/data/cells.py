"""Typed access to the cells of a row; every error says where the cell is."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Mapping
from typing import SupportsFloat

from sda_hf.errors import InputValueError

TRAILING_ZEROS = re.compile(r"(?<=\d)\.0+$")
SURROGATE = re.compile("[\ud800-\udfff]")


def cell(row: Mapping[str, object], column: str, where: str) -> object:
    """Return the cell in a column.

    Args:
        row: column → value.
        column: name of the column.
        where: file and line of the row, for error messages.

    Raises:
        InputValueError: the row has no such column; the message lists the columns it has.

    Example:
        >>> cell({"text": "It rains."}, "text", "pairs.tsv, line 2")
        'It rains.'
    """
    if column not in row:
        raise InputValueError(f"{where}: no column {column!r}; the columns are {', '.join(map(repr, row))}")
    return row[column]


def sentence(row: Mapping[str, object], column: str, where: str) -> str:
    """Return a cell that holds a sentence.

    Raises:
        InputValueError: the column is missing, or the cell is empty, blank, not a string, or contains a lone
            surrogate.

    Example:
        >>> sentence({"text": "It rains."}, "text", "pairs.tsv, line 2")
        'It rains.'
    """
    value = cell(row, column, where)
    if not isinstance(value, str) or not value.strip():
        raise InputValueError(f"{where}, {column}: expected a sentence, got {_shown(value)}")
    if SURROGATE.search(value):  # valid in JSON, refused by tokenizers
        raise InputValueError(
            f"{where}, {column}: {_shown(value)} contains a lone surrogate, which is half a character: fix the text"
        )
    return value


def number(row: Mapping[str, object], column: str, where: str, scale: tuple[float, float] | None = None) -> float:
    """Return a cell that holds a finite number.

    Args:
        row: column → value.
        column: name of the column.
        where: file and line of the row, for error messages.
        scale: lowest and highest allowed number; None: any.

    Raises:
        InputValueError: the column is missing, or the cell is not a finite number or is off the scale.

    Example:
        >>> number({"score": "4.5"}, "score", "pairs.tsv, line 2", scale=(0, 5))
        4.5
    """
    value = cell(row, column, where)
    found = math.nan
    if isinstance(value, (str, SupportsFloat)) and not isinstance(value, bool):
        with contextlib.suppress(ValueError, OverflowError):
            found = float(value)
    if not math.isfinite(found):
        raise InputValueError(f"{where}, {column}: expected a finite number, got {_shown(value)}")
    if scale is not None and not scale[0] <= found <= scale[1]:
        raise InputValueError(
            f"{where}, {column}: {value!r} is out of range: this task's scores go from {scale[0]:g} to {scale[1]:g}"
        )
    return found


def label(row: Mapping[str, object], column: str, where: str) -> str:
    """Return a cell that holds a class label, as text.

    Labels are compared as text because untyped files hold "1" where typed ones hold 1 or 1.0.

    Raises:
        InputValueError: the column is missing, or the cell is neither a word nor a whole number.

    Example:
        >>> label({"label": 1.0}, "label", "trec-train.parquet, row 1")
        '1'
    """
    value = cell(row, column, where)
    is_label = isinstance(value, (str, int)) or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not is_label or not str(value).strip():
        raise InputValueError(f"{where}, {column}: expected a label (a word or a whole number), got {_shown(value)}")
    return TRAILING_ZEROS.sub("", str(value).strip())


def _shown(value: object) -> str:
    """Shorten a cell for an error message: the wrong column may hold a whole document."""
    return f"{value!r:.80}"
