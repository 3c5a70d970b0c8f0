"""Sentences with several candidates: how often a model finds the one that means the same."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputValueError
from sda_hf.evaluation.data.cells import cell, label, sentence
from sda_hf.evaluation.encoder.vectors import Vectors, pair_cosines
from sda_hf.evaluation.tasks.base import Task
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.registry import kind


@dataclasses.dataclass(frozen=True)
class CandidateData:
    """Sentences with candidates, exactly one of which is correct.

    Args:
        sentences: one sentence per row.
        candidates: two or more candidates for each sentence.
        labels: index of the correct candidate, from 0.
    """

    sentences: list[str]
    candidates: list[list[str]]
    labels: list[int]

    def __len__(self) -> int:
        return len(self.labels)


@kind("candidates")
@dataclasses.dataclass(frozen=True, kw_only=True)
class CandidatesTask(Task[CandidateData]):
    """Share of rows whose correct candidate has a higher cosine with the sentence than all others.

    Args:
        columns: names of the columns with the sentence, the candidates (a list, as JSON in text files) and the index
            of the correct one, from 0.

    Example:
        >>> CandidatesTask(name="mine", title="Mine").roles
        ('sentence', 'candidates', 'label')
    """

    metric: ClassVar[str] = "accuracy"
    roles: ClassVar[tuple[str, ...]] = ("sentence", "candidates", "label")

    columns: tuple[str, ...] = roles

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> CandidateData:
        """Read the rows; see `Task.read`."""
        data = CandidateData([], [], [])
        for where, row in self.rows(data_dir):
            data.sentences.append(sentence(row, self.columns[0], where))
            data.candidates.append(_candidates(row, self.columns[1], where))
            data.labels.append(_index(row, self.columns[2], where, len(data.candidates[-1])))
        return data

    def texts(self, data: CandidateData) -> Iterable[str]:
        """Every sentence and every candidate."""
        return (*data.sentences, *(text for texts in data.candidates for text in texts))

    def measure(self, data: CandidateData, vectors: Vectors) -> Measurement:
        """Compute accuracy and chance, times 100; see `Task.measure`."""
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


def _is_best(similarities: NDArray[np.float64], index: int) -> bool:
    return bool(similarities[index] > np.delete(similarities, index).max())


def _candidates(row: Mapping[str, object], column: str, where: str) -> list[str]:
    value = cell(row, column, where)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except json.JSONDecodeError:
            value = None
    texts = value if isinstance(value, list) else []
    if len(texts) < 2 or not all(isinstance(text, str) and text.strip() for text in texts):
        raise InputValueError(
            f"{where}, {column}: expected a list of two or more sentences (as JSON in text files), got "
            f"{row[column]!r:.80}"
        )
    return texts


def _index(row: Mapping[str, object], column: str, where: str, candidates: int) -> int:
    found = label(row, column, where)
    if found not in map(str, range(candidates)):
        raise InputValueError(
            f"{where}, {column}: expected the index of the correct candidate, 0 to {candidates - 1}, got {found!r:.80}"
        )
    return int(found)
