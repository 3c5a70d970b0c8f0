"""Any text task of the mteb library by its name, loaded, run and scored by that library."""

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
from sda_hf.evaluation.encoder.vectors import Vectors, modes_kept
from sda_hf.evaluation.tasks.base import MTEB, Task
from sda_hf.evaluation.tasks.measurement import Measurement

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@dataclasses.dataclass(frozen=True, kw_only=True)
class MtebTask(Task[None]):
    """A task of mteb, loaded, run and scored by that library; its name begins with "mteb:".

    Its rows come from the Hub in any case, and mteb embeds them itself.
    """

    metric: ClassVar[str] = "main_score"
    roles: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def of(cls, name: str) -> MtebTask:
        """The task that mteb calls by this name.

        Example:
            >>> MtebTask.of("NevIR").title
            'NevIR (MTEB)'
        """
        return cls(name=MTEB + name, title=mteb_title(name))

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> None:
        """Checks that mteb is there and has the task.

        Raises:
            MissingPackageError: mteb is not installed.
            InputValueError: an unknown name, or a task about more than text.
        """
        check_name(self.name.removeprefix(MTEB))

    def texts(self, data: None) -> Iterable[str]:
        """None: mteb reads and embeds its own."""
        return ()

    def measure(self, data: None, vectors: Vectors) -> Measurement:
        """The main score of mteb, times 100; see `Task.measure`."""
        scores = mteb_scores(
            self.name.removeprefix(MTEB),
            vectors.model,
            batch_size=vectors.batch_size,
            show_progress=vectors.show_progress,
        )
        return Measurement(scores, np.zeros(0))

    def protocol(self) -> dict[str, Any]:
        """The task, and the version of mteb."""
        return {**super().protocol(), "mteb": metadata.version("mteb")}


def mteb_scores(
    name: str, model: SentenceTransformer, *, batch_size: int = 64, show_progress: bool = False
) -> dict[str, float]:
    """The main score of a model on one task of mteb.

    All splits and language subsets are run that mteb itself evaluates. The data come from the Hub, through mteb, and
    are loaded before the first text is encoded. No result is read from or saved to mteb's cache; the state of the
    random number generators (which mteb seeds) and the model's modes are left as they were.

    Args:
        name: mteb's name of the task, as in "NevIR".
        model: the model; mteb takes the prompts that it has.
        batch_size: texts that are encoded at a time.
        show_progress: show progress bars. Some tasks of mteb show bars of their own in any case.

    Returns:
        {the name of mteb's main score: that score times 100, not rounded, the mean over splits and subsets, "rows":
        mteb's published number of samples of these splits (pairs or texts; in retrieval queries and documents
        together)}. Without "rows" where mteb publishes none.

    Raises:
        MissingPackageError: mteb is not installed.
        InputValueError: an unknown name, a task about more than text, embeddings with NaN or infinity, or a score
            that is not defined.
        InputFileError: data that cannot be loaded.

    Source:
        MTEB (Muennighoff et al., 2023), section 3; the figures are those of the installed version of mteb.

    Example:
        >>> import torch
        >>> mteb_scores("nevir", torch.nn.Identity())  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        sda_hf.errors.InputValueError: unknown mteb task 'nevir': did you mean 'NevIR'...
    """
    with _random_state_kept(), modes_kept(model):
        task = _task(name)
        with _loaded(task):
            score = _main_score(task, model, {"batch_size": batch_size, "show_progress_bar": show_progress})
    metric = str(task.metadata.main_score)
    if not math.isfinite(score):
        raise InputValueError(
            f"task 'mteb:{name}': {metric} is {score}: it is not defined for this model; have its embeddings collapsed?"
        )
    scores = {metric: 100 * score}
    rows = task.metadata.n_samples or {}
    if all(split in rows for split in task.eval_splits):
        scores["rows"] = sum(rows[split] for split in task.eval_splits)
    return scores


def check_name(name: str) -> None:
    """Check that mteb has a text task of this name, before anything slow is done; it takes seconds to import mteb.

    Args:
        name: mteb's name of the task.

    Raises:
        MissingPackageError: mteb is not installed.
        InputValueError: an unknown name, or a task about more than text.

    Example:
        >>> check_name("NevIR")
        >>> check_name("STSBenchmrk")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        sda_hf.errors.InputValueError: unknown mteb task 'STSBenchmrk': did you mean 'STSBenchmark'...
    """
    with _random_state_kept():
        _task(name)


def mteb_title(name: str) -> str:
    """What a task of mteb is called in tables; mteb need not be installed.

    Example:
        >>> mteb_title("NevIR")
        'NevIR (MTEB)'
    """
    return f"{name} (MTEB)"


def _task(name: str) -> Any:
    if importlib.util.find_spec("mteb") is None:
        raise MissingPackageError(f"task 'mteb:{name}' needs mteb: pip install 'sda-hf[mteb]'")
    import mteb  # an optional package, slow to import

    try:
        task = mteb.get_task(name)
    except KeyError as error:
        raise _unknown(name) from error
    if list(task.modalities) != ["text"]:
        raise InputValueError(
            f"task 'mteb:{name}' is about {', '.join(sorted(task.modalities))}: only tasks about text alone are run"
        )
    return task


def _unknown(name: str) -> InputValueError:
    from mteb.get_tasks import TASK_LIST  # slow to import

    # mteb has about 2,000 tasks: only the nearest are listed.
    names = {task.metadata.name.lower(): task.metadata.name for task in TASK_LIST}
    near = [repr(names[found]) for found in difflib.get_close_matches(name.lower(), names, n=3)]
    hint = f"did you mean {' or '.join(near)}?" if near else "mteb.get_tasks() lists the names"
    return InputValueError(f"unknown mteb task {name!r}: {hint}")


def _parts(task: Any) -> list[Any]:
    """The tasks that have data: those of a task that is the mean of others, or the task itself."""
    return [leaf for part in task.metadata.tasks for leaf in _parts(part)] if task.is_aggregate else [task]


@contextmanager
def _loaded(task: Any) -> Iterator[None]:
    # Here and not in mteb's run, which takes a dataset that is not there for one without rows to evaluate.
    from datasets.exceptions import DatasetsError  # slow to import

    with ExitStack() as loaded:
        for part in _parts(task):
            try:
                part.load_data()
            # RuntimeError: datasets that are programs, which the library refuses.
            except (OSError, ValueError, RuntimeError, DatasetsError) as error:
                reason = " ".join(str(error).split())
                raise InputFileError(f"cannot load the data of task 'mteb:{part.metadata.name}': {reason}") from error
            # mteb keeps the parts of a mean for the life of the process.
            loaded.callback(part.unload_data)
        yield


def _main_score(task: Any, model: SentenceTransformer, encode_kwargs: dict[str, Any]) -> float:
    import mteb  # an optional package, slow to import

    class Checked(mteb.SentenceTransformerEncoderWrapper):  # type: ignore[misc]
        def encode(self, *args: Any, **kwargs: Any) -> Any:
            embeddings = super().encode(*args, **kwargs)
            # Not left to the evaluators: retrieval ranks NaN like a number and gives a score that looks good.
            if not np.isfinite(np.asarray(embeddings)).all():
                raise InputValueError(
                    f"task 'mteb:{task.metadata.name}': the model gives embeddings with NaN or infinity"
                )
            return embeddings

    results = mteb.evaluate(
        Checked(model),
        task,
        co2_tracker=False,  # None would track wherever codecarbon is installed
        raise_error=True,
        encode_kwargs=encode_kwargs,
        cache=None,
        show_progress_bar=bool(encode_kwargs["show_progress_bar"]),
    )
    return float(results.task_results[0].get_score())


@contextmanager
def _random_state_kept() -> Iterator[None]:
    # mteb seeds Python, NumPy and torch when it is imported, when it makes a task, and when it evaluates one.
    import torch  # slow to import

    python_state, numpy_state = random.getstate(), np.random.get_state()
    # All devices by number: without them torch warns where there is more than one.
    with torch.random.fork_rng(devices=range(torch.cuda.device_count())):
        try:
            yield
        finally:
            random.setstate(python_state)
            np.random.set_state(numpy_state)
