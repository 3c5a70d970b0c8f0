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
from sda_hf.training.sweep.run import sweep_rows

STD = " std"


def write_tables(summary: Mapping[str, Any], folder: str | Path, plots: bool = False) -> list[Path]:
    """Writes sweep.csv and sweep.md and, on demand, a plot for each setting with several numbers as values.

    Args:
        summary: what `run_sweep` gave.
        folder: where to.
        plots: draw, too; it takes the extra `plots`.

    Returns:
        The files.

    Raises:
        MissingPackageError: plots without matplotlib.
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
            raise InputFileError(f"cannot write {path}: {error.strerror}: give a folder that is there") from error
    return written + (_plots(summary, rows, Path(folder)) if plots else [])


def readable_rows(summary: Mapping[str, Any]) -> list[dict[str, str]]:
    """Rows of a table for people: settings as they were given, and "mean ± std".

    Args:
        summary: what `run_sweep` gave.

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
    from sda_hf.evaluation.plots.curves import sweep  # the extra `plots`

    written = []
    keys = list(summary["points"][0]["parameters"])
    for key in keys:
        values = [row[key] for row in rows]
        # type: True is a number for isinstance.
        if not all(type(value) in (int, float) for value in values) or len(set(values)) < 2:
            continue
        # One line for each score and each choice of the other settings.
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
