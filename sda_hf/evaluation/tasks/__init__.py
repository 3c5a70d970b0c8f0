"""The tasks that models are measured on."""

from sda_hf.evaluation.tasks import (  # noqa: F401 - importing them registers their tasks
    candidates,
    chinese,
    geometry,
    negation,
    ordered_pairs,
    pairs,
    retrieval,
    squares,
    sts,
    transfer,
)
