"""The English tasks of semantic textual similarity (STS), in SimCSE's protocol: all subsets of a year as one set."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from sda_hf.errors import InputValueError
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.evaluation.tasks.pairs import AGGREGATES, PairTask, register_pairs
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

# Local only: MTEB's copy of SICK-R on the Hub holds all three splits as one (9,927 pairs), others lack pairs, and a
# figure on either would look like the published ones and not be comparable with them.
SICK_SCALE = (1, 5)
SICK_TEST = Source(files=("sickr-test",), rows=4927)
register_task(PairTask(name="sickr", title="SICK-R", source=SICK_TEST, scale=SICK_SCALE))
SICK_DEV = Source(files=("sickr-dev",), rows=500)
register_task(PairTask(name="sickr-dev", title="SICK-R dev", source=SICK_DEV, scale=SICK_SCALE))


def aggregated(tasks: Iterable[AnyTask], aggregate: str) -> list[AnyTask]:
    """Tasks with the correlations of a year's subsets put together in another way.

    Args:
        tasks: any tasks; STS12 to STS16 and the user's own graded pairs are concerned, the others stay as they are.
        aggregate: "all", "mean" or "wmean"; see `PairTask`.

    Raises:
        InputValueError: an unknown aggregate.

    Example:
        >>> from sda_hf.evaluation import resolve_all
        >>> [task.aggregate for task in aggregated(resolve_all(["sts12", "stsb"]), "wmean")]
        ['wmean', 'all']
    """
    if aggregate not in AGGREGATES:
        raise InputValueError(f"aggregate is {aggregate!r}: give one of {', '.join(AGGREGATES)}")
    return [
        dataclasses.replace(task, aggregate=aggregate)
        if isinstance(task, PairTask) and (task.name in YEARS or task.source.path is not None)
        else task
        for task in tasks
    ]
