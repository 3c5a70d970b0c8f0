"""Where the words of a text stand, without a parse: for noise, which needs no more."""

from __future__ import annotations

import re

SPACED = re.compile(r"\S+")
# Chinese characters and marks stand for themselves; what stands between them (a Latin word, a number, an address, an
# emoji) is one word.
HAN = (
    "\u2e80-\u2fff\u3001-\u303f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
    "\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
CHARACTERS = re.compile(f"[{HAN}]|[^\\s{HAN}]+")

# A word without the marks around it.
CORE = re.compile(r"[^\W_](?:.*[^\W_])?", re.DOTALL)

Span = tuple[int, int]


def runs(text: str, language: str) -> list[Span]:
    """The start and the end of what stands between spaces, in Chinese of each character.

    Example:
        >>> runs("Go to https://a.b/c, now!", "en")
        [(0, 2), (3, 5), (6, 20), (21, 25)]
        >>> runs("我用GPT-4写。", "zh")
        [(0, 1), (1, 2), (2, 7), (7, 8), (8, 9)]
    """
    pattern = CHARACTERS if language == "zh" else SPACED
    return [match.span() for match in pattern.finditer(text)]


def words(text: str, language: str) -> list[Span]:
    """The start and the end of each word, without the marks around it.

    Example:
        >>> words("Go to https://a.b/c, now!", "en")
        [(0, 2), (3, 5), (6, 19), (21, 24)]
        >>> words("我用GPT-4写。", "zh")
        [(0, 1), (1, 2), (2, 7), (7, 8)]
    """
    found = []
    for start, end in runs(text, language):
        core = CORE.search(text, start, end)
        if core is not None:
            found.append(core.span())
    return found
