"""Markdown that text from elsewhere cannot break."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

LONGEST_CELL = 300


def cell(value: object) -> str:
    r"""Return a value as the cell of a table: on one line, not too long, and shown literally.

    Example:
        >>> cell("It | costs\n$5, <b>really</b>.")
        'It \\| costs \\$5, &lt;b&gt;really&lt;/b&gt;.'
    """
    text = " ".join(str(value).split())
    text = text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"
    return re.sub(r"([\\`*_\[\]$|])", r"\\\1", html.escape(text, quote=False))


def table(header: Sequence[str], rows: Iterable[Sequence[str]], align: str = "") -> str:
    """Return a table of cells that are Markdown already.

    Args:
        header: names of the columns.
        rows: the cells of each row.
        align: "r" for each column that is aligned to the right, and any other letter for the rest.

    Example:
        >>> print(table(["Rule", "Rows"], [["do-support", "3"]], align="lr"))
        | Rule | Rows |
        |---|---:|
        | do-support | 3 |
    """
    rules = ("---:" if side == "r" else "---" for side in align.ljust(len(header)))
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([f"| {' | '.join(header)} |", f"|{'|'.join(rules)}|", *lines])


def fenced(text: str, language: str) -> str:
    """Return text as a code block, fenced by more backticks than stand in it.

    Example:
        >>> print(fenced("model: some/encoder", "yaml"))
        ```yaml
        model: some/encoder
        ```
    """
    longest = max((len(ticks) for ticks in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.strip()}\n{fence}"
