"""Where the rows of a task come from: a dataset on the Hub, or local files with the same columns."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from sda_hf.errors import InputFileError, InputTypeError, InputValueError
from sda_hf.evaluation.data.files import FORMATS, Row, find, read_rows


@dataclasses.dataclass(frozen=True, kw_only=True)
class Source:
    """One set of rows, such as the test split of a dataset.

    Args:
        files: stems of the local files that together hold the rows, such as "stsb-test".
        hub_id: dataset id on the Hub; None: local files only.
        hub_config: configuration of the Hub dataset; None: its default.
        hub_split: split of the Hub dataset, as `load_dataset` takes it: "test", "train+validation".
        hub_revision: revision of the Hub dataset; None: the newest.
        hub_columns: name that the task uses → name in the Hub dataset, where the two differ.
        rows: number of rows of the protocol, which a Hub dataset must have; None: not checked.
        path: the user's own file, which is read in place of any other source.

    Raises:
        InputTypeError: `files` is a lone string.

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
        r"""The rows, from local files or, without `data_dir`, from the Hub.

        Args:
            data_dir: folder with the files (.tsv, .csv, .jsonl, packed or not, or .parquet) in it or one level below;
                any number of rows is taken, so that a subset may be measured. None: the Hub, through `datasets`. A
                source with a `path` reads that file either way.

        Returns:
            Where the rows are from, for messages, and the rows.

        Raises:
            InputFileError: a missing or damaged file, or a Hub that cannot be reached.
            InputValueError: a Hub dataset that is not the protocol's, or a source without the place that is asked for.

        Example:
            >>> import tempfile
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     _ = (Path(folder) / "pairs-test.tsv").write_text("a\tb\nIt rains.\tIt pours.\n")
            ...     Source(files=("pairs-test",)).read(folder)[1]
            [('line 2', {'a': 'It rains.', 'b': 'It pours.'})]
        """
        if self.path is not None:
            return str(self.path), read_rows(self.path)
        if self.hub_id is None and not self.files:
            raise InputValueError("a source needs a place where its rows are: give it `files`, `hub_id` or `path`")
        if data_dir is None:
            return f"Hub dataset {self.hub_id}", self._hub_rows()
        if not self.files:
            raise InputValueError(f"Hub dataset {self.hub_id} has no local files: leave data_dir out")
        paths = [find(Path(data_dir).expanduser(), stem) for stem in self.files]
        # Each place names its file where there are several.
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
        import datasets  # here, because it is slow to import and local files do without it

        try:
            data = datasets.load_dataset(self.hub_id, self.hub_config, split=self.hub_split, revision=self.hub_revision)
        # RuntimeError: a dataset that is a script; DatasetsError: one that cannot be made of its files.
        except (OSError, ValueError, RuntimeError, datasets.exceptions.DatasetsError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__  # some have several lines
            raise InputFileError(f"cannot read {self.hub_id} from the Hub: {reason}; {instead}") from error
        if self.rows is not None and len(data) != self.rows:
            # The figure would look like the published ones and not be comparable with them.
            raise InputValueError(
                f"{self.hub_id} (split {self.hub_split}) has {len(data):,} rows where the protocol has "
                f"{self.rows:,}: {instead}"
            )
        names = {column: name for name, column in self.hub_columns.items()}
        rows = ({names.get(column, column): cell for column, cell in row.items()} for row in data)
        return [(f"row {number}", row) for number, row in enumerate(rows, 1)]

    def _instead(self) -> str:
        """What to do where the Hub does not give the rows."""
        if not self.files:
            return "give the source another hub_id, hub_config, hub_split or hub_revision, or a path"
        wanted = " and ".join(f"{stem}.tsv" for stem in self.files)
        return f"give a folder with {wanted} (or {', '.join(FORMATS[1:])}) as data_dir"
