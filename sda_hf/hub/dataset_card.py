"""A dataset as the Hub wants it: Parquet files, and a card that says what rewrote the sentences and how often."""

from __future__ import annotations

import dataclasses
import html
import itertools
import json
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from sda_hf.errors import InputError, InputValueError

if TYPE_CHECKING:
    import pyarrow

    from sda_hf.hub.upload import Pushed, Target

Rows = Callable[[], Iterator[Mapping[str, Any]]]
# As `datasets` cuts what it pushes.
MOST_BYTES = 500_000_000
# Rows of a row group: the viewer of the Hub reads whole ones.
GROUP = 20_000
EXAMPLES = 10
LONGEST = 200
# Upper bounds of the Hub's size categories.
SIZES = {10**3: "n<1K", 10**4: "1K<n<10K", 10**5: "10K<n<100K", 10**6: "100K<n<1M", 10**7: "1M<n<10M"}


@dataclasses.dataclass(frozen=True)
class Shards:
    """The Parquet files of a dataset.

    Args:
        files: their names below the folder of the dataset.
        columns: the columns.
        rows: the number of rows.
        examples: the first rows.
    """

    files: list[str]
    columns: list[str]
    rows: int
    examples: list[dict[str, Any]]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rewriter:
    """What the card says of an augmenter.

    Args:
        config: its configuration, without folders of this machine.
        source: the paper that it is from.
        limits: its known limits, one line each.
    """

    config: Mapping[str, Any]
    source: str
    limits: Sequence[str]


@dataclasses.dataclass(frozen=True, kw_only=True)
class DatasetCard:
    """The README.md of a dataset with rewritten sentences.

    Args:
        repo_id: where it goes on the Hub.
        shards: its files.
        rewriters: new column → what made it.
        sentences: how many sentences were read.
        counts: (column, rule or reason, sentences, share in %); an empty rule stands for all of the column.
        language: language code of the sentences.
        version: version of this package.
        command: the command that made it; None where there was none.

    Example:
        >>> card = DatasetCard(
        ...     repo_id="me/pairs",
        ...     shards=Shards(
        ...         ["data/train-00000-of-00001.parquet"], ["text", "negation"], 1,
        ...         [{"text": "He left.", "negation": "He didn't leave."}],
        ...     ),
        ...     rewriters={"negation": Rewriter(config={"name": "negation"}, source="SDA", limits=["English alone"])},
        ...     sentences=1, counts=[("negation", "", 1, 100.0)], language="en", version="1.0",
        ... )
        >>> card.render().splitlines()[-3:]
        ['| text | negation |', '|---|---|', "| He left. | He didn't leave. |"]
    """

    repo_id: str
    shards: Shards
    rewriters: Mapping[str, Rewriter]
    sentences: int
    counts: Sequence[tuple[str, str, int, float]]
    language: str
    version: str
    command: str | None = None

    @property
    def name(self) -> str:
        """The name of the dataset, without its owner."""
        return self.repo_id.rsplit("/", 1)[-1]

    def metadata(self) -> str:
        """The card's YAML block."""
        from huggingface_hub import DatasetCardData  # slow to load

        # Files by name, so that those of an earlier and larger push are not read with them.
        files = [{"split": "train", "path": self.shards.files}]
        data = DatasetCardData(
            language=[self.language],
            pretty_name=self.name,
            size_categories=[next((name for most, name in SIZES.items() if self.shards.rows < most), "n>10M")],
            task_categories=["sentence-similarity"],
            tags=["sda-hf", "sentence-transformers"],
            configs=[{"config_name": "default", "data_files": files}],
        )
        return str(data.to_yaml())

    def render(self) -> str:
        """The whole README.md."""
        template = resources.files("sda_hf.hub").joinpath("dataset_card.md").read_text(encoding="utf-8")
        columns = self.shards.columns
        body = Template(template).substitute(
            name=self.name,
            repo_id=self.repo_id,
            version=self.version,
            rows=f"{self.shards.rows:,}",
            language=self.language,
            command="not stated" if self.command is None else f"`{self.command}`",
            columns=_table(("Column", "Holds"), ((f"`{column}`", self._origin(column)) for column in columns)),
            sentences=f"{self.sentences:,}",
            counts=_table(("Column", "Rule, or why not", "Sentences", "Share (%)"), map(_count, self.counts)),
            rewriters="\n\n".join(_rewriter(column, rewriter) for column, rewriter in self.rewriters.items()),
            examples=_table(columns, ([row[column] for column in columns] for row in self.shards.examples)),
        )
        return f"---\n{self.metadata()}\n---\n{body}"

    def _origin(self, column: str) -> str:
        rewriter = self.rewriters.get(column)
        return "what was there" if rewriter is None else f"what `{rewriter.config['name']}` made of the sentence"


def _count(count: tuple[str, str, int, float]) -> tuple[str, str, str, str]:
    column, rule, number, share = count
    return column, rule or "rewritten", f"{number:,}", f"{share:.2f}"


def _rewriter(column: str, rewriter: Rewriter) -> str:
    config = json.dumps(rewriter.config, indent=2, ensure_ascii=False)
    limits = "\n".join(f"- {limit}" for limit in rewriter.limits)
    return f"`{column}` was made by\n\n```json\n{config}\n```\n\nSource: {rewriter.source}. Limits:\n\n{limits}"


def _table(head: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    first, *rest = (f"| {' | '.join(map(_cell, line))} |" for line in (head, *rows))
    return "\n".join([first, f"{'|---' * len(head)}|", *rest])


def _cell(value: Any) -> str:
    """A value as the cell of a table: on one line, not too long, without bars and HTML."""
    text = " ".join(("null" if value is None else str(value)).split())
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return html.escape(text, quote=False).replace("|", "\\|")


# -- files ---------------------------------------------------------------------------------------


def push_rows(rows: Rows, beside: Path, target: Target, card: Callable[[Shards], DatasetCard]) -> Pushed:
    """Sends rows to a dataset repository, as Parquet and with a card.

    Args:
        rows: as for `write_shards`.
        beside: the file with the rows; what is sent is made in a folder beside it, which goes once it was sent.
        target: the repository.
        card: what is said of the files.

    Raises:
        InputFileError: the Hub cannot be reached, or refuses. The folder stays; the message has a command for it.
        InputValueError: the same for a token or a repository; or rows that Parquet cannot store.
    """
    from sda_hf.hub.upload import upload  # slow to load

    folder = Path(tempfile.mkdtemp(prefix=f"{beside.name}.hub-", dir=beside.parent))
    try:
        text = card(write_shards(rows, folder)).render()
        (folder / "README.md").write_text(text, encoding="utf-8")
    except BaseException:
        shutil.rmtree(folder)
        raise
    try:
        pushed = upload(folder, target)
    except InputError as error:
        code = f"from sda_hf.hub.upload import Target, upload; upload({str(folder)!r}, {target!r})"
        raise type(error)(
            f"{error}. {beside} is whole, and can be sent without making it anew: {shlex.join(['python', '-c', code])}"
        ) from error
    shutil.rmtree(folder)
    return pushed


def write_shards(rows: Rows, folder: Path, most_bytes: int = MOST_BYTES) -> Shards:
    """Writes rows as the Parquet files of a split "train".

    Args:
        rows: gives the rows, once to know their columns and once to write them; a column that a row lacks is null.
        folder: where the files go, below "data"; there are none yet.
        most_bytes: size of a file before compression, beyond which another one begins.

    Raises:
        InputValueError: no rows, or a column whose values have no common type.

    Example:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> write_shards(lambda: iter([{"text": "He left."}, {"text": "It rains.", "id": 1}]), folder)
        Shards(files=['data/train-00000-of-00001.parquet'], columns=['text', 'id'], rows=2, examples=[...])
    """
    import pyarrow  # slow to load

    try:
        schema = _schema(rows())
        (folder / "data").mkdir()
        parts, count = _write(rows(), schema, folder / "data", most_bytes)
    except (pyarrow.ArrowException, UnicodeEncodeError, OverflowError) as error:
        raise InputValueError(
            f"the rows cannot be stored as Parquet, in which a column has values of one type and whole characters: "
            f"{error}"
        ) from error
    files = [part.with_name(f"train-{i:05d}-of-{len(parts):05d}.parquet") for i, part in enumerate(parts)]
    for part, file in zip(parts, files, strict=True):
        part.rename(file)
    examples = [{name: row.get(name) for name in schema.names} for row in itertools.islice(rows(), EXAMPLES)]
    return Shards([file.relative_to(folder).as_posix() for file in files], schema.names, count, examples)


def _groups(rows: Iterator[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    while group := list(itertools.islice(rows, GROUP)):
        yield group


def _schema(rows: Iterator[Mapping[str, Any]]) -> pyarrow.Schema:
    """Every column with the type that all its values have; one without values holds strings."""
    import pyarrow

    schemas = []
    for group in _groups(rows):
        names = dict.fromkeys(name for row in group for name in row)
        schemas.append(pyarrow.table({name: [row.get(name) for row in group] for name in names}).schema)
    if not schemas:
        raise InputValueError("no rows: a dataset needs at least one to know its columns")
    schema = pyarrow.unify_schemas(schemas, promote_options="permissive")
    fields = [field.with_type(pyarrow.string()) if pyarrow.types.is_null(field.type) else field for field in schema]
    return pyarrow.schema(fields)


def _write(
    rows: Iterator[Mapping[str, Any]], schema: pyarrow.Schema, folder: Path, most_bytes: int
) -> tuple[list[Path], int]:
    """The files that were written, with names for now, and the number of rows."""
    import pyarrow
    import pyarrow.parquet

    tables = (pyarrow.Table.from_pylist(group, schema=schema) for group in _groups(rows))
    paths: list[Path] = []
    count, table = 0, next(tables, None)
    while table is not None:
        paths.append(folder / f"{len(paths):05d}")
        size = 0
        with pyarrow.parquet.ParquetWriter(paths[-1], schema) as writer:
            while table is not None and (size == 0 or size + table.nbytes <= most_bytes):
                writer.write_table(table)
                size, count = size + table.nbytes, count + table.num_rows
                table = next(tables, None)
    return paths, count
