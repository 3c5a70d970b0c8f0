"""Evaluation tasks as evaluators of sentence-transformers."""

from __future__ import annotations

from typing import Any

from sentence_transformers import SentenceTransformer
from sentence_transformers.base.evaluation import BaseEvaluator

from sda_hf.evaluation.scoring.measuring import measure
from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.evaluation.tasks.measurement import COUNTS, PLAIN


class TaskEvaluator(BaseEvaluator):  # type: ignore[misc]
    """Measure a task whenever the trainer evaluates.

    Args:
        task: the task.
        data: its rows, from `task.read`.
        batch_size: texts to embed at a time.

    Example:
        >>> from sda_hf.evaluation import PairData, resolve
        >>> evaluator = TaskEvaluator(resolve("geometry"), PairData(["a cat"], ["cats"], [5.0]))
        >>> evaluator.name, evaluator.primary_metric, evaluator.greater_is_better
        ('geometry', 'alignment', False)
    """

    def __init__(self, task: AnyTask, data: Any, batch_size: int = 64) -> None:
        super().__init__()
        self.task, self.data, self.batch_size = task, data, batch_size
        self.name = task.name
        self.primary_metric = task.metric
        self.greater_is_better = task.greater_is_better

    def __call__(
        self, model: SentenceTransformer, output_path: str | None = None, epoch: int = -1, steps: int = -1
    ) -> dict[str, float]:
        """Return the metrics, prefixed with the task's name; shares and correlations lie between -1 and 1."""
        measured = measure(model, [(self.task, self.data)], batch_size=self.batch_size).measurements[self.name]
        # Also under the task's own metric name: the main scores of mteb's tasks have various names.
        found = {self.task.metric: measured.headline[1], **measured.metrics}
        scaled = {key: value if key in (*PLAIN, *COUNTS) else value / 100 for key, value in found.items()}
        metrics: dict[str, float] = self.prefix_name_to_metrics(scaled, self.name)
        self.store_metrics_in_model_card_data(model, metrics, epoch, steps)
        return metrics
