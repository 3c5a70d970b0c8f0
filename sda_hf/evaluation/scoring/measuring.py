"""Measuring models: read all tasks, embed each distinct text once, then score every task."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from typing import Any

from sda_hf.evaluation.encoder.fingerprint import fingerprint
from sda_hf.evaluation.encoder.loading import load_encoder
from sda_hf.evaluation.encoder.vectors import Encoder, Vectors
from sda_hf.evaluation.scoring.cache import MeasurementCache, describe, key_of
from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.resolve import TaskSpec, resolve_all


@dataclasses.dataclass(frozen=True)
class Measured:
    """What a model scored on several tasks.

    Args:
        measurements: task → measurement.
        cached: task → date of its measurement, for those from the cache.
    """

    measurements: dict[str, Measurement]
    cached: dict[str, str]

    @property
    def metrics(self) -> dict[str, dict[str, float]]:
        """Task → metrics, as returned by `evaluate`."""
        return {name: measurement.metrics for name, measurement in self.measurements.items()}


def evaluate(
    model: Encoder | str | os.PathLike[str],
    tasks: Sequence[TaskSpec],
    data_dir: str | os.PathLike[str] | None = None,
    batch_size: int = 64,
    show_progress: bool = False,
    cache_dir: str | os.PathLike[str] | None = None,
) -> dict[str, dict[str, float]]:
    r"""Evaluate a model on tasks.

    All rows are read and checked before the model is loaded. The model keeps its training or evaluation mode.

    Args:
        model: a SentenceTransformer (or another model with its `encode`), its folder, or its Hub id.
        tasks: names of groups ("sts", "transfer", "zh", "negation", "polarity", "geometry", "augcse") and of tasks,
            files, or anything else `resolve` accepts.
        data_dir: folder with local files; None: the Hub.
        batch_size: typical sentences (16 tokens) to embed at a time; fewer longer ones, more shorter ones.
        show_progress: show a progress bar while embedding.
        cache_dir: folder in which measurements are cached; None: no cache.

    Returns:
        Task name → metrics, with the headline metric first and the number of rows last. Correlations, accuracies and
        F1 are times 100; nothing is rounded. Graded pairs have {"spearman": ..., "pearson": ..., "pairs": ...}.

    Raises:
        InputTypeError: `tasks` is a single string, the model is not a sentence encoder, or its measurements cannot be
            cached.
        InputValueError: there are no tasks, two tasks share a name, the model is not a sentence encoder, or a metric
            is not defined for the rows or embeddings.
        InputFileError: rows or the model cannot be read, or the cache cannot be written.

    Source:
        SimCSE (Gao et al., 2021), appendix B: Spearman's correlation over all subsets of a year together.

    Example:
        >>> import pathlib, tempfile, numpy, torch
        >>> class Animals(torch.nn.Module):
        ...     def encode(self, sentences, **options):
        ...         return numpy.array([[s.count("cat"), s.count("dog"), 1.0] for s in sentences])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     pairs = pathlib.Path(folder) / "animals.tsv"
        ...     _ = pairs.write_text("sentence1\tsentence2\tscore\ncat\tcat\t5\ncat\tdog\t2\ncow\tcat\t3\n")
        ...     result = evaluate(Animals(), [pairs])
        >>> round(result["animals"]["spearman"], 2), result["animals"]["pairs"]
        (100.0, 3)
    """
    data = read_all(resolve_all(tasks), data_dir)
    return measure(model, data, batch_size=batch_size, show_progress=show_progress, cache_dir=cache_dir).metrics


def read_all(tasks: Sequence[AnyTask], data_dir: str | os.PathLike[str] | None = None) -> list[tuple[AnyTask, Any]]:
    """Read and check the rows of every task, once for all models.

    Raises:
        InputFileError: rows cannot be read.
        InputValueError: rows are invalid.
    """
    return [(task, task.read(data_dir)) for task in tasks]


def measure(
    model: Encoder | str | os.PathLike[str],
    data: Sequence[tuple[AnyTask, Any]],
    batch_size: int = 64,
    show_progress: bool = False,
    cache_dir: str | os.PathLike[str] | None = None,
) -> Measured:
    """Measure a model on tasks whose rows have been read.

    Args:
        model: as in `evaluate`.
        data: tasks with their rows, from `read_all`.
        batch_size: as in `evaluate`.
        show_progress: as in `evaluate`.
        cache_dir: as in `evaluate`.

    Returns:
        A measurement per task, which has a number for each of its rows, and which of them came from the cache.

    Raises:
        InputError: as in `evaluate`.
    """
    cache = None if cache_dir is None else MeasurementCache(cache_dir)
    encoder = load_encoder(model) if isinstance(model, (str, os.PathLike)) else model
    kept: dict[str, tuple[Measurement, str]] = {}
    about: dict[str, Mapping[str, Any]] = {}
    if cache is not None:
        model_fingerprint = fingerprint(encoder)
        about = {task.name: describe(model_fingerprint, task, rows) for task, rows in data}
        found = {name: cache.get(key_of(facts)) for name, facts in about.items()}
        kept = {name: entry for name, entry in found.items() if entry is not None}
    missing = [(task, rows) for task, rows in data if task.name not in kept]
    vectors = Vectors(encoder, (text for task, rows in missing for text in task.texts(rows)), batch_size, show_progress)
    new: dict[str, Measurement] = {}
    for task, rows in missing:
        new[task.name] = task.measure(rows, vectors)
        if cache is not None:
            cache.put(key_of(about[task.name]), about[task.name], new[task.name])
    return Measured(
        {task.name: new[task.name] if task.name in new else kept[task.name][0] for task, _ in data},
        {name: day for name, (_, day) in kept.items()},
    )
