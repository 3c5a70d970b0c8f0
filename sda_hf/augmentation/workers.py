"""Processes of a pool that end with their parent.

`datasets.map` with `num_proc` starts a pool of workers and a manager of its queue. When the parent is killed, they
would wait for it for good, with all their memory: each holds the other end of its pipes open for the others.
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import sys
import threading
import time
from types import ModuleType

# Seconds between two looks at the parent.
INTERVAL = 1.0
MANAGER = "SyncManager-"


def end_with_parent() -> None:
    """Let this process end when its parent is killed, if it is a worker of a pool, or the manager of one's queue."""
    _watch(os.getpid())


def end_with_this_process() -> None:
    """Let the pools that this process starts from now on end with it, those that were not yet called included.

    An augmenter calls this when it is pickled: it is then on its way to a pool.
    """
    for package in _packages():
        _register(os.getpid(), package)


def _packages() -> list[ModuleType]:
    """Return what starts pools: `datasets` uses `multiprocess`, a copy of the standard library's package."""
    return [package for package in (sys.modules.get("multiprocess"), multiprocessing) if package is not None]


@functools.cache
def _register(pid: int, package: ModuleType) -> None:
    util = sys.modules.get(f"{package.__name__}.util")
    if util is not None:
        util.register_after_fork(end_with_parent, lambda function: function())


@functools.cache
def _watch(pid: int) -> None:
    for package in _packages():
        process, parent = package.current_process(), package.parent_process()
        if parent is not None and (process.daemon or process.name.startswith(MANAGER)):
            threading.Thread(target=_end_after, args=(parent.pid,), name="sda-hf-parent", daemon=True).start()
            return


def _end_after(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(INTERVAL)
    os._exit(1)
