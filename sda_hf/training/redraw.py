"""Rewrites that are drawn anew in each epoch, while training."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from datasets import Dataset
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from sda_hf.errors import InputValueError
from sda_hf.training.data import Rewriting


class NewDraws(TrainerCallback):  # type: ignore[misc]  # transformers hides it from mypy
    """A dataset whose sentences are rewritten as they are asked for, with new draws in each epoch.

    Give the trainer both: `train_dataset=draws.dataset` and `callbacks=[draws]`. The rows of an epoch are those that
    `map` gives with `augmenter.with_epoch(epoch)`.

    Args:
        sentences: a dataset with the column anchor. A sentence of which a negative is wanted must have one.
        augmenter: an augmenter or triplets.

    Example:
        >>> from datasets import Dataset
        >>> from sda_hf import Negation
        >>> draws = NewDraws(Dataset.from_dict({"anchor": ["It rains."]}), Negation())
        >>> draws.dataset[0]
        {'anchor': 'It rains.', 'positive': 'It rains.', 'negative': "It doesn't rain."}
    """

    def __init__(self, sentences: Dataset, augmenter: Any) -> None:
        if "anchor" not in sentences.column_names:
            raise InputValueError(
                f"NewDraws takes a column anchor, got {', '.join(sentences.column_names)}: rename_column gives it"
            )
        self.augmenter = augmenter
        self.dataset = sentences.select_columns(["anchor"]).with_transform(_Rows(augmenter, 0))

    def on_epoch_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        """Goes on to the draws of the epoch that begins."""
        self.dataset.set_transform(_Rows(self.augmenter, int(state.epoch or 0)))


@dataclasses.dataclass(frozen=True)
class _Rows:
    """The transform of one epoch; a class, so that worker processes can take it."""

    augmenter: Any
    epoch: int

    def __call__(self, batch: Mapping[str, list[str]]) -> dict[str, list[Any]]:
        columns = Rewriting(self.augmenter.with_epoch(self.epoch))(batch)
        if len(columns["anchor"]) < len(batch["anchor"]) or None in columns.get("negative", ()):
            raise InputValueError(
                f"a sentence has no negative in epoch {self.epoch}: leave out those without one (a map with the same "
                "augmenter does), and take an augmenter whose draws do not decide whether there is one"
            )
        return columns
