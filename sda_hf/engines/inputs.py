"""The input of a job: files, and the parts of them that are rewritten together."""

from __future__ import annotations

import hashlib
import io
import itertools
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sda_hf.augmentation.file_columns import column_of_file, texts_with_rows
from sda_hf.errors import InputFileError, InputValueError
from sda_hf.files import format_of, read_columns, read_rows
from sda_hf.files.formats import READ
from sda_hf.files.places import filesystem_of, is_url

if TYPE_CHECKING:
    import pyarrow

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Facts:
    """Facts about a file, found before it is rewritten.

    Attributes:
        rows: the number of its rows.
        digest: of all of them.
        columns: their names.
    """

    rows: int
    digest: str
    columns: tuple[str, ...]


def files_of(source: str | Path) -> dict[str, str]:
    """Return name → path or URL of the files of a job, in the order of their names.

    Args:
        source: a file, or a folder with files of one format, in folders of it as well; hidden ones are left out.

    Raises:
        InputFileError: there is no such file or folder, or no file of a known format in it.
        InputValueError: the files have different formats.
    """
    url = str(source)
    filesystem, path = filesystem_of(url)
    try:
        if filesystem.isfile(path):
            format_of(url)
            return {path.rpartition("/")[2]: url}
        found = sorted(str(name) for name in filesystem.find(path))
    except OSError as error:
        raise InputFileError(f"cannot read {url}: {error}") from error
    names = [name[len(path.rstrip("/")) + 1 :] for name in found]
    shown = [name for name in names if not any(step.startswith((".", "_")) for step in name.split("/"))]
    kept = {name: format_of(name) for name in shown if _suffix(name) in READ}
    if not kept:
        raise InputFileError(f"{url}: no such file, or no file in it: known formats are {', '.join(READ)}")
    if len(set(kept.values())) > 1:
        raise InputValueError(f"{url}: files of several formats, {', '.join(sorted(set(kept.values())))}: give one")
    return {name: f"{url.rstrip('/')}/{name}" if is_url(url) else str(Path(url) / name) for name in kept}


def _suffix(name: str) -> str:
    path = Path(name)
    return Path(path.stem if path.suffix.lower() == ".gz" else name).suffix.lower()


def look(source: str, column: str, new: Collection[str] = ()) -> Facts:
    """Read a file, and return its facts.

    Raises:
        InputFileError: it cannot be read.
        InputTypeError: a text that is not a string.
        InputValueError: it has no such column.
    """
    digest, rows, columns = hashlib.blake2b(digest_size=16), 0, dict.fromkeys(read_columns(source))
    column_of_file(source, columns, column, new)
    for _, (_, row) in texts_with_rows(source, column):
        digest.update(repr(row).encode("utf-8", "surrogatepass"))
        rows += 1
    return Facts(rows, digest.hexdigest(), tuple(columns))


def parts_of(source: str, size: int, schema: pyarrow.Schema | None) -> Iterator[bytes]:
    """Yield the rows of a file in parts, as `packed` stores them; the last one may be smaller."""
    rows = (row for _, row in read_rows(source))
    while part := list(itertools.islice(rows, size)):
        yield packed(part, schema)


def packed(rows: Rows, schema: pyarrow.Schema | None) -> bytes:
    """Return rows as bytes: JSON, in which rows need not have the same columns, or Arrow if there is a schema.

    Example:
        >>> unpacked(packed([{"text": "He left."}, {"id": 1}], None), None)
        [{'text': 'He left.'}, {'id': 1}]
    """
    if schema is None:
        return json.dumps(rows).encode("ascii")
    import pyarrow

    sink = io.BytesIO()
    with pyarrow.ipc.new_stream(sink, schema) as stream:
        stream.write_table(pyarrow.Table.from_pylist(rows, schema=schema))
    return sink.getvalue()


def unpacked(content: bytes, schema: pyarrow.Schema | None) -> Rows:
    """Return the rows that were packed."""
    if schema is None:
        found: Rows = json.loads(content)
        return found
    import pyarrow

    rows: Rows = pyarrow.ipc.open_stream(content).read_all().to_pylist()
    return rows


def numbers(facts: Mapping[str, Facts], size: int) -> dict[str, range]:
    """Return the numbers of the parts of each file.

    Example:
        >>> numbers({"a.txt": Facts(5, "", ()), "b.txt": Facts(0, "", ()), "c.txt": Facts(2, "", ())}, 2)
        {'a.txt': range(0, 3), 'b.txt': range(3, 3), 'c.txt': range(3, 4)}
    """
    found, start = {}, 0
    for name, fact in facts.items():
        parts = -(-fact.rows // size)
        found[name] = range(start, start + parts)
        start += parts
    return found
