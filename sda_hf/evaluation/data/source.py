"""The source of a task's rows: a dataset on the Hub, or local files with the same columns."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from sda_hf.errors import InputFileError, InputTypeError, InputValueError
from sda_hf.evaluation.data.local import FORMATS, find
from sda_hf.files import Row, read_rows


@dataclasses.dataclass(frozen=True, kw_only=True)
class Source:
    """One split of a dataset, on the Hub or in local files.

    Args:
        files: stems of the local files that together hold the rows, e.g. "stsb-test".
        hub_id: dataset id on the Hub; None: local files only.
        hub_config: configuration of the Hub dataset; None: its default.
        hub_split: split of the Hub dataset, as `load_dataset` takes it: "test", "train+validation".
        hub_revision: revision of the Hub dataset; None: the latest.
        hub_columns: column name in the task → column name in the Hub dataset, where they differ.
        rows: number of rows in the published protocol, which a Hub dataset must match; None: not checked.
        path: a file of the user's own, read instead of any other source.

    Raises:
        InputTypeError: `files` is a single string.

    Example:
        >>> Source(files=("stsb-test",), hub_id="mteb/stsbenchmark-sts").hub_split
        'test'
    """

    files: Sequence[str] = ()
    hub_id: str | None = None
    hub_config: str | None = None
    hub_split: str = "test"
    hub_revision: str | None = None
    hub_columns: Mapping[str, str] = dataclasses.field(default_factory=dict, hash=False)
    rows: int | None = None
    path: Path | None = None

    def __post_init__(self) -> None:
        if isinstance(self.files, str):
            raise InputTypeError(f"files is {self.files!r}: give a tuple of strings")

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> tuple[str, list[Row]]:
        r"""Read the rows from local files or, without `data_dir`, from the Hub.

        Args:
            data_dir: folder that holds the files (.tsv, .csv, .jsonl, optionally gzipped, or .parquet), directly or
                one level below. The number of rows is not checked, so that a subset can be measured. None: the Hub,
                through `datasets`. Ignored by a source with a `path`.

        Returns:
            The name of the source, for error messages, and the rows.

        Raises:
            InputFileError: a file is missing or damaged, or the Hub cannot be reached.
            InputValueError: the Hub dataset does not match the published protocol, or the source does not say where
                its rows are.

        Example:
            >>> import tempfile
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     _ = (Path(folder) / "pairs-test.tsv").write_text("a\tb\nIt rains.\tIt pours.\n")
            ...     Source(files=("pairs-test",)).read(folder)[1]
            [('line 2', {'a': 'It rains.', 'b': 'It pours.'})]
        """
        if self.path is not None:
            return str(self.path), list(read_rows(self.path))
        if self.hub_id is None and not self.files:
            raise InputValueError("a source needs `files`, `hub_id` or `path`: none is given")
        if data_dir is None:
            return f"Hub dataset {self.hub_id}", self._hub_rows()
        if not self.files:
            raise InputValueError(f"Hub dataset {self.hub_id} has no local files: omit data_dir")
        paths = [find(Path(data_dir).expanduser(), stem) for stem in self.files]
        # With several files, each place names its file.
        rows = [
            (place if len(paths) == 1 else f"{path.name}, {place}", row)
            for path in paths
            for place, row in read_rows(path)
        ]
        return str(paths[0] if len(paths) == 1 else data_dir), rows

    def _hub_rows(self) -> list[Row]:
        instead = self._instead()
        if self.hub_id is None:
            raise InputFileError(f"{' and '.join(self.files)}: not on the Hub: {instead}")
        import datasets  # slow to import, and not needed for local files

        try:
            data = datasets.load_dataset(self.hub_id, self.hub_config, split=self.hub_split, revision=self.hub_revision)
        # RuntimeError: the dataset is a script; DatasetsError: it cannot be built from its files.
        except (OSError, ValueError, RuntimeError, datasets.exceptions.DatasetsError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__  # some messages span several lines
            raise InputFileError(f"cannot read {self.hub_id} from the Hub: {reason}; {instead}") from error
        if self.rows is not None and len(data) != self.rows:
            # Its score would look comparable with the published ones without being so.
            raise InputValueError(
                f"{self.hub_id} (split {self.hub_split}) has {len(data):,} rows, the published protocol "
                f"has {self.rows:,}: {instead}"
            )
        names = {column: name for name, column in self.hub_columns.items()}
        rows = ({names.get(column, column): cell for column, cell in row.items()} for row in data)
        return [(f"row {number}", row) for number, row in enumerate(rows, 1)]

    def _instead(self) -> str:
        """Say what to do when the Hub does not have the rows."""
        if not self.files:
            return "change hub_id, hub_config, hub_split or hub_revision, or set path"
        wanted = " and ".join(f"{stem}.tsv" for stem in self.files)
        return f"set data_dir to a folder with {wanted} (or {', '.join(FORMATS[1:])})"
