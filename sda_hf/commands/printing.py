"""What all commands print with: lines and tables in which control characters are shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from sda_hf.terminal import printable

if TYPE_CHECKING:
    from sda_hf.hub.upload import Pushed


def say(line: str, err: bool = False) -> None:
    """Print a line, in which control characters of texts and file names are shown."""
    typer.echo(printable(line), err=err)


def push_line(pushed: Pushed) -> str:
    """Return a line that says what a push did."""
    if pushed.unchanged:
        return f"Nothing has changed: {pushed.url}"
    if pushed.pull_request is not None:
        return f"Pull request: {pushed.pull_request}"
    return f"{'Created' if pushed.created else 'Updated'}: {pushed.url}"


def split_names(joined: str) -> list[str]:
    """Return the names in a list separated by commas, each once."""
    stripped = (name.strip() for name in joined.split(","))
    return list(dict.fromkeys(name for name in stripped if name))


def print_table(
    title: str, rows: Iterable[Mapping[str, Any]], columns: Iterable[str] | None = None, err: bool = False
) -> None:
    """Print rows as a table; a column without numbers is aligned to the left.

    Rows of a name and numbers become columns if they are wider than the terminal.
    """
    from rich.console import Console
    from rich.table import Table

    rows = list(rows)
    keys = list(columns or (rows[0] if rows else ()))
    names = ["task" if key == "title" else printable(key) for key in keys]
    numeric = [all(isinstance(row[key], (int, float)) for row in rows) for key in keys]
    cells = [[printable(_cell(key, row[key])) for key in keys] for row in rows]
    console = Console(markup=False, emoji=False, stderr=err)  # names may look like markup

    def table_of(lines: Sequence[Sequence[str]], right: Sequence[bool]) -> Table:
        table = Table(title=printable(title), title_justify="left")
        for header, is_right in zip(lines[0], right, strict=True):
            table.add_column(header, justify="right" if is_right else "left")
        for line in lines[1:]:
            table.add_row(*line)
        return table

    lines = [names, *cells]
    table = table_of(lines, numeric)
    measured = all(row[key] is None or isinstance(row[key], (int, float)) for row in rows for key in keys[1:])
    unlimited = console.options.update(max_width=10_000)
    if measured and console.measure(table, options=unlimited).maximum > console.width:
        table = table_of(list(zip(*lines, strict=True)), [False, *([True] * len(rows))])  # longer than wide
    console.print(table)


def _cell(key: str, value: Any) -> str:
    if isinstance(value, float):
        return f"{value:+.2f}" if key == "change" else f"{value:.2f}"
    return "not measured" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
