"""Data in which one sentence is closer than another: how often a model's cosines say so, too."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np

from sda_hf.errors import InputValueError
from sda_hf.evaluation.data.cells import label, sentence
from sda_hf.evaluation.data.files import Row
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.vectors import Vectors, pair_cosines
from sda_hf.evaluation.tasks.base import Task
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.registry import kind, register_task

# As inference sets number, name and shorten them.
ENTAILMENT, NEUTRAL, CONTRADICTION = "entailment", "neutral", "contradiction"
RELATIONS = {"0": ENTAILMENT, "1": NEUTRAL, "2": CONTRADICTION} | {
    written: name for name in (ENTAILMENT, NEUTRAL, CONTRADICTION) for written in (name, name[0])
}
# AugCSE does not say which rounds it took: all three.
ANLI_ROUNDS = "test_r1+test_r2+test_r3"


def relation(row: Mapping[str, Any], column: str, where: str) -> str:
    """What the first sentence of an inference pair is to the second: "entailment", "neutral" or "contradiction".

    Raises:
        InputValueError: a missing column, or another label.

    Example:
        >>> relation({"label": 2}, "label", "anli-test.parquet, row 1")
        'contradiction'
    """
    found = label(row, column, where)
    if found.lower() not in RELATIONS:
        raise InputValueError(
            f"{where}, {column}: entailment, neutral or contradiction (or 0, 1 or 2) is expected, here is {found!r:.80}"
        )
    return RELATIONS[found.lower()]


@dataclasses.dataclass(frozen=True)
class OrderedData:
    """Pairs of pairs: the sentences of the first are closer in meaning than those of the second.

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
    """Share of rows in which the closer pair has the greater cosine; a tie is wrong, chance is one half.

    Args:
        columns: names of the columns with the closer pair and the farther pair.

    Example:
        >>> OrderedPairsTask(name="mine", title="Mine").roles
        ('sentence1', 'sentence2', 'sentence3', 'sentence4')
    """

    metric: ClassVar[str] = "accuracy"
    roles: ClassVar[tuple[str, ...]] = ("sentence1", "sentence2", "sentence3", "sentence4")

    columns: tuple[str, ...] = roles

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> OrderedData:
        """The rows; see `Task.read`."""
        source, rows = self.source.read(data_dir)
        data = self.ordered(source, rows)
        if not data:
            raise InputValueError(f"{source} holds no rows of task {self.name!r}")
        return data

    def ordered(self, source: str, rows: Iterable[Row]) -> OrderedData:
        """The pairs of pairs in rows of a file or dataset."""
        data = OrderedData([], [])
        for place, row in rows:
            first, second, third, fourth = (sentence(row, name, f"{source}, {place}") for name in self.columns)
            data.closer.append((first, second))
            data.farther.append((third, fourth))
        return data

    def texts(self, data: OrderedData) -> Iterable[str]:
        """All four sentences of every row."""
        return (text for pair in (*data.closer, *data.farther) for text in pair)

    def measure(self, data: OrderedData, vectors: Vectors) -> Measurement:
        """Accuracy and chance, times 100, and the mean difference of the two cosines; see `Task.measure`."""
        near, far = (pair_cosines(pairs, vectors) for pairs in (data.closer, data.farther))
        right = (near > far).astype(np.float64)
        metrics = {"accuracy": 100 * float(right.mean()), "chance": 50.0, "difference": float((near - far).mean())}
        return Measurement({**metrics, "rows": len(data)}, right)


@kind("triples")
@dataclasses.dataclass(frozen=True, kw_only=True)
class TripleTask(OrderedPairsTask):
    """Share of triples with cos(anchor, positive) > cos(anchor, negative); a tie is wrong, chance is one half.

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

    def ordered(self, source: str, rows: Iterable[Row]) -> OrderedData:
        """The triples in rows of a file or dataset."""
        data = OrderedData([], [])
        for place, row in rows:
            anchor, positive, negative = (sentence(row, name, f"{source}, {place}") for name in self.columns)
            data.closer.append((anchor, positive))
            data.farther.append((anchor, negative))
        return data


@dataclasses.dataclass(frozen=True, kw_only=True)
class InferenceTriplesTask(TripleTask):
    """Triples made of inference pairs: sentences that one premise entails, and sentences that it contradicts.

    Each entailed sentence of a premise makes a triple with each contradicted one.

    Args:
        columns: names of the columns with premise, hypothesis and label (what `relation` takes).
        both_ways: the hypotheses stand as anchors, too, with the premises that they belong to.

    Source:
        AugCSE (Tang et al., 2022), case study 2, Table 1.
    """

    roles: ClassVar[tuple[str, ...]] = ("premise", "hypothesis", "label")

    columns: tuple[str, ...] = roles
    both_ways: bool = False

    def ordered(self, source: str, rows: Iterable[Row]) -> OrderedData:
        """The triples in inference pairs."""
        by_anchor: dict[str, tuple[list[str], list[str]]] = {}
        for place, row in rows:
            where = f"{source}, {place}"
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
                f"{source}: no {self.columns[0]} has both an entailed and a contradicted {self.columns[1]}: "
                f"task {self.name!r} has no triples"
            )
        return OrderedData([(a, p) for a, p, _ in triples], [(a, n) for a, _, n in triples])


register_task(
    InferenceTriplesTask(
        name="anli", title="ANLI", source=Source(files=("anli-test",), hub_id="facebook/anli", hub_split=ANLI_ROUNDS)
    )
)
