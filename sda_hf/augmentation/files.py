"""Rewrite the rows of files: every augmenter adds a column."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from sda_hf.augmentation.base import CHUNK, Augmenter, views
from sda_hf.augmentation.columns import text_column
from sda_hf.augmentation.counts import Counts, Summary
from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.files import (
    WRITTEN,
    Row,
    check_target,
    format_of,
    read_columns,
    read_rows,
    read_schema,
    remove_dead_parts,
    write_rows,
)
from sda_hf.files.spreadsheets import SPREADSHEETS, safe_columns, safe_rows


def augment_file(
    source: str | Path,
    target: str | Path,
    augmenters: Mapping[str, Augmenter],
    column: str | None = None,
    progress: Callable[[int], None] | None = None,
    safe_csv: bool = False,
    overwrite: bool = False,
) -> Summary:
    """Add a column for each augmenter to the rows of a file.

    The rows are read, rewritten and written a thousand at a time. The output appears under its name once it is
    complete; a run that is killed leaves an existing file unchanged, and the next run with the same output removes its
    temporary file. The augmenter's `on_skip` determines what is written for a skipped text.

    Args:
        source: a .txt (one text per line), .csv, .tsv, .jsonl or .parquet file, optionally compressed (.gz); see
            `sda_hf.files.read_rows`.
        target: the file to write, in any of these formats. A .txt file takes one augmenter and holds only its rewrites.
        augmenters: new column → augmenter. Those that parse must share language and parser. One that has to be fitted
            on a corpus, and is not, is fitted on the texts of the file.
        column: the column of the texts; None for the first of text, sentence, anchor, sentence1.
        progress: called after each chunk with its number of rows.
        safe_csv: put an apostrophe before the texts and column names of a .csv or .tsv file that a spreadsheet would
            run as a formula, such as "=1+1" or "-- he said". By default, cells are written as they are.
        overwrite: whether to replace `target` if it exists; `source` itself is never replaced.

    Raises:
        InputFileError: `source` cannot be read; or `target` exists already, or cannot be written.
        InputTypeError: a text that is not a string.
        InputValueError: `target` is `source`, an unknown format, a column that is missing or already exists, augmenters
            that cannot be combined, or rows that the format of `target` cannot hold.

    Example:
        >>> import json, pathlib, tempfile, sda_hf
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "in.txt").write_text("I am here.")
        >>> summary = augment_file(folder / "in.txt", folder / "out.jsonl", {"negation": sda_hf.Negation()})
        >>> json.loads((folder / "out.jsonl").read_text(encoding="utf-8"))
        {'text': 'I am here.', 'negation': 'I am not here.'}
    """
    source, target = Path(source), Path(target)
    as_text = format_of(target, WRITTEN) == ".txt"
    if as_text and len(augmenters) > 1:
        raise InputValueError(f"{target}: a .txt file holds one text per line: give one augmenter, or write .jsonl")
    if safe_csv and format_of(target) not in SPREADSHEETS:
        raise InputValueError(
            f"{target}: safe_csv is for {' and '.join(SPREADSHEETS)} files: write one, or leave it out"
        )
    remove_dead_parts(target.parent, target.name)
    check_target(target, overwrite, source)
    shared = _parsed_for(augmenters)
    names = read_columns(source)
    column = _text_column(source, names, column, augmenters)
    fitted = {
        new: augmenter if augmenter.is_fitted else augmenter.fit(text for text, _ in _texts(source, column))
        for new, augmenter in augmenters.items()
    }
    schema = None
    if format_of(target) == ".parquet":
        import pyarrow  # slow to load

        schema = pyarrow.schema([*read_schema(source), *((new, pyarrow.string()) for new in fitted)])
    summary = Summary(counts={new: Counts() for new in fitted}, augmenters=fitted)
    began = time.perf_counter()
    rows = _augmented(_texts(source, column), fitted, shared, summary, progress)
    if as_text:
        rows = ({new: row[new] for new in fitted} for row in rows)
    columns = [*names, *fitted]
    if safe_csv:
        renamed = safe_columns(columns)
        rows, columns = safe_rows(rows, renamed), list(renamed.values())
    write_rows(target, rows, columns, schema, overwrite)
    summary.seconds = time.perf_counter() - began
    return summary


def _parsed_for(augmenters: Mapping[str, Augmenter]) -> Augmenter:
    """Return an augmenter whose language and parser all those that parse share."""
    if not augmenters:
        raise InputValueError("no augmenter: give at least one")
    first, *others = sorted(augmenters.values(), key=lambda augmenter: not augmenter.parses)
    for other in others:
        if other.parses and (other.language, other.parser) != (first.language, first.parser):
            raise InputValueError(
                f"{type(first).__name__} and {type(other).__name__} differ in language or parser: the augmenters of a "
                "file share one parse: write a file for each, or give them the same"
            )
    return first


def _text_column(source: Path, names: list[str], wanted: str | None, augmenters: Mapping[str, Augmenter]) -> str:
    """Return the column of the texts, after checking that no new column exists already."""
    try:
        column = text_column(dict.fromkeys(names), wanted, "column")
    except InputValueError as error:
        raise InputValueError(f"{source}: {error}") from error
    taken = next((new for new in augmenters if new in names), None)
    if taken is not None:
        raise InputValueError(f"{source}: a column {taken!r} exists already: rename it first")
    return column


def _texts(source: Path, column: str) -> Iterator[tuple[str, Row]]:
    """Yield the text of each row, and the row."""
    for place, row in read_rows(source):
        text = row.get(column)
        if not isinstance(text, str):
            raise InputTypeError(
                f"{source}, {place}: column {column!r} is {text!r:.60} ({type(text).__name__}), not a string: drop "
                "or fill such rows first"
            )
        yield text, (place, row)


def _augmented(
    texts: Iterator[tuple[str, Row]],
    augmenters: Mapping[str, Augmenter],
    shared: Augmenter,
    summary: Summary,
    progress: Callable[[int], None] | None,
) -> Iterator[dict[str, object]]:
    """Yield the rows with their new columns, and count the outcomes."""
    while chunk := list(itertools.islice(texts, CHUNK)):
        viewed = list(views([text for text, _ in chunk], [shared]))
        rewrites = {new: augmenter.rewrite_views(viewed) for new, augmenter in augmenters.items()}
        for i, (_, (_, row)) in enumerate(chunk):
            values: dict[str, str | None] = {}
            for new, augmenter in augmenters.items():
                summary.counts[new].add(rewrites[new][i])
                values[new] = augmenter.value(rewrites[new][i])
            if not any(value is None and augmenters[new].policy == "drop" for new, value in values.items()):
                yield {**row, **values}
        summary.rows += len(chunk)
        if progress is not None:
            progress(len(chunk))
