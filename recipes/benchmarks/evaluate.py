"""Compare one pass over all tasks with calling sentence-transformers' evaluator for each task.

    python recipes/benchmarks/evaluate.py MODEL --data-dir FOLDER [--tasks sts12,sts13,stsb,sickr] [--rounds 3]

Prints, for each round, the seconds that `sda_hf.evaluation.evaluate` and a loop of `EmbeddingSimilarityEvaluator`, with
its defaults, take for the same tasks, the ratio of the two, and the largest difference between their scores.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable

sys.path.pop(0)  # this folder, where this file would shadow the package `evaluate`

import scipy.stats  # noqa: F401 - otherwise imported while the time is measured
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.evaluation import EmbeddingSimilarityEvaluator

from sda_hf.evaluation import PairData, evaluate, read_all, resolve_all


def loop(model: SentenceTransformer, data: dict[str, PairData]) -> dict[str, float]:
    """Return Spearman times 100 for each task, with one evaluator per task."""
    scores = {}
    for name, pairs in data.items():
        evaluator = EmbeddingSimilarityEvaluator(pairs.sentences1, pairs.sentences2, pairs.scores, name=name)
        scores[name] = 100 * evaluator(model)[f"{name}_spearman_cosine"]
    return scores


def timed(function: Callable[[], dict[str, float]]) -> tuple[float, dict[str, float]]:
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--data-dir", required=True)
    parser.add_argument("--tasks", default="sts12,sts13,stsb,sickr")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    model = SentenceTransformer(options.model)
    tasks = resolve_all(options.tasks.split(","))
    data = {task.name: rows for task, rows in read_all(tasks, options.data_dir)}
    texts = [text for pairs in data.values() for text in (*pairs.sentences1, *pairs.sentences2)]
    print(f"{len(texts):,} sentences, {len(set(texts)):,} distinct")
    model.encode(texts[:256])  # the first batches are slower
    ratios = []
    for number in range(options.rounds):
        ours, results = timed(lambda: {n: r["spearman"] for n, r in evaluate(model, tasks, options.data_dir).items()})
        theirs, expected = timed(lambda: loop(model, data))
        ratios.append(theirs / ours)
        difference = max(abs(results[name] - expected[name]) for name in expected)
        print(
            f"round {number}: {ours:.1f} s instead of {theirs:.1f} s, {ratios[-1]:.2f} times as fast; "
            f"scores differ by at most {difference:.0e}"
        )
    print(f"median: {statistics.median(ratios):.2f} times as fast")


if __name__ == "__main__":
    main()
