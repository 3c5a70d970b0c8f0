"""Rewrite the rows of files: every augmenter adds a column."""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sda_hf.augmentation.base import CHUNK, Augmenter
from sda_hf.augmentation.columns_added import AddedColumns, Outcomes
from sda_hf.augmentation.counts import Counts, Summary
from sda_hf.augmentation.file_columns import column_of_file, texts_with_rows
from sda_hf.augmentation.pool import Progress, WorkFolder, pooled_outcomes
from sda_hf.augmentation.rewrite import Rewrite
from sda_hf.errors import InputValueError
from sda_hf.files import (
    WRITTEN,
    Row,
    check_target,
    format_of,
    read_columns,
    read_schema,
    remove_dead_parts,
    write_rows,
)
from sda_hf.files.places import is_url
from sda_hf.files.spreadsheets import SPREADSHEETS, safe_columns, safe_rows


def augment_file(  # noqa: PLR0913 - they are the options of a command
    source: str | Path,
    target: str | Path,
    augmenters: Mapping[str, Augmenter],
    column: str | None = None,
    progress: Progress | None = None,
    safe_csv: bool = False,
    overwrite: bool = False,
    num_proc: int | None = None,
    copies: int = 1,
) -> Summary:
    """Add a column for each augmenter to the rows of a file.

    The rows are read, rewritten and written a thousand at a time. The output appears under its name once it is
    complete; a run that is killed leaves an existing file unchanged, and the next run with the same output removes its
    temporary file. The augmenter's `on_skip` determines what is written for a skipped text.

    With several processes the output is the same, byte for byte, and a run that is killed goes on when it is called
    again: what is done lies in a hidden folder beside the output until then.

    Args:
        source: a .txt (one text per line), .csv, .tsv, .jsonl or .parquet file, optionally compressed (.gz), or its
            URL; see `sda_hf.files.read_rows`.
        target: the file to write, in any of these formats. A .txt file takes one augmenter and holds only its rewrites.
        augmenters: new column → augmenter. Those that parse must share language and parser. One that has to be fitted
            on a corpus, and is not, is fitted on the texts of the file.
        column: the column of the texts; None for the first of text, sentence, anchor, sentence1.
        progress: called now and then with the number of rows done since, and how many of them were changed.
        safe_csv: put an apostrophe before the texts and column names of a .csv or .tsv file that a spreadsheet would
            run as a formula, such as "=1+1" or "-- he said". By default, cells are written as they are.
        overwrite: whether to replace `target` if it exists; `source` itself is never replaced.
        num_proc: the number of processes; None for this one alone.
        copies: how often each row is written, one pass over the data after another, each with new draws; with several,
            in this process alone.

    Raises:
        InputFileError: `source` cannot be read; or `target` exists already, or cannot be written; or another process,
            or the unfinished work of another call, is in the way.
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
    target = Path(target)
    _check(target, augmenters, safe_csv, num_proc)
    if copies < 1 or (copies > 1 and num_proc is not None):
        raise InputValueError(f"copies={copies}: give a number from 1, and num_proc=None with more than 1")
    remove_dead_parts(target.parent, target.name)
    began = time.perf_counter()
    if num_proc is None:
        check_target(target, overwrite, _local(source))
        job = _Job.of(source, augmenters, column)
        passes = (_computed(job.texts(), job.added.with_epoch(epoch)) for epoch in range(copies))
        rows = itertools.chain.from_iterable(passes) if copies > 1 else _computed(job.texts(), job.added)
        summary = job.write(target, rows, safe_csv, overwrite, progress)
    else:
        check_target(target, True, _local(source))
        work = WorkFolder(target)
        with work.locked():
            check_target(target, overwrite)
            job = _Job.of(source, augmenters, column)
            texts = (text for text, _ in job.texts())
            outcomes = pooled_outcomes(texts, job.added, work, num_proc, overwrite, progress)
            summary = job.write(work.whole, _joined(job.texts(), outcomes), safe_csv, True, None)
            work.publish(overwrite)
    summary.seconds = time.perf_counter() - began
    return summary


def _check(target: Path, augmenters: Mapping[str, Augmenter], safe_csv: bool, num_proc: int | None) -> None:
    """Refuse what the format of the output cannot hold, before anything is read."""
    if format_of(target, WRITTEN) == ".txt" and len(augmenters) > 1:
        raise InputValueError(f"{target}: a .txt file holds one text per line: give one augmenter, or write .jsonl")
    if safe_csv and format_of(target) not in SPREADSHEETS:
        raise InputValueError(
            f"{target}: safe_csv is for {' and '.join(SPREADSHEETS)} files: write one, or leave it out"
        )
    if num_proc is not None and num_proc < 1:
        raise InputValueError(f"num_proc={num_proc}: give the number of processes, from 1")
    AddedColumns(augmenters)


def _local(source: str | Path) -> Path | None:
    return None if is_url(source) else Path(source)


@dataclass(frozen=True)
class _Job:
    """What is read, and what is added to it."""

    source: str | Path
    names: list[str]
    column: str
    added: AddedColumns

    @classmethod
    def of(cls, source: str | Path, augmenters: Mapping[str, Augmenter], column: str | None) -> _Job:
        """Look at a file, and fit the augmenters that need it on its texts."""
        names = read_columns(source)
        column = column_of_file(source, names, column, augmenters)
        fitted = {
            new: augmenter
            if augmenter.is_fitted
            else augmenter.fit(text for text, _ in texts_with_rows(source, column))
            for new, augmenter in augmenters.items()
        }
        return cls(source, names, column, AddedColumns(fitted))

    def texts(self) -> Iterator[tuple[str, Row]]:
        """Return the text of each row, and the row, lazily."""
        return texts_with_rows(self.source, self.column)

    def write(
        self,
        target: Path,
        outcomes: Iterator[tuple[Row, Outcomes]],
        safe_csv: bool,
        overwrite: bool,
        progress: Progress | None,
    ) -> Summary:
        """Write the rows with their new columns."""
        fitted = self.added.augmenters
        schema = None
        if format_of(target) == ".parquet":
            import pyarrow  # slow to load

            schema = pyarrow.schema([*read_schema(self.source), *((new, pyarrow.string()) for new in fitted)])
        summary = Summary(counts={new: Counts() for new in fitted}, augmenters=fitted)
        rows = _augmented(outcomes, self.added, summary, progress)
        if format_of(target) == ".txt":
            rows = ({new: row[new] for new in fitted} for row in rows)
        columns = [*self.names, *fitted]
        if safe_csv:
            renamed = safe_columns(columns)
            rows, columns = safe_rows(rows, renamed), list(renamed.values())
        write_rows(target, rows, columns, schema, overwrite)
        return summary


def _texts(source: str | Path, column: str) -> Iterator[str]:
    return (text for text, _ in texts_with_rows(source, column))


def _computed(texts: Iterator[tuple[str, Row]], added: AddedColumns) -> Iterator[tuple[Row, Outcomes]]:
    """Yield each row with the outcomes for its text."""
    while chunk := list(itertools.islice(texts, CHUNK)):
        outcomes = added.outcomes([text for text, _ in chunk])
        yield from zip((row for _, row in chunk), outcomes, strict=True)


def _joined(texts: Iterator[tuple[str, Row]], outcomes: Iterator[Outcomes]) -> Iterator[tuple[Row, Outcomes]]:
    """Yield each row with the stored outcomes for its text."""
    for (text, row), stored in zip(texts, outcomes, strict=True):
        yield row, {new: _whole(rewrite, text) for new, rewrite in stored.items()}


def _whole(rewrite: Rewrite, text: str) -> Rewrite:
    return dataclasses.replace(rewrite, original=text, text=text if rewrite.skipped is not None else rewrite.text)


def _augmented(
    rows: Iterable[tuple[Row, Outcomes]], added: AddedColumns, summary: Summary, progress: Progress | None
) -> Iterator[dict[str, object]]:
    """Yield the rows with their new columns, and count the outcomes."""
    told = (0, 0)
    for (_, row), outcomes in rows:
        summary.add(outcomes)
        values = added.values(outcomes)
        if values is not None:
            yield {**row, **values}
        if progress is not None and summary.rows % CHUNK == 0:
            progress(summary.rows - told[0], summary.changed - told[1])
            told = (summary.rows, summary.changed)
    if progress is not None and summary.rows > told[0]:
        progress(summary.rows - told[0], summary.changed - told[1])
