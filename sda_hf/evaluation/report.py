"""The report of an evaluation: tables in the papers' layout, with the published rows beside the measured ones."""

from __future__ import annotations

import csv
import dataclasses
import io
import itertools
import json
import os
import statistics
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.evaluation.bootstrap import Difference, difference
from sda_hf.evaluation.publications import Published, published_results
from sda_hf.evaluation.scoring import Measured
from sda_hf.evaluation.tables import HEADERS, escaped, figure, headline, rows_of
from sda_hf.evaluation.tasks import GROUPS, PLAIN, AnyTask
from sda_hf.writing import write_whole

# Figures that stand in the tables beside a task's headline.
BESIDE = ("f1", "chance", "uniformity", "length_bias", "jaccard")
OTHERS = "other tasks"
TITLES = {
    "sts": "Semantic textual similarity",
    "transfer": "Transfer tasks",
    "zh": "Chinese",
    "negation": "Negation",
    "geometry": "Geometry",
    "augcse": "Case studies of AugCSE",
    OTHERS: "Other tasks",
}
SINGLE, CHOSEN = "\u2020", "\u2021"
NOTES = {
    SINGLE: "a single training: other seeds give other figures (fifty of one SimCSE: 75.11 \u00b1 0.84)",
    CHOSEN: "the best of several trials",
}


@dataclasses.dataclass(frozen=True)
class ModelResult:
    """A model, or the models of one recipe with several seeds, as measured.

    Args:
        name: what it is called in the tables.
        runs: one entry a seed.
    """

    name: str
    runs: Sequence[Measured]

    def values(self, task: str, metric: str) -> list[float]:
        """The figure of each run."""
        return [run.measurements[task].metrics[metric] for run in self.runs]


@dataclasses.dataclass(frozen=True)
class Report:
    """What models scored on tasks, as tables for people and files for programs.

    Args:
        tasks: the tasks, in the order of the tables.
        models: the models, measured on all of them; the others are compared with the first.
        left_out: task → why it was not measured.

    Raises:
        InputValueError: no models, two of one name, or a task on which one was not measured.
    """

    tasks: Sequence[AnyTask]
    models: Sequence[ModelResult]
    left_out: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [model.name for model in self.models]
        if not names or len(set(names)) < len(names):
            raise InputValueError(f"a report needs models of different names, not {names!r}")

    def columns(self, tasks: Sequence[AnyTask]) -> list[tuple[AnyTask, str]]:
        """(task, metric) of each column of a table."""
        found = []
        for task in tasks:
            metrics = self.models[0].runs[0].measurements[task.name].metrics
            found += [(task, name) for name in metrics if name == headline(metrics)[0] or name in BESIDE]
        return found

    def groups(self) -> dict[str, list[AnyTask]]:
        """Group → its tasks: one table each."""
        found: dict[str, list[AnyTask]] = {}
        for task in self.tasks:
            group = next((name for name, members in GROUPS.items() if task.name in members), OTHERS)
            found.setdefault(group, []).append(task)
        return found

    def differences(self) -> Iterator[tuple[str, AnyTask, str, Difference]]:
        """(model, task, metric, its difference from the first model) for every other model and every task with rows."""
        first = self.models[0]
        for model, task in itertools.product(self.models[1:], self.tasks):
            old, new = ([run.measurements[task.name] for run in one.runs] for one in (first, model))
            if len(old[0].items) < 2:
                continue  # mteb gives no figure a row
            metric = old[0].headline[0]
            yield model.name, task, metric, difference(old, new, scale=1 if metric in PLAIN else 100)

    def summary(self) -> Iterator[tuple[str, list[dict[str, str]]]]:
        """(title, one row a model) of each table, without the published rows."""
        for group, tasks in self.groups().items():
            columns = self.columns(tasks)
            rows = [
                {"model": model.name, **{_header(task, metric): _cell(model, task, metric) for task, metric in columns}}
                for model in self.models
            ]
            if _averaged(columns):
                rows = [row | {"avg.": _average(model, tasks)} for row, model in zip(rows, self.models, strict=True)]
            yield f"{TITLES[group]}: {_kinds(columns)}", rows

    def changes(self) -> Iterator[str]:
        """A line for each difference from the first model."""
        for model, task, metric, change in self.differences():
            value, low, high = (figure(metric, number, signed=True) for number in change)
            yield f"{model} - {self.models[0].name}, {task.title}: {value} (95 % of bootstrap samples: {low} to {high})"

    def origins(self) -> Iterator[str]:
        """A line for each task that was left out or taken from the cache."""
        for name, reason in self.left_out.items():
            yield f"Not measured: {name}: {reason}"
        for model in self.models:
            days = {name: day for run in model.runs for name, day in run.cached.items()}
            if days:
                kept = ", ".join(f"{name} ({day})" for name, day in days.items())
                yield f"From the cache, with the day of the measurement: {model.name}: {kept}"

    def markdown(self) -> str:
        """The whole report for people."""
        parts = ["# Evaluation", *itertools.chain(*(self._table(name, tasks) for name, tasks in self.groups().items()))]
        changes = list(self.differences())
        if changes:
            parts += _differences(self.models[0].name, changes)
        if self.left_out:
            parts += ["## Not measured", "\n".join(f"- {name}: {reason}" for name, reason in self.left_out.items())]
        return "\n\n".join(parts) + "\n"

    def rows(self) -> list[dict[str, Any]]:
        """One row a model, task and metric, and one a published figure: what the CSV file holds."""
        found = []
        for model, task in itertools.product(self.models, self.tasks):
            metrics = model.runs[0].measurements[task.name].metrics
            for metric in metrics:
                values = model.values(task.name, metric)
                found.append(
                    {
                        "model": model.name,
                        "task": task.name,
                        "metric": metric,
                        "value": statistics.fmean(values),
                        "std": statistics.stdev(values) if len(values) > 1 else None,
                        "runs": len(values),
                        "rows": rows_of(metrics),
                        "source": "measured",
                    }
                )
        return found + [_published_row(task, entry) for task in self.tasks for entry in task.published]

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-native."""
        return {
            "protocols": {task.name: task.protocol() for task in self.tasks},
            "models": {
                model.name: [{"metrics": run.metrics, "from_cache": run.cached} for run in model.runs]
                for model in self.models
            },
            "differences": [
                {"model": model, "from": self.models[0].name, "task": task.name, "metric": metric, **change._asdict()}
                for model, task, metric, change in self.differences()
            ],
            "published": [_published_row(task, entry) for task in self.tasks for entry in task.published],
            "left_out": dict(self.left_out),
        }

    def write(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Writes results.md, results.csv and results.json, each whole or not at all.

        Args:
            folder: where to; made if it is not there.

        Returns:
            The files.

        Raises:
            InputFileError: the folder cannot be written to.
        """
        texts = {
            "results.md": self.markdown(),
            "results.csv": _csv(self.rows()),
            "results.json": json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n",
        }
        return [_write(Path(folder) / name, text) for name, text in texts.items()]

    def _table(self, group: str, tasks: Sequence[AnyTask]) -> list[str]:
        columns = self.columns(tasks)
        averaged = _averaged(columns)
        lines = [
            [entry.title, *(entry.cells.get(task.name, "") for task, _ in columns), entry.average]
            for entry in _published_entries(group, tasks, averaged)
        ]
        lines += [
            [f"**{escaped(model.name)}**", *(_cell(model, task, metric) for task, metric in columns), average]
            for model in self.models
            for average in [_average(model, tasks) if averaged else ""]
        ]
        header = ["Model", *(_header(task, metric) for task, metric in columns), "Avg."]
        if not averaged:
            header, lines = header[:-1], [line[:-1] for line in lines]
        text = "\n".join(" | ".join(line) for line in lines)
        notes = [f"{mark} {note}." for mark, note in NOTES.items() if mark in text]
        return [f"## {TITLES[group]}", f"{_kinds(columns)}.", _markdown(header, lines), *notes]


def _averaged(columns: Sequence[tuple[AnyTask, str]]) -> bool:
    """Whether the headline figures are of one kind, so that their mean says something."""
    metrics = [metric for _, metric in columns if metric not in BESIDE]
    return len(metrics) > 1 and len(set(metrics)) == 1


def _kinds(columns: Sequence[tuple[AnyTask, str]]) -> str:
    kinds = dict.fromkeys(HEADERS.get(metric, metric.capitalize()) for _, metric in columns if metric not in BESIDE)
    return ", ".join(kinds)


@dataclasses.dataclass(frozen=True)
class _Entry:
    """A published model in a table: what its first cell says, task → figure, and the average."""

    title: str
    cells: dict[str, str]
    average: str


def _published_entries(group: str, tasks: Sequence[AnyTask], averaged: bool) -> list[_Entry]:
    figures: dict[tuple[str, str], dict[str, Published]] = {}
    for task in tasks:
        for entry in task.published:
            figures.setdefault((entry.model, entry.source), {})[task.name] = entry
    whole = set(GROUPS.get(group, ())) == {task.name for task in tasks}
    printed = {(entry.model, entry.source): entry for entry in published_results(f"{group}-average")} if whole else {}
    found = []
    for key, by_task in figures.items():
        model, source = key
        marks = "".join(dict.fromkeys(_mark(entry) for entry in by_task.values()))
        values = [by_task[task.name].value for task in tasks if task.name in by_task]
        average = f"{statistics.fmean(values):.2f}" if averaged and len(values) == len(tasks) else ""
        if key in printed:
            average = _with_std(printed[key].value, printed[key].std)
        cells = {name: _with_std(entry.value, entry.std) for name, entry in by_task.items()}
        found.append(_Entry(f"{escaped(model)}{marks} ({escaped(source)})", cells, average))
    return found


def _mark(entry: Published) -> str:
    return (SINGLE if entry.runs == 1 else "") + (CHOSEN if entry.selection else "")


def _with_std(value: float, std: float | None) -> str:
    return f"{value:.2f}" if std is None else f"{value:.2f} \u00b1 {std:.2f}"


def _cell(model: ModelResult, task: AnyTask, metric: str) -> str:
    values = model.values(task.name, metric)
    mean = figure(metric, statistics.fmean(values))
    return mean if len(values) == 1 else f"{mean} \u00b1 {figure(metric, statistics.stdev(values))}"


def _average(model: ModelResult, tasks: Sequence[AnyTask]) -> str:
    metric = headline(model.runs[0].measurements[tasks[0].name].metrics)[0]
    means = [statistics.fmean(headline(run.measurements[task.name].metrics)[1] for task in tasks) for run in model.runs]
    mean = figure(metric, statistics.fmean(means))
    return mean if len(means) == 1 else f"{mean} \u00b1 {figure(metric, statistics.stdev(means))}"


def _header(task: AnyTask, metric: str) -> str:
    extra = HEADERS.get(metric, metric.replace("_", " ").capitalize()).removesuffix(" \u00d7 100")
    return escaped(f"{task.title}: {extra}" if metric in BESIDE else task.title)


def _differences(first: str, changes: Sequence[tuple[str, AnyTask, str, Difference]]) -> list[str]:
    lines = [
        [
            escaped(model),
            escaped(task.title),
            HEADERS.get(metric, metric),
            figure(metric, change.value, signed=True),
            f"{figure(metric, change.low, signed=True)} to {figure(metric, change.high, signed=True)}",
        ]
        for model, task, metric, change in changes
    ]
    note = (
        "The interval is that of a paired bootstrap over the rows (95 %, 1,000 samples): where it holds no 0, the rows "
        "are enough to tell the two apart. It says nothing of other seeds."
    )
    header = ["Model", "Task", "Metric", "Difference", "Interval"]
    return [f"## Difference from {escaped(first)}", _markdown(header, lines), note]


def _markdown(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    marks = ["---", *("---:" for _ in header[1:])]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, marks, *lines))


def _published_row(task: AnyTask, entry: Published) -> dict[str, Any]:
    facts = {"model": entry.model, "task": task.name, "metric": task.metric, "value": entry.value, "std": entry.std}
    chosen = f", {entry.selection}" if entry.selection else ""
    return {**facts, "runs": entry.runs, "rows": None, "source": entry.source + chosen}


def _csv(rows: Sequence[Mapping[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _write(path: Path, text: str) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    except OSError as error:
        raise InputFileError(f"cannot write {path}: {error.strerror}: give another folder for the report") from error
    return path
