"""Augmenting the files of a folder on Ray, so that a job that was killed goes on when it is started again."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sda_hf.augmentation.base import CHUNK, Augmenter, views
from sda_hf.augmentation.columns_added import AddedColumns
from sda_hf.augmentation.config import package_version
from sda_hf.augmentation.counts import Counts, Summary
from sda_hf.augmentation.file_columns import column_of_file
from sda_hf.engines.inputs import Facts, files_of, look, numbers, unpacked
from sda_hf.engines.job import CHECKPOINTS, JobFolder, check_format
from sda_hf.engines.ray import Cluster, ray_core, ray_data
from sda_hf.errors import InputError, InputValueError
from sda_hf.files import DiskFullError, disk_is_full, format_of, read_columns, read_rows, read_schema
from sda_hf.files.folders import LocalFolder, folder_of
from sda_hf.files.writing import bytes_of_rows

if TYPE_CHECKING:
    import pyarrow

# Called now and then with the rows done, those of them that were changed, and the rows of all.
Progress = Callable[[int, int, int], None]
# Rows of a part, some seconds of work; more of them if there would be more than so many parts.
PART, MOST_PARTS = 5_000, 20_000
# A reader or writer serves at least so many workers: each of them is a process of its own, of some 200 MB.
SERVED = 4
# Of the actor that knows which parts are done: Ray asks for 1 GiB, which a small machine may not have.
CHECKPOINT_MEMORY = 128 * 2**20
INTERVAL = 2.0


def augment_files(
    source: str | Path,
    target: str | Path,
    augmenters: Mapping[str, Augmenter],
    *,
    column: str | None = None,
    format: str | None = None,
    cluster: Cluster | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Summary:
    """Add a column for each augmenter to the rows of the files of a folder, on Ray.

    The output is a folder of numbered parts, with the rows in their order. What a part holds follows from the input
    alone: not from the number of workers or what was killed. Ray's checkpoints record the parts that are done; the same
    call goes on after them. A text on which an augmenter or its parser fails is skipped, with its reason.

    Args:
        source: a file, or a folder with files of one format, or a URL, such as hf://datasets/me/texts.
        target: a folder or its URL: a new one, or that of the same job. All machines must reach it.
        augmenters: new column → augmenter. Those that parse must share language and parser. One that has to be fitted
            on a corpus, and is not, is fitted on the texts of all files, on this machine.
        column: the column of the texts; None for the first of text, sentence, anchor, sentence1.
        format: that of the output: "jsonl", "parquet", "txt", "csv" or "tsv"; None for "parquet" if the input is, and
            "jsonl" otherwise.
        cluster: where to work; None for that at RAY_ADDRESS, or else one of this machine, stopped at the end.
        overwrite: whether to remove another job from the target.
        progress: called now and then with the rows done, those of them that were changed, and the rows of all.

    Returns:
        How often the texts were rewritten, by rule, and skipped, by reason, those done before included.

    Raises:
        InputFileError: the input cannot be read, or the target holds something else or is in use.
        InputTypeError: a text that is not a string.
        InputValueError: no text column, augmenters that cannot be combined, or no cluster at the address.
        MissingPackageError: Ray is not installed.
    """
    ray_core()
    began = time.perf_counter()
    files = files_of(source)
    kind = format_of(next(iter(files)))
    suffix = check_format(format or ("parquet" if kind == ".parquet" else "jsonl"))
    if suffix == ".txt" and len(augmenters) > 1:
        raise InputValueError(f"{target}: a .txt file holds one text per line: give one augmenter, or another format")
    AddedColumns(augmenters)
    first = next(iter(files.values()))
    column = column_of_file(first, read_columns(first), column, augmenters)
    folder = JobFolder(folder_of(target), suffix)
    settings = _settings(augmenters, column, suffix)
    with folder.locked(), contextlib.ExitStack() as stack:
        folder.check(settings, overwrite)  # before the slow part, to report mistakes at once
        entered = stack.enter_context(cluster or Cluster())
        facts = _look(files, column, tuple(augmenters))
        added = AddedColumns(_fitted(augmenters, files.values(), column))
        identity = {**settings, **_input(facts)}
        summary = folder.begin(identity, overwrite)
        if summary is None:
            work = _Work.of(files, facts, added, column, suffix)
            with _told(folder, work.rows, progress):
                _run(work, folder, entered)
            summary = folder.finish(identity, work.rows, work.parts)
    summary.seconds = time.perf_counter() - began
    summary.augmenters = added.augmenters
    for new in added.augmenters:
        summary.counts.setdefault(new, Counts())
    return summary


def _look(files: Mapping[str, str], column: str, new: tuple[str, ...]) -> dict[str, Facts]:
    """Look at all files, each on a worker."""
    ray = ray_core()
    task = ray.remote(look).options(num_cpus=1, max_retries=-1)
    found = [task.remote(url, column, new) for url in files.values()]
    try:
        return dict(zip(files, ray.get(found), strict=True))
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, InputError):
            raise error.cause from None
        raise


def _fitted(augmenters: Mapping[str, Augmenter], urls: Iterable[str], column: str) -> dict[str, Augmenter]:
    def texts() -> Iterator[str]:
        return (str(row[column]) for url in urls for _, row in read_rows(url))

    return {new: each if each.is_fitted else each.fit(texts()) for new, each in augmenters.items()}


def _settings(augmenters: Mapping[str, Augmenter], column: str, suffix: str) -> dict[str, Any]:
    """Return what must be the same to go on, and is known before the input was read."""
    from datasets.fingerprint import Hasher

    columns = {new: Hasher.hash(augmenter) for new, augmenter in augmenters.items()}
    return {"columns": columns, "column": column, "format": suffix, "version": package_version()}


def _input(facts: Mapping[str, Facts]) -> dict[str, Any]:
    """Return what must be the same of the input."""
    return {"files": [[name, fact.rows, fact.digest] for name, fact in facts.items()], "part": _size(facts)}


def _size(facts: Mapping[str, Facts]) -> int:
    """Return the rows of a part."""
    return max(PART, -(-sum(fact.rows for fact in facts.values()) // MOST_PARTS))


@dataclass(frozen=True)
class _Work:
    """What the workers have to know.

    Attributes:
        files: URL → the numbers of its parts.
        rows: the number of all rows.
        size: the rows of a part.
        read: the types of the input, if it is Parquet.
        written: the types of the output, if it is Parquet.
        columns: those of the output.
    """

    files: dict[str, range]
    rows: int
    size: int
    added: AddedColumns
    column: str
    suffix: str
    columns: tuple[str, ...]
    read: pyarrow.Schema | None = None
    written: pyarrow.Schema | None = None

    @property
    def parts(self) -> int:
        """The number of parts."""
        return max((part.stop for part in self.files.values()), default=0)

    @classmethod
    def of(
        cls, files: Mapping[str, str], facts: Mapping[str, Facts], added: AddedColumns, column: str, suffix: str
    ) -> _Work:
        rows = sum(fact.rows for fact in facts.values())
        size = _size(facts)
        numbered = {files[name]: part for name, part in numbers(facts, size).items()}
        read = written = None
        packed = all(format_of(name) == ".parquet" for name in files)
        if packed or suffix == ".parquet":
            import pyarrow  # slow to load

            unified = pyarrow.unify_schemas(list(map(read_schema, files.values())), promote_options="permissive")
            read = unified if packed else None
            if suffix == ".parquet":
                written = pyarrow.schema([*unified, *((new, pyarrow.string()) for new in added.augmenters)])
        names = dict.fromkeys(name for fact in facts.values() for name in fact.columns)
        return cls(numbered, rows, size, added, column, suffix, (*names, *added.augmenters), read, written)


class _Rewritten:
    """A function of Arrow batches: parts of the input become parts of the output; the parser is loaded once."""

    def __init__(self, work: _Work) -> None:
        self.work = work
        if work.added.shared.parses:
            next(views(["."], [work.added.shared]))

    def __call__(self, batch: pyarrow.Table) -> pyarrow.Table:
        import pyarrow

        done = [self.part(content) for content in batch.column("rows").to_pylist()]
        columns = [
            batch.column("part"),
            pyarrow.array([content for content, _ in done], pyarrow.large_binary()),
            pyarrow.array([counts for _, counts in done], pyarrow.string()),
        ]
        return pyarrow.table(columns, names=["part", "content", "counts"])

    def part(self, content: bytes) -> tuple[bytes, str]:
        """Return a part of the output, and the counts as JSON."""
        work, summary, written = self.work, Summary(), []
        rows = unpacked(content, work.read)
        for start in range(0, len(rows), CHUNK):
            chunk = rows[start : start + CHUNK]
            for row, outcomes in zip(chunk, work.added.outcomes([row[work.column] for row in chunk]), strict=True):
                summary.add(outcomes)
                values = work.added.values(outcomes)
                if values is not None:
                    written.append(values if work.suffix == ".txt" else {**row, **values})
        whole = bytes_of_rows(f"part{work.suffix}", written, work.columns, work.written)
        return whole, json.dumps(summary.to_dict())


def _run(work: _Work, folder: JobFolder, cluster: Cluster) -> None:
    """Rewrite all parts that are not done yet."""
    from sda_hf.engines.ray_files import parts_sink, parts_source

    ray, data = ray_core(), ray_data()
    checkpoint, filesystem = _checkpoint(folder)
    source = parts_source(work.files, work.size, work.read)
    # Reading and writing take no CPU to speak of, and have to go on when rewriting takes all of them.
    few = -(-cluster.size // SERVED)
    rows = data.read_datasource(source, override_num_blocks=max(1, len(work.files)), num_cpus=0, concurrency=few)
    context = rows.context
    context.enable_progress_bars = False
    context.target_max_block_size = 1  # a block for each part, so that all workers get some
    context.checkpoint_config = checkpoint
    done = rows.map_batches(
        _Rewritten,
        fn_constructor_kwargs={"work": work},
        batch_size=1,
        batch_format="pyarrow",
        compute=data.ActorPoolStrategy(min_size=1, max_size=cluster.size),
        # Ray's filter of what is done takes a CPU: on a cluster that has only one, nothing else would get it.
        num_cpus=1 if ray.cluster_resources().get("CPU", 1) > 1 else 0,
    )
    try:
        done.write_datasink(parts_sink(folder, filesystem), ray_remote_args={"num_cpus": 0}, concurrency=few)
    except ray.exceptions.RayError as error:
        cause = fixable(error, folder)
        if cause is None:
            raise
        raise cause from error


def fixable(error: BaseException, folder: JobFolder) -> InputError | None:
    """Return the error that the user can fix, if that was the cause of an error of Ray."""
    cause: BaseException | None = error
    while cause is not None:
        # Ray's error is an instance of the class of its cause, too, but its message is a traceback.
        if not isinstance(cause, ray_core().exceptions.RayError):
            if isinstance(cause, InputError):
                return cause
            if disk_is_full(cause):
                return DiskFullError(f"cannot write to {folder.folder}: {cause}: free some space, then try again")
        cause = getattr(cause, "cause", None) or cause.__cause__
    return None


def _checkpoint(folder: JobFolder) -> tuple[Any, Any]:
    """Return Ray's configuration of checkpoints, and the file system of the job as Arrow knows it."""
    from pyarrow import fs
    from ray.data.checkpoint import CheckpointConfig

    place = folder.folder
    filesystem = (
        fs.LocalFileSystem() if isinstance(place, LocalFolder) else fs.PyFileSystem(fs.FSSpecHandler(place.filesystem))
    )
    # The checkpoints are removed when the job says that it is finished: were they removed before, and the driver killed
    # in between, it would all begin again.
    config = CheckpointConfig(
        id_column="part",
        checkpoint_path=f"{place.path}/{CHECKPOINTS}",
        override_filesystem=filesystem,
        delete_checkpoint_on_success=False,
    )
    config.checkpoint_actor_memory_bytes = CHECKPOINT_MEMORY
    return config, filesystem


@contextlib.contextmanager
def _told(folder: JobFolder, rows: int, progress: Progress | None) -> Iterator[None]:
    """Tell the progress now and then, while the block runs."""
    if progress is None:
        yield
        return
    ended = threading.Event()

    def tell() -> None:
        counted = folder.counted()
        progress(counted.rows, counted.changed, rows)

    def tell_again() -> None:
        while not ended.wait(INTERVAL):
            tell()

    tell()
    teller = threading.Thread(target=tell_again, name="sda-hf-progress", daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()
    tell()
