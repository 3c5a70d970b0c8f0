"""Runs that are cut short by Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments


class Interrupted(KeyboardInterrupt):
    """A run was stopped by Ctrl-C; the message says what was saved and how to continue."""


class Interrupts:
    """Remembers that Ctrl-C was pressed; the second time stops at once.

    Args:
        announce: called at the first Ctrl-C.
    """

    def __init__(self, announce: Callable[[], None]) -> None:
        self.announce = announce
        self.seen = False

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note an interrupt instead of raising it; outside the main thread, do nothing."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.seen:
            raise KeyboardInterrupt
        self.seen = True
        self.announce()


class StopAtInterrupt(TrainerCallback):  # type: ignore[misc]  # mypy does not see transformers
    """Save a checkpoint and end training after the step in which Ctrl-C was pressed.

    Args:
        interrupts: remembers whether it was.
    """

    def __init__(self, interrupts: Interrupts) -> None:
        self.interrupts = interrupts

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any) -> None:
        """Save and stop if there was an interrupt."""
        if self.interrupts.seen:
            control.should_save = True
            control.should_training_stop = True
