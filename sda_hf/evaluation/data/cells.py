"""Cells of rows as sentences, numbers and labels: what is none of them is refused, with its place."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from sda_hf.errors import InputValueError

# What stands behind the point in a whole number.
WHOLE = re.compile(r"(?<=\d)\.0+$")

SURROGATE = re.compile("[\ud800-\udfff]")


def column_of(row: Mapping[str, Any], column: str, where: str) -> Any:
    """The cell of a column.

    Raises:
        InputValueError: no such column; the message has those that are there.

    Example:
        >>> column_of({"text": "It rains."}, "text", "pairs.tsv, line 2")
        'It rains.'
    """
    if column not in row:
        raise InputValueError(f"{where}: no column {column!r}; there are {', '.join(map(repr, row))}")
    return row[column]


def sentence(row: Mapping[str, Any], column: str, where: str) -> str:
    """A sentence.

    Raises:
        InputValueError: a missing column or sentence, or half a character. A blank cell is a missing sentence: text
            files cannot say None.

    Example:
        >>> sentence({"text": "It rains."}, "text", "pairs.tsv, line 2")
        'It rains.'
    """
    value = column_of(row, column, where)
    if not isinstance(value, str) or not value.strip():
        raise InputValueError(f"{where}, {column}: a sentence is expected, here is {_shown(value)}")
    if SURROGATE.search(value):  # JSON can hold one, tokenizers refuse it
        raise InputValueError(f"{where}, {column}: half a character (a lone surrogate) is in {_shown(value)}: mend it")
    return value


def number(row: Mapping[str, Any], column: str, where: str, scale: tuple[float, float] | None = None) -> float:
    """A finite number, which lies on the scale where one is given.

    Raises:
        InputValueError: a missing column, no finite number, or one off the scale.

    Example:
        >>> number({"score": "4.5"}, "score", "pairs.tsv, line 2", scale=(0, 5))
        4.5
    """
    value = column_of(row, column, where)
    try:
        found = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found):
        raise InputValueError(f"{where}, {column}: a finite number is expected, here is {_shown(value)}")
    if scale is not None and not scale[0] <= found <= scale[1]:
        raise InputValueError(
            f"{where}, {column}: {value!r} is out of range: this task's scores go from {scale[0]:g} to {scale[1]:g}"
        )
    return found


def label(row: Mapping[str, Any], column: str, where: str) -> str:
    """The label of a class, as text: files without types hold "1" where others hold 1, and some 1.0.

    Raises:
        InputValueError: a missing column or label.

    Example:
        >>> label({"label": 1}, "label", "trec-train.parquet, row 1")
        '1'
    """
    value = column_of(row, column, where)
    is_label = isinstance(value, (str, int)) or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not is_label or not str(value).strip():
        raise InputValueError(
            f"{where}, {column}: a label (a word or whole number) is expected, here is {_shown(value)}"
        )
    return WHOLE.sub("", str(value).strip())


def _shown(value: Any) -> str:
    """A cell in a message: its beginning, since a wrong column may hold a whole document."""
    return f"{value!r:.80}"
