"""The plots of a run: its dev scores over the steps, and what its augmenters rewrote."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sda_hf.evaluation.plots.curves import score_over_steps
from sda_hf.evaluation.plots.shares import rewrite_shares
from sda_hf.evaluation.report.build import run_folders
from sda_hf.evaluation.report.illustrations import DEV_SCORE, dev_curves, save_all
from sda_hf.run_files import METRICS, RewriteStatistics, RunMetrics


def draw_run(folder: str | Path) -> list[Path]:
    """Plot a finished run, or one recipe's runs with several seeds.

    Args:
        folder: the folder of the run, or of the runs; the plots are written there.

    Returns:
        The files: steps.png if there are dev scores, and rewrites.png if augmenters were counted (of the first run).

    Raises:
        MissingPackageError: matplotlib is not installed.
        InputFileError: the metrics cannot be read, or a plot cannot be written.
    """
    folder = Path(folder).absolute()
    figures = {}
    curves = dict(dev_curves(folder.name, folder))
    if curves:
        figures["steps.png"] = score_over_steps(curves, DEV_SCORE)
    columns = _columns(RunMetrics.load(Path(run_folders(folder)[0]) / METRICS))
    if columns:
        figures["rewrites.png"] = rewrite_shares(columns)
    return save_all(figures, folder)


def _columns(metrics: RunMetrics) -> dict[str, dict[str, Any]]:
    """Return what `rewrite_shares` draws, by column, and with several datasets by dataset and column."""
    columns = _counts(metrics.data.rewrites)
    for name, record in metrics.datasets.items():
        columns |= _counts(record.data.rewrites, f"{name}, ")
    return columns


def _counts(rewrites: Mapping[str, RewriteStatistics], start: str = "") -> dict[str, dict[str, Any]]:
    return {
        f"{start}{column}: {found.augmenter}": {"changed": round(found.changed * found.texts), "skips": found.skips}
        for column, found in rewrites.items()
    }
