"""The rows of a run: sentences from files or the Hub, rewritten into pairs or triplets."""

from __future__ import annotations

import dataclasses
import glob
import os
from collections.abc import Mapping, Sequence
from typing import Any

from datasets import Dataset, load_dataset
from datasets.exceptions import DatasetsError

from sda_hf.errors import InputFileError, InputTypeError, InputValueError
from sda_hf.training.recipe import Data

KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    ".txt": ("text", {}),
    ".csv": ("csv", {"keep_default_na": False}),
    ".tsv": ("csv", {"keep_default_na": False, "sep": "\t", "quoting": 3}),
    ".jsonl": ("json", {}),
    ".json": ("json", {}),
    ".parquet": ("parquet", {}),
}
COLUMNS = ("text", "sentence", "anchor", "sentence1")


def load_sentences(data: Data) -> Dataset:
    """The sentences of a recipe as a dataset with one column, `anchor`; blank rows are left out.

    Raises:
        InputFileError: a file or dataset is missing or cannot be read.
        InputValueError: the kind of file or the column is unknown, or no sentence is left.
        InputTypeError: the column does not hold strings.
    """
    dataset = _load(data)
    column = _column(dataset, data.column)
    dataset = dataset.select_columns([column]).filter(_has_text, input_columns=[column], desc="Leaving out blank rows")
    if data.limit is not None:
        dataset = dataset.take(min(data.limit, len(dataset)))
    if not len(dataset):
        raise InputValueError(f"data: column {column!r} holds no sentence")
    return dataset if column == "anchor" else dataset.rename_column(column, "anchor")


def expand(patterns: Sequence[str]) -> list[str]:
    """The files that paths and patterns name.

    Raises:
        InputFileError: one of them names none.
    """
    files = []
    for pattern in patterns:
        found = [pattern] if os.path.isfile(pattern) or "://" in pattern else sorted(glob.glob(pattern))
        if not found:
            raise InputFileError(f"data.files: no such file: {pattern}")
        files.extend(found)
    return files


def _load(data: Data) -> Dataset:
    if data.dataset is not None:
        return _read(f"data.dataset {data.dataset!r}", data.dataset, name=data.name, split=data.split)
    files = expand(data.files)
    kinds = {_kind(file) for file in files}
    if len(kinds) > 1:
        raise InputValueError(f"data.files: files of one kind are taken together; given: {', '.join(sorted(kinds))}")
    builder, options = KINDS[kinds.pop()]
    return _read(f"data.files {', '.join(files)}", builder, data_files=files, split="train", **options)


def _kind(file: str) -> str:
    suffix = os.path.splitext(file.removesuffix(".gz"))[1].lower()
    if suffix not in KINDS:
        raise InputValueError(
            f"data.files: {file!r} is of no known kind; known: {', '.join(KINDS)}, also packed as .gz"
        )
    return suffix


def _read(what: str, path: str, **options: Any) -> Dataset:
    try:
        return load_dataset(path, **options)
    except (DatasetsError, OSError, ValueError) as error:
        reason = str(error.__cause__ or error).strip().splitlines() or [type(error).__name__]
        raise InputFileError(f"{what}: cannot be read: {reason[0]}") from error


def _column(dataset: Dataset, wanted: str | None) -> str:
    names = dataset.column_names
    column = wanted or next((name for name in COLUMNS if name in names), None)
    if column not in names:
        missing = f"no column {wanted!r}" if wanted else f"none of {', '.join(COLUMNS)}"
        raise InputValueError(f"data.column: {missing} among the columns {', '.join(names)}; give data.column")
    dtype = getattr(dataset.features[column], "dtype", "a structure")
    if dtype not in ("string", "large_string"):
        raise InputTypeError(f"data.column: {column!r} holds {dtype}, not strings")
    return str(column)


def _has_text(text: str | None) -> bool:
    return bool(text and text.strip())


@dataclasses.dataclass(frozen=True)
class Rows:
    """The rows that are trained on, and what became of the sentences.

    Args:
        dataset: columns anchor, positive and, where there are negatives, negative.
        sentences: number of sentences before rows without a negative were dropped.
        changed: share of the rows whose positive differs from the anchor.
    """

    dataset: Dataset
    sentences: int
    changed: float

    def figures(self) -> dict[str, Any]:
        """The numbers, JSON-native."""
        return {
            "sentences": self.sentences,
            "rows": len(self.dataset),
            "without_negative": self.sentences - len(self.dataset),
            "positive_changed": self.changed,
        }


def make_rows(sentences: Dataset, augmenter: Any | None) -> Rows:
    """Pairs or triplets from sentences; with no augmenter every sentence is paired with itself.

    Raises:
        InputValueError: no row has a negative, or none was changed.
    """
    dataset = sentences.map(Rewriting(augmenter), batched=True, remove_columns=["anchor"], desc="Augmenting")
    if "negative" in dataset.column_names:
        dataset = dataset.filter(_is_given, input_columns=["negative"], desc="Leaving out rows without a negative")
    if not len(dataset):
        raise InputValueError("augmentation: no sentence could be rewritten, so no row has a negative")
    differing = sum(_differing(batch) for batch in dataset.iter(batch_size=1000))
    if augmenter is not None and not differing and "negative" not in dataset.column_names:
        raise InputValueError(
            f"augmentation: none of the {len(dataset):,} sentences was changed, so every row is a sentence and itself: "
            "check the language and the augmenter, or leave augmentation out to train on dropout alone"
        )
    return Rows(dataset, len(sentences), differing / len(dataset))


def _differing(batch: dict[str, list[str]]) -> int:
    return sum(anchor != positive for anchor, positive in zip(batch["anchor"], batch["positive"], strict=True))


@dataclasses.dataclass(frozen=True)
class Rewriting:
    """Rows of anchor, positive and, where there are negatives, negative, from a batch of anchors.

    Args:
        augmenter: an augmenter or triplets; None, and one of negatives alone, pairs each sentence with itself.
    """

    augmenter: Any | None

    def __call__(self, batch: Mapping[str, list[str]]) -> dict[str, list[Any]]:
        """The columns, in the order in which a loss takes them.

        Raises:
            InputValueError: the augmenter gives other columns.
        """
        new: dict[str, list[Any]] = {} if self.augmenter is None else dict(self.augmenter(batch))
        other = set(new) - {"anchor", "positive", "negative"}
        if other:
            raise InputValueError(f"augmentation: a recipe's columns are positive and negative, not {', '.join(other)}")
        anchors = new.get("anchor", batch["anchor"])
        return {"anchor": anchors, "positive": anchors} | new


def _is_given(text: str | None) -> bool:
    return text is not None
