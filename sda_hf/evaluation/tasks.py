"""What an evaluation task is, how its sentence pairs are read, and how a user names one."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sda_hf.errors import InputFileError, InputTypeError, InputValueError, unknown
from sda_hf.evaluation.files import FORMATS, Row, find, read_rows, split_name
from sda_hf.evaluation.pairs import COLUMNS, PairData, pairs_of
from sda_hf.registry import TASKS

METRICS = ("spearman",)
# A name becomes part of a metric key and of a file name.
NAME = re.compile(r"\w[\w.-]*")


class Published(NamedTuple):
    """A published result: the model, its score (correlation times 100) and where it is printed."""

    model: str
    value: float
    source: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Task:
    """Sentence pairs with human scores, and how a model is measured on them.

    Args:
        name: what the task is called in recipes, results and metric keys: letters, digits, ".", "_" and "-".
        title: what it is called in tables.
        metric: the headline figure; "spearman".
        hub_id: dataset id on the Hub; None: local files only.
        hub_config: configuration of the Hub dataset; None: its default.
        hub_split: split of the Hub dataset; None: as `split`.
        split: split, as local file names have it.
        columns: names of the columns with the first sentence, the second sentence and the score.
        local: stems of local files, without "-" and split; any of them is taken. None given: the name.
        pairs: number of pairs of the protocol, which a Hub dataset must have; None: not checked.
        path: the user's own file, which is read in place of any other source.
        published: published results, each (model, correlation times 100, source).

    Raises:
        InputTypeError: `local` or `columns` is a lone string.
        InputValueError: an unusable name, metric or set of columns.

    Example:
        >>> task = Task(name="mine", title="My pairs")
        >>> task.split, task.columns
        ('test', ('sentence1', 'sentence2', 'score'))
    """

    name: str
    title: str
    metric: str = "spearman"
    hub_id: str | None = None
    hub_config: str | None = None
    hub_split: str | None = None
    split: str = "test"
    columns: tuple[str, str, str] = COLUMNS
    local: tuple[str, ...] = ()
    pairs: int | None = None
    path: Path | None = None
    # Left out of the repr, which error messages quote.
    published: tuple[Published, ...] = dataclasses.field(default=(), repr=False)

    def __post_init__(self) -> None:
        for field in ("local", "columns"):
            if isinstance(getattr(self, field), str):
                raise InputTypeError(f"{field} is {getattr(self, field)!r}: give a tuple of strings")
        if not isinstance(self.name, str) or not NAME.fullmatch(self.name):
            raise InputValueError(f'task name {self.name!r}: use letters, digits, ".", "_" and "-"')
        if self.metric not in METRICS:
            raise unknown("metric", self.metric, METRICS)
        if len(self.columns) != 3 or len(set(self.columns)) != 3:
            raise InputValueError(f"task {self.name!r}: columns are three different names, not {self.columns!r}")

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> PairData:
        r"""The pairs, from local files or, without `data_dir`, from the Hub.

        Args:
            data_dir: folder with `<stem>-<split>` files (.tsv, .csv, .jsonl, packed or not, or .parquet); any number
                of rows is taken, so that a subset may be measured. None: the Hub, through `datasets`. A task with a
                `path` reads that file either way.

        Raises:
            InputFileError: a missing or damaged file, or a Hub that cannot be reached.
            InputValueError: a missing column, a score that is no finite number, a sentence that is missing (the
                message has file and row), or a Hub dataset that is not the protocol's.

        Example:
            >>> import tempfile
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     path = Path(folder) / "stsb-test.tsv"
            ...     _ = path.write_text("sentence1\tsentence2\tscore\nIt rains.\tIt pours.\t4.2\n")
            ...     TASKS.get("stsb").read(folder)
            PairData(sentences1=['It rains.'], sentences2=['It pours.'], scores=[4.2])
        """
        if self.path is not None:
            source, rows = str(self.path), read_rows(self.path)
        elif data_dir is not None:
            path = find(Path(data_dir).expanduser(), self._stems())
            source, rows = str(path), read_rows(path)
        else:
            source, rows = f"Hub dataset {self.hub_id}", self._hub_rows()
        return pairs_of(source, rows, self.columns)

    def _stems(self) -> list[str]:
        return [f"{stem}-{self.split}" for stem in self.local or (self.name,)]

    def _hub_rows(self) -> list[Row]:
        wanted = " or ".join(f"{stem}.tsv" for stem in self._stems())
        instead = f"give a folder with {wanted} (or {', '.join(FORMATS[1:])}) as data_dir"
        if self.hub_id is None:
            raise InputFileError(f"task {self.name!r} is not on the Hub: {instead}")
        import datasets  # here, because it is slow to import and local files do without it

        split = self.hub_split or self.split
        try:
            data = datasets.load_dataset(self.hub_id, self.hub_config, split=split)
        except (OSError, ValueError) as error:
            raise InputFileError(f"cannot read {self.hub_id} from the Hub: {error}; {instead}") from error
        if self.pairs is not None and len(data) != self.pairs:
            # The figure would look like the published ones and not be comparable with them.
            raise InputValueError(
                f"{self.hub_id} (split {split}) has {len(data):,} pairs where task {self.name!r} has "
                f"{self.pairs:,}: {instead}"
            )
        return [(f"row {number}", row) for number, row in enumerate(data, 1)]


def register_task(task: Task) -> Task:
    """Enter a task in `TASKS`, so that recipes and the command line know its name.

    Raises:
        ValueError: the name is taken.

    Example:
        >>> register_task(Task(name="stsb", title="Mine"))  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ValueError: task 'stsb' is registered already, as Task(name='stsb', ...
    """
    TASKS.register(task.name)(task)
    return task


TaskSpec = str | os.PathLike[str] | Mapping[str, Any] | Task


def register_pairs(
    name: str,
    title: str,
    hub_id: str | None,
    pairs: int,
    *,
    split: str = "test",
    published: tuple[Published, ...] = (),
    stems: tuple[str, ...] = (),
) -> None:
    """Enter a set of graded pairs of the papers.

    Args:
        name: the stem of its local files with, for a development set, "-dev" behind it.
        title: its name in tables.
        hub_id: its dataset on the Hub; None for none.
        pairs: number of pairs of the protocol.
        split: "test" or "dev", which the Hub calls validation.
        published: published results.
        stems: other stems of its local files.
    """
    register_task(
        Task(
            name=name,
            title=title,
            hub_id=hub_id,
            split=split,
            hub_split={"dev": "validation"}.get(split),
            local=(name.removesuffix("-dev"), *stems),
            pairs=pairs,
            published=published,
        )
    )


def resolve(spec: TaskSpec, base: str | os.PathLike[str] | None = None) -> Task:
    """The task that a user means.

    Args:
        spec: a registered name; the path of a file of graded pairs; a mapping {"name": ..., "path": ...,
            "columns": {"sentence1": ..., "sentence2": ..., "score": ...}}, in which only `path` is needed; or a task,
            which is given back.
        base: folder from which relative paths are seen; None: the working folder.

    Returns:
        A registered task, or one for the file. The file is not touched before it is read.

    Raises:
        InputTypeError: a spec or value of another type.
        InputValueError: an unknown name, key or file format.

    Example:
        >>> resolve("stsb").title
        'STS-B'
        >>> task = resolve({"path": "graded.tsv", "columns": {"score": "gold"}})
        >>> task.name, task.columns
        ('graded', ('sentence1', 'sentence2', 'gold'))
    """
    if isinstance(spec, Task):
        return spec
    if isinstance(spec, Mapping):
        return _file_task(spec, base)
    if not isinstance(spec, (str, os.PathLike)):
        raise InputTypeError(f"a task is a name, a path or a mapping with `path`, not {spec!r}")
    path = Path(spec)
    if isinstance(spec, str) and (spec in TASKS or not (path.suffix or len(path.parts) > 1)):
        task: Task = TASKS.get(spec)
        return task
    return _file_task({"path": spec}, base)


def _file_task(spec: Mapping[str, Any], base: str | os.PathLike[str] | None) -> Task:
    for key in spec:
        if key not in ("name", "path", "columns"):
            raise unknown("key of a task", key, ("name", "path", "columns"))
    path, columns = spec.get("path"), spec.get("columns") or {}
    if not isinstance(path, (str, os.PathLike)):
        given = f"`path` is {path!r}" if "path" in spec else "`path` is missing"
        raise InputTypeError(f"task {dict(spec)!r}: {given}: give the path of a file of graded pairs")
    if not isinstance(columns, Mapping):
        raise InputTypeError(f"columns are a mapping from {', '.join(COLUMNS)} to names in the file, not {columns!r}")
    for key in columns:
        if key not in COLUMNS:
            raise unknown("column role", key, COLUMNS)
    where = Path(base or ".").expanduser() / Path(path).expanduser()
    stem, _ = split_name(where)
    name = spec.get("name")
    if name is None:
        name = re.sub(r"[^\w.-]+", "-", stem).lstrip("-.")
    first, second, score = (columns.get(role, role) for role in COLUMNS)
    return Task(name=name, title=name, path=where, columns=(first, second, score))
