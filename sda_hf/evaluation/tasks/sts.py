"""The English tasks of semantic textual similarity (STS), in SimCSE's protocol: all subsets of a year as one set."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.evaluation.tasks.pairs import PairTask, check_aggregate, register_pairs
from sda_hf.evaluation.tasks.registry import GROUPS, register_task

YEARS = ("sts12", "sts13", "sts14", "sts15", "sts16")
SEVEN = (*YEARS, "stsb", "sickr")
GROUPS["sts"] = SEVEN

register_pairs("sts12", "STS12", "mteb/sts12-sts", 3108)
register_pairs("sts13", "STS13", "mteb/sts13-sts", 1500)
register_pairs("sts14", "STS14", "mteb/sts14-sts", 3750)
register_pairs("sts15", "STS15", "mteb/sts15-sts", 3000)
register_pairs("sts16", "STS16", "mteb/sts16-sts", 1186)
register_pairs("stsb", "STS-B", "mteb/stsbenchmark-sts", 1379)
register_pairs("stsb-dev", "STS-B dev", "mteb/stsbenchmark-sts", 1500, split="dev")

# Local files only: MTEB's copy of SICK-R on the Hub merges all three splits (9,927 pairs) and other copies lack pairs.
# Scores on either would look comparable with the published ones without being so.
SICK_SCALE = (1, 5)
SICK_TEST = Source(files=("sickr-test",), rows=4927)
register_task(PairTask(name="sickr", title="SICK-R", source=SICK_TEST, scale=SICK_SCALE))
SICK_DEV = Source(files=("sickr-dev",), rows=500)
register_task(PairTask(name="sickr-dev", title="SICK-R dev", source=SICK_DEV, scale=SICK_SCALE))


def aggregated(tasks: Iterable[AnyTask], aggregate: str) -> list[AnyTask]:
    """Return tasks with another aggregate for the subsets of STS12 to STS16 and of the user's own graded pairs.

    Args:
        tasks: any tasks; all others are returned unchanged.
        aggregate: "all", "mean" or "wmean"; see `PairTask`.

    Raises:
        InputValueError: the aggregate is unknown.

    Example:
        >>> from sda_hf.evaluation import resolve_all
        >>> [task.aggregate for task in aggregated(resolve_all(["sts12", "stsb"]), "wmean")]
        ['wmean', 'all']
    """
    check_aggregate(aggregate)
    return [
        dataclasses.replace(task, aggregate=aggregate)
        if isinstance(task, PairTask) and (task.name in YEARS or task.source.path is not None)
        else task
        for task in tasks
    ]
