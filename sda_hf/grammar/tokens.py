"""Word offsets without a parse, which is all that noise needs."""

from __future__ import annotations

import re

Span = tuple[int, int]

SPACED = re.compile(r"\S+")
# A word without the punctuation around it.
CORE = re.compile(r"[^\W_](?:.*[^\W_])?", re.DOTALL)


def runs(text: str, pattern: re.Pattern[str] = SPACED) -> list[Span]:
    """Return the start and end of each run of characters that a punctuation mark can follow.

    Args:
        text: any text.
        pattern: what counts as a run; by default, anything between white space.

    Example:
        >>> runs("Go to https://a.b/c, now!")
        [(0, 2), (3, 5), (6, 20), (21, 25)]
    """
    return [match.span() for match in pattern.finditer(text)]


def cores(text: str, spans: list[Span]) -> list[Span]:
    """Return the start and end of the word inside each run; runs of punctuation alone are left out.

    Example:
        >>> text = "Go to https://a.b/c, now!"
        >>> cores(text, runs(text))
        [(0, 2), (3, 5), (6, 19), (21, 24)]
    """
    found = (CORE.search(text, start, end) for start, end in spans)
    return [core.span() for core in found if core is not None]
