"""Files of rows (TSV, CSV, JSON lines, Parquet): read strictly, every row with its place in the file."""

from __future__ import annotations

import csv
import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from sda_hf.errors import InputError, InputFileError, InputValueError

FORMATS = (".tsv", ".tsv.gz", ".csv", ".csv.gz", ".jsonl", ".jsonl.gz", ".parquet")
LISTED = 20

Row = tuple[str, dict[str, Any]]


def split_name(path: Path) -> tuple[str, str]:
    """The name of a file in two: what it is called, and its format.

    Raises:
        InputValueError: the ending is none of `FORMATS`.

    Example:
        >>> split_name(Path("graded/my.pairs.tsv.gz"))
        ('my.pairs', '.tsv.gz')
    """
    for ending in FORMATS:
        if path.name.endswith(ending) and path.name != ending:
            return path.name.removesuffix(ending), ending
    raise InputValueError(f"{path}: a file of rows ends in {', '.join(FORMATS)}")


def find(folder: Path, stem: str) -> Path:
    """The one file in a folder, or in a folder directly below it, that has this stem and a known format.

    "-" and "_" are the same in a stem.

    Raises:
        InputFileError: no such folder, no such file (the message says what is there), a folder that cannot be looked
            into, or more than one file: which of them is meant cannot be known, and they may differ.

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
    """A name as it is compared with others."""
    return name.replace("_", "-")


def missing(folder: Path, names: Iterable[str]) -> InputFileError:
    """The error for a file that is not in a folder: what was looked for, and what is there.

    Example:
        >>> print(missing(Path("no-such-folder"), ["pairs.tsv"]))
        no pairs.tsv in no-such-folder: there is no such folder
    """
    if not folder.is_dir():
        there = "there is no such folder"
    else:
        names_there = sorted(path.name for path in folder.iterdir())
        there = "it holds " + (", ".join(names_there[:LISTED]) or "nothing")
        if len(names_there) > LISTED:
            there += f" and {len(names_there) - LISTED} more"
    return InputFileError(f"no {' or '.join(names)} in {folder}: {there}")


def read_rows(path: Path) -> list[Row]:
    r"""Every row of a file as (its place, column → value).

    Text files are UTF-8, with or without a byte-order mark, with LF or CRLF line ends; blank lines hold no row. TSV
    and CSV have a header line and give strings. TSV has no quoting: a quote character is text. CSV is quoted as
    RFC 4180 says. JSON lines hold one object a line.

    Args:
        path: a file with one of `FORMATS` as its ending.

    Returns:
        Rows in file order; the place reads "line 3" in text files (the header is line 1) and "row 3" in Parquet.

    Raises:
        InputFileError: the file is missing, damaged or not UTF-8.
        InputValueError: its ending is unknown, or a row does not fit the header.

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
    # EOFError and zlib.error: packed files that are cut or damaged; ValueError: what Parquet's reader raises;
    # RecursionError: JSON of thousands of brackets.
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise InputFileError(f"cannot read {path}: {error}") from error


def _open(path: Path, newline: str) -> TextIO:
    opener: Callable[..., TextIO] = gzip.open if path.suffix == ".gz" else open
    return opener(path, "rt", encoding="utf-8-sig", newline=newline)


def _tsv(path: Path) -> Iterator[Row]:
    # Not csv.reader, which splits at a lone carriage return even when quoting is off.
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
        raise InputValueError(f"{path}: its header names a column twice: {', '.join(header)}")
    for number, cells in lines:
        if len(cells) != len(header):
            raise InputValueError(f"{path}, line {number}: {len(cells)} cells where the header has {len(header)}")
        yield f"line {number}", dict(zip(header, cells, strict=True))


def _jsonl(path: Path) -> Iterator[Row]:
    with _open(path, newline="\n") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise InputFileError(f"{path}, line {number}: no JSON: {error}") from error
            if not isinstance(row, dict):
                raise InputValueError(f"{path}, line {number}: a JSON object is expected, here is {line.strip()[:40]}")
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
