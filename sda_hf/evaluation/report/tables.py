"""Tables of results: rows for programs, Markdown for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from sda_hf.errors import InputValueError
from sda_hf.evaluation.tasks.base import MTEB
from sda_hf.evaluation.tasks.measurement import PLAIN, headline, row_count
from sda_hf.hub.markdown import text
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
    "over_denial": "Over denial \u00d7 100",
    "ndcg": "nDCG@10 \u00d7 100",
    "cosine": "Mean cosine",
    "length_bias": "Length bias",
}


def comparison_table(before: Results, after: Results) -> list[TableRow]:
    """Compare a model before and after training, with one row per task.

    Args:
        before: results of `evaluate`.
        after: results of `evaluate` on the same tasks and rows.

    Returns:
        Rows {"task", "title", "metric", "rows", "before", "after", "change"} with the headline metrics, not rounded, in
        the order of `before`. If there are several tasks with the same metric, a last row has their average.

    Raises:
        InputValueError: the tasks, metrics or numbers of rows differ.

    Example:
        >>> before = {"stsb": {"spearman": 31.5, "pairs": 1379}}
        >>> comparison_table(before, {"stsb": {"spearman": 76.0, "pairs": 1379}})[0]["change"]
        44.5
    """
    if set(before) != set(after):
        raise InputValueError(
            f"before has the tasks {', '.join(before)}, after {', '.join(after)}: measure the same ones"
        )
    for name in before:
        old, new = (_basis(results[name]) for results in (before, after))
        if old != new:
            raise InputValueError(f"task {name!r}: {old} before, {new} after: the two are not comparable")
    rows = [_compared(name, before[name], after[name]) for name in before]
    if len(rows) > 1 and len({row["metric"] for row in rows}) == 1:
        means = {key: _mean([row[key] for row in rows]) for key in ("before", "after", "change")}
        count = sum(row["rows"] or 0 for row in rows)
        rows.append({"task": AVERAGE, "title": "Average", "metric": rows[0]["metric"], "rows": count, **means})
    return rows


def results_table(results_by_model: Mapping[str, Results]) -> list[TableRow]:
    """Tabulate results with one row per model and one column per task.

    Args:
        results_by_model: model → results of `evaluate`.

    Returns:
        Rows {"model", each task in order of appearance, "average"} of headline metrics, not rounded. Tasks that were
        not measured are None, and so is the average of a model that lacks one, since averages over different tasks are
        not comparable. There is no average of a single task or of different metrics.

    Raises:
        InputValueError: a task is named "model" or "average", like another column.

    Example:
        >>> results_table({"mine": {"stsb": {"spearman": 76.0}, "sickr": {"spearman": 70.0}}})
        [{'model': 'mine', 'stsb': 76.0, 'sickr': 70.0, 'average': 73.0}]
    """
    tasks = list(dict.fromkeys(name for results in results_by_model.values() for name in results))
    for name in ("model", AVERAGE):
        if name in tasks:
            raise InputValueError(f"a task is named {name!r}, like another column of the table: rename the task")
    metrics = {headline(result)[0] for results in results_by_model.values() for result in results.values()}
    rows: list[TableRow] = []
    for model, results in results_by_model.items():
        values = [headline(results[name])[1] if name in results else None for name in tasks]
        row = {"model": model, **dict(zip(tasks, values, strict=True))}
        rows.append(row | {AVERAGE: _mean(values)} if len(tasks) > 1 and len(metrics) == 1 else row)
    return rows


def markdown(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] | None = None) -> str:
    """Format rows as a Markdown table, with two decimals and with signs on changes.

    Every number is rounded separately, so that a change may differ by 0.01 from the numbers next to it.

    Args:
        rows: rows of `comparison_table` or `results_table`.
        columns: keys to show, in order; None: all, except the task's name if its title is there.

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
    """Format a metric, with three decimals for metrics on their own scale (such as cosines) and two for others.

    Example:
        >>> figure("spearman", 76.049), figure("cosine", 0.92), figure("accuracy", 0.5, signed=True)
        ('76.05', '0.920', '+0.50')
    """
    digits = 3 if metric in PLAIN else 2
    value = round(value, digits) + 0.0  # adding zero turns -0.0 into 0.0
    return f"{value:{'+' if signed else ''}.{digits}f}"


def title_of(name: str) -> str:
    """Return the title of a task in tables.

    Example:
        >>> title_of("stsb"), title_of("mine"), title_of("mteb:NevIR")
        ('STS-B', 'mine', 'NevIR (MTEB)')
    """
    if name.startswith(MTEB):
        return f"{name.removeprefix(MTEB)} (MTEB)"
    return str(TASKS.get(name).title) if name in TASKS else name


def _compared(name: str, before: Mapping[str, float], after: Mapping[str, float]) -> TableRow:
    (metric, old), (_, new) = headline(before), headline(after)
    row = {"task": name, "title": title_of(name), "metric": metric, "rows": row_count(before)}
    return row | {"before": old, "after": new, "change": new - old}


def _basis(metrics: Mapping[str, float]) -> str:
    count = row_count(metrics)
    return f"{headline(metrics)[0]} of {'unknown' if count is None else f'{count:,}'} rows"


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if len(known) == len(values) else None


def _header(key: str) -> str:
    if key == "title":
        return "Task"
    return text(title_of(key) if key in TASKS or key.startswith(MTEB) else key.capitalize())


def _cell(key: str, row: Mapping[str, Any]) -> str:
    value = row[key]
    if value is None:
        return "not measured"
    if isinstance(value, float):
        return figure(row.get("metric", key), value, signed=key == "change")
    if isinstance(value, int):
        return f"{value:,}"
    return text(HEADERS.get(str(value), str(value)) if key == "metric" else str(value))
