"""The word lists of English, as data: `words.cfg` in this folder, and tables of antonyms and synonyms."""

from __future__ import annotations

import functools
from configparser import ConfigParser
from importlib import resources


@functools.cache
def _lists() -> ConfigParser:
    lists = ConfigParser(interpolation=None, delimiters=("=",))
    lists.read_string((resources.files(__package__) / "words.cfg").read_text(encoding="utf-8"))
    return lists


def rows(name: str) -> list[list[str]]:
    """Return the rows of a table in this folder, without its header.

    Example:
        >>> rows("tags.tsv")[0]
        ['CC', 'CCONJ', '']
    """
    text = (resources.files(__package__) / name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()[1:]]


def words(section: str, name: str) -> frozenset[str]:
    """Return a list of single words.

    Example:
        >>> sorted(words("adverbs", "negative"))
        ['barely', 'hardly', 'never', 'rarely', 'scarcely', 'seldom']
    """
    return frozenset(_lists()[section][name].split())


def phrases(section: str, name: str) -> tuple[str, ...]:
    """Return a list of phrases, in the order of the file.

    Example:
        >>> phrases("adjectives", "intensifiers")
        ('very', 'really')
    """
    return tuple(" ".join(phrase.split()) for phrase in _lists()[section][name].split(","))


def phrase_lists(section: str) -> dict[str, tuple[str, ...]]:
    """Return every list of phrases in a section, by name.

    Example:
        >>> phrase_lists("phrases affirmative-auxiliary")["sda2022"]
        ('have to', "can't but", "can't help", 'have no choice but to')
    """
    return {name: phrases(section, name) for name in _lists()[section]}


def pairs(section: str, name: str) -> dict[str, str]:
    """Return a list of pairs, as a dictionary.

    Example:
        >>> pairs("pronouns", "objects")["she"]
        'her'
    """
    split = (phrase.split(" > ") for phrase in phrases(section, name))
    return {old: new for old, new in split}
