"""The word lists of Chinese, as data, in simplified script: `words.cfg` in this folder."""

from __future__ import annotations

import functools
from configparser import ConfigParser
from importlib import resources


@functools.cache
def _lists() -> ConfigParser:
    lists = ConfigParser(interpolation=None, delimiters=("=",))
    lists.read_string((resources.files(__package__) / "words.cfg").read_text(encoding="utf-8"))
    return lists


def words(section: str, name: str) -> frozenset[str]:
    """Return a list of words.

    Example:
        >>> sorted(words("particles", "aspect"))
        ['了', '着', '过']
    """
    return frozenset(_lists()[section][name].split())


def phrases(section: str, name: str) -> tuple[str, ...]:
    """Return a list of words or phrases, in the order of the file.

    Example:
        >>> phrases("phrases double-negation", "default")[0]
        '不得不'
    """
    return tuple(_lists()[section][name].split())


def phrase_lists(section: str) -> dict[str, tuple[str, ...]]:
    """Return every list of phrases in a section, by name.

    Example:
        >>> sorted(phrase_lists("phrases modal-verbs"))
        ['default', 'sda2024']
    """
    return {name: phrases(section, name) for name in _lists()[section]}


def pair_list(section: str, name: str) -> tuple[tuple[str, str], ...]:
    """Return a list of pairs in which a word can have several others.

    Example:
        >>> ("比赛", "竞赛") in pair_list("synonyms", "unsound")
        True
    """
    split = (pair.split(">") for pair in phrases(section, name))
    return tuple((old, new) for old, new in split)


def pairs(section: str, name: str) -> dict[str, str]:
    """Return a list of pairs, as a dictionary.

    Example:
        >>> pairs("negation", "kinds")["尚未"]
        '未'
    """
    split = (pair.split(">") for pair in phrases(section, name))
    return {old: new for old, new in split}
