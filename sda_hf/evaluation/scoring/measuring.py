"""How models are measured: all tasks read first, then every distinct text embedded once, then each task scored."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sda_hf.evaluation.encoder.fingerprint import fingerprint
from sda_hf.evaluation.encoder.loading import load_encoder
from sda_hf.evaluation.encoder.vectors import Vectors
from sda_hf.evaluation.scoring.cache import MeasurementCache, describe, key_of
from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.resolve import TaskSpec, resolve_all

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@dataclasses.dataclass(frozen=True)
class Measured:
    """What a model scored on several tasks.

    Args:
        measurements: task → what was measured.
        cached: task → day of a measurement that was taken from the cache.

    """

    measurements: dict[str, Measurement]
    cached: dict[str, str]

    @property
    def metrics(self) -> dict[str, dict[str, float]]:
        """Task → metrics, as `evaluate` gives them."""
        return {name: measurement.metrics for name, measurement in self.measurements.items()}


def evaluate(
    model: SentenceTransformer | str | os.PathLike[str],
    tasks: Sequence[TaskSpec],
    data_dir: str | os.PathLike[str] | None = None,
    batch_size: int = 64,
    show_progress: bool = False,
    cache_dir: str | os.PathLike[str] | None = None,
) -> dict[str, dict[str, float]]:
    r"""Scores of a model on tasks.

    All rows are read and checked before the model is loaded. The model's training or evaluation mode is left as it
    was.

    Args:
        model: a SentenceTransformer (or another torch module with its `encode`), its folder, or its id on the Hub.
        tasks: names of groups ("sts", "transfer", "zh", "negation", "geometry", "augcse") and of tasks, files, or
            anything else that `resolve` takes.
        data_dir: folder with local files; None: the Hub.
        batch_size: sentences of 16 tokens that are embedded at a time; of others as many tokens.
        show_progress: show a progress bar while embedding.
        cache_dir: folder in which measurements are kept and looked up; None: none are.

    Returns:
        Task name → metrics, the headline first and the number of rows last. Correlations, accuracies and F1 are times
        100; nothing is rounded. Graded pairs: {"spearman": ..., "pearson": ..., "pairs": ...}.

    Raises:
        InputTypeError: `tasks` is a lone string, the model is no sentence encoder, or the cache cannot tell it from
            another.
        InputValueError: no tasks, two of one name, a model made for something else, rows or embeddings for which a
            figure is not defined.
        InputFileError: rows or a model that cannot be read, or a cache that cannot be written to.

    Source:
        SimCSE (Gao et al., 2021), appendix B: Spearman's correlation over the subsets of a year together.

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
    """Every task with its rows, read and checked once for all models.

    Raises:
        InputFileError: rows that cannot be read.
        InputValueError: rows that are not what they should be.
    """
    return [(task, task.read(data_dir)) for task in tasks]


def measure(
    model: SentenceTransformer | str | os.PathLike[str],
    data: Sequence[tuple[AnyTask, Any]],
    batch_size: int = 64,
    show_progress: bool = False,
    cache_dir: str | os.PathLike[str] | None = None,
) -> Measured:
    """Measures a model on tasks whose rows are read.

    Args:
        model: as in `evaluate`.
        data: what `read_all` gave.
        batch_size: sentences of 16 tokens that are embedded at a time; of others as many tokens.
        show_progress: show a progress bar while embedding.
        cache_dir: folder in which measurements are kept and looked up; None: none are.

    Returns:
        One measurement a task, with a figure for each of its rows, and which of them were in the cache.

    Raises:
        InputError: as in `evaluate`.
    """
    cache = None if cache_dir is None else MeasurementCache(cache_dir)
    if isinstance(model, (str, os.PathLike)):
        model = load_encoder(model)
    kept: dict[str, tuple[Measurement, str]] = {}
    about: dict[str, Mapping[str, Any]] = {}
    if cache is not None:
        print_of_model = fingerprint(model)
        about = {task.name: describe(print_of_model, task, rows) for task, rows in data}
        found = {name: cache.get(key_of(facts)) for name, facts in about.items()}
        kept = {name: entry for name, entry in found.items() if entry is not None}
    missing = [(task, rows) for task, rows in data if task.name not in kept]
    vectors = Vectors(model, (text for task, rows in missing for text in task.texts(rows)), batch_size, show_progress)
    new: dict[str, Measurement] = {}
    for task, rows in missing:
        new[task.name] = task.measure(rows, vectors)
        if cache is not None:
            cache.put(key_of(about[task.name]), about[task.name], new[task.name])
    return Measured(
        {task.name: new[task.name] if task.name in new else kept[task.name][0] for task, _ in data},
        {name: day for name, (_, day) in kept.items()},
    )
