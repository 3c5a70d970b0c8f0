"""The parts of a job as a source and a sink of Ray Data, whose classes are made when Ray is asked for."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sda_hf.engines.inputs import parts_of
from sda_hf.engines.job import STATE

if TYPE_CHECKING:
    import pyarrow
    from ray.data.datasource import Datasink, Datasource

    from sda_hf.engines.job import JobFolder


def parts_source(files: Mapping[str, range], size: int, schema: pyarrow.Schema | None) -> Datasource:
    """Return the parts of files as a source: each with its number, by which checkpoints know it.

    Args:
        files: URL → the numbers of its parts.
        size: the rows of a part.
        schema: the types of Parquet files; None for other formats.
    """
    from ray.data.block import BlockMetadata
    from ray.data.datasource import Datasource, ReadTask

    class PartsSource(Datasource):  # type: ignore[misc]
        def estimate_inmemory_data_size(self) -> int | None:
            return None

        def get_read_tasks(
            self, parallelism: int, per_task_row_limit: int | None = None, data_context: Any = None
        ) -> list[ReadTask]:
            return [
                ReadTask(
                    functools.partial(_read, url, numbers, size, schema),
                    BlockMetadata(num_rows=len(numbers), size_bytes=None, input_files=[url], exec_stats=None),
                    per_task_row_limit=per_task_row_limit,
                )
                for url, numbers in files.items()
                if numbers
            ]

    return PartsSource()


def _read(url: str, numbers: range, size: int, schema: pyarrow.Schema | None) -> Iterator[pyarrow.Table]:
    import pyarrow

    types = pyarrow.schema([("part", pyarrow.int64()), ("rows", pyarrow.large_binary())])
    for number, rows in zip(numbers, parts_of(url, size, schema), strict=True):
        yield pyarrow.table([[number], pyarrow.array([rows], pyarrow.large_binary())], schema=types)


def parts_sink(folder: JobFolder, filesystem: pyarrow.fs.FileSystem) -> Datasink:
    """Return the folder of a job as a sink.

    Ray writes its checkpoints around what the sink writes. It looks for files of unfinished checkpoints in a folder
    that stays empty: a part that is written again has the same name and content.
    """
    from ray.data.datasource import BlockBasedFileDatasink

    class PartsSink(BlockBasedFileDatasink):  # type: ignore[misc]
        def write_block(self, block: Any, block_index: int, ctx: Any) -> None:
            for row in block.to_arrow().to_pylist():
                folder.write(row["part"], row["content"], row["counts"])

    return PartsSink(f"{folder.folder.path}/{STATE}/unfinished", filesystem=filesystem)
