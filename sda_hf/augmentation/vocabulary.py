"""What a corpus says of its terms: in how many sentences they stand, and how much of one they are at most."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import os
import re
import shutil
import uuid
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from sda_hf.augmentation.columns import text_column, texts_of
from sda_hf.errors import InputFileError, InputTypeError, InputValueError

# Letters and digits, and single marks between them: "don't", "x-45c", "3.14".
TERM = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")  # noqa: RUF001
FACTS, TABLE = "vocabulary.json", "vocabulary.safetensors"
CHUNK = 20_000


def terms_of(text: str) -> list[str]:
    """The terms of a text, as they are written there; lower-cased they are compared.

    Example:
        >>> terms_of("We don't pay £3.50 for x-45c.")
        ['We', "don't", 'pay', '3.50', 'for', 'x-45c']
    """
    return TERM.findall(text)


class Vocabulary:
    """The terms of a corpus, in alphabetical order, with their statistics.

    Attributes:
        terms: the terms, lower-cased.
        documents: number of sentences of the corpus that hold a term.
        frequency: (terms,) number of sentences that hold each term.
        largest_share: (terms,) the largest share of a sentence's terms that each term makes up.
        digest: a hash of all this: equal corpora have equal ones.
        folder: where it was saved to or loaded from; None for neither.
    """

    def __init__(self, documents: int, digest: str, folder: Path | None, table: dict[str, NDArray[Any]] | None) -> None:
        self.documents = documents
        self.digest = digest
        self.folder = folder
        self._given = table

    @classmethod
    def of(cls, corpus: Iterable[Any], column: str | None = None, most_terms: int = 2_000_000) -> Vocabulary:
        """The vocabulary of a corpus, in one pass and in memory for the terms alone.

        Args:
            corpus: sentences, or rows with a column of them; a list, a dataset, its column or a stream.
            column: the column of rows; None for the first of text, sentence, anchor, sentence1.
            most_terms: beyond so many the rarer half of those met so far is forgotten.

        Raises:
            InputTypeError: a lone string, or a sentence that is none.
            InputValueError: fewer than two different terms.
        """
        counter = _Counter(most_terms)
        for texts in _chunks(corpus, column):
            counter.add(texts)
        return counter.vocabulary()

    @classmethod
    def load(cls, folder: str | Path) -> Vocabulary:
        """The vocabulary in a folder; its tables are read when they are first used.

        Raises:
            InputFileError: there is none.
        """
        path = Path(folder).absolute()
        try:
            facts = json.loads((path / FACTS).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputFileError(f"{folder} holds no vocabulary that can be read: {FACTS}: {error}") from error
        return cls(facts["documents"], facts["digest"], path, None)

    def save(self, folder: str | Path) -> Vocabulary:
        """Writes the tables into a folder, which must be new or empty, and gives the vocabulary that is there."""
        path = Path(folder).absolute()
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise InputFileError(f"{folder} is there already: give a new folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
        partial.mkdir()
        try:
            save_file(self._table, partial / TABLE)
            facts = {"documents": self.documents, "terms": len(self.frequency), "digest": self.digest}
            (partial / FACTS).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
            os.replace(partial, path)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        return Vocabulary(self.documents, self.digest, path, self._table)

    @functools.cached_property
    def _table(self) -> dict[str, NDArray[Any]]:
        if self._given is not None:
            return self._given
        assert self.folder is not None
        try:
            table: dict[str, NDArray[Any]] = load_file(self.folder / TABLE)
        except (OSError, SafetensorError) as error:
            raise InputFileError(f"{self.folder} holds no vocabulary that can be read: {TABLE}: {error}") from error
        if _digest(self.documents, table) != self.digest:
            raise InputFileError(f"{self.folder}: {TABLE} is not the one that {FACTS} was written for: save it anew")
        return table

    @functools.cached_property
    def terms(self) -> list[str]:
        """The terms."""
        return bytes(self._table["terms"]).decode("utf-8", "surrogatepass").split("\n")

    @property
    def frequency(self) -> NDArray[np.int64]:
        """Number of sentences that hold each term."""
        return self._table["frequency"]

    @property
    def largest_share(self) -> NDArray[np.float64]:
        """The largest share of a sentence that each term makes up."""
        return self._table["largest_share"]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Vocabulary({self.digest!r})"

    def __reduce__(self) -> Any:
        """By its folder where it has one, so that a pickle is small."""
        table = self._table if self.folder is None else None
        return Vocabulary, (self.documents, self.digest, self.folder, table)

    def to_config(self) -> str:
        """The folder, by which a configuration names it.

        Raises:
            InputValueError: it was never saved.
        """
        if self.folder is None:
            raise InputValueError(
                "the vocabulary is in memory alone, which no config can name: use save_pretrained(folder), and the "
                "augmenter of from_pretrained(folder)"
            )
        return str(self.folder)


class _Counter:
    """Counts terms, one chunk of sentences after another."""

    def __init__(self, most_terms: int) -> None:
        self.most_terms = most_terms
        self.documents = 0
        self.numbers: dict[str, int] = {}
        self.frequency = np.zeros(0, dtype=np.int64)
        self.largest_share = np.zeros(0, dtype=np.float64)

    def add(self, texts: list[str]) -> None:
        """Counts a chunk."""
        number = self.numbers.setdefault
        rows = [[number(term.lower(), len(self.numbers)) for term in terms_of(text)] for text in texts]
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
        """What was counted."""
        if len(self.numbers) < 2:
            raise InputValueError(
                f"the corpus has {len(self.numbers)} different term(s) in {self.documents} sentence(s), so there is "
                "nothing to replace one by: give more sentences"
            )
        order = sorted(self.numbers)
        places = [self.numbers[term] for term in order]
        table: dict[str, NDArray[Any]] = {
            "terms": np.frombuffer("\n".join(order).encode("utf-8", "surrogatepass"), dtype=np.uint8),
            "frequency": self.frequency[places],
            "largest_share": self.largest_share[places],
        }
        return Vocabulary(self.documents, _digest(self.documents, table), None, table)


def _digest(documents: int, table: Mapping[str, NDArray[Any]]) -> str:
    digest = hashlib.blake2b(str(documents).encode(), digest_size=16)
    for name in ("terms", "frequency", "largest_share"):
        digest.update(table[name].tobytes())
    return digest.hexdigest()


def _chunks(corpus: Any, column: str | None) -> Iterator[list[str]]:
    """The sentences of a corpus, some thousands at a time."""
    if isinstance(corpus, (str, bytes, Mapping)) or not isinstance(corpus, Iterable):
        raise InputTypeError(
            f"a corpus is a list of sentences, a dataset, a column of one or a stream, got {type(corpus).__name__}"
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
