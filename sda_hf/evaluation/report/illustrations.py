"""The plots that accompany a report."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sda_hf.evaluation.encoder.attention import attention_weights
from sda_hf.evaluation.encoder.loading import load_encoder
from sda_hf.evaluation.plots.canvas import save
from sda_hf.evaluation.plots.curves import score_over_steps
from sda_hf.evaluation.plots.heatmap import attention_heatmap
from sda_hf.evaluation.plots.scatter import alignment_uniformity
from sda_hf.evaluation.plots.similarities import similarity_heatmap
from sda_hf.evaluation.report.build import run_folders
from sda_hf.evaluation.report.results import Report
from sda_hf.run_files import METRICS, RunMetrics

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

GEOMETRY = "geometry"


def draw(
    report: Report, models: Sequence[str | os.PathLike[str]], folder: str | os.PathLike[str], sentences: Sequence[str]
) -> list[Path]:
    """Plot the geometry of a report's models, their dev scores over training steps, weights of words and similarities.

    Args:
        report: the report.
        models: folders or Hub ids of its models, in the same order.
        folder: folder for the plots.
        sentences: sentences whose word weights are plotted, one file per sentence, and if there are several, their
            cosine similarities.

    Returns:
        The files: alignment-uniformity.png if the task "geometry" was measured, steps.png if a model is the folder of
        a training run with a dev task, attention-1.png etc., and similarities.png.

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
    if len(sentences) > 1:
        cosines = {name: _similarities(model, sentences) for name, model in loaded.items()}
        figures["similarities.png"] = similarity_heatmap(sentences, cosines)
    for name, figure in figures.items():
        save(figure, Path(folder) / name)
    return [Path(folder) / name for name in figures]


def _similarities(model: SentenceTransformer, sentences: Sequence[str]) -> list[list[float]]:
    """Return the cosine similarity of each two sentences."""
    embeddings = model.encode(list(sentences), normalize_embeddings=True, show_progress_bar=False)
    similarities: list[list[float]] = (embeddings @ embeddings.T).tolist()
    return similarities


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
