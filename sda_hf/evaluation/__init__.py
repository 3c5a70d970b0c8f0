"""Measuring a sentence-embedding model: tasks, scores and tables."""

from sda_hf.evaluation.chinese import CHINESE
from sda_hf.evaluation.pairs import PairData
from sda_hf.evaluation.report import comparison_table, markdown, published, results_table
from sda_hf.evaluation.scoring import evaluate, evaluator, metric_key
from sda_hf.evaluation.sts import SEVEN
from sda_hf.evaluation.tasks import Published, Task, TaskSpec, register_task, resolve
from sda_hf.registry import TASKS

__all__ = [
    "CHINESE",
    "SEVEN",
    "TASKS",
    "PairData",
    "Published",
    "Task",
    "TaskSpec",
    "comparison_table",
    "evaluate",
    "evaluator",
    "markdown",
    "metric_key",
    "published",
    "register_task",
    "resolve",
    "results_table",
]
