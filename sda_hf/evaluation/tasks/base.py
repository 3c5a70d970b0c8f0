"""The base class of all evaluation tasks."""

from __future__ import annotations

import abc
import dataclasses
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.vectors import Vectors
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.published import Published, published_results
from sda_hf.files import Row

MTEB = "mteb:"  # prefix of the names of mteb's tasks
# A task's name becomes part of metric keys and file names.
NAME = re.compile(rf"(?:{MTEB})?\w[\w.-]*")

Data = TypeVar("Data")
NO_SOURCE = Source()


@dataclasses.dataclass(frozen=True, kw_only=True)
class Task(abc.ABC, Generic[Data]):
    """Rows of text, and how a model is measured on them.

    Args:
        name: name in recipes, results and metric keys: letters, digits, ".", "_" and "-".
        title: name in tables.
        source: where the rows come from.
        columns: names of the columns, in the order of `roles`.

    Raises:
        InputTypeError: `columns` is a single string.
        InputValueError: the name is invalid, or columns are missing or named twice.
    """

    # The headline metric, and whether a higher one is better.
    metric: ClassVar[str]
    greater_is_better: ClassVar[bool] = True
    # What each column holds.
    roles: ClassVar[tuple[str, ...]]

    name: str
    title: str
    source: Source = NO_SOURCE
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not NAME.fullmatch(self.name):
            raise InputValueError(f'task name {self.name!r}: use letters, digits, ".", "_" and "-"')
        columns: object = self.columns
        if isinstance(columns, str):
            raise InputTypeError(f"columns is {columns!r}: give a tuple of strings")
        if len(set(self.columns)) < max(len(self.columns), len(self.roles)):
            raise InputValueError(
                f"columns is {self.columns!r}: give a different name for each of {', '.join(self.roles)}"
            )

    @abc.abstractmethod
    def read(self, data_dir: str | os.PathLike[str] | None = None) -> Data:
        """Read and check the rows, from local files or, without `data_dir`, from the Hub.

        Raises:
            InputFileError: a file is missing or damaged, or the Hub cannot be reached.
            InputValueError: a column is missing, a cell is invalid (the message names file and row), or the Hub
                dataset does not match the published protocol.
        """

    @abc.abstractmethod
    def texts(self, data: Data) -> Iterable[str]:
        """Return every text whose embedding `measure` needs, with or without duplicates."""

    @abc.abstractmethod
    def measure(self, data: Data, vectors: Vectors) -> Measurement:
        """Measure a model.

        Args:
            data: the rows, from `read`.
            vectors: the embeddings of the texts, and the model.

        Raises:
            InputValueError: the metrics are not defined for these rows or embeddings.
        """

    def keeps(self, row: Mapping[str, object], where: str) -> bool:
        """Whether the task uses a row of its source; by default it uses all of them."""
        return True

    def rows(self, data_dir: str | os.PathLike[str] | None = None) -> list[Row]:
        """Read the rows that the task uses, as (file and line, column → value).

        Raises:
            InputFileError: a file is missing or damaged, or the Hub cannot be reached.
            InputValueError: there are none, or the Hub dataset does not match the published protocol.
        """
        return self._rows_of(self.source, data_dir)

    def _rows_of(self, source: Source, data_dir: str | os.PathLike[str] | None) -> list[Row]:
        origin, rows = source.read(data_dir)
        placed = [(f"{origin}, {place}", row) for place, row in rows]
        kept = [(where, row) for where, row in placed if self.keeps(row, where)]
        if not kept:
            raise InputValueError(f"{origin} has no rows for task {self.name!r}")
        return kept

    def protocol(self) -> dict[str, Any]:
        """Describe what is measured and how, JSON-native: equal protocols on equal rows give equal scores."""
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


AnyTask: TypeAlias = Task[Any]
