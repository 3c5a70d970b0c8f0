"""Which process a temporary file or a lock belongs to, and whether that process still runs."""

from __future__ import annotations

import contextlib
import os
import platform
import re
from dataclasses import dataclass
from pathlib import Path

import psutil

# States of processes that have ended, and whose parents have not asked for their outcome yet.
ENDED = ("Z", "X")


@dataclass(frozen=True)
class Owner:
    """A process on a host; another one may get its number later, but not its start.

    Args:
        pid: the process id.
        start: when it was started, by a clock of the host's own; empty if the system does not tell.
        host: the name of the host.

    Example:
        >>> Owner.this_process().is_dead
        False
        >>> Owner(Owner.this_process().pid, "long ago", Owner.this_process().host).is_dead
        True
        >>> Owner(1, "", "another.host").is_dead
        False
    """

    pid: int
    start: str
    host: str

    @classmethod
    def this_process(cls) -> Owner:
        """Return the running process."""
        return cls(os.getpid(), _start(os.getpid()) or "", _host())

    @property
    def is_here(self) -> bool:
        """Whether it is, or was, a process of this host."""
        return self.host == _host()

    @property
    def is_dead(self) -> bool:
        """Whether it has ended; False for a process of another host, of which nothing is known."""
        if not self.is_here:
            return False
        if not psutil.pid_exists(self.pid):
            return True
        start = _start(self.pid)
        return start == "" or (start is not None and self.start not in ("", start))

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}"


def _host() -> str:
    return re.sub(r"[^\w-]", "-", platform.node())[:50]


def _start(pid: int) -> str | None:
    """Return when a process was started: "" if it has ended since, None if the system does not tell."""
    stat = Path(f"/proc/{pid}/stat")
    with contextlib.suppress(OSError):
        # Linux. Ticks since the boot stay the same when the clock is set; the name in parentheses may hold spaces.
        state, *fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return "" if state in ENDED else fields[18]
    try:
        return str(round(psutil.Process(pid).create_time() * 1000))
    except psutil.Error:
        return None
