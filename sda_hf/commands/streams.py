"""Inputs and outputs of `sda-hf augment` that are not simply files: standard streams, encodings and delimiters."""

from __future__ import annotations

import codecs
import contextlib
import csv
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from sda_hf.errors import InputError, InputFileError, InputValueError
from sda_hf.files.formats import WRITTEN, check_exists, format_of, is_packed
from sda_hf.files.places import is_url, open_binary, place_of

STREAM = "-"
TEXTS = (".txt", ".csv", ".tsv", ".jsonl", ".json", ".conllu")


@contextlib.contextmanager
def plain_input(source: str, encoding: str | None, delimiter: str | None, kind: str | None) -> Iterator[str]:
    """Yield a file in UTF-8 with the usual delimiter: the source itself, or a temporary copy of it.

    Args:
        source: a file, a URL, or - for the standard input.
        encoding: of the source; None for UTF-8.
        delimiter: of its cells; None for that of its format.
        kind: the format of the standard input, such as "csv"; None for text.

    Raises:
        InputFileError: it cannot be read, or is not in the encoding.
        InputValueError: an unknown encoding or format, or a delimiter that is not a character.
    """
    if kind is not None and source != STREAM:
        raise InputValueError("--input-format is for the standard input: leave it out, or give - for IN")
    if encoding is None and delimiter is None and source != STREAM:
        yield source
        return
    suffix = _suffix(source, kind)
    _check(source, suffix, encoding, delimiter)
    with tempfile.TemporaryDirectory(prefix="sda-hf-") as folder:
        copy = Path(folder) / f"input{suffix}"
        name = "standard input" if source == STREAM else source
        _copy(source, name, copy, encoding or "utf-8-sig")
        if delimiter is not None:
            _change_delimiter(copy, name, delimiter)
        try:
            yield str(copy)
        except InputError as error:
            raise type(error)(str(error).replace(str(copy), name)) from error


@contextlib.contextmanager
def whole_output(target: str, kind: str | None) -> Iterator[str]:
    """Yield the file to write: the target itself, or one whose content goes to the standard output when it is whole.

    Args:
        target: a file, or - for the standard output.
        kind: the format of the standard output, such as "csv"; None for JSON lines.

    Raises:
        InputValueError: a format that cannot be written to a stream.
    """
    if target != STREAM:
        yield target
        return
    suffix = f".{(kind or 'jsonl').removeprefix('.')}"
    format_of(f"output{suffix}", WRITTEN)
    with tempfile.TemporaryDirectory(prefix="sda-hf-") as folder:
        path = Path(folder) / f"output{suffix}"
        yield str(path)
        if path.is_file():
            _print(path)


def _print(path: Path) -> None:
    """Copy a file to the standard output; a reader that has seen enough is no error."""
    try:
        with path.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # Python would fail again when it flushes the stream at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _suffix(source: str, kind: str | None) -> str:
    """Return the format of the uncompressed input."""
    return format_of(f"input.{(kind or 'txt').removeprefix('.')}" if source == STREAM else source)


def _check(source: str, suffix: str, encoding: str | None, delimiter: str | None) -> None:
    if encoding is not None:
        try:
            codecs.lookup(encoding)
        except (LookupError, ValueError) as error:
            raise InputValueError(
                f"--encoding {encoding!r} is not known: give one such as latin-1, cp1252, gb18030 or utf-16"
            ) from error
        if suffix not in TEXTS:
            raise InputValueError(f"--encoding is for text, and {source} is {suffix}: leave it out")
    if delimiter is not None:
        if suffix not in (".csv", ".tsv"):
            raise InputValueError(f"--delimiter is for .csv and .tsv, and {source} is {suffix}: leave it out")
        if len(delimiter) != 1 or delimiter in '"\r\n':
            raise InputValueError(f"--delimiter {delimiter!r} is not a single character, such as ';'")


def _copy(source: str, name: str, copy: Path, encoding: str) -> None:
    """Write the source as UTF-8; Parquet stays as it is."""
    try:
        with _opened(source) as binary, copy.open("wb") as out:
            if copy.suffix not in TEXTS:
                shutil.copyfileobj(binary, out)
                return
            decoder = codecs.getincrementaldecoder(encoding)("surrogatepass" if "utf-8" in encoding else "strict")
            lines = 0
            while block := binary.read(1 << 20):
                lines = _recoded(decoder, block, out, lines)
            out.write(decoder.decode(b"", True).encode("utf-8", "surrogatepass"))
    except UnicodeDecodeError as error:
        line = getattr(error, "lines", 0) + error.object[: error.start].count(b"\n") + 1
        byte = error.object[error.start : error.start + 1].hex()
        wanted = "UTF-8: name its encoding with" if encoding == "utf-8-sig" else f"{encoding}: give another"
        raise InputFileError(f"{name}, line {line}: not {wanted} --encoding (byte 0x{byte})") from error
    except (OSError, EOFError, zlib.error) as error:
        raise InputFileError(f"cannot read {name}: {error}") from error


def _recoded(decoder: codecs.IncrementalDecoder, block: bytes, out: IO[bytes], lines: int) -> int:
    """Write a block as UTF-8, and return the number of lines so far."""
    try:
        text = decoder.decode(block)
    except UnicodeDecodeError as error:
        error.lines = lines  # type: ignore[attr-defined]  # those of the blocks before
        raise
    out.write(text.encode("utf-8", "surrogatepass"))
    return lines + text.count("\n")


@contextlib.contextmanager
def _opened(source: str) -> Iterator[IO[bytes]]:
    """Open the source for reading, uncompressed."""
    if source == STREAM:
        yield sys.stdin.buffer
        return
    if not is_url(source):
        check_exists(Path(source))
    with open_binary(place_of(source), is_packed(source)) as file:
        yield cast("IO[bytes]", file)


def _change_delimiter(path: Path, name: str, delimiter: str) -> None:
    """Write the cells of a file anew, with the delimiter of its format; every line keeps its number."""
    changed = path.with_name(f"changed{path.suffix}")
    how: dict[str, Any] = {"encoding": "utf-8", "errors": "surrogatepass", "newline": ""}
    with path.open(**how) as lines, changed.open("w", **how) as out:
        if path.suffix == ".csv":
            _rewrite_csv(lines, out, name, delimiter)
        else:
            _rewrite_tsv(lines, out, name, delimiter)
    changed.replace(path)


def _rewrite_tsv(lines: IO[str], out: IO[str], name: str, delimiter: str) -> None:
    for number, line in enumerate(lines, 1):
        if delimiter != "\t" and "\t" in line:
            raise InputValueError(f"{name}, line {number}: a cell contains a tab: name the file .csv, and quote cells")
        out.write(line.replace(delimiter, "\t"))


def _rewrite_csv(lines: IO[str], out: IO[str], name: str, delimiter: str) -> None:
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    writer = csv.writer(out, lineterminator="\n")
    while True:
        began = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise InputFileError(f"{name}, line {began}: {error}: quote cells as RFC 4180 says") from error
        if cells is None:
            return
        if cells:
            writer.writerow(cells)
        else:
            out.write("\n")
