"""The text tasks of the mteb library, loaded, run and scored by that library."""

from __future__ import annotations

import dataclasses
import difflib
import importlib.util
import math
import os
import random
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import metadata
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sda_hf.errors import InputFileError, InputValueError, MissingPackageError
from sda_hf.evaluation.encoder.vectors import Encoder, Matrix, Vectors, preserved_modes
from sda_hf.evaluation.tasks.base import MTEB, Task
from sda_hf.evaluation.tasks.measurement import Measurement

if TYPE_CHECKING:
    from mteb.abstasks import AbsTask


@dataclasses.dataclass(frozen=True, kw_only=True)
class MtebTask(Task[None]):
    """A task of mteb; its name starts with "mteb:".

    mteb always reads the rows from the Hub, and embeds them itself.
    """

    metric: ClassVar[str] = "main_score"
    roles: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def of(cls, name: str) -> MtebTask:
        """Return the task with this name in mteb.

        Example:
            >>> MtebTask.of("NevIR").title
            'NevIR (MTEB)'
        """
        return cls(name=MTEB + name, title=f"{name} (MTEB)")

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> None:
        """Check that mteb is installed and has the task.

        Raises:
            MissingPackageError: mteb is not installed.
            InputValueError: the name is unknown, or the task is not about text alone.
        """
        check_name(self.name.removeprefix(MTEB))

    def texts(self, data: None) -> Iterable[str]:
        """No texts: mteb reads and embeds them itself."""
        return ()

    def measure(self, data: None, vectors: Vectors) -> Measurement:
        """Compute mteb's main score, times 100; see `Task.measure`."""
        scores = mteb_scores(
            self.name.removeprefix(MTEB),
            vectors.model,
            batch_size=vectors.batch_size,
            show_progress=vectors.show_progress,
        )
        return Measurement(scores, np.zeros(0))

    def protocol(self) -> dict[str, Any]:
        """Describe the task, with the version of mteb."""
        return {**super().protocol(), "mteb": metadata.version("mteb")}


def mteb_scores(name: str, model: Encoder, *, batch_size: int = 64, show_progress: bool = False) -> dict[str, float]:
    """Return the main score of a model on one task of mteb.

    The splits and language subsets are those that mteb evaluates. The data are loaded from the Hub by mteb, before the
    first text is encoded. mteb's result cache is neither read nor written. The states of the random number generators,
    which mteb seeds, and the modes of the model's modules are restored.

    Args:
        name: name of the task in mteb, such as "NevIR".
        model: the model; mteb uses its prompts.
        batch_size: texts to encode at a time.
        show_progress: show progress bars. Some tasks of mteb show their own regardless.

    Returns:
        {name of mteb's main score: the score times 100, averaged over splits and subsets, "rows": mteb's published
        number of samples in these splits (pairs or texts; for retrieval, queries plus documents)}. "rows" is missing
        if mteb does not publish the number.

    Raises:
        MissingPackageError: mteb is not installed.
        InputValueError: the name is unknown, the task is not about text alone, an embedding contains NaN or infinity,
            or the score is not defined.
        InputFileError: the data cannot be loaded.

    Source:
        MTEB (Muennighoff et al., 2023), section 3; the scores are those of the installed version of mteb.

    Example:
        >>> import torch
        >>> mteb_scores("nevir", torch.nn.Identity())  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        sda_hf.errors.InputValueError: unknown mteb task 'nevir': did you mean 'NevIR'...
    """
    with _preserved_random_state(), preserved_modes(model):
        task = _task(name)
        with _loaded(task):
            score = _main_score(task, model, batch_size, show_progress)
    metric = str(task.metadata.main_score)
    if not math.isfinite(score):
        raise InputValueError(
            f"task 'mteb:{name}': {metric} is {score}: it is not defined for this model; its embeddings "
            "may have collapsed"
        )
    scores = {metric: 100 * score}
    rows = task.metadata.n_samples or {}
    if all(split in rows for split in task.eval_splits):
        scores["rows"] = sum(rows[split] for split in task.eval_splits)
    return scores


def check_name(name: str) -> None:
    """Check that mteb has a text task of this name; importing mteb takes seconds.

    Args:
        name: name of the task in mteb.

    Raises:
        MissingPackageError: mteb is not installed.
        InputValueError: the name is unknown, or the task is not about text alone.

    Example:
        >>> check_name("NevIR")
        >>> check_name("STSBenchmrk")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        sda_hf.errors.InputValueError: unknown mteb task 'STSBenchmrk': did you mean 'STSBenchmark'...
    """
    with _preserved_random_state():
        _task(name)


def _task(name: str) -> AbsTask:
    if importlib.util.find_spec("mteb") is None:
        raise MissingPackageError(f"task 'mteb:{name}' needs mteb: pip install 'sda-hf[mteb]'")
    import mteb  # an optional package, slow to import

    try:
        task = mteb.get_task(name)
    except KeyError as error:
        raise _unknown(name) from error
    if list(task.modalities) != ["text"]:
        raise InputValueError(
            f"task 'mteb:{name}' is about {', '.join(sorted(task.modalities))}: only tasks about text "
            "alone are supported"
        )
    return task


def _unknown(name: str) -> InputValueError:
    from mteb.get_tasks import TASK_LIST  # slow to import

    # Only the nearest names: mteb has about 2,000 tasks.
    names = {task.metadata.name.lower(): task.metadata.name for task in TASK_LIST}
    near = [repr(names[found]) for found in difflib.get_close_matches(name.lower(), names, n=3)]
    hint = f"did you mean {' or '.join(near)}?" if near else "mteb.get_tasks() lists the names"
    return InputValueError(f"unknown mteb task {name!r}: {hint}")


def _parts(task: AbsTask) -> list[AbsTask]:
    """Return the tasks that have data: the parts of an aggregate task, or the task itself."""
    return [leaf for part in task.metadata.tasks for leaf in _parts(part)] if task.is_aggregate else [task]


@contextmanager
def _loaded(task: AbsTask) -> Iterator[None]:
    # Not left to mteb's own run, which treats a missing dataset as one without rows.
    from datasets.exceptions import DatasetsError  # slow to import

    with ExitStack() as loaded:
        for part in _parts(task):
            try:
                part.load_data()
            # RuntimeError: the dataset is a script, which `datasets` refuses.
            except (OSError, ValueError, RuntimeError, DatasetsError) as error:
                reason = " ".join(str(error).split())
                raise InputFileError(f"cannot load the data of task 'mteb:{part.metadata.name}': {reason}") from error
            # mteb would keep the parts of an aggregate task until the process ends.
            loaded.callback(part.unload_data)
        yield


def _main_score(task: AbsTask, model: Encoder, batch_size: int, show_progress: bool) -> float:
    import mteb  # an optional package, slow to import

    class Checked(mteb.SentenceTransformerEncoderWrapper):  # type: ignore[misc]
        def encode(self, *args: Any, **kwargs: Any) -> Matrix:
            embeddings: Matrix = super().encode(*args, **kwargs)
            # Not left to mteb's evaluators: retrieval ranks NaN like a number, with plausible scores.
            if not np.isfinite(np.asarray(embeddings)).all():
                raise InputValueError(
                    f"task 'mteb:{task.metadata.name}': the embeddings of the model contain NaN or infinity"
                )
            return embeddings

    results = mteb.evaluate(
        Checked(model),
        task,
        co2_tracker=False,  # None would track whenever codecarbon is installed
        raise_error=True,
        encode_kwargs={"batch_size": batch_size, "show_progress_bar": show_progress},
        cache=None,
        show_progress_bar=show_progress,
    )
    return float(results.task_results[0].get_score())


@contextmanager
def _preserved_random_state() -> Iterator[None]:
    # mteb seeds Python, NumPy and torch whenever it is imported, creates a task or evaluates one.
    import torch  # slow to import

    python_state, numpy_state = random.getstate(), np.random.get_state()
    # Devices are listed because torch otherwise warns if there are several.
    with torch.random.fork_rng(devices=range(torch.cuda.device_count())):
        try:
            yield
        finally:
            random.setstate(python_state)
            np.random.set_state(numpy_state)
