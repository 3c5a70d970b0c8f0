"""Transfer tasks: how well a linear classifier on frozen embeddings tells classes apart."""

from __future__ import annotations

import collections
import dataclasses
import itertools
import os
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputValueError
from sda_hf.evaluation.data.cells import column_of, label, sentence
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.vectors import Vectors
from sda_hf.evaluation.tasks.base import Task
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.registry import GROUPS, register_task

TRANSFER = ("mr", "cr", "subj", "mpqa", "sst2", "trec", "mrpc")
GROUPS["transfer"] = TRANSFER
# AugCSE's case studies.
GROUPS["augcse"] = ("cola", "anli")


@dataclasses.dataclass(frozen=True)
class LabelledData:
    """Texts, or pairs of texts, with the labels of their classes, for each of a task's splits.

    Args:
        texts: split ("train", "dev", "test") → one tuple of one or two texts a row.
        labels: split → the label of each row.
    """

    texts: dict[str, list[tuple[str, ...]]]
    labels: dict[str, list[str]]

    def __len__(self) -> int:
        return len(self.labels.get("test", self.labels["train"]))


@dataclasses.dataclass(frozen=True, kw_only=True)
class ProbeTask(Task[LabelledData]):
    """Accuracy of logistic regression on frozen embeddings, in SentEval's protocol.

    Without a test split every row is tested once in a nested cross-validation; with one the strength of the
    regularisation is chosen on the dev split or, where there is none, by cross-validation on the training rows. Pairs
    of sentences go in as |u - v| and u * v. `sda_hf.evaluation.probe.senteval` says what differs from SentEval.

    Args:
        train: the training rows, or all rows where there is no test split.
        dev: the dev rows; None for none.
        test: the test rows; None for none.
        columns: names of the columns with the text or the two sentences, and with the label.
        positive: label of the class whose F1 is given, too; None for none.
        blank: blank texts are rows like others, not mistakes.
        folds: number of folds in cross-validation.
        seed: seed of the folds.

    Raises:
        InputValueError: a dev split without a test split.

    Source:
        SentEval (Conneau and Kiela, 2018); SDA (LREC-COLING 2024), Table 5; CoLA as AugCSE (2022), Table 1.

    Example:
        >>> from sda_hf.evaluation import resolve
        >>> resolve("mrpc").columns
        ('sentence1', 'sentence2', 'label')
    """

    metric: ClassVar[str] = "accuracy"
    roles: ClassVar[tuple[str, ...]] = ("text", "label")

    train: Source
    dev: Source | None = None
    test: Source | None = None
    columns: tuple[str, ...] = roles
    positive: str | None = None
    blank: bool = False
    folds: int = 10
    seed: int = 1111

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.dev is not None and self.test is None:
            raise InputValueError(f"task {self.name!r}: dev rows serve no purpose without test rows: give both")

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> LabelledData:
        """The rows of all splits; see `Task.read`."""
        data = LabelledData({}, {})
        for split in ("train", "dev", "test"):
            origin: Source | None = getattr(self, split)
            if origin is None:
                continue
            source, rows = origin.read(data_dir)
            if not rows:
                raise InputValueError(f"{source} holds no rows of task {self.name!r}")
            data.texts[split] = [self._texts(f"{source}, {place}", row) for place, row in rows]
            data.labels[split] = [label(row, self.columns[-1], f"{source}, {place}") for place, row in rows]
        self._check(data)
        return data

    def _texts(self, where: str, row: Mapping[str, Any]) -> tuple[str, ...]:
        cells = [(column, column_of(row, column, where)) for column in self.columns[:-1]]
        return tuple(
            cell if self.blank and isinstance(cell, str) else sentence(row, column, where) for column, cell in cells
        )

    def _check(self, data: LabelledData) -> None:
        """Refuses, before anything is embedded, rows that no classifier can be trained and tested on."""
        counts = collections.Counter(data.labels["train"])
        rarest, rows = min(counts.items(), key=lambda item: item[1])
        needed = 1 if self.dev else self.folds if self.test else self.folds + 2
        if len(counts) < 2:
            problem = f"all {rows:,} training rows have the label {rarest!r}: a classifier needs two classes or more"
        elif rows < needed:
            problem = (
                f"{rows:,} training rows have the label {rarest!r}, where {self.folds} folds need {needed} of each "
                "label: give more rows"
            )
        elif strange := [found for found in itertools.chain(*data.labels.values()) if found not in counts]:
            problem = f"no training row has the label {strange[0]!r}, which other rows have: write labels in one way"
        elif self.positive is not None and self.positive not in data.labels["test" if self.test else "train"]:
            problem = f"no test row has the label {self.positive!r}, whose F1 is to be measured"
        else:
            return
        raise InputValueError(f"task {self.name!r}: {problem}")

    def texts(self, data: LabelledData) -> Iterable[str]:
        """Every text of every split."""
        return (text for rows in data.texts.values() for texts in rows for text in texts)

    def measure(self, data: LabelledData, vectors: Vectors) -> Measurement:
        """Accuracy on the test rows and on dev rows, and F1, times 100; see `Task.measure`."""
        from sklearn.metrics import f1_score  # here, because it is slow to import

        from sda_hf.evaluation.probe.senteval import cross_validated, nested_cross_validation, validated

        features = {split: _features(rows, vectors) for split, rows in data.texts.items()}
        labels = {split: np.array(found) for split, found in data.labels.items()}
        classes, numbers = np.unique(np.concatenate(list(labels.values())), return_inverse=True)
        ends = np.cumsum([len(found) for found in labels.values()])
        gold = dict(zip(labels, np.split(numbers, ends[:-1]), strict=True))
        train, options = (features["train"], gold["train"]), {"seed": self.seed}
        if self.test is None:
            probe = nested_cross_validation(*train, folds=self.folds, **options)
        elif self.dev is None:
            probe = cross_validated(*train, features["test"], folds=self.folds, **options)
        else:
            probe = validated(*train, features["dev"], gold["dev"], features["test"], **options)
        wanted = gold["train" if self.test is None else "test"]
        right = (probe.predictions == wanted).astype(np.float64)
        metrics = {"accuracy": 100 * float(right.mean())}
        if self.positive is not None:
            is_positive = [found == classes.tolist().index(self.positive) for found in (wanted, probe.predictions)]
            metrics["f1"] = 100 * float(f1_score(*is_positive))
        return Measurement({**metrics, "dev_accuracy": 100 * probe.dev_accuracy, "rows": len(data)}, right)


def _features(rows: list[tuple[str, ...]], vectors: Vectors) -> NDArray[Any]:
    from sda_hf.evaluation.probe.senteval import pair_features  # loads scikit-learn

    sides = [vectors(side) for side in zip(*rows, strict=True)]
    return sides[0] if len(sides) == 1 else pair_features(*sides)


def _register(name: str, title: str, **fields: Any) -> None:
    register_task(ProbeTask(name=name, title=title, **fields))


def _local(*files: str, **hub: Any) -> Source:
    return Source(files=files, **hub)


# The Hub's copies hold the same sentences in splits of their own, which are read together.
TOGETHER = "train+validation+test"
_register("mr", "MR", train=_local("mr-all", hub_id="rotten_tomatoes", hub_split=TOGETHER, rows=10_662))
# SentEval counts a few blank lines of its files as rows.
_register("cr", "CR", train=_local("cr-all", rows=3_775), blank=True)
_register("subj", "SUBJ", train=_local("subj-all", hub_id="SetFit/subj", hub_split="train+test", rows=10_000))
_register("mpqa", "MPQA", train=_local("mpqa-all", rows=10_606), blank=True)
_register(
    "sst2",
    "SST2",
    train=_local("sst2-train", hub_id="SetFit/sst2", hub_split="train", rows=6_920),
    dev=_local("sst2-dev", hub_id="SetFit/sst2", hub_split="validation", rows=872),
    test=_local("sst2-test", hub_id="SetFit/sst2", rows=1_821),
)
TREC: dict[str, Any] = {
    "hub_id": "CogComp/trec",
    "hub_revision": "refs/convert/parquet",
    "hub_columns": {"label": "coarse_label"},
}
_register(
    "trec",
    "TREC",
    train=_local("trec-train", hub_split="train", rows=5_452, **TREC),
    test=_local("trec-test", rows=500, **TREC),
)
GLUE_PAIRS: dict[str, Any] = {"hub_id": "nyu-mll/glue", "hub_config": "mrpc"}
_register(
    "mrpc",
    "MRPC",
    columns=("sentence1", "sentence2", "label"),
    # SentEval's training rows are those of GLUE's train and dev sets.
    train=_local("mrpc-train", "mrpc-val", hub_split="train+validation", rows=4_076, **GLUE_PAIRS),
    test=_local("mrpc-test", rows=1_725, **GLUE_PAIRS),
    positive="1",
)
GLUE: dict[str, Any] = {"hub_id": "nyu-mll/glue", "hub_config": "cola"}
_register(
    "cola",
    "CoLA",
    columns=("sentence", "label"),
    # The labels of the test set are secret, so that everyone tests on the dev set.
    train=_local("cola-train", hub_split="train", rows=8_551, **GLUE),
    test=_local("cola-dev", hub_split="validation", rows=1_043, **GLUE),
)
