"""Negation: whether a model tells a sentence from its negation."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from sda_hf.errors import InputValueError
from sda_hf.evaluation.data.cells import sentence
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.vectors import Vectors, pair_cosines
from sda_hf.evaluation.tasks.base import Task
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.ordered_pairs import CONTRADICTION, InferenceTriplesTask, relation
from sda_hf.evaluation.tasks.pairs import PairTask
from sda_hf.evaluation.tasks.registry import GROUPS, kind, register_task
from sda_hf.evaluation.tasks.sts import SICK_SCALE, SICK_TEST


@dataclasses.dataclass(frozen=True)
class NegatedData:
    """Sentences and their negations: two lists of one length.

    Args:
        sentences: one a row.
        negated: a sentence of opposite meaning for each.
    """

    sentences: list[str]
    negated: list[str]

    def __len__(self) -> int:
        return len(self.sentences)


@kind("negated")
@dataclasses.dataclass(frozen=True, kw_only=True)
class NegatedTask(Task[NegatedData]):
    """Mean cosine of sentences and their negations: the lower, the better a model tells them apart.

    A model that finds all sentences alike has a high one, and one that finds none alike has a low one: read it beside
    the STS figures.

    Args:
        columns: names of the columns with the sentence and its negation.

    Example:
        >>> NegatedTask(name="mine", title="Mine").roles
        ('sentence', 'negated')
    """

    metric: ClassVar[str] = "cosine"
    greater_is_better: ClassVar[bool] = False
    roles: ClassVar[tuple[str, ...]] = ("sentence", "negated")

    columns: tuple[str, ...] = roles

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> NegatedData:
        """The rows; see `Task.read`."""
        source, rows = self.source.read(data_dir)
        data = NegatedData([], [])
        for place, row in rows:
            where = f"{source}, {place}"
            if self.keeps(row, where):
                data.sentences.append(sentence(row, self.columns[0], where))
                data.negated.append(sentence(row, self.columns[1], where))
        if not data:
            raise InputValueError(f"{source} holds no rows of task {self.name!r}")
        return data

    def keeps(self, row: Mapping[str, Any], where: str) -> bool:
        """Whether a row is one of the task's."""
        return True

    def texts(self, data: NegatedData) -> Iterable[str]:
        """Both sentences of every row."""
        return (*data.sentences, *data.negated)

    def measure(self, data: NegatedData, vectors: Vectors) -> Measurement:
        """Mean cosine, between -1 and 1; see `Task.measure`."""
        found = pair_cosines(list(zip(data.sentences, data.negated, strict=True)), vectors)
        return Measurement({"cosine": float(found.mean()), "pairs": len(data)}, found)


@dataclasses.dataclass(frozen=True, kw_only=True)
class SickNegationTask(PairTask):
    """Graded pairs of SICK in which a sentence has a negation word, or which contradict each other."""

    def keeps(self, row: Mapping[str, Any], where: str) -> bool:
        """Whether a row has a negation word or the label of contradiction."""
        sentences = (sentence(row, column, where) for column in self.columns[:2])
        return _contradicts(row, where) or any(map(NEGATION.search, sentences))


@dataclasses.dataclass(frozen=True, kw_only=True)
class SickContradictionTask(NegatedTask):
    """Pairs of SICK that contradict each other."""

    def keeps(self, row: Mapping[str, Any], where: str) -> bool:
        """Whether a row has the label of contradiction."""
        return _contradicts(row, where)


def _contradicts(row: Mapping[str, Any], where: str) -> bool:
    return relation(row, "subset", where) == CONTRADICTION


# Words that negate; "n't" stands behind its verb, with either apostrophe.
NEGATION = re.compile(
    r"\b(?:no|not|nobody|nothing|none|never|neither|nor|nowhere|without|cannot|\w+n['\u2019]t)\b", re.IGNORECASE
)
PAIR = ("sentence1", "sentence2")

register_task(
    NegatedTask(name="glue-diagnostic", title="GLUE diagnostics", source=Source(files=("glue-diagnostic",), rows=154))
)
register_task(NegatedTask(name="nan-nli", title="NaN-NLI", source=Source(files=("nan-nli",), rows=117)))
register_task(SickNegationTask(name="sickr-negation", title="SICK-R, negated", source=SICK_TEST, scale=SICK_SCALE))
register_task(
    SickContradictionTask(name="sickr-contradiction", title="SICK, contradictions", source=SICK_TEST, columns=PAIR)
)
register_task(
    InferenceTriplesTask(
        name="sickr-triples", title="SICK, triples", source=SICK_TEST, columns=(*PAIR, "subset"), both_ways=True
    )
)
GROUPS["negation"] = ("glue-diagnostic", "nan-nli", "sickr-negation", "sickr-contradiction", "sickr-triples")
