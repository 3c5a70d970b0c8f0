"""Squares of opposition: whether a model takes a claim for its equivalent, not for its denial or its contrary."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputValueError
from sda_hf.evaluation.data.cells import sentence
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.vectors import Vectors, pair_cosines
from sda_hf.evaluation.tasks.base import Task
from sda_hf.evaluation.tasks.geometry import word_overlap
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.registry import GROUPS, kind, register_task

# Columns that a file may have besides those of the roles.
DISTRACTOR, GROUP = "distractor", "group"


@dataclasses.dataclass(frozen=True)
class SquareData:
    """Claims with texts that mean the same and texts that do not.

    Args:
        claims: one text per row.
        equivalents: a text on the same side as each claim.
        denials: a text on the other side of each claim.
        others: the further texts on the other side of each claim, at least one.
        groups: the group of each row; an empty string for none.
    """

    claims: list[str]
    equivalents: list[str]
    denials: list[str]
    others: list[list[str]]
    groups: list[str]

    def __len__(self) -> int:
        return len(self.claims)


@kind("squares")
@dataclasses.dataclass(frozen=True, kw_only=True)
class SquareTask(Task[SquareData]):
    """Share of claims whose cosine with their equivalent is higher than those with all texts on the other side.

    A file may also have the columns "distractor", with one more text on the other side or an empty cell, and "group",
    for a score per group of rows. Ties count as errors.

    Args:
        columns: names of the columns with the claim, its denial, its contrary and its equivalent.

    Example:
        >>> SquareTask(name="mine", title="Mine").roles
        ('claim', 'denial', 'contrary', 'equivalent')
    """

    metric: ClassVar[str] = "accuracy"
    roles: ClassVar[tuple[str, ...]] = ("claim", "denial", "contrary", "equivalent")

    columns: tuple[str, ...] = roles

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> SquareData:
        """Read the rows; see `Task.read`."""
        data = SquareData([], [], [], [], [])
        for where, row in self.rows(data_dir):
            claim, denial, contrary, equivalent = (sentence(row, name, where) for name in self.columns)
            others = [contrary, *_optional(row, DISTRACTOR, where)]
            for text in (claim, equivalent):
                if (claim, equivalent, denial, *others).count(text) > 1:
                    raise InputValueError(f"{where}: {text!r:.80} is in two columns: give texts that differ")
            data.claims.append(claim)
            data.equivalents.append(equivalent)
            data.denials.append(denial)
            data.others.append(others)
            data.groups.append("".join(_optional(row, GROUP, where)))
        return data

    def texts(self, data: SquareData) -> Iterable[str]:
        """Every claim and every text that it is compared with."""
        return (*data.claims, *data.equivalents, *data.denials, *(text for row in data.others for text in row))

    def measure(self, data: SquareData, vectors: Vectors) -> Measurement:
        """Compute the shares of claims, times 100; see `Task.measure`.

        Returns:
            accuracy: nearer to the equivalent than to all texts on the other side, and "chance" for that.
            over_denial: nearer to the equivalent than to the denial; chance is 50.
            misleading: the accuracy on rows in which a text on the other side has more words in common with the claim
                than the equivalent has (Jaccard similarity), if there are any.
            accuracy_GROUP: the accuracy on each group, if there are several.
        """
        near = pair_cosines(list(zip(data.claims, data.equivalents, strict=True)), vectors)
        denied = pair_cosines(list(zip(data.claims, data.denials, strict=True)), vectors)
        right = (near > np.maximum(denied, _nearest(data, vectors))).astype(np.float64)
        chance = float(np.mean([1 / (2 + len(others)) for others in data.others]))
        metrics = {
            "accuracy": _percentage(right),
            "chance": 100 * chance,
            "over_denial": _percentage((near > denied).astype(np.float64)),
        }
        misleading = np.array(_misleading(data))
        if misleading.any():
            metrics["misleading"] = _percentage(right[misleading])
        groups = dict.fromkeys(group for group in data.groups if group)
        if len(groups) > 1:
            metrics |= {f"accuracy_{group}": _percentage(right[np.array(data.groups) == group]) for group in groups}
        return Measurement({**metrics, "rows": len(data)}, right)


def _optional(row: Mapping[str, object], column: str, where: str) -> list[str]:
    """Return the text in a column, if there is one."""
    return [sentence(row, column, where)] if row.get(column) not in (None, "") else []


def _nearest(data: SquareData, vectors: Vectors) -> NDArray[np.float64]:
    """Return the highest cosine of each claim with one of its `others`: (rows,)."""
    pairs = [(claim, other) for claim, others in zip(data.claims, data.others, strict=True) for other in others]
    starts = np.cumsum([0, *(len(others) for others in data.others)])[:-1]
    found: NDArray[np.float64] = np.maximum.reduceat(pair_cosines(pairs, vectors), starts)
    return found


def _misleading(data: SquareData) -> list[bool]:
    """Whether a text on the other side has more words in common with the claim than the equivalent has, by row."""
    return [
        max(word_overlap(claim, other) for other in (denial, *others)) > word_overlap(claim, equivalent)
        for claim, equivalent, denial, others in zip(
            data.claims, data.equivalents, data.denials, data.others, strict=True
        )
    ]


def _percentage(right: NDArray[np.float64]) -> float:
    return 100 * float(right.mean())


def _packaged(name: str, title: str) -> str:
    path = Path(__file__).parent / "polarity" / f"{name}.tsv"
    return register_task(SquareTask(name=name, title=title, source=Source(path=path))).name


GROUPS["polarity"] = (
    _packaged("polarity-written", "Written claims"),
    _packaged("polarity-lexicon", "Antonyms"),
    _packaged("polarity-natural", "Natural claims"),
)
GROUPS["polarity-dev"] = (
    _packaged("polarity-written-dev", "Written claims, dev"),
    _packaged("polarity-lexicon-dev", "Antonyms, dev"),
    _packaged("polarity-natural-dev", "Natural claims, dev"),
)
