"""Rewrites with new draws in each epoch, made during training."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from datasets import Dataset
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from sda_hf.augmentation.protocol import RowAugmenter
from sda_hf.errors import InputValueError
from sda_hf.training.data import Rewriting


class NewDraws(TrainerCallback):  # type: ignore[misc]  # mypy does not see transformers
    """A dataset whose sentences are rewritten on access, with new draws in each epoch.

    Give the trainer both: `train_dataset=draws.dataset` and `callbacks=[draws]`. The rows of an epoch are those that
    `map` gives with `augmenter.with_epoch(epoch)`.

    Args:
        sentences: a dataset with the column anchor. If the augmenter makes negatives, every sentence must get one.
        augmenter: an augmenter or triplets.

    Raises:
        InputValueError: there is no column anchor; or, on access, a sentence has no negative.

    Example:
        >>> from datasets import Dataset
        >>> from sda_hf import Negation
        >>> draws = NewDraws(Dataset.from_dict({"anchor": ["It rains."]}), Negation())
        >>> draws.dataset[0]
        {'anchor': 'It rains.', 'positive': 'It rains.', 'negative': "It doesn't rain."}
    """

    def __init__(self, sentences: Dataset, augmenter: RowAugmenter) -> None:
        if "anchor" not in sentences.column_names:
            columns = ", ".join(sentences.column_names)
            raise InputValueError(f"NewDraws needs a column anchor, got {columns}: use rename_column")
        self.augmenter = augmenter
        self.dataset = sentences.select_columns(["anchor"]).with_transform(_Rows(augmenter, 0))

    def on_epoch_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        """Switch to the draws of the epoch that begins."""
        self.dataset.set_transform(_Rows(self.augmenter, int(state.epoch or 0)))


@dataclasses.dataclass(frozen=True)
class _Rows:
    """The transform of one epoch; a class, so that worker processes can pickle it."""

    augmenter: RowAugmenter
    epoch: int

    def __call__(self, batch: Mapping[str, list[str]]) -> dict[str, list[Any]]:
        columns = Rewriting(self.augmenter.with_epoch(self.epoch))(batch)
        if len(columns["anchor"]) < len(batch["anchor"]) or None in columns.get("negative", ()):
            raise InputValueError(
                f"a sentence has no negative in epoch {self.epoch}: filter out such sentences first (map with the same "
                "augmenter does), and use an augmenter that skips the same sentences whatever it draws"
            )
        return columns
