"""Files in, files out: text, CSV, JSON lines and Parquet, written whole or not at all."""

from __future__ import annotations

import csv
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from sda_hf.augmentation.base import CHUNK, Augmenter, views
from sda_hf.augmentation.columns import text_column, texts_of
from sda_hf.augmentation.rewrite import Rewrite
from sda_hf.errors import InputFileError, InputValueError

FORMATS = (".txt", ".csv", ".tsv", ".jsonl", ".parquet")


@dataclass
class Counts:
    """What one augmenter did.

    Attributes:
        changed: how many rows it rewrote.
        rules: the rewritten rows by rule.
        skips: the skipped rows by reason.
    """

    changed: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    skips: Counter[str] = field(default_factory=Counter)

    def add(self, rewrite: Rewrite) -> None:
        """Count one row."""
        if rewrite.skipped is None:
            self.changed += 1
            self.rules[str(rewrite.rule)] += 1
        else:
            self.skips[rewrite.skipped] += 1


@dataclass
class Summary:
    """What became of a file.

    Attributes:
        rows: how many rows were read.
        seconds: how long it took.
        counts: column → what its augmenter did.
        augmenters: column → its augmenter, fitted on the file's texts if it had to be.
    """

    rows: int = 0
    seconds: float = 0.0
    counts: dict[str, Counts] = field(default_factory=dict)
    augmenters: Mapping[str, Augmenter] = field(default_factory=dict)

    def table_rows(self) -> list[tuple[str, str, int, float]]:
        """(augmenter, rule or reason, rows, share of all rows in %), the most frequent first.

        The row of an augmenter as a whole has an empty second field.
        """
        table: list[tuple[str, str, int, float]] = []
        for name, counts in self.counts.items():
            table.append((name, "", counts.changed, self._share(counts.changed)))
            table += [(name, rule, n, self._share(n)) for rule, n in counts.rules.most_common()]
            table += [(name, f"skipped: {reason}", n, self._share(n)) for reason, n in counts.skips.most_common()]
        return table

    def _share(self, n: int) -> float:
        return 100 * n / self.rows if self.rows else 0.0


def augment_file(
    source: str | Path,
    target: str | Path,
    augmenters: Mapping[str, Augmenter],
    column: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Summary:
    """Add a column for each augmenter to the rows of a file.

    The output appears under its name when it is complete; a run that is killed leaves none. A skipped
    text is written as the augmenter's `on_skip` says.

    Args:
        source: a .txt (one text a line), .csv, .tsv, .jsonl or .parquet file.
        target: where to write, in any of these formats; a .txt takes one augmenter, and only its texts.
        augmenters: column name → augmenter. All must share language and parser. One that learns from a corpus, and
            has not, learns from the texts of the file.
        column: the column of the texts; None for the first of text, sentence, anchor, sentence1.
        progress: called with the number of rows of each chunk that is done.

    Raises:
        InputFileError: `source` cannot be read.
        InputValueError: a format or column that is not known, or a column that is there already.

    Example:
        >>> import json, pathlib, tempfile, sda_hf
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "in.txt").write_text("I am here.")
        >>> summary = augment_file(folder / "in.txt", folder / "out.jsonl", {"negation": sda_hf.Negation()})
        >>> json.loads((folder / "out.jsonl").read_text(encoding="utf-8"))
        {'text': 'I am here.', 'negation': 'I am not here.'}
    """
    source, target = Path(source), Path(target)
    reader, writer = _reader(source), _writer(target)
    if writer is _write_text and len(augmenters) > 1:
        raise InputValueError(f"{target}: a .txt file holds one text a line: give one augmenter, or write .jsonl")
    fitted = {name: _fitted(augmenter, reader(source), column) for name, augmenter in augmenters.items()}
    summary = Summary(counts={name: Counts() for name in augmenters}, augmenters=fitted)
    began = time.perf_counter()
    _write_whole(target, writer, _augmented(reader(source), source, fitted, column, summary, progress))
    summary.seconds = time.perf_counter() - began
    return summary


def _fitted(augmenter: Augmenter, rows: Iterator[dict[str, Any]], column: str | None) -> Augmenter:
    """The augmenter with what it needs of the file's own texts."""
    if augmenter.is_fitted:
        return augmenter
    return augmenter.fit(row[text_column(row, column)] for row in rows)


def _augmented(
    rows: Iterator[dict[str, Any]],
    source: Path,
    augmenters: Mapping[str, Augmenter],
    column: str | None,
    summary: Summary,
    progress: Callable[[int], None] | None,
) -> Iterator[dict[str, Any]]:
    for chunk in _chunks(rows):
        name = text_column(chunk[0], column)
        for new in augmenters:
            if new in chunk[0]:
                raise InputValueError(f"{source}: a column {new!r} is there already: rename it first")
        texts = texts_of([row.get(name) for row in chunk], name)
        viewed = list(views(texts, list(augmenters.values())))
        rewrites = {new: augmenter.rewrite_views(viewed) for new, augmenter in augmenters.items()}
        for i, row in enumerate(chunk):
            new_values = {}
            for new, augmenter in augmenters.items():
                summary.counts[new].add(rewrites[new][i])
                new_values[new] = augmenter.value(rewrites[new][i])
            if not any(v is None and augmenters[k].policy == "drop" for k, v in new_values.items()):
                yield row | new_values
        summary.rows += len(chunk)
        if progress is not None:
            progress(len(chunk))


def _chunks(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    chunk: list[dict[str, Any]] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _write_whole(target: Path, writer: Callable[[Path, Iterator[dict[str, Any]]], None], rows: Any) -> None:
    """Write beside the target, then rename: the name never holds half a file."""
    if not target.parent.is_dir():
        raise InputFileError(f"{target}: there is no folder {target.parent}")
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    os.close(handle)
    part = Path(name)
    try:
        writer(part, rows)
        part.chmod(0o666 & ~_umask(target.parent))
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _umask(folder: Path) -> int:
    """The permission bits that new files here do not get, read without setting the process's umask."""
    with tempfile.TemporaryDirectory(dir=folder, prefix=".") as inside:
        probe = Path(inside) / "probe"
        probe.touch()
        return 0o666 & ~probe.stat().st_mode


# -- formats -------------------------------------------------------------------------------------


def _open(path: Path, mode: str = "r") -> IO[str]:
    # Lone surrogates, which broken crawls hold, go through as they came.
    return open(path, mode, encoding="utf-8", errors="surrogatepass", newline="")


def _read_text(path: Path) -> Iterator[dict[str, Any]]:
    with _open(path) as lines:
        for line in lines:
            yield {"text": line.rstrip("\r\n").removeprefix("\ufeff")}


def _read_table(path: Path) -> Iterator[dict[str, Any]]:
    with _open(path) as lines:
        reader = csv.DictReader(lines, **_dialect(path), strict=True)
        if reader.fieldnames:
            reader.fieldnames = [name.removeprefix("\ufeff") for name in reader.fieldnames]
        for row in reader:
            if None in row or None in row.values():
                raise InputValueError(
                    f"{path}, line {reader.line_num}: {len(reader.fieldnames or ())} columns are named in the header, "
                    "this row has more or fewer"
                )
            yield row


def _read_jsonl(path: Path) -> Iterator[dict[str, Any]]:
    with _open(path) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line.removeprefix("\ufeff"))
            except json.JSONDecodeError as error:
                raise InputValueError(f"{path}, line {number}: no JSON: {error}") from error
            if not isinstance(row, dict):
                raise InputValueError(f"{path}, line {number}: a row must be an object, got {type(row).__name__}")
            yield row


def _read_parquet(path: Path) -> Iterator[dict[str, Any]]:
    import pyarrow
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=CHUNK):
                yield from batch.to_pylist()
    except pyarrow.ArrowInvalid as error:
        raise InputValueError(f"{path} is no Parquet file: {error}") from error


def _write_text(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    with _open(path, "w") as out:
        for row in rows:
            *_, value = row.values()
            # A line per row, so that the files stay parallel: no rewrite is an empty line.
            out.write(f"{value if value is not None else ''}\n")


def _write_table(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    with _open(path, "w") as out:
        writer: csv.DictWriter[str] | None = None
        for row in rows:
            if writer is None:
                delimiter = "\t" if ".tsv." in path.name else ","
                writer = csv.DictWriter(out, list(row), delimiter=delimiter, lineterminator="\n")
                writer.writeheader()
            writer.writerow(row)


def _write_jsonl(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    with _open(path, "w") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")


def _write_parquet(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    import pyarrow
    import pyarrow.parquet

    writer: pyarrow.parquet.ParquetWriter | None = None
    for chunk in _chunks(rows):
        table = pyarrow.Table.from_pylist(chunk, schema=writer.schema if writer else _schema(chunk))
        if writer is None:
            writer = pyarrow.parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is None:
        raise InputValueError("no rows: a Parquet file needs at least one to know its columns")
    writer.close()


def _schema(rows: Sequence[dict[str, Any]]) -> Any:
    """The schema of the first rows; a column without a value in them holds strings."""
    import pyarrow

    schema = pyarrow.Table.from_pylist(list(rows)).schema
    for i, column in enumerate(schema):
        if pyarrow.types.is_null(column.type):
            schema = schema.set(i, pyarrow.field(column.name, pyarrow.string()))
    return schema


def _dialect(path: Path) -> dict[str, Any]:
    return {"delimiter": "\t"} if path.suffix.lower() == ".tsv" else {}


READERS: dict[str, Callable[[Path], Iterator[dict[str, Any]]]] = {
    ".txt": _read_text,
    ".csv": _read_table,
    ".tsv": _read_table,
    ".jsonl": _read_jsonl,
    ".parquet": _read_parquet,
}
WRITERS: dict[str, Callable[[Path, Iterator[dict[str, Any]]], None]] = {
    ".txt": _write_text,
    ".csv": _write_table,
    ".tsv": _write_table,
    ".jsonl": _write_jsonl,
    ".parquet": _write_parquet,
}


def _reader(path: Path) -> Callable[[Path], Iterator[dict[str, Any]]]:
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise InputValueError(f"{path}: unknown format {path.suffix!r}: known are {', '.join(FORMATS)}")
    if not path.is_file():
        raise InputFileError(f"{path}: no such file")
    return reader


def _writer(path: Path) -> Callable[[Path, Iterator[dict[str, Any]]], None]:
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        raise InputValueError(f"{path}: unknown format {path.suffix!r}: known are {', '.join(FORMATS)}")
    return writer
