"""Tables of results: plain rows for programs, Markdown for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from sda_hf.errors import InputValueError
from sda_hf.evaluation.tasks.base import MTEB
from sda_hf.evaluation.tasks.measurement import COUNTS, PLAIN
from sda_hf.registry import TASKS

Results: TypeAlias = Mapping[str, Mapping[str, float]]
TableRow: TypeAlias = dict[str, Any]

AVERAGE = "average"
HEADERS = {
    "spearman": "Spearman \u00d7 100",
    "pearson": "Pearson \u00d7 100",
    "accuracy": "Accuracy \u00d7 100",
    "f1": "F1 \u00d7 100",
    "chance": "Chance \u00d7 100",
    "cosine": "Mean cosine",
    "length_bias": "Length bias",
}


def headline(metrics: Mapping[str, float]) -> tuple[str, float]:
    """Name and value of the figure that stands for a task: the first of its metrics.

    Example:
        >>> headline({"spearman": 31.5, "pearson": 30.0, "pairs": 1379})
        ('spearman', 31.5)
    """
    return next(iter(metrics.items()))


def rows_of(metrics: Mapping[str, float]) -> float | None:
    """Number of rows that were measured; None where nobody says.

    Example:
        >>> rows_of({"spearman": 31.5, "pairs": 1379})
        1379
    """
    return next((value for key, value in metrics.items() if key in COUNTS), None)


def comparison_table(before: Results, after: Results) -> list[TableRow]:
    """One row a task: a model before and after training.

    Args:
        before: results of `evaluate`.
        after: results of `evaluate` on the same tasks and rows.

    Returns:
        Rows {"task", "title", "metric", "rows", "before", "after", "change"} in the order of `before`, each with its
        headline figure, not rounded; then, if there are several tasks and all have the same metric, their mean as
        task "average".

    Raises:
        InputValueError: the two are about different tasks, metrics or rows.

    Example:
        >>> before = {"stsb": {"spearman": 31.5, "pairs": 1379}}
        >>> comparison_table(before, {"stsb": {"spearman": 76.0, "pairs": 1379}})[0]["change"]
        44.5
    """
    if set(before) != set(after):
        raise InputValueError(f"before has the tasks {', '.join(before)}, after {', '.join(after)}: measure the same")
    for name in before:
        old, new = (_measure_of(results[name]) for results in (before, after))
        if old != new:
            raise InputValueError(f"task {name!r}: {old} before, {new} after: not comparable")
    rows = [_compared(name, before[name], after[name]) for name in before]
    if len(rows) > 1 and len({row["metric"] for row in rows}) == 1:
        means = {key: _mean([row[key] for row in rows]) for key in ("before", "after", "change")}
        count = sum(row["rows"] or 0 for row in rows)
        rows.append({"task": AVERAGE, "title": "Average", "metric": rows[0]["metric"], "rows": count, **means})
    return rows


def results_table(results_by_model: Mapping[str, Results]) -> list[TableRow]:
    """One row a model, one column a task.

    Args:
        results_by_model: model → results of `evaluate`.

    Returns:
        Rows {"model", each task in order of appearance, "average"} of headline figures, not rounded. A task that was
        not measured is None, and so is the average of a model that lacks one: means over different tasks are not
        comparable. One task alone and tasks of different metrics get no average.

    Raises:
        InputValueError: a task has the name of another column, "model" or "average".

    Example:
        >>> results_table({"mine": {"stsb": {"spearman": 76.0}, "sickr": {"spearman": 70.0}}})
        [{'model': 'mine', 'stsb': 76.0, 'sickr': 70.0, 'average': 73.0}]
    """
    tasks = list(dict.fromkeys(name for results in results_by_model.values() for name in results))
    for name in ("model", AVERAGE):
        if name in tasks:
            raise InputValueError(f"a task is called {name!r}, as another column of the table is: give it another name")
    metrics = {headline(result)[0] for results in results_by_model.values() for result in results.values()}
    rows: list[TableRow] = []
    for model, results in results_by_model.items():
        values = [headline(results[name])[1] if name in results else None for name in tasks]
        row = {"model": model, **dict(zip(tasks, values, strict=True))}
        rows.append(row | {AVERAGE: _mean(values)} if len(tasks) > 1 and len(metrics) == 1 else row)
    return rows


def markdown(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] | None = None) -> str:
    """Rows as a Markdown table, numbers with two digits behind the point, changes with their sign.

    Each number is rounded by itself, so that a printed change may differ by 0.01 from the printed figures.

    Args:
        rows: what `comparison_table` or `results_table` gave.
        columns: keys to show, in order; None: all but the task's name, where its title is there as well.

    Example:
        >>> print(markdown(results_table({"mine": {"stsb": {"spearman": 76.049}}})))
        | Model | STS-B |
        | --- | ---: |
        | mine | 76.05 |
    """
    if not rows:
        return ""
    if columns is None:
        columns = [key for key in rows[0] if key != "task" or "title" not in rows[0]]
    marks = ["---" if isinstance(rows[0][key], str) else "---:" for key in columns]
    lines = [[_header(key) for key in columns], marks, *([_cell(key, row) for key in columns] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def figure(metric: str, value: float, signed: bool = False) -> str:
    """A figure with the digits that it deserves: cosines and their like have three behind the point, others two.

    Example:
        >>> figure("spearman", 76.049), figure("cosine", 0.92), figure("accuracy", 0.5, signed=True)
        ('76.05', '0.920', '+0.50')
    """
    digits = 3 if metric in PLAIN else 2
    value = round(value, digits) + 0.0  # adding zero turns -0.0 into 0.0
    return f"{value:{'+' if signed else ''}.{digits}f}"


def title_of(name: str) -> str:
    """What a task is called in tables.

    Example:
        >>> title_of("stsb"), title_of("mine"), title_of("mteb:NevIR")
        ('STS-B', 'mine', 'NevIR (MTEB)')
    """
    if name.startswith(MTEB):
        return f"{name.removeprefix(MTEB)} (MTEB)"
    return str(TASKS.get(name).title) if name in TASKS else name


def escaped(text: str) -> str:
    r"""Text that stands in a Markdown table's cell as it is.

    Example:
        >>> print(escaped("a|b"))
        a\|b
    """
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())


def _compared(name: str, before: Mapping[str, float], after: Mapping[str, float]) -> TableRow:
    (metric, old), (_, new) = headline(before), headline(after)
    row = {"task": name, "title": title_of(name), "metric": metric, "rows": rows_of(before)}
    return row | {"before": old, "after": new, "change": new - old}


def _measure_of(metrics: Mapping[str, float]) -> str:
    count = rows_of(metrics)
    return f"{headline(metrics)[0]} of {'unknown' if count is None else f'{count:,}'} rows"


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if len(known) == len(values) else None


def _header(key: str) -> str:
    if key == "title":
        return "Task"
    return escaped(title_of(key) if key in TASKS or key.startswith(MTEB) else key.capitalize())


def _cell(key: str, row: Mapping[str, Any]) -> str:
    value = row[key]
    if value is None:
        return "not measured"
    if isinstance(value, float):
        return figure(row.get("metric", key), value, signed=key == "change")
    if isinstance(value, int):
        return f"{value:,}"
    return escaped(HEADERS.get(str(value), str(value)) if key == "metric" else str(value))
