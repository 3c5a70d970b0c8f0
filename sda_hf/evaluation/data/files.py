"""Strict readers for files of rows (TSV, CSV, JSON lines, Parquet) that keep each row's place in its file."""

from __future__ import annotations

import csv
import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TextIO

from sda_hf.errors import InputError, InputFileError, InputValueError

FORMATS = (".tsv", ".tsv.gz", ".csv", ".csv.gz", ".jsonl", ".jsonl.gz", ".parquet")
LISTED = 20  # files that an error message lists

Row = tuple[str, dict[str, object]]  # (place in the file, column → value)


def split_name(path: Path) -> tuple[str, str]:
    """Split a file name into its stem and its format.

    Raises:
        InputValueError: the name does not end in one of `FORMATS`.

    Example:
        >>> split_name(Path("graded/my.pairs.tsv.gz"))
        ('my.pairs', '.tsv.gz')
    """
    for ending in FORMATS:
        if path.name.endswith(ending) and path.name != ending:
            return path.name.removesuffix(ending), ending
    raise InputValueError(f"{path}: unknown file format: use one of {', '.join(FORMATS)}")


def find(folder: Path, stem: str) -> Path:
    """Find the one file with this stem and a known format in a folder or one of its subfolders.

    "-" and "_" are interchangeable in a stem.

    Raises:
        InputFileError: the folder does not exist or cannot be read, it holds no such file (the message lists what it
            holds), or it holds several, of which only the user knows which one is meant.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = (Path(folder) / "zh_stsb-test.csv").write_text("")
        ...     find(Path(folder), "zh-stsb-test").name
        'zh_stsb-test.csv'
    """
    names = {alike(stem) + ending for ending in FORMATS}
    try:
        below = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
        found = [
            path
            for place in (folder, *below)
            if place.is_dir()
            for path in sorted(place.iterdir())
            if alike(path.name) in names and path.is_file()
        ]
    except OSError as error:
        raise InputFileError(f"cannot look for {stem} in {folder}: {error}") from error
    if not found:
        raise missing(folder, [f"{stem}{{{','.join(FORMATS)}}}"])
    if len(found) > 1:
        held = " and ".join(str(path.relative_to(folder)) for path in found)
        raise InputFileError(f"{folder} holds {held}: keep one of them")
    return found[0]


def alike(name: str) -> str:
    """Return a name in the form in which names are compared."""
    return name.replace("_", "-")


def missing(folder: Path, names: Iterable[str]) -> InputFileError:
    """Return the error for files missing from a folder; it lists what the folder holds.

    Example:
        >>> print(missing(Path("no-such-folder"), ["pairs.tsv"]))
        no pairs.tsv in no-such-folder: the folder does not exist
    """
    if not folder.is_dir():
        there = "the folder does not exist"
    else:
        names_there = sorted(path.name for path in folder.iterdir())
        there = "it holds " + (", ".join(names_there[:LISTED]) or "nothing")
        if len(names_there) > LISTED:
            there += f" and {len(names_there) - LISTED} more"
    return InputFileError(f"no {' or '.join(names)} in {folder}: {there}")


def read_rows(path: Path) -> list[Row]:
    r"""Read every row of a file as (place, column → value).

    Text files are UTF-8, with or without a byte-order mark, with LF or CRLF line endings; blank lines are skipped.
    TSV and CSV files start with a header, and their cells are strings. TSV has no quoting: a quote character is text.
    CSV is quoted as in RFC 4180. JSON lines hold one object per line.

    Args:
        path: a file whose name ends in one of `FORMATS`.

    Returns:
        Rows in file order. The place is "line 3" in text files (the header is line 1) and "row 3" in Parquet.

    Raises:
        InputFileError: the file is missing, damaged or not UTF-8.
        InputValueError: the format is unknown, or a row does not match the header.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "pairs.tsv"
        ...     _ = path.write_text('sentence1\tsentence2\tscore\n"No," he said.\tNo.\t4.5\n', encoding="utf-8")
        ...     read_rows(path)
        [('line 2', {'sentence1': '"No," he said.', 'sentence2': 'No.', 'score': '4.5'})]
    """
    _, ending = split_name(path)
    try:
        if not path.is_file():
            raise missing(path.parent, [path.name])
        return list(READERS[ending.removesuffix(".gz")](path))
    except InputError:
        raise
    except UnicodeDecodeError as error:
        raise InputFileError(f"{path} is not UTF-8: save it as UTF-8 ({error.reason})") from error
    # EOFError and zlib.error: truncated or damaged .gz files; ValueError: from the Parquet reader; RecursionError:
    # deeply nested JSON.
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise InputFileError(f"cannot read {path}: {error}") from error


def _open(path: Path, newline: str) -> TextIO:
    opener: Callable[..., TextIO] = gzip.open if path.suffix == ".gz" else open
    return opener(path, "rt", encoding="utf-8-sig", newline=newline)


def _tsv(path: Path) -> Iterator[Row]:
    # Not csv.reader: it splits at a lone carriage return even with quoting turned off.
    with _open(path, newline="\n") as lines:
        bare = (line.removesuffix("\n").removesuffix("\r") for line in lines)
        yield from _under_header(path, ((number, line.split("\t")) for number, line in enumerate(bare, 1) if line))


def _csv(path: Path) -> Iterator[Row]:
    with _open(path, newline="") as lines:
        reader = csv.reader(lines, strict=True)
        try:
            yield from _under_header(path, ((reader.line_num, cells) for cells in reader if cells))
        except csv.Error as error:
            raise InputFileError(f"{path}, line {reader.line_num}: {error}") from error


def _under_header(path: Path, lines: Iterator[tuple[int, list[str]]]) -> Iterator[Row]:
    _, header = next(lines, (0, []))
    if len(set(header)) < len(header):
        raise InputValueError(f"{path}: duplicate column in the header: {', '.join(header)}")
    for number, cells in lines:
        if len(cells) != len(header):
            raise InputValueError(f"{path}, line {number}: the row has {len(cells)} cells, the header {len(header)}")
        yield f"line {number}", dict(zip(header, cells, strict=True))


def _jsonl(path: Path) -> Iterator[Row]:
    with _open(path, newline="\n") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise InputFileError(f"{path}, line {number}: invalid JSON: {error}") from error
            if not isinstance(row, dict):
                raise InputValueError(f"{path}, line {number}: expected a JSON object, got {line.strip()[:40]}")
            yield f"line {number}", row


def _parquet(path: Path) -> Iterator[Row]:
    import pyarrow.parquet as pq

    for number, row in enumerate(pq.read_table(path).to_pylist(), 1):
        yield f"row {number}", row


READERS: dict[str, Callable[[Path], Iterator[Row]]] = {
    ".tsv": _tsv,
    ".csv": _csv,
    ".jsonl": _jsonl,
    ".parquet": _parquet,
}
