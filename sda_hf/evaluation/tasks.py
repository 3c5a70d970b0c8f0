"""What an evaluation task is, and how a user names one."""

from __future__ import annotations

import abc
import dataclasses
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputTypeError, InputValueError, unknown
from sda_hf.evaluation.files import split_name
from sda_hf.evaluation.publications import Published, published_results
from sda_hf.evaluation.source import Source
from sda_hf.evaluation.vectors import Vectors
from sda_hf.registry import TASKS

MTEB = "mteb:"
# A name becomes part of a metric key and of a file name.
NAME = re.compile(rf"(?:{MTEB})?\w[\w.-]*")
# Figures on their own scale, and numbers of rows; every other figure is a share or correlation times 100.
PLAIN = ("cosine", "difference", "alignment", "uniformity", "length_bias", "jaccard")
COUNTS = ("pairs", "rows")

Data = TypeVar("Data")
NOWHERE = Source()


@dataclasses.dataclass(frozen=True)
class Measurement:
    """What a model scored on a task.

    Args:
        metrics: name → figure; the headline first, the number of rows last. Correlations, accuracies and F1 are times
            100; cosines, alignment and uniformity are as they are.
        items: one figure a row: a similarity, or 1 for right and 0 for wrong; what the headline is made of.
        gold: the human score of each row, where the headline is the correlation of `items` with it; None where it is
            the mean of `items`.

    Example:
        >>> Measurement({"accuracy": 50.0, "triples": 2}, np.array([1.0, 0.0])).headline
        ('accuracy', 50.0)
    """

    metrics: dict[str, float]
    items: NDArray[np.float64]
    gold: NDArray[np.float64] | None = None

    @property
    def headline(self) -> tuple[str, float]:
        """Name and value of the figure that tables show."""
        return next(iter(self.metrics.items()))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Task(abc.ABC, Generic[Data]):
    """Rows, and how a model is measured on them.

    Args:
        name: what the task is called in recipes, results and metric keys: letters, digits, ".", "_" and "-".
        title: what it is called in tables.
        source: where the rows come from.
        columns: names of the columns, in the order of the roles.

    Raises:
        InputTypeError: `columns` is a lone string.
        InputValueError: an unusable name, too few columns, or a column that is named twice.
    """

    # The headline figure, and whether more of it is better.
    metric: ClassVar[str]
    greater_is_better: ClassVar[bool] = True
    # What the columns of a row are for.
    roles: ClassVar[tuple[str, ...]]

    name: str
    title: str
    source: Source = NOWHERE
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not NAME.fullmatch(self.name):
            raise InputValueError(f'task name {self.name!r}: use letters, digits, ".", "_" and "-"')
        columns: Any = self.columns
        if isinstance(columns, str):
            raise InputTypeError(f"columns is {columns!r}: give a tuple of strings")
        if len(set(self.columns)) < max(len(self.columns), len(self.roles)):
            raise InputValueError(f"columns are different names for {', '.join(self.roles)}, not {self.columns!r}")

    @abc.abstractmethod
    def read(self, data_dir: str | os.PathLike[str] | None = None) -> Data:
        """The rows, from local files or, without `data_dir`, from the Hub.

        Raises:
            InputFileError: a missing or damaged file, or a Hub that cannot be reached.
            InputValueError: a missing column, a cell that is not what it should be (the message has file and row), or
                a Hub dataset that is not the protocol's.
        """

    @abc.abstractmethod
    def texts(self, data: Data) -> Iterable[str]:
        """Every text that `measure` needs the embedding of; one may come more than once."""

    @abc.abstractmethod
    def measure(self, data: Data, vectors: Vectors) -> Measurement:
        """Measures a model.

        Args:
            data: what `read` gave.
            vectors: the embeddings of the texts, and the model.

        Raises:
            InputValueError: data or embeddings for which the figures are not defined.
        """

    def protocol(self) -> dict[str, Any]:
        """What is measured and how, JSON-native: equal protocols on equal rows give equal figures."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        options = {
            name: value
            for name, value in values.items()
            if name not in ("name", "title") and not isinstance(value, Source)
        }
        return {"task": self.name, "kind": type(self).__name__, **options}

    @property
    def published(self) -> tuple[Published, ...]:
        """The papers' results on this task."""
        return () if self.source.path is not None else published_results(self.name)


AnyTask = Task[Any]
TaskSpec = str | os.PathLike[str] | Mapping[str, Any] | AnyTask
TaskType = TypeVar("TaskType", bound=AnyTask)

# Group → names of its tasks, filled by the modules that register them.
GROUPS: dict[str, tuple[str, ...]] = {}
# Kind of the user's own file → task class, filled in the same way.
KINDS: dict[str, type[AnyTask]] = {}
DEFAULT_KIND = "pairs"


def register_task(task: TaskType) -> TaskType:
    """Enter a task in `TASKS`, so that recipes and the command line know its name.

    Raises:
        ValueError: the name is taken.
    """
    TASKS.register(task.name)(task)
    return task


def kind(name: str) -> Callable[[type[TaskType]], type[TaskType]]:
    """Decorator that lets users measure files of their own with a task class."""

    def enter(cls: type[TaskType]) -> type[TaskType]:
        KINDS[name] = cls
        return cls

    return enter


def resolve_all(specs: Sequence[TaskSpec], base: str | os.PathLike[str] | None = None) -> list[AnyTask]:
    """The tasks that a user means, with groups in their parts and each task once.

    Args:
        specs: names of groups ("sts", "transfer", "zh", "negation", ...), or what `resolve` takes.
        base: folder from which relative paths are seen; None: the working folder.

    Raises:
        InputTypeError: `specs` is a lone string, task or mapping, or a spec or value has another type.
        InputValueError: no tasks, an unknown name, or two tasks of one name.

    Example:
        >>> [task.name for task in resolve_all(["zh", "stsb", "zh-stsb"])]
        ['atec', 'bq', 'lcqmc', 'pawsx', 'zh-stsb', 'stsb']
    """
    if isinstance(specs, (str, os.PathLike)):
        raise InputTypeError(f"tasks is {specs!r}: give a list of tasks, [{str(specs)!r}]")
    if isinstance(specs, Mapping) or not isinstance(specs, Iterable):
        raise InputTypeError(f"tasks is {specs!r}: give a list of tasks")
    TASKS.load()  # which fills the groups
    parts = [part for spec in specs for part in (GROUPS.get(spec, (spec,)) if isinstance(spec, str) else (spec,))]
    tasks: dict[str, AnyTask] = {}
    for task in (resolve(part, base) for part in parts):
        if tasks.setdefault(task.name, task) != task:
            raise InputValueError(f"two tasks are called {task.name!r}: results go by name, give each its own")
    if not tasks:
        raise InputValueError("tasks is empty: give at least one task")
    return list(tasks.values())


def resolve(spec: TaskSpec, base: str | os.PathLike[str] | None = None) -> AnyTask:
    """The task that a user means.

    Args:
        spec: a registered name; "mteb:" and the name of a task of mteb; the path of a file of graded pairs, or of
            another kind with "triples:", "ordered-pairs:", "candidates:" or "negated:" before it; a mapping {"name":
            ..., "path": ..., "kind": ..., "columns": {role: name in the file}}, in which only `path` is needed; or a
            task, which is given back.
        base: folder from which relative paths are seen; None: the working folder.

    Returns:
        A registered task, or one for the file. The file is not touched before it is read.

    Raises:
        InputTypeError: a spec or value of another type.
        InputValueError: an unknown name, key, kind or file format, or the name of a group.

    Example:
        >>> resolve("stsb").title
        'STS-B'
        >>> resolve({"path": "graded.tsv", "columns": {"score": "gold"}}).name
        'graded'
        >>> resolve("triples:data/nli.jsonl").metric
        'accuracy'
    """
    if isinstance(spec, Task):
        return spec
    if isinstance(spec, Mapping):
        return _file_task(spec, base)
    if not isinstance(spec, (str, os.PathLike)):
        raise InputTypeError(f"a task is a name, a path or a mapping with `path`, not {spec!r}")
    if isinstance(spec, str):
        if spec.startswith(MTEB):
            from sda_hf.evaluation.mteb_task import MtebTask

            return MtebTask.of(spec.removeprefix(MTEB))
        TASKS.load()
        before, _, after = spec.partition(":")
        if after and before in KINDS:
            return _file_task({"path": after, "kind": before}, base)
        if spec in TASKS or not (Path(spec).suffix or len(Path(spec).parts) > 1):
            return _named(spec)
    return _file_task({"path": spec}, base)


def _named(name: str) -> AnyTask:
    if name not in TASKS and name in GROUPS:
        raise InputValueError(f"{name!r} is a group of tasks: choose one of {', '.join(GROUPS[name])}")
    if name not in TASKS:
        raise unknown("task", name, {*TASKS, *GROUPS})
    task: AnyTask = TASKS.get(name)
    return task


def _file_task(spec: Mapping[str, Any], base: str | os.PathLike[str] | None) -> AnyTask:
    TASKS.load()
    for key in spec:
        if key not in ("name", "path", "kind", "columns"):
            raise unknown("key of a task", key, ("name", "path", "kind", "columns"))
    path, columns, chosen = spec.get("path"), spec.get("columns") or {}, spec.get("kind") or DEFAULT_KIND
    if not isinstance(path, (str, os.PathLike)):
        given = f"`path` is {path!r}" if "path" in spec else "`path` is missing"
        raise InputTypeError(f"task {dict(spec)!r}: {given}: give the path of a file of rows")
    if chosen not in [*KINDS]:  # a list: what a user gives may have no hash
        raise unknown("kind of task", chosen, KINDS)
    cls = KINDS[chosen]
    where = Path(base or ".").expanduser() / Path(path).expanduser()
    stem, _ = split_name(where)
    name = spec.get("name")
    if name is None:
        name = re.sub(r"[^\w.-]+", "-", stem).lstrip("-.")
    return cls(name=name, title=name, source=Source(path=where), columns=_columns(columns, cls))


def _columns(columns: Any, cls: type[AnyTask]) -> tuple[str, ...]:
    if not isinstance(columns, Mapping):
        raise InputTypeError(f"columns are a mapping from {', '.join(cls.roles)} to names in the file, not {columns!r}")
    for key in columns:
        if key not in cls.roles:
            raise unknown("column role", key, cls.roles)
    return tuple(columns.get(role, role) for role in cls.roles)
