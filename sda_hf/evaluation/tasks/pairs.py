"""Graded sentence pairs: how well the cosines of a model rank them."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputValueError
from sda_hf.evaluation.data.cells import number, sentence
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.vectors import Vectors, cosines
from sda_hf.evaluation.tasks.base import Task
from sda_hf.evaluation.tasks.correlation import correlations
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.registry import kind, register_task
from sda_hf.files import Row

AGGREGATES = ("all", "mean", "wmean")
# Cosines of single-precision embeddings are accurate to about 1e-7: a range below this is rounding error.
FLAT = 1e-6


@dataclasses.dataclass(frozen=True)
class PairData:
    """Graded sentence pairs, as lists of the same length.

    Args:
        sentences1: first sentence of each pair.
        sentences2: second sentence of each pair.
        scores: human similarity of each pair, on the task's scale (mostly 0 to 5); higher is more similar.
        subsets: name of the subset each pair belongs to; None if the data does not say.

    Example:
        >>> len(PairData(["It rains."], ["It pours."], [4.0]))
        1
    """

    sentences1: list[str]
    sentences2: list[str]
    scores: list[float]
    subsets: list[str] | None = None

    def __len__(self) -> int:
        return len(self.scores)


@kind("pairs")
@dataclasses.dataclass(frozen=True, kw_only=True)
class PairTask(Task[PairData]):
    r"""Spearman's correlation of cosines with human scores.

    Args:
        columns: names of the columns with the first sentence, the second sentence and the score.
        scale: lowest and highest score; None: any finite number.
        aggregate: "all" correlates the pairs of all subsets together, as SimCSE and the papers do; "mean" averages the
            correlations of the subsets, "wmean" weights them by their number of pairs. Both need a column "subset".

    Raises:
        InputValueError: the aggregate is unknown.

    Source:
        SimCSE (Gao et al., 2021), appendix B, on the aggregates; SentEval (Conneau and Kiela, 2018).

    Example:
        >>> task = PairTask(name="mine", title="My pairs")
        >>> task.roles, task.aggregate
        (('sentence1', 'sentence2', 'score'), 'all')
    """

    metric: ClassVar[str] = "spearman"
    roles: ClassVar[tuple[str, ...]] = ("sentence1", "sentence2", "score")

    columns: tuple[str, ...] = roles
    scale: tuple[float, float] | None = None
    aggregate: str = "all"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_aggregate(self.aggregate)

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> PairData:
        """Read the pairs, and check that the scores of each correlated set differ; see `Task.read`."""
        data = self.parse(self.rows(data_dir))
        for name, rows in self._correlated_sets(data).items():
            scores = np.array(data.scores)[rows]
            if np.ptp(scores) == 0:
                raise InputValueError(
                    f"{name}: all {len(rows):,} pairs have the score {scores[0]:g}: a correlation needs different "
                    "scores"
                )
        return data

    def parse(self, rows: Iterable[Row]) -> PairData:
        """Return the graded pairs in rows.

        Args:
            rows: (file and line, column → value).

        Raises:
            InputValueError: a column is missing, a sentence is missing or blank, or a score is not a finite number or
                is off the scale.

        Example:
            >>> task = PairTask(name="mine", title="Mine", columns=("a", "b", "gold"))
            >>> task.parse([("pairs.tsv, line 2", {"a": "It rains.", "b": "It pours.", "gold": "4"})]).scores
            [4.0]
        """
        first, second, score = self.columns
        data, subsets = PairData([], [], []), []
        for where, row in rows:
            data.sentences1.append(sentence(row, first, where))
            data.sentences2.append(sentence(row, second, where))
            data.scores.append(number(row, score, where, self.scale))
            subset = row.get("subset")
            subsets.append("" if subset is None else str(subset))
        return dataclasses.replace(data, subsets=subsets) if all(subsets) else data

    def texts(self, data: PairData) -> Iterable[str]:
        """Both sentences of every pair."""
        return (*data.sentences1, *data.sentences2)

    def measure(self, data: PairData, vectors: Vectors) -> Measurement:
        """Compute Spearman's and Pearson's correlation, times 100; see `Task.measure`."""
        similarities = cosines(vectors(data.sentences1), vectors(data.sentences2))
        gold = np.array(data.scores)
        sets = self._correlated_sets(data)
        for name, rows in sets.items():
            if np.ptp(similarities[rows]) < FLAT:
                raise InputValueError(
                    f"{name}: all {len(rows):,} pairs have the same similarity, {similarities[rows[0]]:.4f}, so that "
                    "no correlation is defined: the embeddings have collapsed"
                )
        found = [correlations(similarities[rows], gold[rows]) for rows in sets.values()]
        weights = [len(rows) if self.aggregate == "wmean" else 1 for rows in sets.values()]
        metrics = {name: 100 * float(np.average([one[name] for one in found], weights=weights)) for name in found[0]}
        return Measurement({**metrics, "pairs": len(data)}, similarities, gold)

    def _correlated_sets(self, data: PairData) -> dict[str, NDArray[np.intp]]:
        """Return the rows of each set whose correlation is computed, by its name in error messages."""
        if self.aggregate == "all":
            return {f"task {self.name!r}": np.arange(len(data))}
        if data.subsets is None:
            raise InputValueError(
                f"task {self.name!r}: aggregate {self.aggregate!r} needs a column 'subset': give local files that have "
                "one, or use aggregate 'all'"
            )
        subsets = np.array(data.subsets)
        return {
            f"task {self.name!r}, subset {name!r}": np.flatnonzero(subsets == name)
            for name in dict.fromkeys(data.subsets)
        }


def check_aggregate(aggregate: str) -> None:
    """Raise InputValueError unless the aggregate is one of `AGGREGATES`."""
    if aggregate not in AGGREGATES:
        raise InputValueError(f"aggregate is {aggregate!r}: use one of {', '.join(AGGREGATES)}")


def register_pairs(
    name: str,
    title: str,
    hub_id: str,
    rows: int,
    *,
    split: str = "test",
    scale: tuple[float, float] = (0, 5),
) -> None:
    """Register one of the papers' sets of graded pairs.

    Args:
        name: the stem of its local files, followed by "-dev" for a development set.
        title: its name in tables.
        hub_id: its dataset on the Hub.
        rows: number of pairs in the published protocol.
        split: "test" or "dev" (called "validation" on the Hub).
        scale: lowest and highest score.
    """
    hub_split = {"dev": "validation"}.get(split, split)
    files = (f"{name.removesuffix('-dev')}-{split}",)
    source = Source(files=files, hub_id=hub_id, hub_split=hub_split, rows=rows)
    register_task(PairTask(name=name, title=title, source=source, scale=scale))
