"""Markdown in which text from elsewhere is text: it cannot become a link, an image, HTML, a formula or a heading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sda_hf.hub.redaction import without_secrets
from sda_hf.terminal import printable

LONGEST_CELL = 300
# A word joiner, which is invisible. Renderers look for URLs, addresses and formulas in text whose entities are decoded
# already, so that escaping alone would not stop them.
JOINER = "\u2060"
LIVE = re.compile(
    r"(?<=/)(?=/)"  # https://
    r"|(?<=www)(?=\.)"
    # A domain without a scheme, by the endings that markdown-it knows.
    r"|(?<=\w\.)(?=xn--|(?:[a-z]{2}|biz|com|edu|gov|net|org|pro|web|xxx|aero|asia|coop|info|museum|name|shop|\u0440\u0444)(?![^\W_]))"
    r"|(?<=\S)(?=@)"  # an e-mail address
    r"|(?<=\$)(?=\$)|(?<=\\)(?=[(\[])",  # delimiters of formulas
    re.IGNORECASE,
)
# What has a meaning within a line, and at its start; an underscore within a word has none.
MARKS = re.compile(r"[\\`*\[\]<>&$|~^]|(?<![^\W_])_|_(?![^\W_])|^[#+\-=:_]")
LEADING_NUMBER = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def text(value: object) -> str:
    r"""Return a value as Markdown that shows it literally, on one line.

    Example:
        >>> text("It costs\n$5, <b>really</b>; ![see](https://example.org).")
        'It costs &#36;5, &lt;b&gt;really&lt;/b&gt;; !&#91;see&#93;(https:/&#8288;/example.&#8288;org).'
        >>> text("# learning_rate"), text("1. First")
        ('&#35; learning_rate', '1&#46; First')
    """
    line = LIVE.sub(JOINER, printable(_line(value)))
    numbered = LEADING_NUMBER.match(line)
    start = f"{numbered[1]}&#{ord(numbered[2])};" if numbered else ""
    return start + MARKS.sub(_entity, line[len(numbered[0]) if numbered else 0 :]).replace(JOINER, "&#8288;")


def _line(value: object) -> str:
    """Return a value on one line, without tokens, which would not be recognized once they are escaped or cut."""
    return without_secrets(" ".join(str(value).split()))


def _entity(found: re.Match[str]) -> str:
    return NAMED.get(found[0], f"&#{ord(found[0])};")


def code(value: object) -> str:
    """Return a value as code within a line; as text if it holds what would end the code or the cell around it.

    Example:
        >>> code("learning_rate"), code("a|b")
        ('`learning_rate`', 'a&#124;b')
    """
    line = printable(_line(value))
    return f"`{line}`" if line and not re.search(r"[`|$]", line) else text(line)


def cell(value: object) -> str:
    r"""Return a value as the cell of a table: as `text` does, and not too long.

    Example:
        >>> cell("It | costs\n$5.")
        'It &#124; costs &#36;5.'
    """
    line = _line(value)
    return text(line if len(line) <= LONGEST_CELL else f"{line[: LONGEST_CELL - 1]}…")


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


def fenced(content: str, language: str) -> str:
    """Return text as a code block, fenced by more backticks than stand in it.

    Example:
        >>> print(fenced("model: some/encoder", "yaml"))
        ```yaml
        model: some/encoder
        ```
    """
    lines = "\n".join(printable(line) for line in content.strip().split("\n"))
    longest = max((len(ticks) for ticks in re.findall(r"`+", lines)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{lines}\n{fence}"
