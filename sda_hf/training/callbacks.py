"""Callbacks for losses with parameters or counters of their own, and for losses that diverge."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from safetensors.torch import load_file, save_file
from torch import Tensor, distributed, nn
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.files import replacing
from sda_hf.training.complete_rows import check_rows

LOSS_STATE = "loss.safetensors"


class LossState(TrainerCallback):  # type: ignore[misc]  # mypy does not see transformers
    """Save a loss's own state in checkpoints, and keep its parameters in sync across processes.

    The trainer optimizes the parameters of a loss, but saves and synchronizes only those of the model: without this
    callback, a resumed run would continue with a new projection head. It also refuses rows in which a text is missing,
    such as the negative of a sentence that has none, before the trainer fails on them.

    Args:
        loss: the loss that the trainer was given, or the losses by dataset.

    Example:
        >>> import torch
        >>> from sda_hf.losses import NTXentLoss
        >>> sorted(LossState(NTXentLoss(torch.nn.Identity())).state())
        ['batches']
    """

    def __init__(self, loss: nn.Module | Mapping[str, nn.Module]) -> None:
        self.losses = {f"{name}.": one for name, one in loss.items()} if isinstance(loss, Mapping) else {"": loss}

    def state(self) -> dict[str, Tensor]:
        """Return the parameters and buffers of the loss, without those of the model inside it."""
        return {
            prefix + name: value
            for prefix, loss in self.losses.items()
            for name, value in loss.state_dict().items()
            if not name.startswith("model.")
        }

    def on_train_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        """Check that no text is missing, and load the state from the checkpoint that the run is resumed from.

        Raises:
            InputValueError: a row has no text in a column: see `check_rows`.
            InputFileError: as in `load`.
        """
        dataset = getattr(kwargs.get("train_dataloader"), "dataset", None)
        if isinstance(dataset, Dataset) and dataset.format["type"] != "custom":
            check_rows(dataset)
        if state.global_step > 0 and self.state():
            self.load(checkpoint_of(args, state))

    def load(self, checkpoint: Path) -> None:
        """Load the state from a checkpoint.

        Raises:
            InputFileError: the checkpoint has no state, or that of a different loss.
        """
        path = checkpoint / LOSS_STATE
        if not path.is_file():
            raise InputFileError(
                f"checkpoint {checkpoint} holds no {LOSS_STATE}, so the loss would start over: resume from one "
                "that was written with sda_hf.training.LossState, or start a new run"
            )
        known, found = self.state(), load_file(path)
        if {name: value.shape for name, value in known.items()} != {n: v.shape for n, v in found.items()}:
            raise InputFileError(
                f"{path} is the state of a different loss ({', '.join(found) or 'empty'}; this one has "
                f"{', '.join(known)}): resume with the loss and the projection of the run that wrote it"
            )
        with torch.no_grad():
            for name, value in known.items():
                value.copy_(found[name])

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any) -> None:
        """Write the state before the model's, so that no checkpoint is complete without it."""
        if control.should_save:
            self._write(args, state)

    on_epoch_end = on_step_end

    def on_save(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any) -> None:
        """Write the state if the checkpoint was not announced at the end of a step or epoch."""
        if not (checkpoint_of(args, state) / LOSS_STATE).is_file():
            self._write(args, state)

    def _write(self, args: TrainingArguments, state: TrainerState) -> None:
        if not (state.is_world_process_zero and self.state()):
            return
        folder = checkpoint_of(args, state)
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(folder / LOSS_STATE) as temporary:
            save_file({name: value.detach().cpu().contiguous() for name, value in self.state().items()}, temporary)

    def on_pre_optimizer_step(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        """Average the gradients of the loss's own parameters across processes, as is done for the model's."""
        if not (distributed.is_available() and distributed.is_initialized()):
            return
        named = itertools.chain.from_iterable(loss.named_parameters() for loss in self.losses.values())
        for name, parameter in named:
            if not name.startswith("model.") and parameter.grad is not None:
                distributed.all_reduce(parameter.grad)
                parameter.grad /= distributed.get_world_size()


class FiniteLoss(TrainerCallback):  # type: ignore[misc]  # mypy does not see transformers
    """Stop a run whose loss is NaN or infinite, at the step that logs it.

    The trainer omits such losses from its log unless `logging_nan_inf_filter` is off.
    """

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Check the logged loss.

        Raises:
            InputValueError: the loss is NaN or infinite.
        """
        loss = (logs or {}).get("loss")
        if loss is not None and not math.isfinite(float(loss)):
            raise InputValueError(
                f"the loss is {float(loss)} at step {state.global_step}: lower training.learning_rate or raise the "
                "temperature of the loss; earlier checkpoints are kept"
            )


def checkpoint_of(args: TrainingArguments, state: TrainerState) -> Path:
    """Return the folder of the checkpoint of the current step."""
    return Path(str(args.output_dir)) / f"checkpoint-{state.global_step}"
