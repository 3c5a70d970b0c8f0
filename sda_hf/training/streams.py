"""Streams: sentences that are read and rewritten during training, for corpora that memory and disk do not hold."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import random
import signal
from collections.abc import Iterable, Iterator

from datasets import Dataset, IterableDataset, load_dataset
from torch.utils.data import get_worker_info

from sda_hf import seeding
from sda_hf.augmentation.columns import text_column
from sda_hf.augmentation.protocol import RowAugmenter
from sda_hf.errors import InputError, InputTypeError, InputValueError
from sda_hf.training.complete_rows import check_rows
from sda_hf.training.data import ANCHORS, Rewriting, Rows, files_of, hub_errors, make_rows
from sda_hf.training.recipe import Data

# Sentences at the beginning that are read before training.
FIRST = 10_000
# Batch sizes: sentences rewritten together, and rows of a Hub dataset decoded together.
BATCH, DECODED = 128, 1000


@dataclasses.dataclass(frozen=True)
class Stream:
    """Sentences that are read again and again, each time in shares that do not overlap.

    Args:
        sources: the sentences of each file or shard.
        limit: the largest number of sentences; None for all.
        buffer: number of sentences among which the next one is drawn.

    Example:
        >>> stream = Stream((["It rains.", "He left."], ["She won."]), limit=None, buffer=1)
        >>> list(stream.share(0, 2, random.Random(0))), list(stream.share(1, 2, random.Random(0)))
        (['It rains.', 'He left.'], ['She won.'])
        >>> list(stream.share(1, 3, random.Random(0)))
        ['He left.']
    """

    sources: tuple[Iterable[str], ...]
    limit: int | None
    buffer: int

    def first(self) -> Dataset:
        """Return the first sentences in a column anchor."""
        texts = itertools.islice(itertools.chain.from_iterable(self.sources), min(FIRST, self.limit or FIRST))
        return Dataset.from_dict({"anchor": list(texts)}, features=ANCHORS)

    def share(self, number: int, of: int, rng: random.Random) -> Iterator[str]:
        """Return the sentences of a share: those of some sources; if there are too few, every nth of all.

        Args:
            number: number of the share, from 0.
            of: how many shares there are.
            rng: draws the order.
        """
        texts: Iterator[str]
        if self.limit is None and len(self.sources) >= of:
            sources = [*self.sources[number::of]]
            rng.shuffle(sources)
            texts = itertools.chain.from_iterable(sources)
        else:
            texts = itertools.islice(itertools.chain.from_iterable(self.sources), number, self.limit, of)
        return _shuffled(texts, self.buffer, rng)


def _shuffled(texts: Iterator[str], size: int, rng: random.Random) -> Iterator[str]:
    buffer = list(itertools.islice(texts, size))
    for text in texts:
        place = rng.randrange(size)
        yield buffer[place]
        buffer[place] = text
    rng.shuffle(buffer)
    yield from buffer


def open_stream(data: Data) -> Stream:
    """Return the sentences of a recipe as a stream, after a look at its beginning.

    Raises:
        InputFileError: a file or dataset is missing or cannot be read.
        InputValueError: the format or column is unknown, or every row is blank.
        InputTypeError: the column does not hold strings; for files, when that row is reached.
    """
    sources: tuple[Iterable[str], ...] = files_of(data) if data.dataset is None else _shards(data)
    return Stream(sources, data.limit, data.shuffle_buffer)


@dataclasses.dataclass(frozen=True)
class _ShardTexts:
    """The sentences of a shard of a dataset on the Hub, without blank ones.

    Args:
        data: what the recipe says about the dataset.
        column: the column of the sentences.
        shard: the shard.
    """

    data: Data
    column: str
    shard: IterableDataset

    def __iter__(self) -> Iterator[str]:
        with hub_errors(self.data):
            for batch in self.shard.iter(DECODED):
                for text in batch[self.column]:
                    if text is not None and not isinstance(text, str):
                        kind = type(text).__name__
                        raise InputTypeError(f"data.column: {self.column!r} holds {kind}, not a string")
                    if text and text.strip():
                        yield text


def _shards(data: Data) -> tuple[_ShardTexts, ...]:
    with hub_errors(data):
        dataset = load_dataset(str(data.dataset), name=data.name, split=data.split, streaming=True)
        names = dataset.column_names or [*next(iter(dataset), {})]
    column = text_column(dict.fromkeys(names), data.column, "data.column")
    dataset = dataset.select_columns([column])
    count = dataset.num_shards
    shards = tuple(_ShardTexts(data, column, dataset.shard(num_shards=count, index=i)) for i in range(count))
    if next(itertools.chain.from_iterable(shards), None) is None:
        raise InputValueError(f"data.dataset {data.dataset!r}: column {column!r} has no text: every row is blank")
    return shards


@dataclasses.dataclass(frozen=True)
class Reading:
    """How a stream is read.

    Args:
        shards: number of shares: the worker processes of all data loaders.
        seed: seed of the order.
        redraw: whether the sentences are rewritten anew each time.
    """

    shards: int
    seed: int
    redraw: bool


def streamed_rows(stream: Stream, sample: Dataset, augmenter: RowAugmenter | None, reading: Reading) -> Rows:
    """Return rows that are made of a stream while they are read, in the processes that read them.

    The order depends on the seed and the number of shares alone, so that a run that is resumed reads the rows that it
    has not trained on.

    Args:
        stream: the sentences.
        sample: some of them.
        augmenter: an augmenter or triplets; with None, each sentence is paired with itself.
        reading: how it is read.

    Raises:
        InputValueError: no row can be made of the sample.
    """
    rows = make_rows(sample, augmenter).dataset
    assert isinstance(rows, Dataset)
    check_rows(rows)
    given = {"shards": [*range(reading.shards)], "stream": stream, "augmenter": augmenter, "reading": reading}
    return Rows(IterableDataset.from_generator(_rows, features=rows.features, gen_kwargs=given), None, None, rows)


def _rows(
    shards: list[int], stream: Stream, augmenter: RowAugmenter | None, reading: Reading
) -> Iterator[dict[str, str | None]]:
    """Yield the rows of some shares without end; of shares without a row, none."""
    if get_worker_info() is not None:  # Ctrl-C is for the process that trains, which ends the others
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    for epoch in itertools.count():
        drawn = augmenter.with_epoch(epoch) if augmenter is not None and reading.redraw else augmenter
        rewriting, is_empty = Rewriting(drawn), True
        for shard in shards:
            rng = seeding.generator(reading.seed, {"shares": reading.shards, "share": shard}, "", epoch)
            texts = stream.share(shard, reading.shards, rng)
            while batch := list(itertools.islice(texts, BATCH)):
                columns = rewriting({"anchor": batch})
                for values in zip(*columns.values(), strict=True):
                    if None not in values:
                        is_empty = False
                        yield dict(zip(columns, values, strict=True))
        if is_empty:
            return


@contextlib.contextmanager
def worker_errors() -> Iterator[None]:
    """Tell errors that the user can fix without the traceback that torch puts into those of a data loader's workers."""
    try:
        yield
    except InputError as error:
        said, _, message = str(error).rstrip().rpartition(f"{type(error).__name__}: ")
        if not said.startswith("Caught "):
            raise
        raise type(error)(message) from error
