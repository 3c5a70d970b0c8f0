"""What an evaluation task is."""

from __future__ import annotations

import abc
import dataclasses
import os
import re
from collections.abc import Iterable
from typing import Any, ClassVar, Generic, TypeVar

from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.vectors import Vectors
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.published import Published, published_results

MTEB = "mteb:"
# A name becomes part of a metric key and of a file name.
NAME = re.compile(rf"(?:{MTEB})?\w[\w.-]*")

Data = TypeVar("Data")
NOWHERE = Source()


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
