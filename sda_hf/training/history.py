"""What the trainer logged, as it goes into metrics.json."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from transformers import TrainerState

from sda_hf.run_files import DevScore, LoggedLoss, TrainingHistory


def training_history(
    state: TrainerState,
    metrics: Mapping[str, float],
    dev: str | None,
    keep_best: bool,
    seconds: float,
    parts: tuple[str, ...] = (),
) -> TrainingHistory:
    """Collect the numbers that a finished training leaves in metrics.json.

    Args:
        state: the trainer's state after training.
        metrics: what `train` returned.
        dev: name of the dev score in the logs; None without a dev task.
        keep_best: whether the best checkpoint was loaded at the end.
        seconds: duration of the training, that before a resume included.
        parts: how the names of those parts of the loss begin that are kept.
    """
    losses = tuple(_logged(log, parts) for log in state.log_history if "loss" in log)
    best = state.best_model_checkpoint if keep_best else None
    return TrainingHistory(
        steps=state.global_step,
        epochs=round(state.epoch or 0, 4),
        loss=mean_loss(losses),
        losses=losses,
        seconds=round(seconds, 4),
        rows_per_second=metrics.get("train_samples_per_second"),
        # The evaluators return correlations and accuracies up to 1; everywhere in metrics.json they are times 100.
        dev=tuple(DevScore(step=log["step"], score=100 * log[dev]) for log in state.log_history if dev in log),
        best_step=int(best.rsplit("-", 1)[1]) if best else None,
        best_score=100 * state.best_metric if best else None,
    )


def _logged(log: Mapping[str, float], prefixes: tuple[str, ...]) -> LoggedLoss:
    if not prefixes:
        return LoggedLoss(step=int(log["step"]), loss=log["loss"])
    parts = {name: value for name, value in log.items() if name.startswith(prefixes)}
    return LoggedLoss(step=int(log["step"]), loss=log["loss"], parts=parts)


def mean_loss(losses: Sequence[LoggedLoss]) -> float | None:
    """Return the mean over all steps up to the last log line; None without one.

    Args:
        losses: each the mean since the one before.

    Example:
        >>> mean_loss([LoggedLoss(step=3, loss=2.0), LoggedLoss(step=4, loss=1.0)])
        1.75
    """
    steps = [0, *(entry.step for entry in losses)]
    spans = [now - before for before, now in itertools.pairwise(steps)]
    return sum(entry.loss * span for entry, span in zip(losses, spans, strict=True)) / steps[-1] if losses else None
