"""A line about a long job: rows done of all, rate, time left and share changed."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable
from typing import TextIO

# Seconds between two lines, on a terminal and in a pipe, and those from whose rows the rate is taken.
ON_TERMINAL, IN_PIPE, WINDOW = 0.5, 10.0, 60.0


class ProgressLine:
    """Writes how far a job is: in place on a terminal, and on a line of its own now and then elsewhere.

    Args:
        out: where to write; None for standard error.
        clock: tells the time in seconds.

    Example:
        >>> times = iter([0.0, 10.0, 20.0])
        >>> line = ProgressLine(sys.stdout, lambda: next(times))
        >>> line.tell(0, 0, 61_000)
        >>> line.tell(1_000, 900, 61_000)
        1,000 of 61,000 rows (2 %), 100 a second, 10 min left, 90 % changed
        >>> line.tell(21_000, 19_900, 61_000)
        21,000 of 61,000 rows (34 %), 1,050 a second, 38 s left, 95 % changed
    """

    def __init__(self, out: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.out = out or sys.stderr
        self.clock = clock
        self.on_terminal = self.out.isatty()
        self._seen: deque[tuple[float, int]] = deque()
        self._last = 0.0
        self._width = 0

    def tell(self, done: int, changed: int, rows: int) -> None:
        """Say how far the job is, unless that was said a moment ago; the first call tells where it begins.

        Args:
            done: the number of rows that are done.
            changed: those of them that were changed.
            rows: the number of all rows.
        """
        now = self.clock()
        if not self._seen:
            self._last = now
        self._seen.append((now, done))
        while len(self._seen) > 2 and now - self._seen[0][0] > WINDOW:
            self._seen.popleft()
        if now - self._last < (ON_TERMINAL if self.on_terminal else IN_PIPE):
            return
        self._last = now
        self._write(self._line(done, changed, rows))

    def end(self) -> None:
        """Leave the line, so that what follows begins on a new one."""
        if self._width:
            self.out.write("\n")
            self.out.flush()
            self._width = 0

    def _line(self, done: int, changed: int, rows: int) -> str:
        (began, first), (now, last) = self._seen[0], self._seen[-1]
        rate = (last - first) / (now - began) if now > began else 0.0
        left = f"{_duration((rows - done) / rate)} left" if rate else "time left unknown"
        share = f"{100 * changed / done:.0f} % changed" if done else "none yet"
        return f"{done:,} of {rows:,} rows ({100 * done / max(rows, 1):.0f} %), {rate:,.0f} a second, {left}, {share}"

    def _write(self, line: str) -> None:
        if self.on_terminal:
            self.out.write(f"\r{line:{self._width}}")
            self._width = len(line)
        else:
            self.out.write(f"{line}\n")
        self.out.flush()


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
