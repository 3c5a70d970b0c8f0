"""How a model is measured on tasks: every distinct sentence encoded once, cosine, correlation with the scores."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputFileError, InputTypeError, InputValueError
from sda_hf.evaluation.pairs import PairData
from sda_hf.evaluation.tasks import Task, TaskSpec, resolve

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.evaluation import EmbeddingSimilarityEvaluator

# Cosines of single-precision embeddings are good to about 1e-7: a smaller range than this is rounding, not order.
FLAT = 1e-6


def evaluate(
    model: SentenceTransformer | str | os.PathLike[str],
    tasks: Sequence[TaskSpec],
    data_dir: str | os.PathLike[str] | None = None,
    batch_size: int = 64,
    show_progress: bool = False,
) -> dict[str, dict[str, float]]:
    r"""Correlation between a model's cosine similarities and human scores.

    All pairs are read and checked before the model is loaded. The model's training or evaluation mode is left as it
    was.

    Args:
        model: a SentenceTransformer (or another torch module with its `encode`), its folder, or its id on the Hub.
        tasks: registered names, tasks, or anything else that `resolve` takes.
        data_dir: folder with local files; None: the Hub.
        batch_size: sentences that are encoded at a time.
        show_progress: show a progress bar while encoding.

    Returns:
        Task name → {"spearman": ..., "pearson": ..., "pairs": ...}: correlations times 100, not rounded, over all pairs
        of the task together, and the number of pairs.

    Raises:
        InputTypeError: `tasks` is a lone string.
        InputValueError: no tasks, two of one name, pairs or a model whose correlation is not defined.
        InputFileError: pairs or a model that cannot be read.

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
    if isinstance(tasks, (str, os.PathLike)):
        raise InputTypeError(f"tasks is {tasks!r}: give a list of tasks, [{str(tasks)!r}]")
    data: dict[str, PairData] = {}
    for task in map(resolve, tasks):
        if task.name in data:
            raise InputValueError(f"two tasks are called {task.name!r}: results go by name, give each its own")
        data[task.name] = _graded(task, data_dir)
    if not data:
        raise InputValueError("tasks is empty: give at least one task")
    if isinstance(model, (str, os.PathLike)):
        model = _load(model)
    sentences = dict.fromkeys(text for pairs in data.values() for text in (*pairs.sentences1, *pairs.sentences2))
    with _modes_kept(model):
        embeddings = model.encode(
            list(sentences), batch_size=batch_size, show_progress_bar=show_progress, convert_to_numpy=True
        )
    rows = {text: row for row, text in enumerate(sentences)}
    return {name: _correlations(name, pairs, embeddings, rows) for name, pairs in data.items()}


def evaluator(
    task: TaskSpec, data_dir: str | os.PathLike[str] | None = None, batch_size: int = 64
) -> EmbeddingSimilarityEvaluator:
    r"""A task as sentence-transformers' evaluator, for the trainer's `evaluator` argument.

    It gives correlations between -1 and 1 (not times 100). `metric_key` is the name under which the trainer logs it.

    Args:
        task: a registered name, a task, or anything else that `resolve` takes.
        data_dir: folder with local files; None: the Hub.
        batch_size: sentences that are encoded at a time.

    Raises:
        InputValueError: pairs that all have one score.
        InputFileError: pairs that cannot be read.

    Example:
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     pairs = pathlib.Path(folder) / "animals.tsv"
        ...     _ = pairs.write_text("sentence1\tsentence2\tscore\ncat\tcat\t5\ncat\tdog\t2\n")
        ...     evaluator(pairs).name
        'animals'
    """
    from sentence_transformers.sentence_transformer.evaluation import EmbeddingSimilarityEvaluator  # slow to import

    task = resolve(task)
    pairs = _graded(task, data_dir)
    return EmbeddingSimilarityEvaluator(
        pairs.sentences1,
        pairs.sentences2,
        pairs.scores,
        batch_size=batch_size,
        main_similarity="cosine",
        similarity_fn_names=["cosine"],
        name=task.name,
    )


def metric_key(task: TaskSpec) -> str:
    """The key under which the trainer logs the task's `evaluator`: what `metric_for_best_model` is set to.

    Example:
        >>> metric_key("stsb-dev")
        'eval_stsb-dev_spearman_cosine'
    """
    task = resolve(task)
    key = f"{task.name}_{task.metric}_cosine"
    # The trainer puts its prefix only where it is not there yet.
    return key if key.startswith("eval_") else f"eval_{key}"


def _graded(task: Task, data_dir: str | os.PathLike[str] | None) -> PairData:
    pairs = task.read(data_dir)
    if min(pairs.scores) == max(pairs.scores):
        raise InputValueError(
            f"task {task.name!r}: every score is {pairs.scores[0]:g} ({len(pairs):,} pairs): a correlation needs "
            "scores that differ"
        )
    return pairs


def _load(model: str | os.PathLike[str]) -> SentenceTransformer:
    from sentence_transformers import SentenceTransformer  # here, because it is slow to import

    try:
        return SentenceTransformer(os.fspath(model))
    except (OSError, ValueError) as error:
        raise InputFileError(f"cannot load the model {os.fspath(model)}: {error}") from error


@contextmanager
def _modes_kept(model: Any) -> Iterator[None]:
    # `encode` puts every module into evaluation mode; parts of a model (frozen ones) may have been in another one.
    modes = [(module, module.training) for module in model.modules()]
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training


def _correlations(name: str, pairs: PairData, embeddings: NDArray[Any], rows: dict[str, int]) -> dict[str, float]:
    from scipy.stats import pearsonr, spearmanr  # here, because it is slow to import

    first = embeddings[[rows[text] for text in pairs.sentences1]]
    second = embeddings[[rows[text] for text in pairs.sentences2]]
    similarities = _cosines(first, second)
    unusable = int((~np.isfinite(similarities)).sum())
    if unusable:
        raise InputValueError(
            f"task {name!r}: {unusable:,} of {len(pairs):,} similarities are no finite number: the model gives "
            "embeddings with NaN or infinity"
        )
    if np.ptp(similarities) < FLAT:
        raise InputValueError(
            f"task {name!r}: the model gives all {len(pairs):,} pairs the similarity {similarities[0]:.4f}: no "
            "correlation is defined; its embeddings have collapsed"
        )
    return {
        "spearman": 100 * float(spearmanr(pairs.scores, similarities).statistic),
        "pearson": 100 * float(pearsonr(pairs.scores, similarities).statistic),
        "pairs": len(pairs),
    }


def _cosines(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.float64]:
    """Cosine of each row of `first` with the same row of `second`: (pairs, dim) twice → (pairs,)."""
    # In double precision: a half-precision model's embeddings overflow when they are squared.
    first, second = first.astype(np.float64), second.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):  # the caller names what is not finite
        lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)  # (pairs,)
        # A zero vector is similar to nothing, as in sentence-transformers.
        cosines: NDArray[np.float64] = np.einsum("pd,pd->p", first, second) / np.maximum(lengths, 1e-12)
    return cosines
