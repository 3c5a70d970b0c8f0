"""Tables of results: plain rows for programs, Markdown for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from sda_hf.errors import InputValueError
from sda_hf.registry import TASKS

Results: TypeAlias = Mapping[str, Mapping[str, float]]
TableRow: TypeAlias = dict[str, Any]

METRIC = "spearman"
AVERAGE = "average"
HEADERS = {METRIC: "Spearman \u00d7 100"}


def comparison_table(before: Results, after: Results) -> list[TableRow]:
    """One row a task: a model before and after training.

    Args:
        before: results of `evaluate`.
        after: results of `evaluate` on the same tasks and pairs.

    Returns:
        Rows {"task", "title", "metric", "pairs", "before", "after", "change"} in the order of `before`, then, if
        there are several tasks, their mean as task "average". Correlations times 100, not rounded.

    Raises:
        InputValueError: the two are about different tasks or pairs.

    Example:
        >>> before = {"stsb": {"spearman": 31.5, "pairs": 1379}}
        >>> comparison_table(before, {"stsb": {"spearman": 76.0, "pairs": 1379}})[0]["change"]
        44.5
    """
    if set(before) != set(after):
        raise InputValueError(f"before has the tasks {', '.join(before)}, after {', '.join(after)}: measure the same")
    for name in before:
        if before[name]["pairs"] != after[name]["pairs"]:
            raise InputValueError(
                f"task {name!r}: {before[name]['pairs']:,} pairs before, {after[name]['pairs']:,} after: not comparable"
            )
    rows = [_compared(name, before[name], after[name]) for name in before]
    if len(rows) > 1:
        means = {key: _mean([row[key] for row in rows]) for key in ("before", "after", "change")}
        pairs = sum(row["pairs"] for row in rows)
        rows.append({"task": AVERAGE, "title": "Average", "metric": METRIC, "pairs": pairs, **means})
    return rows


def results_table(results_by_model: Mapping[str, Results]) -> list[TableRow]:
    """One row a model, one column a task.

    Args:
        results_by_model: model → results of `evaluate` or of `published`.

    Returns:
        Rows {"model", each task in order of appearance, "average"}; Spearman times 100, not rounded. A task that was
        not measured is None, and so is the average of a model that lacks one: means over different tasks are not
        comparable. One task alone gets no average.

    Example:
        >>> results_table({"mine": {"stsb": {"spearman": 76.0}, "sickr": {"spearman": 70.0}}})
        [{'model': 'mine', 'stsb': 76.0, 'sickr': 70.0, 'average': 73.0}]
    """
    tasks = list(dict.fromkeys(name for results in results_by_model.values() for name in results))
    rows: list[TableRow] = []
    for model, results in results_by_model.items():
        values = [results[name][METRIC] if name in results else None for name in tasks]
        row = {"model": model, **dict(zip(tasks, values, strict=True))}
        rows.append(row | {AVERAGE: _mean(values)} if len(tasks) > 1 else row)
    return rows


def published(tasks: Iterable[str]) -> dict[str, dict[str, dict[str, float]]]:
    """The published results of registered tasks, as `results_table` takes them.

    Returns:
        "model (source)" → task → {"spearman": correlation times 100}.

    Raises:
        InputValueError: an unknown task.

    Example:
        >>> published(["stsb"])["SimCSE-BERT-base (SDA (LREC-COLING 2024), Table 4)"]
        {'stsb': {'spearman': 76.85}}
    """
    table: dict[str, dict[str, dict[str, float]]] = {}
    for name in tasks:
        for model, value, source in TASKS.get(name).published:
            table.setdefault(f"{model} ({source})", {})[name] = {METRIC: value}
    return table


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
    lines = [[_header(key) for key in columns], marks, *([_cell(key, row[key]) for key in columns] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _compared(name: str, before: Mapping[str, float], after: Mapping[str, float]) -> TableRow:
    old, new = before[METRIC], after[METRIC]
    row = {"task": name, "title": _title(name), "metric": METRIC, "pairs": before["pairs"]}
    return row | {"before": old, "after": new, "change": new - old}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if len(known) == len(values) else None


def _title(name: str) -> str:
    return str(TASKS.get(name).title) if name in TASKS else name


def _header(key: str) -> str:
    if key == "title":
        return "Task"
    return _escaped(_title(key) if key in TASKS else key.capitalize())


def _cell(key: str, value: object) -> str:
    if value is None:
        return "not measured"
    if isinstance(value, float):
        value = round(value, 2) + 0.0  # adding zero turns -0.0 into 0.0
        return f"{value:+.2f}" if key == "change" else f"{value:.2f}"
    if isinstance(value, int):
        return f"{value:,}"
    return _escaped(HEADERS.get(str(value), str(value)) if key == "metric" else str(value))


def _escaped(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())
