"""Antonyms and synonyms of English words, by part of speech."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Mapping

from sda_hf.errors import MissingPackageError
from sda_hf.grammar.base import Relation
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.splits import split_words

# (part of speech, base form) → base forms.
Lexicon = Mapping[tuple[str, str], tuple[str, ...]]
WORDNET_POS = {"ADJ": ("a", "s"), "ADV": ("r",), "NOUN": ("n",), "VERB": ("v",)}


def related(relation: Relation, source: str, pos: str, base: str) -> tuple[str, ...]:
    """Return the antonyms or synonyms of a base form.

    Args:
        relation: "antonym" or "synonym".
        source: "embedded", or "wordnet" for the English wordnet installed for the package wn.
        pos: ADJ, ADV, NOUN or VERB.
        base: a base form, in lower case.

    Raises:
        MissingPackageError: wn or its data is not installed.

    Example:
        >>> related("antonym", "embedded", "ADJ", "hot")
        ('cold',)
    """
    if source == "wordnet":
        return _of_wordnet(relation, pos, base)
    return (antonyms() if relation == "antonym" else synonyms()).get((pos, base), ())


@functools.cache
def antonyms() -> Lexicon:
    """Return the embedded antonyms, in both directions."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for pos, word, antonym in lexicon.rows("antonyms.tsv"):
        found[pos, word].append(antonym)
        found[pos, antonym].append(word)
    return {key: tuple(values) for key, values in found.items()}


@functools.cache
def splits() -> Mapping[str, str]:
    """Return the split of each word with an antonym; an adverb in -ly is in that of its adjective.

    Example:
        >>> splits()["cold"] == splits()["hot"]
        True
    """
    tables = ("antonyms.tsv", "antonym_contexts.tsv", "squares.tsv")
    pairs = [(one, other) for table in tables for _, one, other, *_ in lexicon.rows(table)]
    words = {word for pair in pairs for word in pair}
    derived = [(word, word.removesuffix("ly")) for word in words if word.endswith("ly")]
    return split_words([*pairs, *((adverb, adjective) for adverb, adjective in derived if adjective in words)])


@functools.cache
def synonyms() -> Lexicon:
    """Return the embedded synonyms: the other words of each group that contains a word."""
    found: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for pos, group in lexicon.rows("synonyms.tsv"):
        for word in group.split():
            found[pos, word].update(dict.fromkeys(other for other in group.split() if other != word))
    return {key: tuple(values) for key, values in found.items()}


@functools.cache
def wordnet() -> object:
    """Return the English wordnets installed for wn.

    Raises:
        MissingPackageError: wn or its data is not installed.
    """
    try:
        import wn
    except ImportError as error:
        raise MissingPackageError(
            "lexicon='wordnet' needs the package wn: run pip install sda-hf[wordnet], then "
            "python -m wn download oewn:2024"
        ) from error
    if not wn.lexicons(lang="en"):
        raise MissingPackageError(
            "lexicon='wordnet' needs the data of an English wordnet, and wn has none: run "
            "python -m wn download oewn:2024"
        )
    return wn.Wordnet(lang="en")


@functools.lru_cache(maxsize=65_536)
def _of_wordnet(relation: Relation, pos: str, base: str) -> tuple[str, ...]:
    net: object = wordnet()
    found: dict[str, None] = {}
    for tag in WORDNET_POS[pos]:
        for sense in net.senses(base, pos=tag):  # type: ignore[attr-defined]
            words = (
                [other.word() for other in sense.get_related("antonym")]
                if relation == "antonym"
                else sense.synset().words()
            )
            found.update(dict.fromkeys(word.lemma() for word in words))
    return tuple(word for word in found if word.isalpha() and word.islower() and word != base)
