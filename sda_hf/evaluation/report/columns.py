"""The columns of a report's tables, and the published rows in them."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any, NamedTuple

from sda_hf.evaluation.report.model_result import ModelResult
from sda_hf.evaluation.report.tables import HEADERS, figure
from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.evaluation.tasks.measurement import row_count
from sda_hf.evaluation.tasks.published import Published, published_results
from sda_hf.evaluation.tasks.registry import GROUPS
from sda_hf.hub.markdown import text
from sda_hf.registry import TASKS

# Metrics that get a column of their own next to the headline.
SECONDARY = ("f1", "chance", "over_denial", "uniformity", "length_bias", "jaccard")
SINGLE_RUN, SELECTED = "\u2020", "\u2021"
NOTES = {
    SINGLE_RUN: "a single run: seeds differ (50 runs of one SimCSE: 75.11 \u00b1 0.84)",
    SELECTED: "the best of several runs",
}


class Column(NamedTuple):
    """A column of a table.

    Args:
        task: the task.
        metric: the metric.
        is_headline: whether it is the headline metric of the task.
    """

    task: AnyTask
    metric: str
    is_headline: bool

    @property
    def header(self) -> str:
        """The column's header."""
        if self.is_headline:
            return self.task.title
        kind = HEADERS.get(self.metric, self.metric.capitalize()).removesuffix(" \u00d7 100")
        return f"{self.task.title}: {kind}"

    def cell(self, model: ModelResult) -> str:
        """Return the cell of a model: the mean over its runs."""
        return mean_of(self.metric, model.values(self.task.name, self.metric))


def columns_of(tasks: Sequence[AnyTask], model: ModelResult) -> list[Column]:
    """Return the columns of a table of tasks."""
    return [
        Column(task, metric, number == 0)
        for task in tasks
        for number, metric in enumerate(model.runs[0].measurements[task.name].metrics)
        if number == 0 or metric in SECONDARY
    ]


def is_averaged(columns: Sequence[Column]) -> bool:
    """Whether a table has an average: there are several tasks, and all have the same headline metric."""
    metrics = [column.metric for column in columns if column.is_headline]
    return len(metrics) > 1 and len(set(metrics)) == 1


def average(model: ModelResult, tasks: Sequence[AnyTask]) -> str:
    """Return the average of a model's headline metrics."""
    metric = model.runs[0].measurements[tasks[0].name].headline[0]
    means = [statistics.fmean(run.measurements[task.name].headline[1] for task in tasks) for run in model.runs]
    return mean_of(metric, means)


def mean_of(metric: str, values: Sequence[float]) -> str:
    """Format the mean and standard deviation over several runs, or the value of a single one."""
    mean = figure(metric, statistics.fmean(values))
    return mean if len(values) == 1 else f"{mean} \u00b1 {figure(metric, statistics.stdev(values))}"


def about(columns: Sequence[Column], model: ModelResult) -> tuple[str, str]:
    """Return the headline metrics of a table, and the number of rows of each task."""
    headlines = [column for column in columns if column.is_headline]
    kinds = dict.fromkeys(HEADERS.get(column.metric, column.metric.capitalize()) for column in headlines)
    counts = {one.task.title: row_count(model.runs[0].measurements[one.task.name].metrics) for one in headlines}
    return ", ".join(kinds), ", ".join(f"{title} {rows:,}" for title, rows in counts.items() if rows is not None)


def published_of(task: AnyTask) -> tuple[Published, ...]:
    """Return the papers' results on a task; none if its protocol differs from theirs."""
    return task.published if _is_registered(task) else ()


def other_aggregate(task: AnyTask) -> str:
    """Return the aggregate of a task if it is not the one of the papers, else an empty string."""
    aggregate = getattr(task, "aggregate", "all")
    return "" if aggregate == "all" else aggregate


def published_lines(group: str, columns: Sequence[Column]) -> list[list[str]]:
    """Return the cells of each published model: its name with marks and source, its scores, and their average."""
    tasks = [column.task for column in columns if column.is_headline]
    found: dict[tuple[str, str], dict[str, Published]] = {}
    for task in tasks:
        for entry in published_of(task):
            found.setdefault((entry.model, entry.source), {})[task.name] = entry
    is_whole = set(GROUPS.get(group, ())) == {task.name for task in tasks if _is_registered(task)}
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
        title = f"{text(model)}{''.join(dict.fromkeys(marks))} ({text(source)})"
        lines.append([title, *cells, *([_with_std(mean) if mean else own] if averaged else [])])
    return lines


def published_row(task: AnyTask, entry: Published) -> dict[str, Any]:
    """Return a published result as a row of the CSV file."""
    facts = {"model": entry.model, "task": task.name, "metric": task.metric, "value": entry.value, "std": entry.std}
    chosen = f", {entry.selection}" if entry.selection else ""
    return {**facts, "runs": entry.runs, "rows": None, "source": entry.source + chosen}


def table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table whose first column is text."""
    marks = ["---", *("---:" for _ in header[1:])]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, marks, *lines))


def _is_registered(task: AnyTask) -> bool:
    return task.name in TASKS and TASKS.get(task.name) == task


def _mark(entry: Published) -> str:
    return (SINGLE_RUN if entry.runs == 1 else "") + (SELECTED if entry.selection else "")


def _with_std(entry: Published) -> str:
    return f"{entry.value:.2f}" if entry.std is None else f"{entry.value:.2f} \u00b1 {entry.std:.2f}"
