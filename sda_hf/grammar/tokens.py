"""Where the words of a text stand, without a parse: for noise, which needs no more."""

from __future__ import annotations

import re

Span = tuple[int, int]

SPACED = re.compile(r"\S+")
# A word without the marks around it.
CORE = re.compile(r"[^\W_](?:.*[^\W_])?", re.DOTALL)


def runs(text: str, pattern: re.Pattern[str] = SPACED) -> list[Span]:
    """The start and end of each run of characters that a mark can stand behind.

    Args:
        text: any text.
        pattern: what a run is; by default, what stands between spaces.

    Example:
        >>> runs("Go to https://a.b/c, now!")
        [(0, 2), (3, 5), (6, 20), (21, 25)]
    """
    return [match.span() for match in pattern.finditer(text)]


def cores(text: str, spans: list[Span]) -> list[Span]:
    """The start and end of the word inside each run, without the marks around it; runs of marks alone are left out.

    Example:
        >>> text = "Go to https://a.b/c, now!"
        >>> cores(text, runs(text))
        [(0, 2), (3, 5), (6, 19), (21, 24)]
    """
    found = (CORE.search(text, start, end) for start, end in spans)
    return [core.span() for core in found if core is not None]
