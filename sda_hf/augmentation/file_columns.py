"""The column of the texts in a file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from sda_hf.augmentation.columns import text_column
from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.files import Row, read_rows


def column_of_file(source: str | Path, names: Iterable[str], wanted: str | None, new: Collection[str] = ()) -> str:
    """Return the column of the texts, after checking that no new column exists already.

    Args:
        source: the file, for messages.
        names: its columns.
        wanted: the user's choice; None for the first of text, sentence, anchor, sentence1.
        new: the columns to be added.

    Raises:
        InputValueError: there is no such column, or a new one exists already.

    Example:
        >>> column_of_file("reviews.csv", ["id", "sentence"], None, ["negation"])
        'sentence'
    """
    there = dict.fromkeys(names)
    try:
        column = text_column(there, wanted, "column")
    except InputValueError as error:
        raise InputValueError(f"{source}: {error}") from error
    taken = next((name for name in new if name in there), None)
    if taken is not None:
        raise InputValueError(f"{source}: a column {taken!r} exists already: rename it first")
    return column


def texts_with_rows(source: str | Path, column: str) -> Iterator[tuple[str, Row]]:
    """Yield the text of each row of a file, and the row with its place.

    Raises:
        InputTypeError: a text that is not a string; the message has its place.
    """
    for place, row in read_rows(source):
        text = row.get(column)
        if not isinstance(text, str):
            raise InputTypeError(
                f"{source}, {place}: column {column!r} is {text!r:.60} ({type(text).__name__}), not a string: drop "
                "or fill such rows first"
            )
        yield text, (place, row)
