"""Antonyms and synonyms of words, in simplified script, and the contexts in which antonyms contradict a claim."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping
from importlib import resources

from sda_hf.grammar.base import Relation
from sda_hf.grammar.splits import split_words

LEXICON = "sda_hf.grammar.chinese.lexicon"
NEVER = frozenset({"never"})
# The longest word of the tables, in characters.
LONGEST = 6


def related(relation: Relation, pos: str, word: str) -> tuple[str, ...]:
    """Return the antonyms or synonyms of a word with a part of speech, most common first; none if it has none.

    Example:
        >>> related("antonym", "VERB", "起飞"), related("synonym", "ADV", "马上")
        (('着陆', '降落'), ('立刻', '立即'))
    """
    return _table(relation).get((pos, word), ())


def parts_of(relation: Relation, word: str) -> tuple[str, ...]:
    """Return the parts of speech with which a table has a word.

    Example:
        >>> parts_of("antonym", "公开")
        ('ADJ', 'ADV', 'VERB')
    """
    return _parts(relation).get(word, ())


def contexts(pos: str, word: str, antonym: str) -> frozenset[str] | None:
    """Return the contexts in which an antonym contradicts the word; None if all those of its part of speech do.

    Example:
        >>> sorted(contexts("ADJ", "高", "矮") or ())
        ['complement', 'person', 'predicate']
    """
    return _contexts().get((pos, word, antonym))


def is_quantity(word: str) -> bool:
    """Whether a word tells how many or how much: its antonyms contradict wherever it stands in the claim.

    Example:
        >>> is_quantity("大多数"), is_quantity("城市")
        (True, False)
    """
    return word in _quantities()


@functools.cache
def _quantities() -> frozenset[str]:
    return frozenset(word for (_, word, _), names in _contexts().items() if "quantity" in names)


@functools.cache
def splits() -> Mapping[str, str]:
    """Return the split of each word with an antonym.

    Example:
        >>> splits()["高兴"] == splits()["难过"]
        True
    """
    pairs = [pair for _, words in _groups("antonym") for pair in itertools.pairwise(words)]
    return split_words([*pairs, *((one, other) for _, one, other, *_ in rows("squares.tsv"))])


@functools.cache
def _table(relation: Relation) -> dict[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for pos, words in _groups(relation):
        for word, other in itertools.permutations(words, 2):
            found[pos, word] = (*found.get((pos, word), ()), other)
    return found


@functools.cache
def _parts(relation: Relation) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for pos, word in _table(relation):
        found[word] = (*found.get(word, ()), pos)
    return found


def _groups(relation: Relation) -> Iterator[tuple[str, list[str]]]:
    for pos, *words in rows(f"{relation}s.tsv"):
        yield pos, " ".join(words).split()


@functools.cache
def _contexts() -> dict[tuple[str, str, str], frozenset[str]]:
    return {(pos, word, other): frozenset(names.split()) for pos, word, other, names in rows("antonym_contexts.tsv")}


def rows(name: str) -> Iterator[list[str]]:
    """Return the rows of a table, without its header."""
    lines = (resources.files(LEXICON) / name).read_text(encoding="utf-8").splitlines()
    return (line.split("\t") for line in lines[1:])
