"""Cells that a spreadsheet shows instead of running them as formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sda_hf.errors import InputValueError

SPREADSHEETS = (".csv", ".tsv")
# What makes a cell a formula, as OWASP lists it under "CSV injection"; the last four are full-width forms.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def safe_cell(value: object) -> object:
    """Return a text that would be run as a formula with an apostrophe before it, and anything else as it is.

    Source:
        OWASP, CSV Injection: https://owasp.org/www-community/attacks/CSV_Injection

    Example:
        >>> safe_cell("=1+1"), safe_cell("1+1"), safe_cell(-1)
        ("'=1+1", '1+1', -1)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def safe_columns(names: Sequence[str]) -> dict[str, str]:
    """Return name → name as `safe_cell` writes it, for the columns of a file.

    Raises:
        InputValueError: two columns would have the same name.
    """
    safe = {name: str(safe_cell(name)) for name in names}
    twice = next((name for name in names if safe[name] != name and safe[name] in names), None)
    if twice is not None:
        raise InputValueError(
            f"columns {twice!r} and {safe[twice]!r} would get the same name: rename one of them first"
        )
    return safe


def safe_rows(rows: Iterable[Mapping[str, object]], columns: Mapping[str, str]) -> Iterator[dict[str, object]]:
    """Return the rows lazily, with safe names and cells."""
    return ({columns[name]: safe_cell(value) for name, value in row.items()} for row in rows)
