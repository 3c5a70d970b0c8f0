"""Write rows to text, CSV, TSV, JSON lines and Parquet files, one at a time and atomically."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.files.atomic import check_target, replacing
from sda_hf.files.formats import WRITTEN, format_of, is_packed
from sda_hf.files.reading import groups, schema_of

if TYPE_CHECKING:
    import pyarrow

# Rows in a Parquet row group.
GROUP = 20_000
LINE_BREAKS = ("\n", "\r")
CRLF = "\r\n"


def write_rows(
    path: str | Path,
    rows: Iterable[Mapping[str, object]],
    columns: Sequence[str] | None = None,
    schema: pyarrow.Schema | None = None,
    overwrite: bool = True,
) -> None:
    r"""Write rows to a file, which appears under its name once it is complete; `read_rows` reads it.

    The last suffix, before ".gz", determines the format. Rows are written one at a time, so that any number of them
    takes little memory. Nothing is left out: values that a format cannot hold raise an error.

    - `.txt`: each row must have one column, whose text is a line; None is an empty line.
    - `.csv`: quoted as in RFC 4180. None is an empty cell, lists and mappings become JSON, other values `str(value)`.
    - `.tsv`: the same without quoting; a cell with a tab or a line break is an error.
    - `.jsonl`: JSON objects; values without a JSON type, such as dates, become `str(value)`; bytes are an error.
    - `.parquet`.

    Args:
        path: the file.
        rows: column → value; columns missing in a row are empty.
        columns: the columns of CSV and TSV; None for those of the first row.
        schema: the columns of Parquet; None for those of the first 20,000 rows, with types that fit their values.
        overwrite: whether an existing file is replaced.

    Raises:
        InputFileError: the file exists and `overwrite` is False, or it cannot be written, for example because the disk
            is full; an existing file stays unchanged.
        InputValueError: an unknown format, a folder, or a row that the format or its columns cannot hold.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "pairs.csv"
        ...     write_rows(path, [{"text": "He left.", "negative": "He didn't leave."}])
        ...     path.read_text(encoding="utf-8")
        "text,negative\nHe left.,He didn't leave.\n"
    """
    path = Path(path)
    kind = format_of(path, WRITTEN)
    check_target(path, overwrite)
    with replacing(path, overwrite) as temporary, _sink(path, temporary) as sink:
        _write(path, kind, sink, iter(rows), columns, schema)


def bytes_of_rows(
    name: str,
    rows: Iterable[Mapping[str, object]],
    columns: Sequence[str] | None = None,
    schema: pyarrow.Schema | None = None,
) -> bytes:
    r"""Return what `write_rows` would write to a file of that name, which must not be compressed.

    Raises:
        InputValueError: an unknown format, or a row that the format or its columns cannot hold.

    Example:
        >>> bytes_of_rows("part.csv", [{"text": "He left.", "negative": "He didn't leave."}])
        b"text,negative\nHe left.,He didn't leave.\n"
    """
    sink = io.BytesIO()
    _write(Path(name), format_of(name, WRITTEN), _Kept(sink), iter(rows), columns, schema)
    return sink.getvalue()


class _Kept(io.BufferedWriter):
    """A writer to memory, which is still there when the writer is closed."""

    def close(self) -> None:
        self.flush()


def _write(
    path: Path,
    kind: str,
    sink: io.BufferedWriter | gzip.GzipFile,
    rows: Iterator[Mapping[str, object]],
    columns: Sequence[str] | None,
    schema: pyarrow.Schema | None,
) -> None:
    if kind == ".parquet":
        _parquet(path, sink, rows, schema)
    else:
        with io.TextIOWrapper(sink, "utf-8", "surrogatepass", newline="") as out:
            TEXT_WRITERS[kind](path, out, rows, columns)


@contextlib.contextmanager
def _sink(path: Path, temporary: Path) -> Iterator[io.BufferedWriter | gzip.GzipFile]:
    try:
        file = temporary.open("wb")
    except OSError as error:
        raise InputFileError(f"cannot write {path}: {error}") from error
    with file:
        if is_packed(path):
            # The content must depend neither on the temporary name nor on the time.
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                yield packed
        else:
            yield file


def _text(path: Path, out: TextIO, rows: Iterator[Mapping[str, object]], columns: Sequence[str] | None) -> None:
    for number, row in enumerate(rows, 1):
        if len(row) != 1:
            raise InputValueError(
                f"{path}, row {number}: a .txt file has one column, the row has {len(row)} ({', '.join(row)}): write "
                ".jsonl, .csv or .parquet"
            )
        (value,) = row.values()
        out.write(f"{_one_line(path, number, _cell(value), LINE_BREAKS)}\n")


def _one_line(path: Path, number: int, text: str, forbidden: Sequence[str]) -> str:
    for mark in forbidden:
        if mark in text:
            what = "a tab" if mark == "\t" else "a line break"
            shown = text if len(text) <= 60 else f"{text[:57]}..."
            raise InputValueError(
                f"{path}, {f'row {number}' if number else 'header'}: {shown!r} contains {what}, which a cell of a "
                f"{format_of(path)} file cannot: write .jsonl, .csv or .parquet"
            )
    return text


def _csv(path: Path, out: TextIO, rows: Iterator[Mapping[str, object]], columns: Sequence[str] | None) -> None:
    # `csv` quotes cells with either kind of line break only if its own line terminator contains both.
    writer = csv.writer(_Lines(out), lineterminator="\r\n")
    for _, cells in _cells(path, rows, columns):
        writer.writerow(cells)


class _Lines:
    """A file object for `csv` that ends lines with LF."""

    def __init__(self, out: TextIO) -> None:
        self.out = out

    def write(self, line: str) -> None:
        self.out.write(f"{line.removesuffix(CRLF)}\n")


def _tsv(path: Path, out: TextIO, rows: Iterator[Mapping[str, object]], columns: Sequence[str] | None) -> None:
    for number, cells in _cells(path, rows, columns):
        if cells == [""]:
            raise InputValueError(
                f"{path}, row {number}: an empty cell in the only column would be a blank line, which is no row: write "
                ".jsonl, .csv or .parquet"
            )
        out.write("\t".join(_one_line(path, number, cell, ("\t", *LINE_BREAKS)) for cell in cells) + "\n")


def _cells(
    path: Path, rows: Iterator[Mapping[str, object]], columns: Sequence[str] | None
) -> Iterator[tuple[int, list[str]]]:
    """Yield the header as row 0, if there are columns, and each row."""
    if columns is None:
        first = next(rows, None)
        if first is None:
            return
        columns, rows = list(first), itertools.chain([first], rows)
    yield 0, list(columns)
    for number, row in enumerate(rows, 1):
        _check_columns(path, number, row, columns)
        yield number, [_cell(row.get(name)) for name in columns]


def _check_columns(path: Path, number: int, row: Mapping[str, object], columns: Sequence[str]) -> None:
    other = row.keys() - columns
    if other:
        raise InputValueError(
            f"{path}, row {number}: its column {min(other)!r} is not among those of the file "
            f"({', '.join(map(repr, columns))}): name all columns beforehand, or write .jsonl"
        )


def _cell(value: object) -> str:
    if value is None:
        return ""
    return _json(value) if isinstance(value, (list, dict)) else _plain(value)


def _jsonl(path: Path, out: TextIO, rows: Iterator[Mapping[str, object]], columns: Sequence[str] | None) -> None:
    for row in rows:
        out.write(_json(dict(row)) + "\n")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: object) -> str:
    if isinstance(value, bytes):
        raise InputValueError(f"bytes ({value!r:.40}) cannot be written as text: write .parquet, or drop the column")
    return str(value)


def _parquet(
    path: Path,
    sink: io.BufferedWriter | gzip.GzipFile,
    rows: Iterator[Mapping[str, object]],
    schema: pyarrow.Schema | None,
) -> None:
    import pyarrow
    import pyarrow.parquet  # slow to load

    number = 0
    writer = None
    try:
        for group in groups(iter(map(dict, rows)), GROUP):
            schema = schema or schema_of(iter(group))
            writer = writer or pyarrow.parquet.ParquetWriter(sink, schema, write_page_checksum=True)
            for row in group:
                number += 1
                _check_columns(path, number, row, schema.names)
            writer.write_table(pyarrow.Table.from_pylist(group, schema=schema))
        if writer is None:
            if schema is None:
                raise InputValueError(f"{path}: no rows: a Parquet file needs at least one to know its columns")
            writer = pyarrow.parquet.ParquetWriter(sink, schema, write_page_checksum=True)
    except (pyarrow.ArrowException, UnicodeEncodeError, OverflowError) as error:
        raise InputValueError(
            f"{path}: cannot be stored as Parquet, where all values of a column have one type and text is valid "
            f"Unicode: {error}"
        ) from error
    finally:
        if writer is not None:
            writer.close()


TEXT_WRITERS: dict[str, Callable[[Path, TextIO, Iterator[Mapping[str, object]], Sequence[str] | None], None]] = {
    ".txt": _text,
    ".csv": _csv,
    ".tsv": _tsv,
    ".jsonl": _jsonl,
}
