"""Read the rows of text, CSV, TSV, JSON lines and Parquet files, strictly and one at a time."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import io
import itertools
import json
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import IO, TYPE_CHECKING, Protocol, TextIO

from sda_hf.errors import InputError, InputFileError, InputValueError
from sda_hf.files.formats import check_exists, format_of, is_packed
from sda_hf.files.places import Place, RemoteFile, open_binary, place_of

if TYPE_CHECKING:
    import pyarrow.parquet

# The place of a row in its file ("line 3", "row 3"), for messages, and column → value.
Row = tuple[str, dict[str, object]]
# The last line of a row in its file, and its cells.
Cells = tuple[int, list[str]]
# Rows of a Parquet file that are decoded at a time.
BATCH = 1000
# The largest limit that fits into a C long on every platform.
LARGEST_CELL = 2**31 - 1
# What begins the text of a sentence in CoNLL-U.
SENTENCE = "# text = "


def read_rows(path: str | Path, like: str | Path | None = None) -> Iterator[Row]:
    r"""Return the rows of a file lazily, each with its place in the file.

    Text is UTF-8, with or without a byte-order mark, with LF or CRLF line ends; cells may be of any size.

    - `.txt`: each line, blank or not, is a row with a single column "text".
    - `.csv`: a header, and cells quoted as in RFC 4180. Blank lines are skipped. Every value is a string.
    - `.tsv`: a header, and no quoting: a quotation mark is text, and no cell contains a tab or a line break, as the
      media type text/tab-separated-values says. Blank lines are skipped. Every value is a string.
    - `.jsonl`: a JSON object on each line. Blank lines are skipped. `.json`: the same, or one array of objects.
    - `.parquet`.
    - `.conllu`: each sentence of a treebank is a row with a single column "text", from its comment "# text = ...".

    Each may be compressed (`.gz`). The rows are streamed; only an array in a .json file is held in memory.

    Args:
        path: the file, or its URL, such as hf://datasets/me/texts/train.txt, which fsspec opens.
        like: a file name whose suffixes give the format, if those of `path` do not.

    Returns:
        (place, column → value) in file order. The place is "line 3" in text files (the last line of the row; the header
        is line 1) and "row 3" in Parquet and JSON arrays.

    Raises:
        InputFileError: the file is missing, damaged, not UTF-8 or not in its format; now, or when that row is reached.
        InputValueError: an unknown format, a duplicate column, or a row that does not fit the header.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "pairs.tsv"
        ...     _ = path.write_text('sentence1\tsentence2\tscore\n"No," he said.\tNo.\t4.5\n', encoding="utf-8")
        ...     list(read_rows(path))
        [('line 2', {'sentence1': '"No," he said.', 'sentence2': 'No.', 'score': '4.5'})]
    """
    kind, packed = format_of(like or path), is_packed(like or path)
    place = _existing(path)
    return _guarded(place, packed, kind)


def read_columns(path: str | Path, like: str | Path | None = None) -> list[str]:
    r"""Return the names of the columns of a file.

    The objects of a JSON file need not have the same keys, so the whole file is read to collect them.

    Args:
        path: the file.
        like: a file name whose suffixes give the format, if those of `path` do not.

    Raises:
        InputFileError: the file is missing, damaged, not UTF-8 or not in its format.
        InputValueError: an unknown format or a duplicate column.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "rows.jsonl"
        ...     _ = path.write_text('{"text": "He left."}\n{"text": "It rains.", "id": 2}\n', encoding="utf-8")
        ...     read_columns(path)
        ['text', 'id']
    """
    kind, packed = format_of(like or path), is_packed(like or path)
    place = _existing(path)
    with _readable(place, packed):
        if kind in (".txt", ".conllu"):
            return ["text"]
        if kind in CELLS:
            return _header(place, CELLS[kind](place, packed))
        if kind == ".parquet":
            return list(_parquet_schema(place, packed).names)
        return list(dict.fromkeys(name for _, row in READERS[kind](place, packed) for name in row))


def read_schema(path: str | Path) -> pyarrow.Schema:
    """Return the columns of a file with their Arrow types; in formats without types, all are strings.

    Raises:
        InputFileError: the file is missing, damaged, not UTF-8 or not in its format.
        InputValueError: an unknown format, a duplicate column, or a JSON column whose values have no common type.
    """
    import pyarrow  # slow to load

    kind = format_of(path)
    if kind in (".jsonl", ".json"):
        return schema_of(row for _, row in read_rows(path))
    if kind == ".parquet":
        place = _existing(path)
        with _readable(place, is_packed(path)):
            return _parquet_schema(place, is_packed(path))
    return pyarrow.schema([(name, pyarrow.string()) for name in read_columns(path)])


def count_rows(path: str | Path) -> int:
    """Return the number of rows of a file; only Parquet tells it without being read.

    Raises:
        InputFileError: the file is missing, damaged, not UTF-8 or not in its format.
        InputValueError: an unknown format, or a row that does not fit the header.
    """
    if format_of(path) != ".parquet":
        return sum(1 for _ in read_rows(path))
    place = _existing(path)
    with _readable(place, is_packed(path)), _parquet_file(place, is_packed(path)) as file:
        return int(file.metadata.num_rows)


def schema_of(rows: Iterator[dict[str, object]]) -> pyarrow.Schema:
    """Return every column of the rows with the Arrow type that fits all its values; without values, it is a string.

    Args:
        rows: column → value; a row need not have every column.

    Raises:
        InputValueError: a column whose values have no common type.

    Example:
        >>> schema_of(iter([{"text": "He left."}, {"text": "It rains.", "id": 1}, {"id": 0.5}]))
        text: string
        id: double
    """
    import pyarrow  # slow to load

    schema = pyarrow.schema([])
    for group in groups(rows, BATCH):
        for name in dict.fromkeys(name for row in group for name in row):
            try:
                found = pyarrow.schema([(name, pyarrow.array([row.get(name) for row in group]).type)])
                schema = pyarrow.unify_schemas([schema, found], promote_options="permissive")
            except (pyarrow.ArrowException, UnicodeEncodeError, OverflowError) as error:
                raise InputValueError(
                    f"column {name!r} cannot be stored as Parquet, where all values of a column have one type and text "
                    f"is valid Unicode: {error}"
                ) from error
    fields = [field.with_type(pyarrow.string()) if pyarrow.types.is_null(field.type) else field for field in schema]
    return pyarrow.schema(fields)


def groups(rows: Iterator[dict[str, object]], size: int) -> Iterator[list[dict[str, object]]]:
    """Yield rows in lists of `size`; the last one may be shorter."""
    while group := list(itertools.islice(rows, size)):
        yield group


# -- errors ----------------------------------------------------------------------------------------


def _existing(path: str | Path) -> Place:
    """Return the file, after checking that it exists."""
    place = place_of(path)
    if isinstance(place, RemoteFile):
        with _readable(place, packed=False):
            found = place.filesystem.exists(place.path)
        if not found:
            raise InputFileError(f"{path}: no such file")
    else:
        check_exists(Path(path))
    return place


def _guarded(path: Place, packed: bool, kind: str) -> Iterator[Row]:
    with _readable(path, packed):
        yield from READERS[kind](path, packed)


@contextlib.contextmanager
def _readable(path: Place, packed: bool) -> Iterator[None]:
    """Turn any error while a file is read into one that names the file."""
    try:
        yield
    except InputError:
        raise
    except UnicodeDecodeError as error:
        raise _not_utf8(path, packed, error) from error
    # EOFError and zlib.error: truncated or damaged .gz files; ValueError: from the Parquet reader; RecursionError:
    # deeply nested JSON.
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise InputFileError(f"cannot read {path}: {error}") from error


def _not_utf8(path: Place, packed: bool, error: UnicodeDecodeError) -> InputFileError:
    """Return the error for text in another encoding, with the line of its first byte that is not UTF-8."""
    place = ""
    with contextlib.suppress(OSError, EOFError, zlib.error), open_binary(path, packed) as lines:
        for number, line in enumerate(lines, 1):
            try:
                line.decode("utf-8", "surrogatepass")
            except UnicodeDecodeError as found:
                error, place = found, f", line {number}"
                break
    byte = error.object[error.start]
    return InputFileError(f"{path}{place}: not UTF-8 (byte 0x{byte:02x}): save the file as UTF-8")


# -- text ------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _open(path: Place, packed: bool, newline: str | None) -> Iterator[TextIO]:
    with open_binary(path, packed) as binary:
        # No UTF-8 text begins like this; UTF-16 without a byte-order mark would pass as text full of null characters.
        head = binary.peek(2)[:2]
        if head in (b"\xff\xfe", b"\xfe\xff") or b"\0" in head:
            raise InputFileError(f"{path}, line 1: not UTF-8 but UTF-16: save the file as UTF-8")
        # Lone surrogates, which broken crawls contain, are kept.
        with io.TextIOWrapper(binary, "utf-8-sig", "surrogatepass", newline) as lines:
            yield lines


def _text(path: Place, packed: bool) -> Iterator[Row]:
    with _open(path, packed, newline=None) as lines:
        for number, line in enumerate(lines, 1):
            yield f"line {number}", {"text": line.removesuffix("\n")}


def _treebank(path: Place, packed: bool) -> Iterator[Row]:
    with _open(path, packed, newline=None) as lines:
        for number, line in enumerate(lines, 1):
            if line.startswith(SENTENCE):
                yield f"line {number}", {"text": line.removeprefix(SENTENCE).removesuffix("\n")}


def _tsv_cells(path: Place, packed: bool) -> Iterator[Cells]:
    with _open(path, packed, newline="\n") as lines:
        for number, line in enumerate(lines, 1):
            bare = line.removesuffix("\n").removesuffix("\r")
            if bare:
                yield number, bare.split("\t")


def _csv_cells(path: Place, packed: bool) -> Iterator[Cells]:
    csv = _own_csv()
    with _open(path, packed, newline="") as lines:
        reader: _CsvReader = csv.reader(lines, strict=True)
        while True:
            began = reader.line_num + 1
            try:
                cells = next(reader, None)
            except csv.Error as error:
                reason = str(error)
                if "unexpected end" in reason:
                    reason = "a quotation mark opens a cell that is never closed"
                raise InputFileError(f"{path}, line {began}: {reason}: quote cells as RFC 4180 says") from error
            if cells is None:
                return
            if cells:
                yield reader.line_num, cells


class _CsvReader(Protocol):
    line_num: int

    def __next__(self) -> list[str]: ...


@functools.cache
def _own_csv() -> ModuleType:
    """Return a second instance of the module that implements `csv`, which takes cells of any size.

    The limit of `csv` itself, 131,072 characters, is a global setting of the process, which is not ours to change.
    """
    spec = importlib.util.find_spec("_csv")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.field_size_limit(LARGEST_CELL)
    return module


def _table(cells_of: Callable[[Place, bool], Iterator[Cells]]) -> Callable[[Place, bool], Iterator[Row]]:
    """Return the reader of a format whose first line names the columns."""

    def read(path: Place, packed: bool) -> Iterator[Row]:
        lines = cells_of(path, packed)
        header = _header(path, lines)
        for number, cells in lines:
            if len(cells) != len(header):
                raise InputValueError(
                    f"{path}, line {number}: the row has {len(cells)} cells, the header {len(header)}: fix the row"
                )
            yield f"line {number}", dict(zip(header, cells, strict=True))

    return read


def _header(path: Place, lines: Iterator[Cells]) -> list[str]:
    _, header = next(lines, (0, []))
    return _without_duplicates(path, header)


def _without_duplicates(path: Place, names: list[str]) -> list[str]:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputValueError(f"{path}: duplicate column {twice!r} among {', '.join(map(repr, names))}: rename one")
    return names


def _jsonl(path: Place, packed: bool) -> Iterator[Row]:
    with _open(path, packed, newline="\n") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise InputFileError(f"{path}, line {number}: invalid JSON: {error}") from error
            yield f"line {number}", _object(path, f"line {number}", row)


def _json(path: Place, packed: bool) -> Iterator[Row]:
    with _open(path, packed, newline="\n") as lines:
        first = next((line for line in lines if line.strip()), "")
        if first.lstrip().startswith("["):
            try:
                rows = json.loads(first + lines.read())
            except json.JSONDecodeError as error:
                raise InputFileError(f"{path}: invalid JSON: {error}") from error
            for number, row in enumerate(rows, 1):
                yield f"row {number}", _object(path, f"row {number}", row)
            return
    yield from _jsonl(path, packed)


def _object(path: Place, place: str, row: object) -> dict[str, object]:
    if not isinstance(row, dict):
        raise InputValueError(f"{path}, {place}: expected a JSON object, got {json.dumps(row)[:40]}")
    return row


# -- Parquet ---------------------------------------------------------------------------------------


@contextlib.contextmanager
def _parquet_file(path: Place, packed: bool) -> Iterator[pyarrow.parquet.ParquetFile]:
    import pyarrow.parquet  # slow to load

    with contextlib.ExitStack() as stack:
        file: Path | IO[bytes] = path if isinstance(path, Path) else stack.enter_context(path.open())
        if packed:  # Parquet is read from its end, which gzip does not support.
            file = stack.enter_context(tempfile.TemporaryFile())
            shutil.copyfileobj(stack.enter_context(open_binary(path, packed)), file)
        try:
            yield stack.enter_context(pyarrow.parquet.ParquetFile(file, page_checksum_verification=True))
        except (pyarrow.ArrowException, UnicodeDecodeError, OverflowError, MemoryError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise InputFileError(f"cannot read {path}: {reason}: restore the file") from error


def _parquet_schema(path: Place, packed: bool) -> pyarrow.Schema:
    with _parquet_file(path, packed) as file:
        # The metadata of `datasets` and pandas describes only the columns of this file.
        schema = file.schema_arrow.remove_metadata()
    _without_duplicates(path, schema.names)
    return schema


def _parquet(path: Place, packed: bool) -> Iterator[Row]:
    with _parquet_file(path, packed) as file:
        _without_duplicates(path, file.schema_arrow.names)
        rows = (row for batch in file.iter_batches(batch_size=BATCH) for row in batch.to_pylist())
        number = 0
        for number, row in enumerate(rows, 1):
            yield f"row {number}", row
        if number != file.metadata.num_rows:  # pages have checksums, the footer has none
            raise InputFileError(f"cannot read {path}: {number} rows of {file.metadata.num_rows}: restore the file")


CELLS: dict[str, Callable[[Place, bool], Iterator[Cells]]] = {".csv": _csv_cells, ".tsv": _tsv_cells}
READERS: dict[str, Callable[[Place, bool], Iterator[Row]]] = {
    ".txt": _text,
    **{name: _table(cells) for name, cells in CELLS.items()},
    ".jsonl": _jsonl,
    ".json": _json,
    ".parquet": _parquet,
    ".conllu": _treebank,
}
