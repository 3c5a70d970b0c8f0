"""Units: what the embedded pipeline groups into words. A character, or a run of Latin letters or of digits."""

from __future__ import annotations

import re

UNIT = re.compile(r"[A-Za-z\u00c0-\u024f\u0370-\u04ff]+|\d+(?:[.,]\d+)*|\S")
# The place of a unit in its word: it begins it, is inside, ends it, or is the word.
PLACES = "BIES"


def units(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each unit of a text; white space is in none.

    Example:
        >>> units("GPT-4 好")
        [(0, 3), (3, 4), (4, 5), (6, 7)]
    """
    return [match.span() for match in UNIT.finditer(text)]


def grouped(spans: list[tuple[int, int]], places: list[str]) -> list[tuple[int, int]]:
    """Return the first and last unit of each word. White space always ends a word.

    Args:
        spans: start and end of each unit.
        places: the place of each unit, one of `PLACES`; they may contradict each other.

    Example:
        >>> grouped([(0, 1), (1, 2), (2, 3)], ["S", "B", "E"])
        [(0, 0), (1, 2)]
    """
    words: list[tuple[int, int]] = []
    for i, place in enumerate(places):
        adjacent = i > 0 and spans[i - 1][1] == spans[i][0]
        if adjacent and place in "IE" and places[i - 1] in "BI":
            words[-1] = (words[-1][0], i)
        else:
            words.append((i, i))
    return words
