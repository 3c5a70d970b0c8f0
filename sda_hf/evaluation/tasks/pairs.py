"""Graded sentence pairs: how well cosines rank them as people do."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputValueError
from sda_hf.evaluation.data.cells import number, sentence
from sda_hf.evaluation.data.files import Row
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.vectors import Vectors, cosines
from sda_hf.evaluation.tasks.base import Task
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.registry import kind, register_task

AGGREGATES = ("all", "mean", "wmean")
# Cosines of single-precision embeddings are good to about 1e-7: a smaller range than this is rounding, not order.
FLAT = 1e-6


@dataclasses.dataclass(frozen=True)
class PairData:
    """Graded sentence pairs: lists of one length, in the order of their file.

    Args:
        sentences1: first sentence of each pair.
        sentences2: second sentence of each pair.
        scores: human similarity of each pair, on the task's own scale (mostly 0 to 5); higher is more similar.
        subsets: name of the part that each pair is from; None where the data does not say.

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
    r"""Spearman's correlation of cosines and human scores.

    Args:
        columns: names of the columns with the first sentence, the second sentence and the score.
        scale: lowest and highest score; None: any finite number.
        aggregate: "all" pools the pairs of every subset, as SimCSE and the papers do; "mean" is the mean of the
            subsets' correlations, "wmean" the same weighted by their numbers of pairs. Both need a column "subset".

    Raises:
        InputValueError: an unknown aggregate.

    Source:
        SimCSE (Gao et al., 2021), appendix B, on the three ways; SentEval (Conneau and Kiela, 2018).

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
        if self.aggregate not in AGGREGATES:
            raise InputValueError(f"aggregate is {self.aggregate!r}: give one of {', '.join(AGGREGATES)}")

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> PairData:
        """The pairs, whose scores differ in each set that is correlated; see `Task.read`."""
        data = self.pairs_of(*self.source.read(data_dir))
        for part, rows in self._parts(data).items():
            scores = np.array(data.scores)[rows]
            if np.ptp(scores) == 0:
                raise InputValueError(
                    f"{part}: every score is {scores[0]:g} ({len(rows):,} pairs): a correlation needs "
                    "scores that differ"
                )
        return data

    def pairs_of(self, source: str, rows: Iterable[Row]) -> PairData:
        """The graded pairs in rows of a file or dataset.

        Args:
            source: where the rows come from, for the messages.
            rows: (place, column → value).

        Raises:
            InputValueError: a missing column, a sentence that is missing or blank, a score that is no finite number or
                off the scale (the message has source, place and column), or no rows.

        Example:
            >>> task = PairTask(name="mine", title="Mine", columns=("a", "b", "gold"))
            >>> task.pairs_of("pairs.tsv", [("line 2", {"a": "It rains.", "b": "It pours.", "gold": "4"})]).scores
            [4.0]
        """
        data = PairData([], [], [], [])
        assert data.subsets is not None
        for place, row in rows:
            where = f"{source}, {place}"
            if not self.keeps(row, where):
                continue
            data.sentences1.append(sentence(row, self.columns[0], where))
            data.sentences2.append(sentence(row, self.columns[1], where))
            data.scores.append(number(row, self.columns[2], where, self.scale))
            part = row.get("subset")
            data.subsets.append("" if part is None else str(part))
        if not data:
            raise InputValueError(f"{source} holds no pairs of task {self.name!r}")
        return data if all(data.subsets) else dataclasses.replace(data, subsets=None)

    def keeps(self, row: Mapping[str, Any], where: str) -> bool:
        """Whether a row is one of the task's."""
        return True

    def texts(self, data: PairData) -> Iterable[str]:
        """Both sentences of every pair."""
        return (*data.sentences1, *data.sentences2)

    def measure(self, data: PairData, vectors: Vectors) -> Measurement:
        """Spearman and Pearson, both times 100; see `Task.measure`."""
        similarities = cosines(vectors(data.sentences1), vectors(data.sentences2))
        gold = np.array(data.scores)
        parts = self._parts(data)
        for part, rows in parts.items():
            if np.ptp(similarities[rows]) < FLAT:
                raise InputValueError(
                    f"{part}: the model gives all {len(rows):,} pairs the similarity {similarities[rows[0]]:.4f}: no "
                    "correlation is defined; its embeddings have collapsed"
                )
        found = [_correlations(similarities[rows], gold[rows]) for rows in parts.values()]
        weights = [len(rows) if self.aggregate == "wmean" else 1 for rows in parts.values()]
        metrics: dict[str, float] = {
            name: 100 * float(np.average([part[name] for part in found], weights=weights)) for name in found[0]
        }
        return Measurement({**metrics, "pairs": len(data)}, similarities, gold)

    def _parts(self, data: PairData) -> dict[str, NDArray[np.intp]]:
        """Rows of each set whose correlation is taken, by what messages call it."""
        if self.aggregate == "all":
            return {f"task {self.name!r}": np.arange(len(data))}
        if data.subsets is None:
            raise InputValueError(
                f"task {self.name!r}: aggregate {self.aggregate!r} needs a column 'subset' that names each pair's "
                "part: give local files that have one, or aggregate 'all'"
            )
        subsets = np.array(data.subsets)
        return {
            f"task {self.name!r}, subset {name!r}": np.flatnonzero(subsets == name)
            for name in dict.fromkeys(data.subsets)
        }


def _correlations(similarities: NDArray[np.float64], gold: NDArray[np.float64]) -> dict[str, float]:
    from sda_hf.evaluation.tasks.correlation import correlations  # here: it loads `datasets` and `evaluate`

    return correlations(similarities.tolist(), gold.tolist())


def register_pairs(
    name: str,
    title: str,
    hub_id: str | None,
    rows: int,
    *,
    split: str = "test",
    scale: tuple[float, float] = (0, 5),
    **hub: Any,
) -> None:
    """Enter a set of graded pairs of the papers.

    Args:
        name: the stem of its local files with, for a development set, "-dev" behind it.
        title: its name in tables.
        hub_id: its dataset on the Hub; None for none.
        rows: number of pairs of the protocol.
        split: "test" or "dev", which the Hub calls validation.
        scale: lowest and highest score.
        hub: what else `Source` has to know of the Hub dataset.
    """
    hub_split = {"dev": "validation"}.get(split, split)
    files = (f"{name.removesuffix('-dev')}-{split}",)
    source = Source(files=files, hub_id=hub_id, hub_split=hub_split, rows=rows, **hub)
    register_task(PairTask(name=name, title=title, source=source, scale=scale))
