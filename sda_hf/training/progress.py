"""The progress of training: a bar on a terminal, now and then a line elsewhere, instead of the trainer's logs."""

from __future__ import annotations

import sys
import time
from typing import Any, TextIO

from tqdm.auto import tqdm
from transformers import (
    PrinterCallback,
    ProgressCallback,
    Trainer,
    TrainerCallback,
    TrainerControl,
    TrainerState,
    TrainingArguments,
)

# Seconds between two lines, where there is no terminal.
PAUSE = 15.0


class TrainingProgress(TrainerCallback):  # type: ignore[misc]  # mypy does not see transformers
    """Show the step, the rate, the time left, the loss, and the score on the dev task.

    Args:
        dev: name of the dev score in the trainer's logs; None without a dev task.
        file: where to write; None for the standard error.
    """

    def __init__(self, dev: str | None, file: TextIO | None = None) -> None:
        self.dev = dev
        self.file = file
        self.values: dict[str, str] = {}
        self.bar: tqdm[Any] | None = None
        self.began = self.told = 0.0
        self.first = self.told_step = 0

    def replace_logs(self, trainer: Trainer) -> None:
        """Take the place of the callbacks with which a trainer prints its logs."""
        trainer.remove_callback(ProgressCallback)
        trainer.remove_callback(PrinterCallback)
        if not trainer.args.disable_tqdm:
            trainer.add_callback(self)

    def on_train_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        """Begin with the step at which training begins, or goes on."""
        if not state.is_world_process_zero:
            return
        self.values = {}
        self.began = self.told = time.monotonic()
        self.first = self.told_step = state.global_step
        file = self.file or sys.stderr
        if file.isatty():
            self.bar = tqdm(
                desc="Training",
                total=state.max_steps,
                initial=state.global_step,
                unit=" steps",
                dynamic_ncols=True,
                file=file,
            )

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any) -> None:
        """Count the step."""
        if not state.is_world_process_zero:
            return
        if self.bar is not None:
            self.bar.update(state.global_step - self.bar.n)
        elif time.monotonic() - self.told >= PAUSE:
            self._tell(state)

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: dict[str, float] | None = None,
        **kwargs: Any,
    ) -> None:
        """Take the loss, and the score on the dev task, which is times 100 as everywhere else."""
        if logs is None or not state.is_world_process_zero:
            return
        if "loss" in logs:
            self.values["loss"] = f"{float(logs['loss']):.4f}"
        if self.dev is not None and self.dev in logs:
            self.values["dev"] = f"{100 * float(logs[self.dev]):.2f}"
            if self.bar is None:
                self._tell(state)
        if self.bar is not None:
            self.bar.set_postfix(self.values)

    def on_train_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        """Close the bar."""
        if self.bar is not None:
            self.bar.close()
            self.bar = None
        elif state.is_world_process_zero and self.told_step < state.global_step:
            self._tell(state)

    def _tell(self, state: TrainerState) -> None:
        """Write a line."""
        now = time.monotonic()
        rate = (state.global_step - self.first) / max(now - self.began, 1e-9)
        parts = [f"step {state.global_step:,} of {state.max_steps:,}", f"{rate:.2f} steps/s"]
        if rate and state.global_step < state.max_steps:
            parts.append(f"{tqdm.format_interval((state.max_steps - state.global_step) / rate)} left")
        parts += [f"{name} {value}" for name, value in self.values.items()]
        line = f"Training: {', '.join(parts)}\n"
        self.told, self.told_step = now, state.global_step
        file = self.file or sys.stderr
        file.write(line)
        file.flush()
