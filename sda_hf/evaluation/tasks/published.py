"""Results published in the papers, to be shown next to measured ones.

They are in published.tsv: one result per line, times 100, with the digits of the paper. Rows whose label or numbers
are ambiguous are left out, and so are results that a later paper of the set repeats. SDA (LREC-COLING 2024), Table 5,
gives SimCSE-RoBERTa-base the transfer average that AugCSE gives SimCSE-BERT-base: both are kept as printed.
"""

from __future__ import annotations

import functools
from importlib import resources
from typing import NamedTuple


class Published(NamedTuple):
    """A published result.

    Args:
        model: name of the model.
        value: its score times 100: Spearman's correlation, or accuracy on transfer tasks, CoLA and ANLI.
        source: paper and table.
        std: standard deviation over the runs, times 100; None: not reported.
        runs: number of seeds; None: not reported, or nothing was trained.
        selection: how the result was selected from several trials, e.g. "best of 10"; empty: not reported.
    """

    model: str
    value: float
    source: str
    std: float | None = None
    runs: int | None = None
    selection: str = ""


def published_results(task: str) -> tuple[Published, ...]:
    """Return the papers' results on a task.

    Args:
        task: a task's name, or "sts-average", "transfer-average" or "zh-average" for the reported averages.

    Returns:
        Results in the order of the file; empty if there are none.

    Source:
        SDA (2022 and LREC-COLING 2024), UNA (Shu and Lampos), AugCSE (AACL 2022) and EdaCSE (Applied Sciences 2023);
        each result names its table.

    Example:
        >>> result = published_results("sts-average")[10]
        >>> result.model, result.value, result.std, result.runs
        ('SDA-BERT-base, ensemble', 78.57, 0.43, 5)
        >>> published_results("sickr-dev")
        ()
    """
    return _by_task().get(task, ())


@functools.cache
def _by_task() -> dict[str, tuple[Published, ...]]:
    found: dict[str, list[Published]] = {}
    file = resources.files("sda_hf.evaluation.tasks") / "published.tsv"
    for line in file.read_text(encoding="utf-8").splitlines()[1:]:
        task, model, value, std, runs, selection, source = line.split("\t")
        result = Published(
            model, float(value), source, float(std) if std else None, int(runs) if runs else None, selection
        )
        found.setdefault(task, []).append(result)
    return {task: tuple(results) for task, results in found.items()}
