"""From a recipe to the stock training arguments."""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
import transformers
from sentence_transformers import SentenceTransformerTrainingArguments
from sentence_transformers.base.sampler import DefaultBatchSampler, RoundRobinBatchSampler
from torch.utils.data import ConcatDataset

from sda_hf.errors import InputValueError
from sda_hf.training.recipe import Recipe

# Argument → the recipe's own key for it.
OWNED = {
    "learning_rate": "training.learning_rate",
    "per_device_train_batch_size": "training.batch_size",
    "num_train_epochs": "training.epochs",
    "max_steps": "training.max_steps",
    "gradient_accumulation_steps": "training.gradient_accumulation",
    "warmup_ratio": "training.warmup_ratio",
    "warmup_steps": "training.warmup_ratio",
    "weight_decay": "training.weight_decay",
    "max_grad_norm": "training.max_grad_norm",
    "lr_scheduler_type": "training.scheduler",
    "seed": "training.seed",
    "bf16": "training.bf16",
    "logging_steps": "training.logging_steps",
    "save_total_limit": "training.save_total_limit",
    "eval_steps": "evaluation.every_steps",
    "save_steps": "evaluation.every_steps",
    "eval_strategy": "evaluation.dev",
    "save_strategy": "evaluation.every_steps",
    "load_best_model_at_end": "evaluation.keep_best",
    "metric_for_best_model": "evaluation.dev",
    "greater_is_better": "evaluation.dev",
    "per_device_eval_batch_size": "evaluation.batch_size",
    "multi_dataset_batch_sampler": "datasets, of each of which every step takes a batch",
    "output_dir": "output",
    "resume_from_checkpoint": "output",
    "push_to_hub": "hub",
    "hub_model_id": "hub.repo_id",
    "hub_strategy": "hub.push",
    "hub_private_repo": "hub.private",
    "hub_revision": "hub.revision",
    "hub_always_push": "hub.push",
    # A recipe is copied to many places, where a token must not be; after a login none is needed here.
    "hub_token": "hub, with the token of `hf auth login` or HF_TOKEN",
}


# Arguments that need all rows before training.
OF_ROWS = ("batch_sampler", "train_sampling_strategy", "group_by_length", "length_column_name")


@dataclasses.dataclass(frozen=True)
class OneOfEach:
    """Yields a batch of each dataset in turn, each of its own size: a multi-dataset batch sampler of the trainer.

    Accumulated over as many batches as there are datasets, the gradients of a step are those of a batch of each.

    Args:
        sizes: rows per batch and device of each dataset.
        usual: `per_device_train_batch_size`.
    """

    sizes: tuple[int, ...]
    usual: int

    def __call__(
        self,
        dataset: ConcatDataset[object],
        batch_samplers: list[DefaultBatchSampler],
        generator: torch.Generator | None = None,
        seed: int = 0,
    ) -> RoundRobinBatchSampler:
        """Return the sampler; the trainer calls this."""
        for sampler, size in zip(batch_samplers, self.sizes, strict=True):
            sampler.batch_size = sampler.batch_size // self.usual * size  # a device may hold several
        return RoundRobinBatchSampler(dataset, batch_samplers=batch_samplers, generator=generator, seed=seed)


def training_arguments(recipe: Recipe, checkpoints: Path, metric: str | None) -> SentenceTransformerTrainingArguments:
    """Return the arguments for sentence-transformers' trainer.

    Args:
        recipe: the recipe.
        checkpoints: folder of the checkpoints.
        metric: name under which the trainer logs the dev score; None without a dev task.

    Raises:
        InputValueError: training.arguments has an unknown key or one for which the recipe has its own, or transformers
            rejects a value.
    """
    training = recipe.training
    _check_keys(training.arguments)
    if recipe.is_streamed:
        _check_streaming(training.arguments)
    values: dict[str, Any] = {
        "output_dir": str(checkpoints),
        "learning_rate": training.learning_rate,
        "per_device_train_batch_size": training.batch_size,
        "per_device_eval_batch_size": recipe.evaluation.batch_size,
        "num_train_epochs": training.epochs,
        "max_steps": training.max_steps or -1,
        "gradient_accumulation_steps": training.gradient_accumulation * len(recipe.training_sets),
        _warmup_name(): training.warmup_ratio,
        "weight_decay": training.weight_decay,
        "max_grad_norm": training.max_grad_norm,
        "lr_scheduler_type": training.scheduler,
        "seed": training.seed,
        "bf16": training.bf16,
        "logging_steps": training.logging_steps,
        "save_total_limit": training.save_total_limit,
        "save_strategy": "steps",
        "save_steps": recipe.evaluation.every_steps,
        "eval_strategy": "steps" if metric else "no",
        "eval_steps": recipe.evaluation.every_steps,
        "load_best_model_at_end": bool(metric) and recipe.evaluation.keep_best,
        "metric_for_best_model": metric,
        "greater_is_better": True if metric else None,
        "report_to": "none",
        "logging_nan_inf_filter": False,  # FiniteLoss must see them
        **training.arguments,
    }
    if recipe.is_streamed:  # each process reads its own share, rather than the first one all, padded to one length
        values["accelerator_config"] = {"dispatch_batches": False} | (values.get("accelerator_config") or {})
    if recipe.datasets:
        sizes = tuple(one.batch_size or training.batch_size for one in recipe.datasets.values())
        values["multi_dataset_batch_sampler"] = OneOfEach(sizes, training.batch_size)
    try:
        arguments = SentenceTransformerTrainingArguments(**values)
    except (TypeError, ValueError, ImportError, OSError, OverflowError) as error:
        raise InputValueError(f"training: {' '.join(str(error).split())}") from error
    if "dataloader_pin_memory" not in training.arguments:
        arguments.dataloader_pin_memory = arguments.device.type == "cuda"
    return arguments


def check_batches(batch_size: int, rows: int | None) -> None:
    """Refuse batches of one row, from which a contrastive loss learns nothing.

    Args:
        batch_size: rows per batch.
        rows: number of training rows; None for a stream.

    Raises:
        InputValueError: a batch would have one row.
    """
    if 1 in (batch_size, rows):
        given = "there is only one training row" if rows == 1 else "training.batch_size is 1"
        raise InputValueError(
            f"{given}: a contrastive loss compares a sentence with the others in its batch, so it needs two or more"
        )


def fit_steps(arguments: SentenceTransformerTrainingArguments, datasets: Iterable[tuple[int, int]]) -> None:
    """Let a run that is shorter than `evaluation.every_steps` be scored and saved at its end.

    Args:
        arguments: the arguments; modified in place.
        datasets: numbers of training rows, and of rows per batch; none of a stream.
    """
    total = arguments.max_steps
    if total <= 0:
        whole = math.floor if arguments.dataloader_drop_last else math.ceil
        of_each = [whole(rows / (batch_size * arguments.world_size)) for rows, batch_size in datasets]
        batches = min(of_each) * len(of_each)
        per_epoch = max(math.ceil(batches / arguments.gradient_accumulation_steps), 1)
        total = math.ceil(per_epoch * arguments.num_train_epochs)
    arguments.eval_steps = arguments.save_steps = min(arguments.eval_steps, total)


def _warmup_name() -> str:
    """Return the name of the argument: since transformers 5, `warmup_steps` also takes a ratio."""
    return "warmup_steps" if int(transformers.__version__.split(".")[0]) >= 5 else "warmup_ratio"


def _check_streaming(arguments: dict[str, Any]) -> None:
    for key in OF_ROWS:
        if key in arguments:
            raise InputValueError(
                f"training.arguments.{key}: it orders rows by their number, which those of a stream do not have: "
                "remove it, or data.streaming"
            )


def _check_keys(arguments: dict[str, Any]) -> None:
    known = {field.name for field in dataclasses.fields(SentenceTransformerTrainingArguments) if field.init}
    for key in arguments:
        if key in OWNED:
            raise InputValueError(f"training.arguments.{key}: use the recipe's own key for it, {OWNED[key]}")
        if key not in known:
            near = difflib.get_close_matches(key, sorted(known), n=1)
            hint = f"did you mean {OWNED.get(near[0], f'training.arguments.{near[0]}')!r}?" if near else ""
            problem = hint or "SentenceTransformerTrainingArguments has no such field"
            raise InputValueError(f"unknown recipe key 'training.arguments.{key}': {problem}")
