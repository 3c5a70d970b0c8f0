"""Measuring a sentence-embedding model: tasks, scores and tables."""

from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.attention import attention_weights
from sda_hf.evaluation.encoder.loading import load_encoder
from sda_hf.evaluation.report.bootstrap import Difference, difference
from sda_hf.evaluation.report.model_result import ModelResult
from sda_hf.evaluation.report.results import Report
from sda_hf.evaluation.report.tables import comparison_table, markdown, results_table
from sda_hf.evaluation.scoring.measuring import Measured, evaluate, measure, read_all
from sda_hf.evaluation.scoring.trainer import evaluator, metric_key
from sda_hf.evaluation.tasks.base import Task
from sda_hf.evaluation.tasks.candidates import CandidatesTask
from sda_hf.evaluation.tasks.chinese import CHINESE
from sda_hf.evaluation.tasks.geometry import GeometryTask, alignment, jaccard, uniformity
from sda_hf.evaluation.tasks.measurement import Measurement, headline
from sda_hf.evaluation.tasks.negation import NegatedTask
from sda_hf.evaluation.tasks.ordered_pairs import OrderedPairsTask, TripleTask
from sda_hf.evaluation.tasks.pairs import PairData, PairTask
from sda_hf.evaluation.tasks.published import Published, published_results
from sda_hf.evaluation.tasks.registry import GROUPS, register_task
from sda_hf.evaluation.tasks.resolve import TaskSpec, resolve, resolve_all
from sda_hf.evaluation.tasks.sts import SEVEN, aggregated
from sda_hf.evaluation.tasks.transfer import TRANSFER, ProbeTask
from sda_hf.registry import TASKS

__all__ = [
    "CHINESE",
    "GROUPS",
    "SEVEN",
    "TASKS",
    "TRANSFER",
    "CandidatesTask",
    "Difference",
    "GeometryTask",
    "Measured",
    "Measurement",
    "ModelResult",
    "NegatedTask",
    "OrderedPairsTask",
    "PairData",
    "PairTask",
    "ProbeTask",
    "Published",
    "Report",
    "Source",
    "Task",
    "TaskSpec",
    "TripleTask",
    "aggregated",
    "alignment",
    "attention_weights",
    "comparison_table",
    "difference",
    "evaluate",
    "evaluator",
    "headline",
    "jaccard",
    "load_encoder",
    "markdown",
    "measure",
    "metric_key",
    "published_results",
    "read_all",
    "register_task",
    "resolve",
    "resolve_all",
    "results_table",
    "uniformity",
]
