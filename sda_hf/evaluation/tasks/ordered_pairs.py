"""Pairs of which one is closer in meaning than the other: how often the cosines of a model agree."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np

from sda_hf.errors import InputValueError
from sda_hf.evaluation.data.cells import label, sentence
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.vectors import Vectors, pair_cosines
from sda_hf.evaluation.tasks.base import Task
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.registry import kind, register_task
from sda_hf.files import Row

# Inference datasets number, spell out or abbreviate their labels.
ENTAILMENT, NEUTRAL, CONTRADICTION = "entailment", "neutral", "contradiction"
RELATIONS = {"0": ENTAILMENT, "1": NEUTRAL, "2": CONTRADICTION} | {
    spelling: name for name in (ENTAILMENT, NEUTRAL, CONTRADICTION) for spelling in (name, name[0])
}
# AugCSE does not name the rounds it used; these are all three.
ANLI_ROUNDS = "test_r1+test_r2+test_r3"


def relation(row: Mapping[str, object], column: str, where: str) -> str:
    """Return the label of an inference pair: "entailment", "neutral" or "contradiction".

    Raises:
        InputValueError: the column is missing, or holds another label.

    Example:
        >>> relation({"label": 2}, "label", "anli-test.parquet, row 1")
        'contradiction'
    """
    found = label(row, column, where)
    if found.lower() not in RELATIONS:
        raise InputValueError(
            f"{where}, {column}: expected entailment, neutral or contradiction (or 0, 1 or 2), got {found!r:.80}"
        )
    return RELATIONS[found.lower()]


@dataclasses.dataclass(frozen=True)
class OrderedData:
    """Two lists of sentence pairs: each pair of the first is closer in meaning than its counterpart in the second.

    Args:
        closer: pairs of sentences.
        farther: as many pairs of sentences.
    """

    closer: list[tuple[str, str]]
    farther: list[tuple[str, str]]

    def __len__(self) -> int:
        return len(self.closer)


@kind("ordered-pairs")
@dataclasses.dataclass(frozen=True, kw_only=True)
class OrderedPairsTask(Task[OrderedData]):
    """Share of rows whose closer pair has the higher cosine. Ties count as errors; chance is one half.

    Args:
        columns: names of the columns with the two sentences of the closer pair and the two of the farther pair.

    Example:
        >>> OrderedPairsTask(name="mine", title="Mine").roles
        ('sentence1', 'sentence2', 'sentence3', 'sentence4')
    """

    metric: ClassVar[str] = "accuracy"
    roles: ClassVar[tuple[str, ...]] = ("sentence1", "sentence2", "sentence3", "sentence4")

    columns: tuple[str, ...] = roles

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> OrderedData:
        """Read the rows; see `Task.read`."""
        data = OrderedData([], [])
        for where, row in self.rows(data_dir):
            first, second, third, fourth = (sentence(row, name, where) for name in self.columns)
            data.closer.append((first, second))
            data.farther.append((third, fourth))
        return data

    def texts(self, data: OrderedData) -> Iterable[str]:
        """All four sentences of every row."""
        return (text for pair in (*data.closer, *data.farther) for text in pair)

    def measure(self, data: OrderedData, vectors: Vectors) -> Measurement:
        """Compute accuracy and chance, times 100, and the mean difference of the cosines; see `Task.measure`."""
        near, far = (pair_cosines(pairs, vectors) for pairs in (data.closer, data.farther))
        right = (near > far).astype(np.float64)
        metrics = {"accuracy": 100 * float(right.mean()), "chance": 50.0, "difference": float((near - far).mean())}
        return Measurement({**metrics, "rows": len(data)}, right)


@kind("triples")
@dataclasses.dataclass(frozen=True, kw_only=True)
class TripleTask(OrderedPairsTask):
    """Share of triples with cos(anchor, positive) > cos(anchor, negative). Ties count as errors; chance is one half.

    Args:
        columns: names of the columns with the anchor, the positive (a paraphrase) and the negative (a negation).

    Source:
        AugCSE (Tang et al., 2022), case study 2.

    Example:
        >>> TripleTask(name="mine", title="Mine").roles
        ('anchor', 'positive', 'negative')
    """

    roles: ClassVar[tuple[str, ...]] = ("anchor", "positive", "negative")

    columns: tuple[str, ...] = roles

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> OrderedData:
        """Read the triples; see `Task.read`."""
        data = OrderedData([], [])
        for anchor, positive, negative in self.triples(self.rows(data_dir)):
            data.closer.append((anchor, positive))
            data.farther.append((anchor, negative))
        return data

    def triples(self, rows: Iterable[Row]) -> Iterable[tuple[str, ...]]:
        """Return the (anchor, positive, negative) of the rows."""
        return (tuple(sentence(row, name, where) for name in self.columns) for where, row in rows)


@dataclasses.dataclass(frozen=True, kw_only=True)
class InferenceTriplesTask(TripleTask):
    """Triples of a premise, a sentence it entails and a sentence it contradicts, in all combinations.

    Args:
        columns: names of the columns with the premise, the hypothesis and the label (see `relation`).
        both_ways: hypotheses are anchors as well, with their premises as positives and negatives.

    Source:
        AugCSE (Tang et al., 2022), case study 2, Table 1.
    """

    roles: ClassVar[tuple[str, ...]] = ("premise", "hypothesis", "label")

    columns: tuple[str, ...] = roles
    both_ways: bool = False

    def triples(self, rows: Iterable[Row]) -> Iterable[tuple[str, ...]]:
        """Return the (anchor, positive, negative) of the inference pairs."""
        by_anchor: dict[str, tuple[list[str], list[str]]] = {}
        for where, row in rows:
            found = relation(row, self.columns[2], where)
            if found == NEUTRAL:
                continue
            premise, hypothesis = (sentence(row, name, where) for name in self.columns[:2])
            by_anchor.setdefault(premise, ([], []))[found == CONTRADICTION].append(hypothesis)
            if self.both_ways:
                by_anchor.setdefault(hypothesis, ([], []))[found == CONTRADICTION].append(premise)
        triples = [
            (anchor, positive, negative)
            for anchor, (entailed, contradicted) in by_anchor.items()
            for positive in dict.fromkeys(entailed)
            for negative in dict.fromkeys(contradicted)
        ]
        if not triples:
            raise InputValueError(
                f"task {self.name!r} has no triples: no {self.columns[0]} has both an entailed and a contradicted "
                f"{self.columns[1]}"
            )
        return triples


register_task(
    InferenceTriplesTask(
        name="anli", title="ANLI", source=Source(files=("anli-test",), hub_id="facebook/anli", hub_split=ANLI_ROUNDS)
    )
)
