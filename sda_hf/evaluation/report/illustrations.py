"""The plots that accompany a report."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence
from pathlib import Path

from sda_hf.evaluation.encoder.attention import attention_weights
from sda_hf.evaluation.encoder.loading import load_encoder
from sda_hf.evaluation.plots.canvas import save
from sda_hf.evaluation.plots.curves import score_over_steps
from sda_hf.evaluation.plots.heatmap import attention_heatmap
from sda_hf.evaluation.plots.scatter import alignment_uniformity
from sda_hf.evaluation.report.build import run_folders
from sda_hf.evaluation.report.results import Report
from sda_hf.run_files import METRICS, RunMetrics

GEOMETRY = "geometry"


def draw(
    report: Report, models: Sequence[str | os.PathLike[str]], folder: str | os.PathLike[str], sentences: Sequence[str]
) -> list[Path]:
    """Plot the geometry of a report's models, their dev scores over training steps, and the weights of words.

    Args:
        report: the report.
        models: folders or Hub ids of its models, in the same order.
        folder: folder for the plots.
        sentences: sentences whose word weights are plotted, one file per sentence.

    Returns:
        The files: alignment-uniformity.png if the task "geometry" was measured, steps.png if a model is the folder of
        a training run with a dev task, and attention-1.png etc.

    Raises:
        MissingPackageError: matplotlib is not installed.
        InputFileError: the metrics of a run cannot be read.
    """
    figures = {}
    if any(task.name == GEOMETRY for task in report.tasks):
        points = {
            model.name: (
                statistics.fmean(model.values(GEOMETRY, "alignment")),
                statistics.fmean(model.values(GEOMETRY, "uniformity")),
            )
            for model in report.models
        }
        figures["alignment-uniformity.png"] = alignment_uniformity(points)
    pairs = list(zip(report.models, models, strict=True))
    curves = {name: curve for one, model in pairs for name, curve in _curves(one.name, model)}
    if curves:
        figures["steps.png"] = score_over_steps(curves, "dev score \u00d7 100")
    loaded = {one.name: load_encoder(run_folders(model)[0]) for one, model in pairs} if sentences else {}
    for number, sentence in enumerate(sentences, 1):
        weights = {name: attention_weights(model, sentence) for name, model in loaded.items()}
        figures[f"attention-{number}.png"] = attention_heatmap(weights)
    for name, figure in figures.items():
        save(figure, Path(folder) / name)
    return [Path(folder) / name for name in figures]


def _curves(name: str, model: str | os.PathLike[str]) -> list[tuple[str, list[tuple[int, float]]]]:
    """Return the runs of a model with their dev scores over training steps."""
    folders = run_folders(model)
    found = []
    for folder in folders:
        path = Path(folder) / METRICS
        history = RunMetrics.load(path).training.dev if path.is_file() else ()
        title = name if len(folders) == 1 else f"{name}, {Path(folder).name}"
        found += [(title, [(entry.step, entry.score) for entry in history])] if history else []
    return found
