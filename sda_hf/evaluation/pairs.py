"""Graded sentence pairs, and how they are taken from rows."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from typing import Any

from sda_hf.errors import InputValueError
from sda_hf.evaluation.files import Row

COLUMNS = ("sentence1", "sentence2", "score")


@dataclasses.dataclass(frozen=True)
class PairData:
    """Graded sentence pairs: three lists of one length, in the order of their file.

    Args:
        sentences1: first sentence of each pair.
        sentences2: second sentence of each pair.
        scores: human similarity of each pair, on the task's own scale (mostly 0 to 5); higher is more similar.

    Example:
        >>> len(PairData(["It rains."], ["It pours."], [4.0]))
        1
    """

    sentences1: list[str]
    sentences2: list[str]
    scores: list[float]

    def __len__(self) -> int:
        return len(self.scores)


def pairs_of(source: str, rows: Iterable[Row], columns: tuple[str, str, str]) -> PairData:
    """The graded pairs in rows of a file or dataset.

    Args:
        source: where the rows come from, for the messages.
        rows: (place, column → value).
        columns: names of the columns with the first sentence, the second sentence and the score.

    Raises:
        InputValueError: a missing column, a sentence that is missing or blank, a score that is no finite number (the
            message has source, place and column), or no rows.

    Example:
        >>> pairs_of("pairs.tsv", [("line 2", {"a": "It rains.", "b": "It pours.", "gold": "4.5"})], ("a", "b", "gold"))
        PairData(sentences1=['It rains.'], sentences2=['It pours.'], scores=[4.5])
    """
    data = PairData([], [], [])
    for place, row in rows:
        where = f"{source}, {place}"
        for column in columns:
            if column not in row:
                raise InputValueError(f"{where}: no column {column!r}; there are {', '.join(map(repr, row))}")
        first, second, score = (row[column] for column in columns)
        data.sentences1.append(_sentence(first, f"{where}, {columns[0]}"))
        data.sentences2.append(_sentence(second, f"{where}, {columns[1]}"))
        data.scores.append(_score(score, f"{where}, {columns[2]}"))
    if not data:
        raise InputValueError(f"{source} holds no pairs")
    return data


def _sentence(value: object, where: str) -> str:
    # A blank cell is a missing sentence: text files cannot say None.
    if not isinstance(value, str) or not value.strip():
        raise InputValueError(f"{where}: a sentence is expected, here is {value!r}")
    return value


def _score(value: Any, where: str) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise InputValueError(f"{where}: a finite number is expected, here is {value!r}")
    return number
