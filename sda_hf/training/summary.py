"""What is written down about a finished run: its figures, and the facts of its model card."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from sentence_transformers import SentenceTransformer
from transformers import TrainerState

from sda_hf.augmentation import from_config
from sda_hf.hub import ModelCard
from sda_hf.training.audit import leaves
from sda_hf.training.folder import versions
from sda_hf.training.recipe import Build, Model, Recipe


def training_figures(
    state: TrainerState, metrics: Mapping[str, float], dev: str | None, keep_best: bool
) -> dict[str, Any]:
    """The numbers of a training, JSON-native.

    Args:
        state: the trainer's state after training.
        metrics: what `train` measured.
        dev: name of the dev score in the logs; None where there is none.
        keep_best: the best checkpoint was loaded at the end.
    """
    # Correlations and shares are times 100, as everywhere else in the metrics.
    history = [{"step": log["step"], "score": 100 * log[dev]} for log in state.log_history if dev in log]
    best = state.best_model_checkpoint if keep_best else None
    return {
        "steps": state.global_step,
        "epochs": round(state.epoch or 0, 4),
        "loss": metrics.get("train_loss"),
        "losses": [{"step": log["step"], "loss": log["loss"]} for log in state.log_history if "loss" in log],
        "seconds": metrics.get("train_runtime"),
        "rows_per_second": metrics.get("train_samples_per_second"),
        "dev": history,
        "best_step": int(best.rsplit("-", 1)[1]) if best else None,
        "best_score": 100 * state.best_metric if best else None,
    }


def model_card(
    recipe: Recipe, model: SentenceTransformer, loss: Any, metrics: Mapping[str, Any], columns: Sequence[str]
) -> ModelCard:
    """The card of a run, from its objects; a loss tells its own configuration and citation."""
    parts = leaves(recipe.augmentation or {})
    return ModelCard(
        name=os.path.basename(str(recipe.output)),
        encoder=_encoder(recipe),
        base_model=_hub_id(recipe),
        language=sorted({part.get("language", "en") for part in parts}),
        tags=model.model_card_data.tags,
        dimension=_dimension(model),
        max_length=model.max_seq_length,
        sources=[os.path.basename(file) for file in recipe.data.files] or [str(recipe.data.dataset)],
        rows=metrics["data"],
        columns=columns,
        augmentation=recipe.augmentation,
        rewrites=metrics["data"]["rewrites"],
        loss=type(loss).__name__,
        loss_config=loss.get_config_dict(),
        citation=loss.citation,
        training=_training(recipe, metrics["training"]),
        before=metrics["before"],
        after=metrics["after"],
        seed=recipe.training.seed,
        versions=versions(),
        limits=_limits(recipe),
    )


def _encoder(recipe: Recipe) -> str:
    name, model = recipe.model_name, recipe.model
    if name is None:
        assert isinstance(model, Model)
        assert model.build is not None
        return _built(model.build)
    said = f"`{os.path.basename(name)}`, from a folder" if os.path.isabs(name) else f"`{name}`"
    return said if isinstance(model, str) or model.pooling is None else f"{said}, {model.pooling} pooling"


def _built(spec: Build) -> str:
    return (
        f"a {spec.type.upper()} with random weights, {spec.layers} layers of width {spec.hidden_size}, "
        f"{spec.pooling} pooling, WordPiece learnt from the training sentences"
    )


def _hub_id(recipe: Recipe) -> str | None:
    name = recipe.model_name
    return name if name is not None and not os.path.isabs(name) else None


def _dimension(model: SentenceTransformer) -> int | None:
    dimension: int | None = model.get_embedding_dimension()
    return dimension


def _training(recipe: Recipe, figures: Mapping[str, Any]) -> dict[str, Any]:
    training = recipe.training
    seconds = figures["seconds"]
    return {
        "Steps": f"{figures['steps']:,} of {training.batch_size * training.gradient_accumulation} rows a device",
        "Passes over the rows": figures["epochs"],
        "Learning rate": f"{training.learning_rate:g}, {training.scheduler}, {training.warmup_ratio:.0%} warm-up",
        "Weight decay": f"{training.weight_decay:g}",
        "Precision": "bfloat16, mixed" if training.bf16 else "float32",
        "Further arguments": json.dumps(training.arguments) if training.arguments else "none",
        "Mean loss": None if figures["loss"] is None else f"{figures['loss']:.4f}",
        "Step that was kept": figures["best_step"] or "the last",
        "Time": None if seconds is None else f"{seconds:.0f} s",
    }


def _limits(recipe: Recipe) -> list[str]:
    """The limits that the augmenters state, and those of the encoder."""
    limits = []
    if recipe.model_name is None:
        limits.append("The encoder is small and knows only words of its training sentences: it is an example.")
    for part in leaves(recipe.augmentation or {}):
        augmenter = from_config(part)
        limits += [f"`{part['name']}`: {line}" for line in augmenter.limits]
    return list(dict.fromkeys(limits))
