"""Ends of a run that are not its own: Ctrl-C, a full disk."""

from __future__ import annotations

import errno
import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
# What safetensors and torch say when a write comes to nothing: they raise no OSError.
WRITE_FAILED = re.compile(r"os error (?:27|28|122)\)|inline_container\.cc|iostream error|PytorchStreamWriter")


class Interrupted(KeyboardInterrupt):
    """A run was stopped by Ctrl-C; the message says what is there and how it goes on."""


class Interrupts:
    """Whether Ctrl-C was pressed; the second time stops at once."""

    def __init__(self, announce: Callable[[], None]) -> None:
        self.announce = announce
        self.seen = False

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Notes an interrupt instead of raising it; outside the main thread nothing is noted."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _note(self, number: int, frame: Any) -> None:
        if self.seen:
            raise KeyboardInterrupt
        self.seen = True
        self.announce()


class StopAtInterrupt(TrainerCallback):  # type: ignore[misc]  # transformers hides it from mypy
    """Saves a checkpoint and ends the training at the first step behind an interrupt.

    Args:
        interrupts: where it is noted.
    """

    def __init__(self, interrupts: Interrupts) -> None:
        self.interrupts = interrupts

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any) -> None:
        """Looks whether there was one."""
        if self.interrupts.seen:
            control.should_save = True
            control.should_training_stop = True


def disk_is_full(error: BaseException) -> bool:
    """An error says that there was no room for what was written."""
    return (isinstance(error, OSError) and error.errno in NO_ROOM) or bool(WRITE_FAILED.search(str(error)))
