"""Rewrites with new draws in each epoch, made during training."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from datasets import Dataset, IterableDataset
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from sda_hf.augmentation.columns import text_column, texts_of
from sda_hf.augmentation.protocol import RowAugmenter
from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.training.data import Rewriting


class NewDraws(TrainerCallback):  # type: ignore[misc]  # mypy does not see transformers
    """A dataset whose sentences are rewritten on access, with new draws in each epoch.

    Give the trainer both: `train_dataset=draws.dataset` and `callbacks=[draws]`. The rows of an epoch are those that
    `map` gives with `augmenter.with_epoch(epoch)`.

    Args:
        sentences: a list or column of sentences, or a dataset with a column of them: the augmenter's `input_column`, or
            the first of text, sentence, anchor, sentence1. If the augmenter makes negatives, the sentences that get
            none are left out; a dataset that already has its columns is taken as it is.
        augmenter: an augmenter, a composite or `Triplets`.

    Raises:
        InputTypeError: the sentences are something else, such as a stream.
        InputValueError: there is no such column, or no sentence is left; or, on access, a sentence has no negative in
            this epoch.

    Example:
        >>> from sda_hf import Negation
        >>> draws = NewDraws(["It rains.", "Hello!"], Negation())
        >>> draws.dataset[:]
        {'anchor': ['It rains.'], 'positive': ['It rains.'], 'negative': ["It doesn't rain."]}
    """

    def __init__(self, sentences: Dataset | Iterable[str], augmenter: RowAugmenter) -> None:
        self.augmenter = augmenter
        self.dataset = _rewritable(sentences, augmenter).with_transform(_Rows(augmenter, 0))

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
        given = {**batch, self.augmenter.input_column or "anchor": batch["anchor"]}
        columns = Rewriting(self.augmenter.with_epoch(self.epoch))(given)
        made = next(iter(columns.values()))
        absent = next((name for name, texts in columns.items() if None in texts), None)
        if absent is not None or len(made) < len(batch["anchor"]):
            raise InputValueError(
                f"a sentence has no {absent or 'negative'} in epoch {self.epoch}: use an augmenter that skips "
                "the same sentences whatever it draws"
            )
        return columns


def _rewritable(sentences: Dataset | Iterable[str], augmenter: RowAugmenter) -> Dataset:
    """Return the sentences that the augmenter rewrites, in a column `anchor`."""
    if isinstance(sentences, (IterableDataset, Mapping)):
        raise InputTypeError(
            f"NewDraws takes a list, a column or a Dataset of sentences, got {type(sentences).__name__}: give one "
            "split; the rows of a stream are rewritten with map"
        )
    if isinstance(sentences, Dataset):
        column = text_column(dict.fromkeys(sentences.column_names), augmenter.input_column)
        is_made = {*augmenter.by_column} <= {*sentences.column_names}
        dataset = sentences.with_format(None).select_columns([column])
        dataset = dataset if column == "anchor" else dataset.rename_column(column, "anchor")
    else:
        is_made, dataset = False, Dataset.from_dict({"anchor": texts_of(sentences)})
    if is_made or {*augmenter.by_column} == {"positive"}:
        return dataset
    left = dataset.filter(_IsRewritten(augmenter), batched=True, desc="Dropping rows without a negative")
    if not len(left):
        raise InputValueError(f"NewDraws: none of the {len(dataset):,} sentences can be rewritten by the augmenter")
    return left


@dataclasses.dataclass(frozen=True)
class _IsRewritten:
    """Whether no column but the positive is skipped; a class, so that `datasets` can cache what it finds."""

    augmenter: RowAugmenter

    def __call__(self, batch: Mapping[str, list[str]]) -> list[bool]:
        columns = self.augmenter.rewrites_by_column(texts_of(batch["anchor"]))
        needed = [rewrites for name, rewrites in columns.items() if name != "positive"]
        return [all(one.skipped is None for one in row) for row in zip(*needed, strict=True)]
