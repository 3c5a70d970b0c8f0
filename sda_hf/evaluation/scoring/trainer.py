"""Tasks during training: evaluators for the trainer, and the keys under which it logs their scores."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sda_hf.errors import InputValueError
from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.evaluation.tasks.pairs import PairTask
from sda_hf.evaluation.tasks.resolve import TaskSpec, resolve

if TYPE_CHECKING:
    from sentence_transformers.base.evaluation import BaseEvaluator


# Under this name, sentence-transformers reports the score of several tasks together.
MEAN = "sequential_score"


def evaluator(
    task: TaskSpec | list[TaskSpec], data_dir: str | os.PathLike[str] | None = None, batch_size: int = 64
) -> BaseEvaluator:
    r"""Return a task as an evaluator of sentence-transformers, for the trainer's `evaluator` argument.

    Graded pairs become the library's own EmbeddingSimilarityEvaluator, all other tasks a `TaskEvaluator`. Both return
    shares and correlations between -1 and 1 (not times 100). The trainer logs the score under `metric_key(task)`.

    Args:
        task: a registered name, a task, or anything else `resolve` accepts; or a list of several, the mean of whose
            scores is one more.
        data_dir: folder with local files; None: the Hub.
        batch_size: texts to embed at a time.

    Raises:
        InputError: rows cannot be read, or no metric is defined for them.

    Example:
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     pairs = pathlib.Path(folder) / "animals.tsv"
        ...     _ = pairs.write_text("sentence1\tsentence2\tscore\ncat\tcat\t5\ncat\tdog\t2\n")
        ...     evaluator(pairs).name
        'animals'
    """
    if isinstance(task, list):
        return _mean_evaluator([resolve(one) for one in task], data_dir, batch_size)
    task = resolve(task)
    data = task.read(data_dir)
    if not _is_plain(task):
        from sda_hf.evaluation.scoring.task_evaluator import (
            TaskEvaluator,  # imports sentence-transformers, which is slow
        )

        return TaskEvaluator(task, data, batch_size=batch_size)
    # Slow to import.
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


def metric_key(task: TaskSpec | list[TaskSpec]) -> str:
    """Return the key under which the trainer logs a task's score, for `metric_for_best_model`.

    Of a list of tasks, it is that of their mean, in which a mean cosine of negated pairs counts as 1 - cosine.

    Raises:
        InputValueError: lower scores are better on the task, which cannot select a model.

    Example:
        >>> metric_key("stsb-dev")
        'eval_stsb-dev_spearman_cosine'
        >>> metric_key("trec")
        'eval_trec_accuracy'
        >>> metric_key(["stsb-dev", "nan-nli"])
        'eval_sequential_score'
    """
    if isinstance(task, list):
        for one in map(resolve, task):
            if not (one.greater_is_better or one.metric == "cosine"):
                metric_key(one)
        return f"eval_{MEAN}"
    task = resolve(task)
    if not task.greater_is_better:
        raise InputValueError(
            f"task {task.name!r}: a lower {task.metric} is better, but does not alone make a better model: select by a "
            "task with a correlation or an accuracy"
        )
    key = f"{task.name}_{task.metric}" + ("_cosine" if _is_plain(task) else "")
    # The trainer adds its prefix only if it is not there yet.
    return key if key.startswith("eval_") else f"eval_{key}"


def _mean_evaluator(
    tasks: Sequence[AnyTask], data_dir: str | os.PathLike[str] | None, batch_size: int
) -> BaseEvaluator:
    # Slow to import.
    from sentence_transformers.base.evaluation import SequentialEvaluator

    def mean(scores: Sequence[float]) -> float:
        better = [s if task.greater_is_better else 1 - s for s, task in zip(scores, tasks, strict=True)]
        return sum(better) / len(better)

    return SequentialEvaluator([evaluator(task, data_dir, batch_size) for task in tasks], main_score_function=mean)


def _is_plain(task: AnyTask) -> bool:
    return isinstance(task, PairTask) and task.metric == "spearman" and task.aggregate == "all"
