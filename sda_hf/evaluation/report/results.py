"""The report of an evaluation: tables in the papers' layout, with published results next to measured ones."""

from __future__ import annotations

import csv
import dataclasses
import functools
import io
import itertools
import json
import os
import statistics
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.evaluation.report.bootstrap import Difference, difference
from sda_hf.evaluation.report.columns import (
    NOTES,
    about,
    average,
    columns_of,
    is_averaged,
    other_aggregate,
    published_lines,
    published_of,
    published_row,
    table,
)
from sda_hf.evaluation.report.model_result import ModelResult
from sda_hf.evaluation.report.tables import HEADERS, figure
from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.evaluation.tasks.measurement import PLAIN, row_count
from sda_hf.evaluation.tasks.registry import GROUPS
from sda_hf.files import write_whole
from sda_hf.hub.markdown import text

OTHERS = "other tasks"
TITLES = {
    "sts": "Semantic textual similarity",
    "transfer": "Transfer tasks",
    "zh": "Chinese",
    "negation": "Negation",
    "polarity": "Polarity",
    "polarity-dev": "Polarity, for early choice",
    "geometry": "Geometry",
    "augcse": "Case studies of AugCSE",
    OTHERS: "Other tasks",
}
INTERVAL = (
    "Intervals are 95 % intervals of a paired bootstrap over the rows (1,000 samples). An interval that excludes 0 "
    "means that the rows suffice to tell the two models apart; it says nothing about other seeds."
)
OTHER_AGGREGATE = "Subsets are not aggregated as in the papers, so that published results and intervals are left out"


@dataclasses.dataclass(frozen=True)
class Report:
    """The scores of models on tasks, as tables for people and as files for programs.

    Args:
        tasks: the tasks, in the order of the tables.
        models: the models, measured on all tasks; all are compared with the first.
        left_out: task → why it was not measured.

    Raises:
        InputValueError: there are no tasks or no models, two models share a name, or a model was not measured on all
            tasks.
    """

    tasks: Sequence[AnyTask]
    models: Sequence[ModelResult]
    left_out: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [model.name for model in self.models]
        if not names or len(set(names)) < len(names):
            raise InputValueError(f"the models are named {names!r}: give at least one, and each a name of its own")
        if not self.tasks:
            raise InputValueError("tasks is empty: a report needs at least one")
        for model, task in itertools.product(self.models, self.tasks):
            if not all(task.name in run.measurements for run in model.runs):
                raise InputValueError(
                    f"model {model.name!r} was not measured on {task.name!r}: measure all models on all tasks"
                )

    def groups(self) -> dict[str, list[AnyTask]]:
        """Group → its tasks; each group has a table of its own."""
        found: dict[str, list[AnyTask]] = {}
        for task in self.tasks:
            group = next((name for name, members in GROUPS.items() if task.name in members), OTHERS)
            found.setdefault(group, []).append(task)
        return found

    @functools.cached_property
    def differences(self) -> list[tuple[str, AnyTask, str, Difference]]:
        """(model, task, metric, difference from the first model), where a paired bootstrap is defined."""
        first = self.models[0]
        found = []
        for model, task in itertools.product(self.models[1:], self.tasks):
            old, new = ([run.measurements[task.name] for run in one.runs] for one in (first, model))
            # mteb has no scores of single rows, and an average over subsets is not a function of all rows.
            if len(old[0].items) < 2 or other_aggregate(task):
                continue
            metric = old[0].headline[0]
            found.append((model.name, task, metric, difference(old, new, scale=1 if metric in PLAIN else 100)))
        return found

    def summary(self) -> Iterator[tuple[str, list[dict[str, str]]]]:
        """Yield (title, one row per model) of each table, without published results."""
        for group, tasks in self.groups().items():
            columns = columns_of(tasks, self.models[0])
            header = _unique_names(["model", *(column.header for column in columns), "avg."])
            rows = [
                dict(zip(header, [model.name, *(column.cell(model) for column in columns)], strict=False))
                for model in self.models
            ]
            if is_averaged(columns):
                rows = [row | {header[-1]: average(one, tasks)} for row, one in zip(rows, self.models, strict=True)]
            yield f"{TITLES[group]}: {about(columns, self.models[0])[0]}", rows

    def changes(self) -> Iterator[str]:
        """Yield a line for each difference from the first model."""
        for model, task, metric, change in self.differences:
            value, low, high = (figure(metric, number, signed=True) for number in change)
            yield f"{model} - {self.models[0].name}, {task.title}: {value} (95 % of bootstrap samples: {low} to {high})"

    def origins(self) -> Iterator[str]:
        """Yield a line for each task that was left out, aggregated differently from the papers, or cached."""
        for name, reason in self.left_out.items():
            yield f"Not measured: {name}: {reason}"
        others = [f"{task.title} ({other_aggregate(task)})" for task in self.tasks if other_aggregate(task)]
        if others:
            yield f"{OTHER_AGGREGATE}: {', '.join(others)}"
        for model in self.models:
            days = {name: day for run in model.runs for name, day in run.cached.items()}
            if days:
                kept = ", ".join(f"{name} ({day})" for name, day in days.items())
                yield f"Cached, with the date of the measurement: {model.name}: {kept}"

    def markdown(self) -> str:
        """Return the whole report as Markdown."""
        parts = ["# Evaluation", *itertools.chain(*(self._table(name, tasks) for name, tasks in self.groups().items()))]
        if self.differences:
            parts += self._differences()
        origins = [f"- {text(line)}" for line in self.origins()]
        if origins:
            parts += ["## Notes", "\n".join(origins)]
        return "\n\n".join(parts) + "\n"

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of the CSV file: one per model, task and metric, and one per published result."""
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
                        "rows": row_count(metrics),
                        "source": "measured",
                    }
                )
        return found + self._published()

    def to_dict(self) -> dict[str, Any]:
        """Return the whole report as JSON-native data."""
        return {
            "protocols": {task.name: task.protocol() for task in self.tasks},
            "models": {
                model.name: [{"metrics": run.metrics, "from_cache": run.cached} for run in model.runs]
                for model in self.models
            },
            "differences": [
                {"model": model, "from": self.models[0].name, "task": task.name, "metric": metric, **change._asdict()}
                for model, task, metric, change in self.differences
            ],
            "published": self._published(),
            "left_out": dict(self.left_out),
        }

    def write(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write results.md, results.csv and results.json, each of them atomically.

        Args:
            folder: folder for the files; created if missing.

        Returns:
            The paths of the files.

        Raises:
            InputFileError: the folder or a file cannot be written.
        """
        texts = {
            "results.md": self.markdown(),
            "results.csv": _csv(self.rows()),
            "results.json": json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n",
        }
        made = make_folder(folder)
        return [_write(made / name, content) for name, content in texts.items()]

    def _published(self) -> list[dict[str, Any]]:
        return [published_row(task, entry) for task in self.tasks for entry in published_of(task)]

    def _table(self, group: str, tasks: Sequence[AnyTask]) -> list[str]:
        columns = columns_of(tasks, self.models[0])
        averaged = is_averaged(columns)
        lines = published_lines(group, columns)
        marked = "".join(line[0] for line in lines)
        for model in self.models:
            cells = [column.cell(model) for column in columns]
            lines.append([f"**{text(model.name)}**", *cells, *([average(model, tasks)] if averaged else [])])
        header = ["Model", *(text(column.header) for column in columns), *(["Avg."] if averaged else [])]
        notes = [f"{mark} {note}." for mark, note in NOTES.items() if mark in marked]
        kinds, rows = about(columns, self.models[0])
        return [
            f"## {TITLES[group]}",
            f"{kinds}.{f' Rows: {text(rows)}.' if rows else ''}",
            table(header, lines),
            *notes,
        ]

    def _differences(self) -> list[str]:
        first = text(self.models[0].name)
        lines = []
        for model, task, metric, change in self.differences:
            value, low, high = (figure(metric, number, signed=True) for number in change)
            names = [text(model), text(task.title), HEADERS.get(metric, metric.capitalize())]
            lines.append([*names, value, f"{low} to {high}"])
        header = ["Model", "Task", "Metric", "Difference", "Interval"]
        return [f"## Difference from {first}", table(header, lines), INTERVAL]


def make_folder(folder: str | os.PathLike[str]) -> Path:
    """Create the folder of a report if it is missing.

    Raises:
        InputFileError: the folder cannot be created.
    """
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputFileError(f"cannot create {path}: {error.strerror}: use another folder for the report") from error
    return path


def _unique_names(names: Sequence[str]) -> list[str]:
    """Number repeated names: a task may have the name of another column."""
    return [
        name if name not in names[:place] else f"{name} ({names[:place].count(name) + 1})"
        for place, name in enumerate(names)
    ]


def _csv(rows: Sequence[Mapping[str, Any]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _write(path: Path, content: str) -> Path:
    try:
        write_whole(path, content)
    except OSError as error:
        raise InputFileError(f"cannot write {path}: {error.strerror}: use another folder for the report") from error
    return path
