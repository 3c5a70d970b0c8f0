"""The results of a sweep as tables and plots."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sda_hf.errors import InputFileError
from sda_hf.evaluation import markdown
from sda_hf.evaluation.report.tables import figure
from sda_hf.files import write_whole
from sda_hf.training.sweep.grid import DEV

STD = " std"


def write_tables(summary: Mapping[str, Any], folder: str | Path, plots: bool = False) -> list[Path]:
    """Write sweep.csv, sweep.md and, on request, a plot for each setting with several numeric values.

    Args:
        summary: what `run_sweep` returned.
        folder: the folder to write to.
        plots: whether to draw plots; needs the extra `plots`.

    Returns:
        The files.

    Raises:
        MissingPackageError: plots were requested without matplotlib.
        InputFileError: the folder cannot be written to.
    """
    rows = sweep_rows(summary)
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    files = {"sweep.csv": text.getvalue(), "sweep.md": markdown(readable_rows(summary)) + "\n"}
    written = [Path(folder) / name for name in files]
    for path in written:
        try:
            write_whole(path, files[path.name])
        except OSError as error:
            raise InputFileError(f"cannot write {path}: {error.strerror}: give a folder that exists") from error
    return written + (_plots(summary, rows, Path(folder)) if plots else [])


def sweep_rows(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a table, one per point.

    Args:
        summary: what `run_sweep` returned, or the contents of sweep.json.

    Returns:
        Rows with the point's parameters; for each test task, the mean over the seeds of its headline metric under the
        task's name and the standard deviation as "... std"; the same for "dev" if there is a dev task. None if a point
        has no such task, and for the deviation of a single seed.

    Example:
        >>> stsb = {"spearman": {"after": {"values": [75.5, 76.5], "mean": 76.0, "std": 0.7}}}
        >>> sweep_rows({"points": [{"parameters": {"loss.margin": 0.1}, "tasks": {"stsb": stsb}, "dev": None}]})
        [{'loss.margin': 0.1, 'stsb': 76.0, 'stsb std': 0.7}]
    """
    points = summary["points"]
    tasks = dict.fromkeys(task for point in points for task in point["tasks"])  # they may differ between points
    has_dev = any(point["dev"] for point in points)
    rows = []
    for point in points:
        spreads = {task: next(iter(metrics.values()))["after"] for task, metrics in point["tasks"].items()}
        shown = {**dict.fromkeys(tasks), **spreads} | ({DEV: point["dev"]} if has_dev else {})
        row = dict(point["parameters"])
        for name, found in shown.items():
            row |= {name: found and found["mean"], f"{name}{STD}": found and found["std"]}
        rows.append(row)
    return rows


def readable_rows(summary: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the rows of a table for people: settings as they were given, and "mean ± std".

    Args:
        summary: what `run_sweep` returned.

    Example:
        >>> stsb = {"spearman": {"after": {"values": [75.5, 76.5], "mean": 76.0, "std": 0.7}}}
        >>> readable_rows({"points": [{"parameters": {"loss.margin": 0.1}, "tasks": {"stsb": stsb}, "dev": None}]})
        [{'loss.margin': '0.1', 'stsb': '76.00 ± 0.70'}]
    """
    keys = summary["points"][0]["parameters"]
    return [
        {key: str(row[key]) for key in keys}
        | {name: _with_std(row[name], row[name + STD]) for name in row if name + STD in row}
        for row in sweep_rows(summary)
    ]


def _with_std(mean: float | None, std: float | None) -> str:
    if mean is None:
        return "not measured"
    return figure("score", mean) if std is None else f"{figure('score', mean)} \u00b1 {figure('score', std)}"


def _plots(summary: Mapping[str, Any], rows: list[dict[str, Any]], folder: Path) -> list[Path]:
    from sda_hf.evaluation.plots.canvas import save
    from sda_hf.evaluation.plots.curves import sweep  # optional: the extra `plots`

    written = []
    keys = list(summary["points"][0]["parameters"])
    for key in keys:
        values = [row[key] for row in rows]
        # Not isinstance, for which True is a number.
        if not all(type(value) in (int, float) for value in values) or len(set(values)) < 2:
            continue
        # One line for each score and each combination of the other settings.
        series: dict[str, list[tuple[float, float, float | None]]] = {}
        for row in rows:
            others = ", ".join(f"{other.rsplit('.', 1)[-1]} {row[other]}" for other in keys if other != key)
            for name in (name for name in row if name + STD in row and row[name] is not None):
                line = f"{name}, {others}" if others else name
                series.setdefault(line, []).append((float(row[key]), row[name], row[name + STD]))
        if not series:  # neither test nor dev tasks
            continue
        path = folder / f"sweep-{key}.png"
        save(sweep(key, {name: sorted(points) for name, points in series.items()}, "score \u00d7 100"), path)
        written.append(path)
    return written
