"""Measuring a sentence-embedding model: tasks, scores and tables."""

from sda_hf.evaluation.attention import attention_weights
from sda_hf.evaluation.bootstrap import Difference, difference
from sda_hf.evaluation.candidates import CandidatesTask
from sda_hf.evaluation.chinese import CHINESE
from sda_hf.evaluation.evaluators import evaluator, metric_key
from sda_hf.evaluation.geometry import GeometryTask, alignment, jaccard, uniformity
from sda_hf.evaluation.negation import NegatedTask
from sda_hf.evaluation.orderings import OrderedPairsTask, TripleTask
from sda_hf.evaluation.pairs import PairData, PairTask
from sda_hf.evaluation.publications import Published, published_results
from sda_hf.evaluation.report import ModelResult, Report
from sda_hf.evaluation.scoring import Measured, evaluate, load_encoder, measure, read_all
from sda_hf.evaluation.source import Source
from sda_hf.evaluation.sts import SEVEN, aggregated
from sda_hf.evaluation.tables import comparison_table, headline, markdown, results_table
from sda_hf.evaluation.tasks import GROUPS, Measurement, Task, TaskSpec, register_task, resolve, resolve_all
from sda_hf.evaluation.transfer import TRANSFER, ProbeTask
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
