"""Rewriting the texts of a file in several processes, by `datasets`, so that a run that was killed can go on.

What is done lies in a hidden folder beside the output until the output is whole:

- job.json: what is rewritten and how, by which another run recognizes it;
- texts.arrow: the texts, of which `map` gives each process a share;
- the outcomes of each step, in the cache files of `datasets`, of which another run makes those that are missing;
- the output itself, just before it gets its name.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sda_hf.augmentation.base import CHUNK, views
from sda_hf.augmentation.columns_added import AddedColumns, Outcomes
from sda_hf.augmentation.rewrite import Rewrite
from sda_hf.augmentation.workers import end_with_parent
from sda_hf.errors import InputFileError
from sda_hf.files import DiskFullError, disk_is_full, publish, remove, replacing, write_whole
from sda_hf.files.locks import LOCK, folder_lock

if TYPE_CHECKING:
    import pyarrow
    from datasets import Dataset

Progress = Callable[[int, int], None]
# Rows of a step for each process: some ten seconds of work, against a tenth of a second to start a process.
STEP = 5_000
JOB, TEXTS = "job.json", "texts.arrow"
# The parts of an outcome, as they are stored. Texts may hold lone surrogates, which Arrow's strings do not.
PARTS = ("text", "rule", "skipped")


class WorkFolder:
    """The hidden folder in which an output is made.

    Args:
        target: the output.
    """

    def __init__(self, target: Path) -> None:
        self.target = target
        self.path = target.with_name(f".{target.name}.sda-hf")
        self.whole = self.path / target.name

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder, so that no other process works in it.

        Raises:
            InputFileError: another process does, or the folder cannot be made.
        """
        try:
            with folder_lock(self.path):
                if self._is_published:
                    self.clear()
                yield
        finally:
            with contextlib.suppress(OSError):  # not empty: the work goes on another time, or another process is at it
                self.path.rmdir()

    def claim(self, facts: Mapping[str, Any], step: int, overwrite: bool) -> int:
        """Begin a job, or go on with it, and return the rows of a step.

        Args:
            facts: what must be the same to go on.
            step: the rows of a step, if the job begins.
            overwrite: give up another job.

        Raises:
            InputFileError: the folder holds another job.
        """
        there = self._job()
        if there is not None and there["facts"] == facts:
            return int(there["step"])
        if there is not None and not overwrite:
            raise InputFileError(
                f"{self.target}: {self.path} holds the unfinished work of another command (other texts, augmenters or "
                "version of sda-hf): give another name, or overwrite it (overwrite=True, --overwrite)"
            )
        self.clear(keep=TEXTS)
        write_whole(self.path / JOB, json.dumps({"facts": facts, "step": step}, indent=2) + "\n")
        return step

    def publish(self, overwrite: bool) -> None:
        """Give the output its name, and remove everything else.

        Raises:
            InputFileError: the target exists, and `overwrite` is False.
        """
        write_whole(self.path / "published", "")
        publish(self.whole, self.target, overwrite)
        self.clear()

    def clear(self, keep: str | None = None) -> None:
        """Remove everything but the lock and the file to keep; the job last, so that what is left has one."""
        entries = sorted(self.path.iterdir(), key=lambda entry: entry.name in (JOB, "published"))
        for entry in entries:
            if entry.name not in (LOCK, keep):
                remove(entry)

    @property
    def _is_published(self) -> bool:
        """Whether the output had its name, and only the removal of the folder was cut short."""
        return (self.path / "published").exists() and not self.whole.exists()

    def _job(self) -> dict[str, Any] | None:
        try:
            found = json.loads((self.path / JOB).read_text(encoding="utf-8"))
            return {"facts": found["facts"], "step": found["step"]}
        except (OSError, ValueError, KeyError, TypeError):
            return None


def pooled_outcomes(
    texts: Iterable[str],
    added: AddedColumns,
    work: WorkFolder,
    num_proc: int,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Iterator[Outcomes]:
    """Return the outcomes for texts, made by several processes and stored step by step in a folder that is locked.

    Args:
        texts: the texts; all are read at once.
        added: the augmenters.
        work: the folder.
        num_proc: the number of processes.
        overwrite: whether to give up the work of another command.
        progress: called after each step with its rows, and how many of them were changed.

    Raises:
        InputFileError: the folder holds the work of another command.
    """
    from datasets import Dataset
    from datasets.fingerprint import Hasher

    rows, digest = _store(texts, work.path / TEXTS)
    facts = {"texts": digest, "columns": {new: Hasher.hash(each) for new, each in added.augmenters.items()}}
    step = work.claim(facts, STEP * num_proc, overwrite)
    if added.shared.parses:
        next(views(["."], [added.shared]))  # the processes are copies of this one, which then has the parser
    done: list[Dataset] = []
    stored = Dataset.from_file(str(work.path / TEXTS))
    for start in range(0, rows, step):
        share = stored.select(range(start, min(start + step, rows)))
        cache = work.path / f"outcomes-{start:012d}.arrow"
        with _disk_full_named(work.target):
            done.append(_mapped(share, added, cache, num_proc, f"{digest}{start:x}"))
        if progress is not None:
            progress(len(share), _changed(done[-1], len(added.augmenters)))
    return (outcomes for part in done for outcomes in _read(part, list(added.augmenters)))


@contextlib.contextmanager
def _disk_full_named(target: Path) -> Iterator[None]:
    """Say that the disk is full in a line."""
    try:
        yield
    except Exception as error:
        if disk_is_full(error):
            raise DiskFullError(f"cannot write {target}: no space left: free some, then run it again") from error
        raise


def _store(texts: Iterable[str], path: Path) -> tuple[int, str]:
    """Write texts to an Arrow file; return their number and a digest."""
    import pyarrow

    digest, rows, remaining = hashlib.blake2b(digest_size=16), 0, iter(texts)
    schema = pyarrow.schema([("text", pyarrow.binary())])
    with replacing(path) as temporary, pyarrow.ipc.new_stream(str(temporary), schema) as stream:
        while chunk := [_bytes(text) for text in itertools.islice(remaining, CHUNK)]:
            rows += len(chunk)
            for content in chunk:
                digest.update(b"%d:%b" % (len(content), content))
            stream.write_batch(pyarrow.record_batch([pyarrow.array(chunk, pyarrow.binary())], schema))
    return rows, digest.hexdigest()


def _mapped(texts: Dataset, added: AddedColumns, cache: Path, num_proc: int, fingerprint: str) -> Dataset:
    """Return the outcomes for the texts of a step; what the cache files hold is not made again."""
    from datasets import Features, Value

    names = [f"{part}{i}" for i in range(len(added.augmenters)) for part in PARTS]
    return texts.map(
        _Stored(added),
        batched=True,
        batch_size=CHUNK,
        num_proc=num_proc if len(texts) > 1 else 1,
        remove_columns=["text"],
        features=Features({name: Value("binary") for name in names}),
        cache_file_name=str(cache),
        load_from_cache_file=True,
        new_fingerprint=fingerprint,
    )


class _Stored:
    """Rewrites a batch of stored texts, and stores the outcomes."""

    def __init__(self, added: AddedColumns) -> None:
        self.added = added

    def __call__(self, batch: Mapping[str, list[bytes]]) -> dict[str, list[bytes | None]]:
        end_with_parent()
        columns: dict[str, list[bytes | None]] = {}
        all_outcomes = self.added.outcomes([_text(content) for content in batch["text"]])
        for outcomes in all_outcomes:
            self.added.values(outcomes)  # raises with on_skip="raise"
        for i, new in enumerate(self.added.augmenters):
            rewrites = [outcomes[new] for outcomes in all_outcomes]
            columns[f"text{i}"] = [None if r.skipped is not None else _bytes(r.text) for r in rewrites]
            columns[f"rule{i}"] = [None if r.rule is None else _bytes(r.rule) for r in rewrites]
            columns[f"skipped{i}"] = [None if r.skipped is None else _bytes(r.skipped) for r in rewrites]
        return columns


def _changed(outcomes: Dataset, columns: int) -> int:
    """Return the number of rows that any augmenter changed."""
    changed = 0
    for table in outcomes.with_format("arrow").iter(batch_size=CHUNK):
        texts = (table.column(f"text{i}").to_pylist() for i in range(columns))
        changed += sum(any(text is not None for text in row) for row in zip(*texts, strict=True))
    return changed


def _read(outcomes: Dataset, names: list[str]) -> Iterator[Outcomes]:
    """Yield the outcomes for each row, without edits; the original of a text that was skipped is not stored."""
    for table in outcomes.with_format("arrow").iter(batch_size=CHUNK):
        columns = [_rewrites(table, i) for i in range(len(names))]
        for rewrites in zip(*columns, strict=True):
            yield dict(zip(names, rewrites, strict=True))


def _rewrites(table: pyarrow.Table, i: int) -> list[Rewrite]:
    parts = (table.column(f"{part}{i}").to_pylist() for part in PARTS)
    return [
        Rewrite(_text(text) or "", "", (), _text(rule), _text(skipped))
        for text, rule, skipped in zip(*parts, strict=True)
    ]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(content: bytes | None) -> Any:
    return None if content is None else content.decode("utf-8", "surrogatepass")
