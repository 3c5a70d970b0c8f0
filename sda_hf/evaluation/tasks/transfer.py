"""Transfer tasks: the accuracy of a linear classifier on frozen embeddings."""

from __future__ import annotations

import collections
import dataclasses
import itertools
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from sda_hf.errors import InputValueError
from sda_hf.evaluation.data.cells import cell, label, sentence
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.vectors import Matrix, Vectors
from sda_hf.evaluation.probe.senteval import cross_validated, nested_cross_validation, pair_features, validated
from sda_hf.evaluation.tasks.base import Task
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.registry import GROUPS, register_task

TRANSFER = ("mr", "cr", "subj", "mpqa", "sst2", "trec", "mrpc")
GROUPS["transfer"] = TRANSFER
# The case studies of AugCSE.
GROUPS["augcse"] = ("cola", "anli")


@dataclasses.dataclass(frozen=True)
class LabelledData:
    """Labelled texts, or pairs of texts, of each split of a task.

    Args:
        texts: split ("train", "dev", "test") → a tuple of one or two texts per row.
        labels: split → the label of each row.
    """

    texts: dict[str, list[tuple[str, ...]]]
    labels: dict[str, list[str]]

    def __len__(self) -> int:
        return len(self.labels.get("test", self.labels["train"]))


@dataclasses.dataclass(frozen=True, kw_only=True)
class ProbeTask(Task[LabelledData]):
    """Accuracy of softmax regression on frozen embeddings, in SentEval's protocol.

    Without a test split, nested cross-validation tests every row once. With one, the weight decay is selected on the
    dev split or, if there is none, by cross-validation on the training rows. The features of a pair of sentences are
    |u - v| and u * v. `sda_hf.evaluation.probe.senteval` describes how it differs from SentEval.

    Args:
        train: the training rows, or all rows if there is no test split.
        dev: the development rows; None: no such split.
        test: the test rows; None: no such split.
        columns: names of the columns with the text or the two sentences, and with the label.
        positive: class whose F1 is computed as well; None: none.
        blank: accept blank texts.
        folds: number of cross-validation folds.
        seed: seed of the folds.

    Raises:
        InputValueError: there is a dev split without a test split.

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
            raise InputValueError(f"task {self.name!r}: a dev split without a test split is never used: give both")

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> LabelledData:
        """Read the rows of all splits; see `Task.read`."""
        data = LabelledData({}, {})
        for split, source in (("train", self.train), ("dev", self.dev), ("test", self.test)):
            if source is None:
                continue
            rows = self._rows_of(source, data_dir)
            data.texts[split] = [self._texts(where, row) for where, row in rows]
            data.labels[split] = [label(row, self.columns[-1], where) for where, row in rows]
        self._check(data)
        return data

    def _texts(self, where: str, row: Mapping[str, object]) -> tuple[str, ...]:
        cells = [(column, cell(row, column, where)) for column in self.columns[:-1]]
        return tuple(
            value if self.blank and isinstance(value, str) else sentence(row, column, where) for column, value in cells
        )

    def _check(self, data: LabelledData) -> None:
        """Raise InputValueError, before anything is embedded, unless a classifier can be trained and tested."""
        counts = collections.Counter(data.labels["train"])
        rarest, rows = min(counts.items(), key=lambda item: item[1])
        needed = 1 if self.dev else self.folds if self.test else self.folds + 2
        if len(counts) < 2:
            problem = f"all {rows:,} training rows have the label {rarest!r}: a classifier needs at least two classes"
        elif rows < needed:
            problem = (
                f"{rows:,} training rows have the label {rarest!r}, but {self.folds} folds need {needed} rows per "
                "label: give more rows"
            )
        elif unseen := [found for found in itertools.chain(*data.labels.values()) if found not in counts]:
            problem = f"the label {unseen[0]!r} is not among the training rows: use the same labels in all splits"
        elif self.positive is not None and self.positive not in data.labels["test" if self.test else "train"]:
            problem = f"no test row has the label {self.positive!r}, whose F1 is measured"
        else:
            return
        raise InputValueError(f"task {self.name!r}: {problem}")

    def texts(self, data: LabelledData) -> Iterable[str]:
        """Every text of every split."""
        return (text for rows in data.texts.values() for texts in rows for text in texts)

    def measure(self, data: LabelledData, vectors: Vectors) -> Measurement:
        """Compute the accuracy on the test and the dev rows, and F1, times 100; see `Task.measure`."""
        from sklearn.metrics import f1_score  # slow to import

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


def _features(rows: list[tuple[str, ...]], vectors: Vectors) -> Matrix:
    sides = [vectors(side) for side in zip(*rows, strict=True)]
    return sides[0] if len(sides) == 1 else pair_features(*sides)


# The Hub's copies divide the sentences into splits of their own, which are read together.
ALL_SPLITS = "train+validation+test"
register_task(
    ProbeTask(
        name="mr",
        title="MR",
        train=Source(files=("mr-all",), hub_id="rotten_tomatoes", hub_split=ALL_SPLITS, rows=10_662),
    )
)
# SentEval counts a few blank lines of the files of CR and MPQA as rows.
register_task(ProbeTask(name="cr", title="CR", train=Source(files=("cr-all",), rows=3_775), blank=True))
register_task(
    ProbeTask(
        name="subj",
        title="SUBJ",
        train=Source(files=("subj-all",), hub_id="SetFit/subj", hub_split="train+test", rows=10_000),
    )
)
register_task(ProbeTask(name="mpqa", title="MPQA", train=Source(files=("mpqa-all",), rows=10_606), blank=True))
SST2 = Source(hub_id="SetFit/sst2")
register_task(
    ProbeTask(
        name="sst2",
        title="SST2",
        train=replace(SST2, files=("sst2-train",), hub_split="train", rows=6_920),
        dev=replace(SST2, files=("sst2-dev",), hub_split="validation", rows=872),
        test=replace(SST2, files=("sst2-test",), rows=1_821),
    )
)
TREC = Source(hub_id="CogComp/trec", hub_revision="refs/convert/parquet", hub_columns={"label": "coarse_label"})
register_task(
    ProbeTask(
        name="trec",
        title="TREC",
        train=replace(TREC, files=("trec-train",), hub_split="train", rows=5_452),
        test=replace(TREC, files=("trec-test",), rows=500),
    )
)
MRPC = Source(hub_id="nyu-mll/glue", hub_config="mrpc")
register_task(
    ProbeTask(
        name="mrpc",
        title="MRPC",
        columns=("sentence1", "sentence2", "label"),
        # SentEval's training rows are GLUE's training and development rows.
        train=replace(MRPC, files=("mrpc-train", "mrpc-val"), hub_split="train+validation", rows=4_076),
        test=replace(MRPC, files=("mrpc-test",), rows=1_725),
        positive="1",
    )
)
COLA = Source(hub_id="nyu-mll/glue", hub_config="cola")
register_task(
    ProbeTask(
        name="cola",
        title="CoLA",
        columns=("sentence", "label"),
        # The labels of the test set are not public, so that everyone tests on the development set.
        train=replace(COLA, files=("cola-train",), hub_split="train", rows=8_551),
        test=replace(COLA, files=("cola-dev",), hub_split="validation", rows=1_043),
    )
)
