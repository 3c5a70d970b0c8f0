"""Tasks inside training: evaluators for the trainer, and the names under which it logs them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sda_hf.errors import InputValueError
from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.evaluation.tasks.pairs import PairTask
from sda_hf.evaluation.tasks.resolve import TaskSpec, resolve

if TYPE_CHECKING:
    from sentence_transformers.base.evaluation import BaseEvaluator


def evaluator(task: TaskSpec, data_dir: str | os.PathLike[str] | None = None, batch_size: int = 64) -> BaseEvaluator:
    r"""A task as sentence-transformers' evaluator, for the trainer's `evaluator` argument.

    Graded pairs give the library's own EmbeddingSimilarityEvaluator, every other task a `TaskEvaluator`. Both give
    shares and correlations between -1 and 1 (not times 100). `metric_key` is the name under which the trainer logs it.

    Args:
        task: a registered name, a task, or anything else that `resolve` takes.
        data_dir: folder with local files; None: the Hub.
        batch_size: texts that are embedded at a time.

    Raises:
        InputError: rows that cannot be read, or on which no figure is defined.

    Example:
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     pairs = pathlib.Path(folder) / "animals.tsv"
        ...     _ = pairs.write_text("sentence1\tsentence2\tscore\ncat\tcat\t5\ncat\tdog\t2\n")
        ...     evaluator(pairs).name
        'animals'
    """
    task = resolve(task)
    data = task.read(data_dir)
    if not _is_plain(task):
        from sda_hf.evaluation.scoring.task_evaluator import TaskEvaluator  # loads sentence-transformers

        return TaskEvaluator(task, data, batch_size=batch_size)
    # Here, because it is slow to import.
    from sentence_transformers.sentence_transformer.evaluation import EmbeddingSimilarityEvaluator

    return EmbeddingSimilarityEvaluator(
        data.sentences1,
        data.sentences2,
        data.scores,
        batch_size=batch_size,
        main_similarity="cosine",
        similarity_fn_names=["cosine"],
        name=task.name,
    )


def metric_key(task: TaskSpec) -> str:
    """The key under which the trainer logs the task's `evaluator`: what `metric_for_best_model` is set to.

    Raises:
        InputValueError: less of the task's headline figure is better: no model can be chosen by it.

    Example:
        >>> metric_key("stsb-dev")
        'eval_stsb-dev_spearman_cosine'
        >>> metric_key("trec")
        'eval_trec_accuracy'
    """
    task = resolve(task)
    if not task.greater_is_better:
        raise InputValueError(
            f"task {task.name!r}: less {task.metric} is better, but that alone makes no better model: choose one by "
            "a task of correlation or accuracy"
        )
    key = f"{task.name}_{task.metric}" + ("_cosine" if _is_plain(task) else "")
    # The trainer puts its prefix only where it is not there yet.
    return key if key.startswith("eval_") else f"eval_{key}"


def _is_plain(task: AnyTask) -> bool:
    return isinstance(task, PairTask) and task.metric == "spearman" and task.aggregate == "all"
