"""From the names of models and tasks to a report."""

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
    """Measures models on tasks.

    Args:
        models: folders or Hub ids; a folder of runs with several seeds counts as one model. The others are compared
            with the first.
        tasks: what `evaluate` takes.
        data_dir: folder with local files; None: the Hub.
        aggregate: how the subsets of STS12 to STS16 are put together; see `PairTask`.
        skip_missing: leave out tasks whose rows are not there, and say so in the report.
        batch_size: sentences of 16 tokens that are embedded at a time; of others as many tokens.
        show_progress: show progress bars while embedding.
        cache_dir: folder in which measurements are kept and looked up; None: none are.

    Raises:
        InputError: as in `evaluate`.
    """
    if not models:
        raise InputValueError("models is empty: give at least one folder or Hub id")
    data, left_out = _readable(aggregated(resolve_all(tasks), aggregate), data_dir, skip_missing)
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
    """The models behind a name: those of each seed where it is a folder of several runs, else itself.

    Raises:
        InputFileError: the folder's list of seeds cannot be read.

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
            raise ValueError(f"a list of seeds is expected, here is {seeds!r}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputFileError(f"cannot read the seeds of the runs in {summary}: {error}") from error
    return [str(Path(model) / f"seed-{seed}") for seed in seeds]


def names_of(models: Sequence[str | os.PathLike[str]]) -> list[str]:
    """What models are called in tables: Hub ids as they are, folders by their last part where these differ.

    Raises:
        InputValueError: one model stands twice.

    Example:
        >>> names_of(["runs/2024/sda", "runs/2024/una", "me/sda-bert"])
        ['sda', 'una', 'me/sda-bert']
    """
    given = [os.fspath(model).rstrip("/") for model in models]
    folders = [Path(os.path.abspath(model)) if Path(model).is_dir() else None for model in given]  # "." has no name
    if len({folder or model for folder, model in zip(folders, given, strict=True)}) < len(given):
        raise InputValueError(f"a model is given twice among {', '.join(given)}: give each once")
    short = [
        folder.name if folder else model if model.count("/") == 1 else Path(model).name  # a Hub id has one slash
        for folder, model in zip(folders, given, strict=True)
    ]
    return [name if short.count(name) == 1 else model for name, model in zip(short, given, strict=True)]


def _readable(
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
        raise InputFileError(f"none of the tasks' rows are there: {next(iter(left_out.values()))}")
    return data, left_out
