"""The terms of a corpus and their statistics: how many sentences contain each, and its largest share of a sentence."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from sda_hf.augmentation.columns import text_column, texts_of
from sda_hf.augmentation.protocol import Corpus
from sda_hf.augmentation.vocabulary_files import LARGEST_FACTS, LONGEST_TERM, checked_facts, read_table
from sda_hf.errors import InputError, InputFileError, InputTypeError, InputValueError, shown_path
from sda_hf.files import new_folder, read_small_json

# Letters and digits, with single punctuation marks between them: "don't", "x-45c", "3.14".
TERM = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")  # noqa: RUF001
FACTS, TABLE = "vocabulary.json", "vocabulary.safetensors"
CHUNK = 20_000


def terms_of(text: str) -> list[str]:
    """Return the terms of a text with their capitals; terms are compared in lower case.

    Example:
        >>> terms_of("We don't pay £3.50 for x-45c.")
        ['We', "don't", 'pay', '3.50', 'for', 'x-45c']
    """
    return TERM.findall(text)


class Vocabulary:
    """The terms of a corpus in alphabetical order, with their statistics.

    Attributes:
        terms: the terms in lower case.
        documents: number of sentences of the corpus that contain a term.
        frequency: (terms,) number of sentences that contain each term.
        largest_share: (terms,) the largest share of a sentence's terms that each term makes up.
        digest: a hash of all of these, equal for equal corpora.
        folder: the folder that it was saved to or loaded from, if any.
    """

    def __init__(self, documents: int, digest: str, folder: Path | None, table: dict[str, NDArray[Any]] | None) -> None:
        self.documents = documents
        self.digest = digest
        self.folder = folder
        self._given = table

    @classmethod
    def of(cls, corpus: Corpus, column: str | None = None, most_terms: int = 2_000_000) -> Vocabulary:
        """Count the terms of a corpus in one pass that keeps only the terms in memory.

        A term of more than 10,000 characters is not counted.

        Args:
            corpus: sentences, or rows with a column of them: a list, a dataset, its column or a stream.
            column: the column of the sentences; None for the first of text, sentence, anchor, sentence1.
            most_terms: once there are more terms, the rarest are dropped until half this many remain, and counted
                from zero again.

        Raises:
            InputTypeError: a single string, or a sentence that is not a string.
            InputValueError: fewer than two different terms.
        """
        counter = _Counter(most_terms)
        for texts in _chunks(corpus, column):
            counter.add(texts)
        return counter.vocabulary()

    @classmethod
    def load(cls, folder: str | Path) -> Vocabulary:
        """Load a vocabulary written by `save`; its tables are read when they are first used.

        Raises:
            InputFileError: the folder contains no readable vocabulary.
        """
        path = Path(folder).absolute()
        try:
            facts = read_small_json(path / FACTS, LARGEST_FACTS)
            return cls(*checked_facts(facts), path, None)
        except InputError as error:
            raise InputFileError(f"{shown_path(folder)}: no readable vocabulary: {FACTS}: {error}") from error

    def save(self, folder: str | Path) -> Vocabulary:
        """Save the tables to a new or empty folder, and return a vocabulary that refers to it.

        Raises:
            InputFileError: the folder is not empty.
        """
        path = Path(folder).absolute()
        with new_folder(path) as temporary:
            save_file(self._table, temporary / TABLE)
            facts = {"documents": self.documents, "terms": len(self.frequency), "digest": self.digest}
            (temporary / FACTS).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
        return Vocabulary(self.documents, self.digest, path, self._table)

    @functools.cached_property
    def _table(self) -> dict[str, NDArray[Any]]:
        if self._given is not None:
            return self._given
        assert self.folder is not None
        try:
            table = read_table(self.folder / TABLE, self.documents)
        except InputFileError as error:
            raise InputFileError(f"{self.folder}: no readable vocabulary: {TABLE}: {error}") from error
        if _digest(self.documents, table) != self.digest:
            raise InputFileError(f"{self.folder}: {TABLE} does not belong to {FACTS}: save the vocabulary again")
        return table

    @functools.cached_property
    def terms(self) -> list[str]:
        """The terms in lower case."""
        return bytes(self._table["terms"]).decode("utf-8").split("\n")

    @property
    def frequency(self) -> NDArray[np.int64]:
        """Number of sentences that contain each term."""
        return self._table["frequency"]

    @property
    def largest_share(self) -> NDArray[np.float64]:
        """The largest share of a sentence's terms that each term makes up."""
        return self._table["largest_share"]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Vocabulary({self.digest!r})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle only the folder if there is one, so that pickles stay small."""
        table = self._table if self.folder is None else None
        return Vocabulary, (self.documents, self.digest, self.folder, table)

    def to_config(self) -> str:
        """Return the folder, which represents the vocabulary in a configuration.

        Raises:
            InputValueError: the vocabulary was never saved.
        """
        if self.folder is None:
            raise InputValueError(
                "the vocabulary is only in memory, where no config can refer to it: use save_pretrained(folder), then "
                "from_pretrained(folder)"
            )
        return str(self.folder)


class _Counter:
    """Counts terms, one chunk of sentences at a time."""

    def __init__(self, most_terms: int) -> None:
        self.most_terms = most_terms
        self.documents = 0
        self.numbers: dict[str, int] = {}
        self.frequency = np.zeros(0, dtype=np.int64)
        self.largest_share = np.zeros(0, dtype=np.float64)

    def add(self, texts: list[str]) -> None:
        """Count a chunk of sentences."""
        number = self.numbers.setdefault
        rows = [
            [number(term, len(self.numbers)) for term in map(str.lower, terms_of(text)) if len(term) <= LONGEST_TERM]
            for text in texts
        ]
        lengths = np.array([len(row) for row in rows], dtype=np.int64)
        self.documents += int((lengths > 0).sum())
        new = len(self.numbers) - len(self.frequency)
        self.frequency = np.pad(self.frequency, (0, new))
        self.largest_share = np.pad(self.largest_share, (0, new))
        terms = np.fromiter(itertools.chain.from_iterable(rows), dtype=np.int64, count=int(lengths.sum()))
        sentences = np.repeat(np.arange(len(rows)), lengths)
        pairs, counts = np.unique(sentences * len(self.numbers) + terms, return_counts=True)
        sentence, term = np.divmod(pairs, max(len(self.numbers), 1))
        self.frequency += np.bincount(term, minlength=len(self.frequency))
        np.maximum.at(self.largest_share, term, counts / lengths[sentence])
        if len(self.numbers) > self.most_terms:
            self._forget()

    def _forget(self) -> None:
        kept = np.sort(np.argsort(-self.frequency, kind="stable")[: self.most_terms // 2])
        terms = list(self.numbers)
        self.numbers = {terms[i]: n for n, i in enumerate(kept)}
        self.frequency, self.largest_share = self.frequency[kept], self.largest_share[kept]

    def vocabulary(self) -> Vocabulary:
        """Return the counts as a vocabulary."""
        if len(self.numbers) < 2:
            raise InputValueError(
                f"the corpus has {len(self.numbers)} different term(s) in {self.documents} sentence(s): there must be "
                "at least two, to replace one by another: give more sentences"
            )
        order = sorted(self.numbers)
        places = [self.numbers[term] for term in order]
        table: dict[str, NDArray[Any]] = {
            "terms": np.frombuffer("\n".join(order).encode("utf-8"), dtype=np.uint8),
            "frequency": self.frequency[places],
            "largest_share": self.largest_share[places],
        }
        return Vocabulary(self.documents, _digest(self.documents, table), None, table)


def _digest(documents: int, table: Mapping[str, NDArray[Any]]) -> str:
    digest = hashlib.blake2b(str(documents).encode(), digest_size=16)
    for name in ("terms", "frequency", "largest_share"):
        digest.update(table[name].tobytes())
    return digest.hexdigest()


def _chunks(corpus: Corpus, column: str | None) -> Iterator[list[str]]:
    """Yield the sentences of a corpus, several thousand at a time."""
    if isinstance(corpus, (str, bytes, Mapping)) or not isinstance(corpus, Iterable):
        raise InputTypeError(
            f"a corpus is a list of sentences, a dataset, its column or a stream, got {type(corpus).__name__}"
        )
    for part in _parts(corpus):
        if isinstance(part, Mapping):
            part = part[text_column(part, column)]
        elif len(part) and isinstance(part[0], Mapping):
            name = text_column(part[0], column)
            part = [row[name] for row in part]
        yield texts_of(part)


def _parts(corpus: Any) -> Iterator[Any]:
    if hasattr(corpus, "__getitem__") and hasattr(corpus, "__len__"):  # slices are faster than single rows
        yield from (corpus[start : start + CHUNK] for start in range(0, len(corpus), CHUNK))
        return
    rows = iter(corpus)
    while part := list(itertools.islice(rows, CHUNK)):
        yield part
