"""Lines of the tables from which languages make sentences for squares of opposition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """A line of the table; which kinds and facts there are is up to the language.

    Attributes:
        kind: the kind of sentence.
        word: a word.
        antonym: its antonym.
        facts: facts about both.
        goes_with: what both go with, such as subjects.
    """

    kind: str
    word: str
    antonym: str
    facts: frozenset[str]
    goes_with: tuple[str, ...]


def lines_of(rows: Iterable[Sequence[str]], splits: Mapping[str, str], split: str, separator: str) -> tuple[Line, ...]:
    """Return the lines of a split.

    Args:
        rows: the cells of each line: kind, word, antonym, facts, goes_with.
        splits: the split of each word.
        split: "train", "dev" or "test".
        separator: what separates the entries of the last cell.

    Example:
        >>> lines_of([("ADJ", "hot", "cold", "very", "soup; tea")], {"hot": "train"}, "train", ";")[0].goes_with
        ('soup', 'tea')
    """
    return tuple(
        Line(kind, word, antonym, frozenset(facts.split()), tuple(entry.strip() for entry in entries.split(separator)))
        for kind, word, antonym, facts, entries in rows
        if splits[word] == split
    )
