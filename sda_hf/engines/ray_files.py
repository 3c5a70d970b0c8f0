"""The parts of a job as a source and a sink of Ray Data."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pyarrow
from ray.data.block import BlockAccessor, BlockMetadata
from ray.data.datasource import BlockBasedFileDatasink, Datasource, ReadTask

from sda_hf.engines.inputs import parts_of
from sda_hf.engines.job import STATE

if TYPE_CHECKING:
    from sda_hf.engines.job import JobFolder

SCHEMA = pyarrow.schema([("part", pyarrow.int64()), ("rows", pyarrow.large_binary())])


class PartsSource(Datasource):  # type: ignore[misc]
    """The parts of files, each with its number, by which checkpoints know it.

    Args:
        files: URL → the numbers of its parts.
        size: the rows of a part.
        schema: the types of Parquet files; None for other formats.
    """

    def __init__(self, files: Mapping[str, range], size: int, schema: pyarrow.Schema | None) -> None:
        super().__init__()
        self.files, self.size, self.types = dict(files), size, schema

    def estimate_inmemory_data_size(self) -> int | None:
        """Return None: it is not known."""
        return None

    def get_read_tasks(
        self, parallelism: int, per_task_row_limit: int | None = None, data_context: Any = None
    ) -> list[ReadTask]:
        """Return a task for each file."""
        return [
            ReadTask(
                functools.partial(_read, url, numbers, self.size, self.types),
                BlockMetadata(num_rows=len(numbers), size_bytes=None, input_files=[url], exec_stats=None),
                SCHEMA,
                per_task_row_limit,
            )
            for url, numbers in self.files.items()
            if numbers
        ]


def _read(url: str, numbers: range, size: int, schema: pyarrow.Schema | None) -> Iterator[pyarrow.Table]:
    for number, rows in zip(numbers, parts_of(url, size, schema), strict=True):
        yield pyarrow.table([[number], pyarrow.array([rows], pyarrow.large_binary())], schema=SCHEMA)


class PartsSink(BlockBasedFileDatasink):  # type: ignore[misc]
    """The folder of a job.

    Ray writes its checkpoints around what this writes. It looks for files of unfinished checkpoints in a folder that
    stays empty: a part that is written again has the same name and content.
    """

    def __init__(self, folder: JobFolder, filesystem: pyarrow.fs.FileSystem) -> None:
        super().__init__(f"{folder.folder.path}/{STATE}/unfinished", filesystem=filesystem)
        self.folder = folder

    def write_block(self, block: BlockAccessor, block_index: int, ctx: Any) -> None:
        """Write the parts of a block."""
        for row in block.to_arrow().to_pylist():
            self.folder.write(row["part"], row["content"], row["counts"])


def parts_source(files: Mapping[str, range], size: int, schema: pyarrow.Schema | None) -> Datasource:
    """Return the parts of files as a source."""
    return PartsSource(files, size, schema)


def parts_sink(folder: JobFolder, filesystem: pyarrow.fs.FileSystem) -> BlockBasedFileDatasink:
    """Return the folder of a job as a sink."""
    return PartsSink(folder, filesystem)
