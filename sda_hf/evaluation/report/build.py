"""Building a report from the names of models and tasks."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.evaluation.report.model_result import ModelResult
from sda_hf.evaluation.report.results import Report
from sda_hf.evaluation.scoring.measuring import measure
from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.evaluation.tasks.resolve import TaskSpec, resolve_all
from sda_hf.evaluation.tasks.sts import aggregated
from sda_hf.run_files import SEEDS


def make_report(
    models: Sequence[str | os.PathLike[str]],
    tasks: Sequence[TaskSpec],
    data_dir: str | os.PathLike[str] | None = None,
    *,
    aggregate: str = "all",
    skip_missing: bool = False,
    batch_size: int = 64,
    show_progress: bool = False,
    cache_dir: str | os.PathLike[str] | None = None,
) -> Report:
    """Measure models on tasks.

    Args:
        models: folders or Hub ids; a folder of runs with several seeds is one model. All are compared with the first.
        tasks: as in `evaluate`.
        data_dir: as in `evaluate`.
        aggregate: how the subsets of STS12 to STS16 are combined; see `PairTask`.
        skip_missing: leave out tasks whose rows are missing, and note them in the report.
        batch_size: as in `evaluate`.
        show_progress: as in `evaluate`.
        cache_dir: as in `evaluate`.

    Raises:
        InputError: as in `evaluate`.
    """
    if not models:
        raise InputValueError("models is empty: give at least one folder or Hub id")
    data, left_out = _read(aggregated(resolve_all(tasks), aggregate), data_dir, skip_missing)
    results = [
        ModelResult(
            name,
            [
                measure(folder, data, batch_size=batch_size, show_progress=show_progress, cache_dir=cache_dir)
                for folder in run_folders(model)
            ],
        )
        for model, name in zip(models, names_of(models), strict=True)
    ]
    return Report([task for task, _ in data], results, left_out)


def run_folders(model: str | os.PathLike[str]) -> list[str]:
    """Return the folder of each seed if the model is a folder of runs, else the model itself.

    Raises:
        InputFileError: the list of seeds cannot be read.

    Example:
        >>> run_folders("sentence-transformers/all-MiniLM-L6-v2")
        ['sentence-transformers/all-MiniLM-L6-v2']
    """
    summary = Path(model) / SEEDS
    if not summary.is_file():
        return [os.fspath(model)]
    try:
        seeds = json.loads(summary.read_text(encoding="utf-8"))["seeds"]
        if not seeds or not isinstance(seeds, list):
            raise ValueError(f"expected a list of seeds, got {seeds!r}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputFileError(f"cannot read the seeds of the runs in {summary}: {error}") from error
    return [str(Path(model) / f"seed-{seed}") for seed in seeds]


def names_of(models: Sequence[str | os.PathLike[str]]) -> list[str]:
    """Return the names of models in tables: Hub ids unchanged, folders by their last part if these are unique.

    Raises:
        InputValueError: a model is given twice.

    Example:
        >>> names_of(["runs/2024/sda", "runs/2024/una", "me/sda-bert"])
        ['sda', 'una', 'me/sda-bert']
    """
    given = [os.fspath(model).rstrip("/") for model in models]
    folders = [Path(os.path.abspath(model)) if Path(model).is_dir() else None for model in given]  # "." has no name
    if len({folder or model for folder, model in zip(folders, given, strict=True)}) < len(given):
        raise InputValueError(f"duplicate model among {', '.join(given)}: give each model once")
    short = [
        folder.name if folder else model if model.count("/") == 1 else Path(model).name  # a Hub id has one slash
        for folder, model in zip(folders, given, strict=True)
    ]
    return [name if short.count(name) == 1 else model for name, model in zip(short, given, strict=True)]


def _read(
    tasks: Sequence[AnyTask], data_dir: str | os.PathLike[str] | None, skip_missing: bool
) -> tuple[list[tuple[AnyTask, Any]], dict[str, str]]:
    data: list[tuple[AnyTask, Any]] = []
    left_out: dict[str, str] = {}
    for task in tasks:
        try:
            data.append((task, task.read(data_dir)))
        except InputFileError as error:
            if not skip_missing:
                raise
            left_out[task.name] = str(error)
    if not data:
        raise InputFileError(f"the rows of all tasks are missing: {next(iter(left_out.values()))}")
    return data, left_out
