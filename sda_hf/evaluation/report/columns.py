"""The columns and cells of a report: measured figures, and the papers' own beside them."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any, NamedTuple

from sda_hf.evaluation.report.model_result import ModelResult
from sda_hf.evaluation.report.tables import HEADERS, escaped, figure, rows_of
from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.evaluation.tasks.published import Published, published_results
from sda_hf.evaluation.tasks.registry import GROUPS
from sda_hf.registry import TASKS

# Figures that stand in the tables beside a task's headline.
BESIDE = ("f1", "chance", "uniformity", "length_bias", "jaccard")
SINGLE, CHOSEN = "\u2020", "\u2021"
NOTES = {
    SINGLE: "a single training: other seeds give other figures (fifty of one SimCSE: 75.11 \u00b1 0.84)",
    CHOSEN: "the best of several trials",
}


class Column(NamedTuple):
    """A column of a table.

    Args:
        task: the task.
        metric: the figure.
        is_headline: whether it is the one that stands for the task.
    """

    task: AnyTask
    metric: str
    is_headline: bool

    @property
    def header(self) -> str:
        """What stands above it."""
        if self.is_headline:
            return escaped(self.task.title)
        kind = HEADERS.get(self.metric, self.metric.capitalize()).removesuffix(" \u00d7 100")
        return escaped(f"{self.task.title}: {kind}")

    def cell(self, model: ModelResult) -> str:
        """What a model has in it: the mean over its runs."""
        return mean_of(self.metric, model.values(self.task.name, self.metric))


def columns_of(tasks: Sequence[AnyTask], model: ModelResult) -> list[Column]:
    """The columns of a table about tasks."""
    return [
        Column(task, metric, number == 0)
        for task in tasks
        for number, metric in enumerate(model.runs[0].measurements[task.name].metrics)
        if number == 0 or metric in BESIDE
    ]


def is_averaged(columns: Sequence[Column]) -> bool:
    """Whether the headline figures are several and of one kind, so that their mean says something."""
    metrics = [column.metric for column in columns if column.is_headline]
    return len(metrics) > 1 and len(set(metrics)) == 1


def average(model: ModelResult, tasks: Sequence[AnyTask]) -> str:
    """The mean of a model's headline figures."""
    metric = model.runs[0].measurements[tasks[0].name].headline[0]
    means = [statistics.fmean(run.measurements[task.name].headline[1] for task in tasks) for run in model.runs]
    return mean_of(metric, means)


def mean_of(metric: str, values: Sequence[float]) -> str:
    """The mean of several runs and its standard deviation, or the figure of the only one."""
    mean = figure(metric, statistics.fmean(values))
    return mean if len(values) == 1 else f"{mean} \u00b1 {figure(metric, statistics.stdev(values))}"


def about(columns: Sequence[Column], model: ModelResult) -> tuple[str, str]:
    """What the headline figures of a table are, and the number of rows behind each."""
    headlines = [column for column in columns if column.is_headline]
    kinds = dict.fromkeys(HEADERS.get(column.metric, column.metric.capitalize()) for column in headlines)
    counts = {one.task.title: rows_of(model.runs[0].measurements[one.task.name].metrics) for one in headlines}
    return ", ".join(kinds), ", ".join(f"{title} {rows:,}" for title, rows in counts.items() if rows is not None)


def published_of(task: AnyTask) -> tuple[Published, ...]:
    """The papers' results on a task; none where it is measured in another way than theirs."""
    return task.published if _is_the_papers(task) else ()


def in_another_way(task: AnyTask) -> str:
    """How the subsets of a task are put together, where that is not the papers' way; else nothing."""
    aggregate = getattr(task, "aggregate", "all")
    return "" if aggregate == "all" else aggregate


def published_lines(group: str, columns: Sequence[Column]) -> list[list[str]]:
    """The cells of each published model: its name with marks and source, its figures, and their mean."""
    tasks = [column.task for column in columns if column.is_headline]
    found: dict[tuple[str, str], dict[str, Published]] = {}
    for task in tasks:
        for entry in published_of(task):
            found.setdefault((entry.model, entry.source), {})[task.name] = entry
    is_whole = set(GROUPS.get(group, ())) == {task.name for task in tasks if _is_the_papers(task)}
    printed = {(one.model, one.source): one for one in published_results(f"{group}-average")} if is_whole else {}
    averaged = is_averaged(columns)
    lines = []
    for model, source in [*found, *(key for key in printed if averaged and key not in found)]:
        entries, mean = found.get((model, source), {}), printed.get((model, source))
        marks = "".join(_mark(entry) for entry in (*entries.values(), *([mean] if mean else [])))
        cells = [
            _with_std(entries[one.task.name]) if one.is_headline and one.task.name in entries else "" for one in columns
        ]
        values = [entry.value for entry in entries.values()]
        own = f"{statistics.fmean(values):.2f}" if len(values) == len(tasks) else ""
        title = f"{escaped(model)}{''.join(dict.fromkeys(marks))} ({escaped(source)})"
        lines.append([title, *cells, *([_with_std(mean) if mean else own] if averaged else [])])
    return lines


def published_row(task: AnyTask, entry: Published) -> dict[str, Any]:
    """A published figure as a row of the CSV file."""
    facts = {"model": entry.model, "task": task.name, "metric": task.metric, "value": entry.value, "std": entry.std}
    chosen = f", {entry.selection}" if entry.selection else ""
    return {**facts, "runs": entry.runs, "rows": None, "source": entry.source + chosen}


def table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table, whose first column is text."""
    marks = ["---", *("---:" for _ in header[1:])]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, marks, *lines))


def _is_the_papers(task: AnyTask) -> bool:
    return task.name in TASKS and TASKS.get(task.name) == task


def _mark(entry: Published) -> str:
    return (SINGLE if entry.runs == 1 else "") + (CHOSEN if entry.selection else "")


def _with_std(entry: Published) -> str:
    return f"{entry.value:.2f}" if entry.std is None else f"{entry.value:.2f} \u00b1 {entry.std:.2f}"
