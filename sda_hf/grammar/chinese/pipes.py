"""What the embedded pipeline needs of spaCy: a tokenizer, a component and an architecture, beside those of `heads`.

Importing this module registers them with spaCy, so it is imported when a pipeline is loaded, not before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
from spacy.attrs import PREFIX, SHAPE, SUFFIX  # type: ignore[import-not-found]
from spacy.language import Language
from spacy.tokens import Doc, Token
from spacy.util import get_words_and_spaces, registry
from spacy.vocab import Vocab
from thinc.api import HashEmbed, Maxout, Model, chain, concatenate, list2ragged, ragged2list, with_array
from thinc.types import Floats2d, Ints2d

import sda_hf.grammar.chinese.heads  # noqa: F401 - registers with spaCy
from sda_hf.grammar.chinese.dictionary import coverage, dictionary
from sda_hf.grammar.chinese.units import grouped, units

SENTENCE_ENDS = frozenset("。！？!?…")
CLOSERS = frozenset("”’」』）)》】\"'")
FEATURES = 5
Features: TypeAlias = "np.ndarray[tuple[int, int], np.dtype[np.uint64]]"
LETTERS, DIGITS, SPACE = 0x110000, 0x110100, 0x110200  # codes of units that are no single character


class UnitTokenizer:
    """A tokenizer whose tokens are units; the pipeline groups them into words.

    Lexemes get features of Chinese words in place of those of words with letters: the first and the last character,
    and as their shape the length and the part of speech in the dictionary.
    """

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab
        getters = {PREFIX: lambda word: word[:1], SUFFIX: lambda word: word[-1:], SHAPE: word_class}
        vocab.lex_attr_getters = {**vocab.lex_attr_getters, **getters}  # type: ignore[attr-defined]

    def __call__(self, text: str) -> Doc:
        """Return a document of units, with white space where the text has more than single spaces."""
        forms = [text[start:end] for start, end in units(text)]
        words, spaces = get_words_and_spaces(forms, text)
        return Doc(self.vocab, words=words, spaces=spaces)

    def pipe(self, texts: Iterable[str], batch_size: int = 1000) -> Iterator[Doc]:
        """Yield a document for each text."""
        return map(self, texts)

    # It has nothing to save: spaCy calls these.
    def to_bytes(self, **kwargs: object) -> bytes:  # noqa: D102
        return b""

    def from_bytes(self, data: bytes, **kwargs: object) -> UnitTokenizer:  # noqa: D102
        return self

    def to_disk(self, path: str | Path, **kwargs: object) -> None:  # noqa: D102
        return None

    def from_disk(self, path: str | Path, **kwargs: object) -> UnitTokenizer:  # noqa: D102
        return self


def word_class(word: str) -> str:
    """Return the length of a word and its part of speech in the dictionary; for one that is not Chinese, its kind.

    Example:
        >>> word_class("不错"), word_class("BBC"), word_class("3.5")
        ('2a', 'latin', 'digits')
    """
    if word[0].isdigit():
        return "digits"
    if word[0] < "\u0370":
        return "latin" if word[0].isalpha() else "mark"
    return f"{min(len(word), 6)}{dictionary().get(word, '')}"


@registry.tokenizers("sda_hf.ChineseUnits.v1")  # type: ignore[untyped-decorator]
def create_tokenizer() -> Callable[[Language], UnitTokenizer]:
    """Return a function that makes the tokenizer of a pipeline."""
    return lambda nlp: UnitTokenizer(nlp.vocab)


def unit_code(unit: str) -> int:
    """Return a number for a unit: the same for all numbers, and all words in Latin letters, of a length."""
    if len(unit) == 1 and not unit.isdigit():
        return ord(unit)
    if unit.isspace():
        return SPACE
    return (DIGITS if unit[0].isdigit() else LETTERS) + min(len(unit), 16)


def unit_features(doc: Doc) -> Features:
    """Return the features of each unit, (units, 5): itself, with its neighbours, and in words of the dictionary."""
    forms = [token.text for token in doc]
    codes = np.zeros(len(forms) + 2, dtype=np.uint64)
    codes[1:-1] = [unit_code(form) for form in forms]
    # One character for each unit, so that places in the dictionary's words are those of the units.
    found = np.array(coverage("".join(form if len(form) == 1 else " " for form in forms)), dtype=np.uint64)
    found = found.reshape(len(forms), 3)
    features = np.zeros((len(forms), FEATURES), dtype=np.uint64)
    features[:, 0] = codes[1:-1]
    features[:, 1] = (codes[:-2] << 24) + codes[1:-1] + (1 << 48)
    features[:, 2] = (codes[1:-1] << 24) + codes[2:] + (2 << 48)
    features[:, 3] = found[:, 0] * 100 + found[:, 1] * 10 + found[:, 2] + 1
    features[:, 4] = (codes[:-2] << 24) + codes[2:] + (3 << 48)
    return features


def extract(model: Model[list[Doc], list[Ints2d]], docs: Sequence[Doc], is_train: bool) -> tuple[Any, Any]:
    """Return the features of documents, and a backward pass that changes nothing."""
    arrays = [model.ops.asarray2i(cast("Ints2d", unit_features(doc)), dtype="uint64") for doc in docs]
    return arrays, lambda gradient: []


@registry.architectures("sda_hf.ChineseUnitEmbed.v1")  # type: ignore[untyped-decorator]
def unit_embed(width: int, rows: list[int]) -> Model[list[Doc], list[Floats2d]]:
    """Return hashed embeddings of units (Serrà and Karatzoglou, 2017), as spaCy's `MultiHashEmbed` for words.

    Args:
        width: the size of each embedding and of the output.
        rows: the rows of each of the five tables.
    """
    tables: list[Model[Any, Any]] = [HashEmbed(width, n, column=i, seed=i + 7, dropout=0.0) for i, n in enumerate(rows)]
    mix: Model[Any, Any] = Maxout(width, width * len(tables), nP=3, dropout=0.0, normalize=True)
    return chain(
        Model("extract_units", extract), list2ragged(), with_array(concatenate(*tables)), with_array(mix), ragged2list()
    )


@Language.component("zh_words")
def words(doc: Doc) -> Doc:
    """Return a document of words, from one of units that are tagged with their places in words.

    A sentence ends at a mark that ends one, or at a line break, and nowhere else.
    """
    text = doc.text
    forms: list[str] = []
    spaces: list[bool] = []
    spans = [(token.idx, token.idx + len(token)) for token in doc]
    places = ["S" if token.is_space else token.tag_ for token in doc]
    for first, last in grouped(spans, places):
        forms.append(text[spans[first][0] : spans[last][1]])
        spaces.append(bool(doc[last].whitespace_))
    result = Doc(doc.vocab, words=forms, spaces=spaces)
    ended = False
    for token in result:
        starts = ended and not is_closer(token)
        if token.i:
            token.is_sent_start = starts
        ended = (ended and not starts) or ends_sentence(token)
    return result


def is_closer(token: Token) -> bool:
    """Whether a token belongs to the sentence that has ended: a closing quotation mark, or one more mark."""
    return token.text[0] in CLOSERS or ends_sentence(token)


def ends_sentence(token: Token) -> bool:
    """Whether a sentence ends after a token."""
    return token.text[0] in SENTENCE_ENDS or "\n" in token.text
