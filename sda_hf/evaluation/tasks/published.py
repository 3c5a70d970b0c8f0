"""The figures that the papers print, to be shown beside measured ones.

They lie in published.tsv: one figure a line, scores times 100, with the digits of the paper. A row whose label or
figures cannot be told with certainty is left out, and so is a figure that a newer paper of the set prints again.
SDA (LREC-COLING 2024), Table 5, prints under the name of SimCSE-RoBERTa-base the transfer average that AugCSE prints
under that of SimCSE-BERT-base: both stand as printed.
"""

from __future__ import annotations

import functools
from importlib import resources
from typing import NamedTuple


class Published(NamedTuple):
    """A published result.

    Args:
        model: what was measured.
        value: its score times 100: Spearman correlation, or accuracy on transfer tasks, CoLA and ANLI.
        source: paper and table.
        std: standard deviation over the runs, times 100; None: not printed.
        runs: number of seeds behind the figure; None: not told, or nothing was trained.
        selection: how the figure was chosen from several trials, such as "best of 10"; empty: not told.
    """

    model: str
    value: float
    source: str
    std: float | None = None
    runs: int | None = None
    selection: str = ""


def published_results(task: str) -> tuple[Published, ...]:
    """What the papers print on a task.

    Args:
        task: a task's name, or "sts-average", "transfer-average" or "zh-average" for the printed means.

    Returns:
        Results in the order of the file; none for a task on which nothing is published.

    Source: SDA (2022 and LREC-COLING 2024), UNA (Shu and Lampos), AugCSE (AACL 2022) and EdaCSE (Applied Sciences
        2023); each result names its table.

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
