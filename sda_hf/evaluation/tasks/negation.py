"""Negation: whether a model tells a sentence from its negation."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterable, Mapping
from typing import ClassVar

from sda_hf.evaluation.data.cells import sentence
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.vectors import Vectors, pair_cosines
from sda_hf.evaluation.tasks.base import Task
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.ordered_pairs import CONTRADICTION, InferenceTriplesTask, relation
from sda_hf.evaluation.tasks.pairs import PairTask
from sda_hf.evaluation.tasks.registry import GROUPS, kind, register_task
from sda_hf.evaluation.tasks.sts import SICK_SCALE, SICK_TEST

# "n't" is attached to its verb, with either apostrophe.
NEGATION_WORD = re.compile(
    r"\b(?:no|not|nobody|nothing|none|never|neither|nor|nowhere|without|cannot|\w+n['\u2019]t)\b", re.IGNORECASE
)


@dataclasses.dataclass(frozen=True)
class NegatedData:
    """Sentences and their negations, as lists of the same length.

    Args:
        sentences: one sentence per row.
        negated: a sentence of opposite meaning for each.
    """

    sentences: list[str]
    negated: list[str]

    def __len__(self) -> int:
        return len(self.sentences)


@kind("negated")
@dataclasses.dataclass(frozen=True, kw_only=True)
class NegatedTask(Task[NegatedData]):
    """Mean cosine of sentences with their negations: the lower, the better a model tells them apart.

    Read it beside the STS scores: a model to which all sentences are alike scores high, one to which none are alike
    scores low.

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
        """Read the pairs; see `Task.read`."""
        pairs = [[sentence(row, column, where) for column in self.columns] for where, row in self.rows(data_dir)]
        return NegatedData([one for one, _ in pairs], [other for _, other in pairs])

    def texts(self, data: NegatedData) -> Iterable[str]:
        """Both sentences of every row."""
        return (*data.sentences, *data.negated)

    def measure(self, data: NegatedData, vectors: Vectors) -> Measurement:
        """Compute the mean cosine, between -1 and 1; see `Task.measure`."""
        found = pair_cosines(list(zip(data.sentences, data.negated, strict=True)), vectors)
        return Measurement({"cosine": float(found.mean()), "pairs": len(data)}, found)


@dataclasses.dataclass(frozen=True, kw_only=True)
class SickNegationTask(PairTask):
    """Graded pairs of SICK that contain a negation word or contradict each other."""

    def keeps(self, row: Mapping[str, object], where: str) -> bool:
        """Whether a row contains a negation word or is labelled as a contradiction."""
        sentences = (sentence(row, column, where) for column in self.columns[:2])
        return _contradicts(row, where) or any(map(NEGATION_WORD.search, sentences))


@dataclasses.dataclass(frozen=True, kw_only=True)
class SickContradictionTask(NegatedTask):
    """Pairs of SICK that contradict each other."""

    def keeps(self, row: Mapping[str, object], where: str) -> bool:
        """Whether a row is labelled as a contradiction."""
        return _contradicts(row, where)


def _contradicts(row: Mapping[str, object], where: str) -> bool:
    return relation(row, "subset", where) == CONTRADICTION


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
