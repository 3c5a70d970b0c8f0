"""The plots of models that were measured, and of their runs."""

from __future__ import annotations

import os
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sda_hf.evaluation.encoder.attention import attention_weights
from sda_hf.evaluation.encoder.loading import load_encoder
from sda_hf.evaluation.plots.canvas import save
from sda_hf.evaluation.plots.curves import score_over_steps
from sda_hf.evaluation.plots.heatmap import attention_heatmap
from sda_hf.evaluation.plots.histograms import cosine_histograms
from sda_hf.evaluation.plots.scatter import alignment_uniformity
from sda_hf.evaluation.plots.similarities import similarity_heatmap
from sda_hf.evaluation.report.build import run_folders
from sda_hf.evaluation.report.results import Report
from sda_hf.run_files import METRICS, RunMetrics

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from sentence_transformers import SentenceTransformer

GEOMETRY = "geometry"
COSINE = "cosine"
DEV_SCORE = "dev score \u00d7 100"


def draw(
    report: Report, models: Sequence[str | os.PathLike[str]], folder: str | os.PathLike[str], sentences: Sequence[str]
) -> list[Path]:
    """Plot what a report's models made of pairs, their geometry, their dev scores, and single sentences.

    Args:
        report: the report.
        models: folders or Hub ids of its models, in the same order.
        folder: folder for the plots.
        sentences: sentences whose word weights are plotted, one file per sentence, and if there are several, their
            cosine similarities.

    Returns:
        The files: alignment-uniformity.png if the task "geometry" was measured, cosines-TASK.png for each task whose
        metric is a mean cosine, such as those of negated pairs, steps.png if a model is the folder of a training run
        with a dev task, attention-1.png etc., and similarities.png.

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
    for task in report.tasks:
        if task.metric == COSINE:
            cosines = {
                model.name: [float(cosine) for run in model.runs for cosine in run.measurements[task.name].items]
                for model in report.models
            }
            figures[f"cosines-{task.name}.png"] = cosine_histograms(cosines, f"negated pairs ({task.title})")
    pairs = list(zip(report.models, models, strict=True))
    curves = {name: curve for one, model in pairs for name, curve in dev_curves(one.name, model)}
    if curves:
        figures["steps.png"] = score_over_steps(curves, DEV_SCORE)
    loaded = {one.name: load_encoder(run_folders(model)[0]) for one, model in pairs} if sentences else {}
    for number, sentence in enumerate(sentences, 1):
        weights = {name: attention_weights(model, sentence) for name, model in loaded.items()}
        figures[f"attention-{number}.png"] = attention_heatmap(weights)
    if len(sentences) > 1:
        similar = {name: _similarities(model, sentences) for name, model in loaded.items()}
        figures["similarities.png"] = similarity_heatmap(sentences, similar)
    return save_all(figures, folder)


def save_all(figures: Mapping[str, Figure], folder: str | os.PathLike[str]) -> list[Path]:
    """Save figures under their names, and return the files.

    Raises:
        InputFileError: a file cannot be written.
    """
    for name, figure in figures.items():
        save(figure, Path(folder) / name)
    return [Path(folder) / name for name in figures]


def _similarities(model: SentenceTransformer, sentences: Sequence[str]) -> list[list[float]]:
    """Return the cosine similarity of each two sentences."""
    embeddings = model.encode(list(sentences), normalize_embeddings=True, show_progress_bar=False)
    similarities: list[list[float]] = (embeddings @ embeddings.T).tolist()
    return similarities


def dev_curves(name: str, model: str | os.PathLike[str]) -> list[tuple[str, list[tuple[int, float]]]]:
    """Return the runs of a model with their dev scores over training steps; nothing if it has none.

    Raises:
        InputFileError: the metrics of a run cannot be read.
    """
    folders = run_folders(model)
    found = []
    for folder in folders:
        path = Path(folder) / METRICS
        history = RunMetrics.load(path).training.dev if path.is_file() else ()
        title = name if len(folders) == 1 else f"{name}, {Path(folder).name}"
        found += [(title, [(entry.step, entry.score) for entry in history])] if history else []
    return found
