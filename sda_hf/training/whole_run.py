"""What a resumed run knows of the training before: its log and its duration."""

from __future__ import annotations

import copy
import time
from typing import Any

from sentence_transformers import SentenceTransformer
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments
from transformers.trainer_callback import ExportableState

from sda_hf.files import give_usual_permissions
from sda_hf.training.callbacks import checkpoint_of


class WholeRun(TrainerCallback, ExportableState):  # type: ignore[misc]  # mypy does not see transformers
    """Keep the log of the model card and the duration of training in checkpoints, and the loss in the log.

    The trainer counts both from the resume on. It forgets the loss since the last log line as well: so that no step is
    missing, it logs whenever it saves, and at the last step.
    """

    def __init__(self) -> None:
        self.before = 0.0
        self.began = time.perf_counter()
        self.model: SentenceTransformer | None = None

    @property
    def seconds(self) -> float:
        """Duration of the training so far, without steps that were lost."""
        return self.before + time.perf_counter() - self.began

    def state(self) -> dict[str, Any]:
        """Return what a checkpoint keeps."""
        kept: dict[str, Any] = {"seconds": self.seconds}
        if self.model is not None:
            data = self.model.model_card_data
            kept |= {"log": copy.deepcopy(data.training_logs), "evaluation": data.evaluation_duration}
        return {"args": {}, "attributes": kept}

    def on_train_begin(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        model: SentenceTransformer | None = None,
        **kwargs: Any,
    ) -> None:
        """Take over what the checkpoint holds from which the run is resumed."""
        self.model = model
        name = type(self).__name__
        kept = state.stateful_callbacks.get(name, {}).get("attributes", {}) if state.global_step > 0 else {}
        self.before, self.began = kept.get("seconds", 0.0), time.perf_counter()
        if model is not None and "log" in kept:
            model.model_card_data.training_logs = kept["log"]
            model.model_card_data.evaluation_duration = kept["evaluation"]
        state.stateful_callbacks[name] = self.state()  # one of an earlier version has none, which the trainer needs

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any) -> None:
        """Log before the trainer saves, and at the last step."""
        if control.should_save or state.global_step >= state.max_steps:
            control.should_log = True

    def on_train_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        """Let the card count the time before a resume."""
        if self.model is not None:  # sentence-transformers counts to the moment at which the card is made
            self.model.model_card_data._training_start_time -= self.before

    def on_save(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any) -> None:
        """Let all who may read the other files of a checkpoint read its weights too."""
        if state.is_world_process_zero:
            give_usual_permissions(checkpoint_of(args, state))
