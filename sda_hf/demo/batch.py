"""A file of sentences, rewritten."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sda_hf.augmentation.counts import Summary
from sda_hf.augmentation.files import augment_file
from sda_hf.augmentation.options import augmenters_of
from sda_hf.augmentation.pool import Progress
from sda_hf.demo.drawing import escaped
from sda_hf.errors import InputValueError
from sda_hf.files import read_columns, read_rows
from sda_hf.files.spreadsheets import SPREADSHEETS

FORMATS = (".jsonl", ".csv", ".tsv", ".parquet")
UPLOADED = (".txt", ".csv", ".tsv", ".jsonl", ".json", ".parquet", ".gz")
PREVIEW_ROWS, PREVIEW_CHARACTERS = 10, 200
MOST_REASONS = 3  # why texts were skipped, the most frequent first


class Rewritten(NamedTuple):
    """A rewritten file, and what was done to it."""

    path: Path
    summary: Summary


def rewrite_upload(
    source: str | Path,
    folder: str | Path,
    names: Sequence[str],
    language: str = "en",
    suffix: str = ".jsonl",
    coverage: str = "sound",
    progress: Progress | None = None,
) -> Rewritten:
    """Write a file with a column for each augmenter beside those of the source.

    Args:
        source: the file that was uploaded.
        folder: where to write.
        names: those of the augmenters.
        language: of the texts.
        suffix: the format to write, one of `FORMATS`. Spreadsheets run no cell of a .csv or .tsv file as a formula.
        coverage: "sound", or "full" for rewrites that the rules doubt, too.
        progress: called now and then with the number of rows done since, and how many of them were changed.

    Raises:
        InputError: a file or an option is not what it should be.

    Example:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "in.txt").write_text("I am here.", encoding="utf-8")
        >>> done = rewrite_upload(folder / "in.txt", folder, ["negation"])
        >>> done.path.name, done.summary.changed
        ('in-rewritten.jsonl', 1)
    """
    if not names:
        raise InputValueError("no augmenter is chosen: choose one or more")
    if suffix not in FORMATS:
        raise InputValueError(f"format {suffix!r} is not offered: choose one of {', '.join(FORMATS)}")
    stem = Path(source).name.removesuffix(".gz").rpartition(".")[0] or "sentences"
    target = Path(folder) / f"{stem}-rewritten{suffix}"
    summary = augment_file(
        source,
        target,
        augmenters_of(names, language=language, coverage=coverage),
        progress=progress,
        safe_csv=suffix in SPREADSHEETS,
    )
    return Rewritten(target, summary)


def preview(path: str | Path) -> str:
    """Return the first rows of a file as an HTML table; all cells are shown as text.

    Raises:
        InputFileError: the file cannot be read.
    """
    columns = read_columns(path)
    rows = [row for _, row in itertools.islice(read_rows(path), PREVIEW_ROWS)]
    head = "".join(f'<th scope="col" dir="auto">{escaped(column)}</th>' for column in columns)
    body = "".join(f"<tr>{''.join(_cell(row.get(column)) for column in columns)}</tr>" for row in rows)
    caption = "The first rows" if len(rows) == PREVIEW_ROWS else "All rows"
    return (
        f'<div class="sda-scroll" tabindex="0"><table class="sda-rows"><caption>{caption}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def counted(summary: Summary) -> str:
    """Return what was done to a file, as an HTML list."""
    lines = []
    for name, counts in summary.counts.items():
        reasons = ", ".join(f"{reason} ({number:,})" for reason, number in counts.skips.most_common(MOST_REASONS))
        more = len(counts.skips) - MOST_REASONS
        skips = f"; skipped: {reasons}{f' and {more} other reasons' if more > 0 else ''}" if reasons else ""
        lines.append(f"<li><strong>{escaped(name)}</strong>: {counts.changed:,} rewritten{escaped(skips)}</li>")
    return f'<p>{summary.rows:,} rows in {summary.seconds:.1f} s.</p><ul class="sda-counts">{"".join(lines)}</ul>'


def _cell(value: object) -> str:
    if value is None:
        return '<td class="sda-none">none</td>'
    text = str(value)
    shown = escaped(text if len(text) <= PREVIEW_CHARACTERS else f"{text[:PREVIEW_CHARACTERS]}…")
    return f'<td dir="auto">{shown}</td>'
