"""A dictionary of Chinese words, which tells the embedded pipeline about words that its training data lacks."""

from __future__ import annotations

import functools
import gzip
from collections.abc import Sequence
from pathlib import Path

FILE = Path(__file__).parent / "lexicon" / "words.txt.gz"
LONGEST = 5  # characters


@functools.cache
def dictionary() -> dict[str, str]:
    """Return the part of speech of each word of two to five characters, as jieba names it ("n", "v", "nr", ...).

    Example:
        >>> dictionary()["不错"]
        'a'
    """
    words: dict[str, str] = {}
    for line in gzip.decompress(FILE.read_bytes()).decode("utf-8").splitlines()[1:]:
        pos, *entries = line.split(" ")
        words.update(dict.fromkeys(entries, pos))
    return words


def divides(words: Sequence[str], at: int) -> bool:
    """Return whether the boundary before a word divides a longer word of the dictionary.

    Example:
        >>> divides(["公交车", "站", "为"], 1), divides(["他", "喜欢"], 1)
        (True, False)
    """
    text, place = "".join(words), sum(map(len, words[:at]))
    entries = dictionary()
    return any(
        text[first:last] in entries
        for first in range(max(place - LONGEST + 1, 0), place)
        for last in range(place + 1, min(first + LONGEST, len(text)) + 1)
    )


def coverage(text: str) -> list[tuple[int, int, int]]:
    """Return for each character the length of the longest word that begins, ends and has an inner character there.

    Example:
        >>> coverage("不错的")
        [(2, 0, 0), (0, 2, 0), (0, 0, 0)]
    """
    words = dictionary()
    n = len(text)
    begins, ends, inside = [0] * n, [0] * n, [0] * n
    for start in range(n - 1):
        for length in range(2, min(LONGEST, n - start) + 1):
            if text[start : start + length] in words:
                begins[start] = length
                ends[start + length - 1] = max(ends[start + length - 1], length)
                for i in range(start + 1, start + length - 1):
                    inside[i] = max(inside[i], length)
    return list(zip(begins, ends, inside, strict=True))
