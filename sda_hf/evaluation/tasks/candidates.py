"""Sentences with candidates: how often a model finds the one that means the same."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputValueError
from sda_hf.evaluation.data.cells import column_of, label, sentence
from sda_hf.evaluation.encoder.vectors import Vectors, pair_cosines
from sda_hf.evaluation.tasks.base import Task
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.registry import kind


@dataclasses.dataclass(frozen=True)
class CandidateData:
    """Sentences with candidates, one of which is the right one.

    Args:
        sentences: one a row.
        candidates: those of each row, two or more.
        labels: number of the right candidate of each row, from 0.
    """

    sentences: list[str]
    candidates: list[list[str]]
    labels: list[int]

    def __len__(self) -> int:
        return len(self.labels)


@kind("candidates")
@dataclasses.dataclass(frozen=True, kw_only=True)
class CandidatesTask(Task[CandidateData]):
    """Share of rows in which the right candidate alone has the greatest cosine with the sentence.

    Args:
        columns: names of the columns with the sentence, the candidates (a list; in text files as JSON) and the number
            of the right one, from 0.

    Example:
        >>> CandidatesTask(name="mine", title="Mine").roles
        ('sentence', 'candidates', 'label')
    """

    metric: ClassVar[str] = "accuracy"
    roles: ClassVar[tuple[str, ...]] = ("sentence", "candidates", "label")

    columns: tuple[str, ...] = roles

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> CandidateData:
        """The rows; see `Task.read`."""
        source, rows = self.source.read(data_dir)
        data = CandidateData([], [], [])
        for place, row in rows:
            where = f"{source}, {place}"
            data.sentences.append(sentence(row, self.columns[0], where))
            data.candidates.append(_candidates(row, self.columns[1], where))
            data.labels.append(_right(row, self.columns[2], where, len(data.candidates[-1])))
        if not data:
            raise InputValueError(f"{source} holds no rows of task {self.name!r}")
        return data

    def texts(self, data: CandidateData) -> Iterable[str]:
        """Every sentence and candidate."""
        return (*data.sentences, *(text for texts in data.candidates for text in texts))

    def measure(self, data: CandidateData, vectors: Vectors) -> Measurement:
        """Accuracy and chance, times 100; see `Task.measure`."""
        pairs = [
            (text, candidate)
            for text, candidates in zip(data.sentences, data.candidates, strict=True)
            for candidate in candidates
        ]
        ends = np.cumsum([len(candidates) for candidates in data.candidates])
        by_row = np.split(pair_cosines(pairs, vectors), ends[:-1])
        right = np.array([_is_best(*row) for row in zip(by_row, data.labels, strict=True)], dtype=float)
        chance = float(np.mean([1 / len(candidates) for candidates in data.candidates]))
        return Measurement({"accuracy": 100 * float(right.mean()), "chance": 100 * chance, "rows": len(data)}, right)


def _is_best(found: NDArray[np.float64], right: int) -> bool:
    return bool(found[right] > np.delete(found, right).max())


def _candidates(row: Mapping[str, Any], column: str, where: str) -> list[str]:
    value = column_of(row, column, where)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except json.JSONDecodeError:
            value = None
    texts = value if isinstance(value, list) else []
    if len(texts) < 2 or not all(isinstance(text, str) and text.strip() for text in texts):
        raise InputValueError(
            f"{where}, {column}: a list of two or more sentences (in text files as JSON) is expected, here is "
            f"{row[column]!r:.80}"
        )
    return texts


def _right(row: Mapping[str, Any], column: str, where: str, candidates: int) -> int:
    found = label(row, column, where)
    if found not in map(str, range(candidates)):
        raise InputValueError(
            f"{where}, {column}: the number of the right candidate, 0 to {candidates - 1}, is expected, "
            f"here is {found!r:.80}"
        )
    return int(found)
