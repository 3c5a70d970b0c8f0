"""The rows of a run: sentences from files or the Hub, rewritten into pairs or triplets."""

from __future__ import annotations

import contextlib
import dataclasses
import glob
import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from datasets import Dataset, DownloadManager, Features, IterableDataset, Value, load_dataset
from datasets.exceptions import DatasetsError

from sda_hf.augmentation import LexiconSquares
from sda_hf.augmentation.columns import text_column
from sda_hf.augmentation.config import package_version
from sda_hf.augmentation.protocol import RowAugmenter
from sda_hf.errors import InputError, InputFileError, InputTypeError, InputValueError
from sda_hf.files import format_of, read_columns, read_rows
from sda_hf.run_files import DataStatistics, RewriteStatistics
from sda_hf.training.recipe import Data

PAIRED = {"anchor", "positive", "negative"}
ANCHORS = Features({"anchor": Value("string")})


def load_sentences(data: Data) -> Dataset:
    """Return the sentences of a recipe as a dataset with one column, `anchor`, without blank ones.

    Files are read by `sda_hf.files.read_rows`, one row after another, into the cache of `datasets`.

    Raises:
        InputFileError: a file or dataset is missing or cannot be read.
        InputValueError: an unknown format or column, or no sentence is left.
        InputTypeError: the column does not hold strings.
    """
    return _from_files(data) if data.dataset is None else _from_hub(data)


def _from_hub(data: Data) -> Dataset:
    with hub_errors(data):
        dataset = load_dataset(str(data.dataset), name=data.name, split=data.split)
    column = text_column(dict.fromkeys(dataset.column_names), data.column, "data.column")
    dtype = getattr(dataset.features[column], "dtype", "a structure")
    if dtype not in ("string", "large_string"):
        raise InputTypeError(f"data.column: {column!r} holds {dtype}, not strings")
    dataset = dataset.select_columns([column]).filter(_has_text, input_columns=[column], desc="Dropping blank rows")
    if not len(dataset):
        raise InputValueError(f"data.dataset {data.dataset!r}: column {column!r} has no text: every row is blank")
    if data.limit is not None:
        dataset = dataset.take(min(data.limit, len(dataset)))
    return dataset if column == "anchor" else dataset.rename_column(column, "anchor")


@contextlib.contextmanager
def hub_errors(data: Data) -> Iterator[None]:
    """Name the dataset in the errors of `datasets`.

    Raises:
        InputFileError: the dataset is missing or cannot be read.
    """
    try:
        yield
    except InputError:
        raise
    except (DatasetsError, OSError, ValueError) as error:
        reason = str(error.__cause__ or error).strip().splitlines() or [type(error).__name__]
        raise InputFileError(f"data.dataset {data.dataset!r}: cannot be read: {reason[0]}") from error


def _has_text(text: str | None) -> bool:
    return bool(text and text.strip())


# -- files ---------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class FileTexts:
    """The sentences of a file, without blank ones, which can be read more than once.

    Args:
        name: the name of the file, which tells its format.
        path: its local path, or its URL.
        column: the column of the sentences.
    """

    name: str
    path: str
    column: str

    def __iter__(self) -> Iterator[str]:
        for place, row in read_rows(self.path, like=self.name):
            text = row.get(self.column)
            if text is None or (isinstance(text, str) and not text.strip()):
                continue
            if not isinstance(text, str):
                raise InputTypeError(
                    f"data.column: {self.name}, {place}: {self.column!r} holds {type(text).__name__}, not a string"
                )
            try:
                text.encode()
            except UnicodeEncodeError as error:
                raise InputValueError(
                    f"data.files: {self.name}, {place}: half a character (a lone surrogate) in {text!r:.60}: fix the "
                    "row"
                ) from error
            yield text


@dataclasses.dataclass(frozen=True)
class _Sentences:
    """Sentences to read from files.

    Args:
        files: the files.
        limit: the largest number of sentences; None for all.
        version: what tells these files, and this reader of them, from other ones, for the cache of `datasets`.
    """

    files: tuple[FileTexts, ...]
    limit: int | None
    version: tuple[object, ...]


def _from_files(data: Data) -> Dataset:
    files = files_of(data)
    stats = [(os.path.abspath(file.path), os.stat(file.path)) for file in files]
    version = (package_version(), *((path, stat.st_size, stat.st_mtime_ns) for path, stat in stats))
    return _cached(_anchors, ANCHORS, {"sentences": _Sentences(files, data.limit, version)})


def files_of(data: Data) -> tuple[FileTexts, ...]:
    """Return the files of a recipe, after a look into each of them. Those of a stream are not downloaded.

    Raises:
        InputFileError: a file is missing or cannot be read.
        InputValueError: the format or column is unknown, or every row is blank.
    """
    names = expand(data.files)
    kinds = {format_of(name) for name in names}
    if len(kinds) > 1:
        raise InputValueError(f"data.files: give files of one format; given: {', '.join(sorted(kinds))}")
    paths = {name: name if data.streaming else _local(name) for name in names}
    column = data.column
    for name, path in paths.items():
        try:
            column = text_column(dict.fromkeys(_columns(name, path, data.streaming)), column, "data.column")
        except InputValueError as error:
            raise InputValueError(f"data.files: {name}: {error}") from error
    assert column is not None
    files = tuple(FileTexts(name, paths[name], column) for name in names)
    if next(itertools.chain.from_iterable(files), None) is None:  # `datasets` has no message for a file without rows
        raise InputValueError(f"data.files: no text in {', '.join(names)}: every row is blank")
    return files


def _columns(name: str, path: str, streaming: bool) -> list[str]:
    """Return the columns of a file; a stream is not read to its end to collect them."""
    first = next(read_rows(path, like=name), None) if streaming else None
    return read_columns(path, like=name) if first is None else [*first[1]]


def generated(generator: LexiconSquares) -> Dataset:
    """Return the rows of a generator, which are made once and then found in the cache of `datasets`.

    Raises:
        InputError: the generator cannot make them.
    """
    features = Features({column: Value("string") for column in generator.new_columns})
    return _cached(_generated, features, {"generator": generator, "version": package_version()})


def _generated(generator: LexiconSquares, version: str) -> Iterator[dict[str, str]]:
    return iter(generator)


def _cached(rows: Callable[..., Iterator[dict[str, str]]], features: Features, given: dict[str, object]) -> Dataset:
    """Return a dataset of the rows that a function yields for what is given."""
    try:
        return Dataset.from_generator(rows, features=features, gen_kwargs=given)
    except DatasetsError as error:
        if isinstance(error.__cause__, InputError):
            raise error.__cause__ from None
        raise


def expand(patterns: Sequence[str]) -> list[str]:
    """Return the files that paths, patterns and URLs name.

    Raises:
        InputFileError: one of them matches no file.
    """
    files = []
    for pattern in patterns:
        found = [pattern] if os.path.isfile(pattern) or "://" in pattern else sorted(glob.glob(pattern))
        if not found:
            raise InputFileError(f"data.files: no such file: {pattern}")
        files.extend(found)
    return files


def _local(name: str) -> str:
    """Return the path of a file, which is downloaded if its name is a URL."""
    if "://" not in name:
        return name
    try:
        return str(DownloadManager().download(name))
    except (OSError, ValueError) as error:
        raise InputFileError(f"data.files: {name}: cannot be downloaded: {error}") from error


def _anchors(sentences: _Sentences) -> Iterator[dict[str, str]]:
    """Yield a row for each sentence that is not blank."""
    texts = itertools.chain.from_iterable(sentences.files)
    return ({"anchor": text} for text in itertools.islice(texts, sentences.limit))


@dataclasses.dataclass(frozen=True)
class Rows:
    """The rows to train on, and how many sentences they are from.

    Args:
        dataset: columns anchor, positive and, if there are negatives, negative; or those of an augmenter or generator
            that makes whole rows of its own.
        sentences: number of sentences before some were dropped; None if no sentence was read, or not yet.
        changed: share of the rows whose positive differs from the anchor; None without these columns.
        sample: some rows of a stream; None if the dataset is not one.
    """

    dataset: Dataset | IterableDataset
    sentences: int | None
    changed: float | None
    sample: Dataset | None = None

    @property
    def count(self) -> int | None:
        """Number of rows; None for a stream."""
        return len(self.dataset) if isinstance(self.dataset, Dataset) else None

    @property
    def examples(self) -> Dataset:
        """Rows to show."""
        rows = self.dataset if isinstance(self.dataset, Dataset) else self.sample
        assert rows is not None
        return rows

    def statistics(self, rewrites: Mapping[str, RewriteStatistics]) -> DataStatistics:
        """Return the numbers for `metrics.json`, with how often each column was rewritten."""
        if self.count is None:
            return DataStatistics(streamed=True, rewrites=dict(rewrites))
        if self.sentences is None or self.changed is None:
            return DataStatistics(sentences=self.sentences, rows=self.count, rewrites=dict(rewrites))
        return DataStatistics(
            sentences=self.sentences,
            rows=self.count,
            without_negative=self.sentences - self.count,
            positive_changed=self.changed,
            rewrites=dict(rewrites),
        )


def make_rows(sentences: Dataset, augmenter: RowAugmenter | None) -> Rows:
    """Make pairs, triplets or whole rows of sentences; without an augmenter each sentence is paired with itself.

    Raises:
        InputValueError: no row has a negative, or none was changed.
    """
    dataset = sentences.map(Rewriting(augmenter), batched=True, remove_columns=["anchor"], desc="Augmenting")
    if augmenter is not None and makes_whole_rows(augmenter):
        return _whole_rows(dataset, len(sentences))
    if "negative" in dataset.column_names:
        dataset = dataset.filter(_is_given, input_columns=["negative"], desc="Dropping rows without a negative")
    if not len(dataset):
        raise InputValueError("augmentation: no sentence could be rewritten, so no row has a negative")
    differing = sum(_differing(batch) for batch in dataset.iter(batch_size=1000))
    if augmenter is not None and not differing and "negative" not in dataset.column_names:
        raise InputValueError(
            f"augmentation: none of the {len(dataset):,} sentences was changed, so every row is a sentence and itself: "
            "check the language and the augmenter, or leave augmentation out to train on dropout alone"
        )
    return Rows(dataset, len(sentences), differing / len(dataset))


def makes_whole_rows(augmenter: RowAugmenter) -> bool:
    """Whether the columns of an augmenter are rows of their own, such as squares, rather than rewrites of an anchor."""
    return len(augmenter.new_columns) > 1 and not PAIRED.intersection(augmenter.new_columns)


def _whole_rows(dataset: Dataset, sentences: int) -> Rows:
    """Return the rows in which no column is empty."""
    if dataset.column_names:
        dataset = dataset.filter(_all_given, input_columns=dataset.column_names, desc="Dropping incomplete rows")
    if not len(dataset):
        raise InputValueError(f"augmentation: no row could be made of the {sentences:,} sentences")
    return Rows(dataset, sentences, None)


def _all_given(*texts: str | None) -> bool:
    return None not in texts


def _differing(batch: dict[str, list[str]]) -> int:
    return sum(anchor != positive for anchor, positive in zip(batch["anchor"], batch["positive"], strict=True))


@dataclasses.dataclass(frozen=True)
class Rewriting:
    """Turns a batch of anchors into rows of anchor, positive and, if there are negatives, negative.

    Args:
        augmenter: an augmenter or triplets; with None, or one that makes negatives alone, the positive is the anchor.
    """

    augmenter: RowAugmenter | None

    def __call__(self, batch: Mapping[str, list[str]]) -> dict[str, list[str | None]]:
        """Return the columns in the order in which losses take them.

        Raises:
            InputValueError: the augmenter makes other columns.
        """
        new: dict[str, list[str | None]] = {} if self.augmenter is None else dict(self.augmenter(batch))
        if self.augmenter is not None and makes_whole_rows(self.augmenter):
            return new
        other = set(new) - PAIRED
        if other:
            raise InputValueError(f"augmentation: a recipe's columns are positive and negative, not {', '.join(other)}")
        anchors: list[str | None] = new.get("anchor", [*batch["anchor"]])
        return {"anchor": anchors, "positive": anchors} | new


def _is_given(text: str | None) -> bool:
    return text is not None
