"""The output folder of a job: parts whose names and contents follow from the input, and what is known of them.

A part is written as often as workers fail, always with the same name and the same bytes: nothing is there twice.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sda_hf.augmentation.counts import Summary
from sda_hf.errors import InputFileError, InputValueError
from sda_hf.files.folders import Folder, LocalFolder
from sda_hf.files.locks import LOCK, folder_lock

STATE = ".sda-hf"
JOB, COUNTS, CHECKPOINTS = f"{STATE}/job.json", f"{STATE}/counts", f"{STATE}/checkpoints"
# What must be the same to go on, and what an error calls it.
IDENTITY = {
    "files": "input",
    "columns": "augmenters, or version of sda-hf",
    "column": "column of the texts",
    "format": "format",
    "part": "size of the parts",
}


@dataclass
class JobFolder:
    """The folder of a job.

    Args:
        folder: where it is.
        suffix: that of the parts, such as ".jsonl".
    """

    folder: Folder
    suffix: str
    _counted: dict[str, Summary] = field(default_factory=dict, repr=False)

    def locked(self) -> contextlib.AbstractContextManager[None]:
        """Return a context in which no other process works on the job; behind a URL, it is not held.

        Raises:
            InputFileError: another process does, or the folder cannot be written.
        """
        if isinstance(self.folder, LocalFolder):
            return folder_lock(self.folder.path)
        return contextlib.nullcontext()

    def check(self, facts: Mapping[str, Any], overwrite: bool) -> None:
        """Refuse a folder that holds something else than this job; one that is overwritten is cleared.

        Args:
            facts: what is known of the job, and must be the same to go on.
            overwrite: remove another job.

        Raises:
            InputFileError: the folder holds something else.
        """
        found = self._job()
        if found is None:
            self._check_empty(overwrite)
            return
        other = [name for key, name in IDENTITY.items() if key in facts and found["facts"].get(key) != facts[key]]
        if other and not overwrite:
            raise InputFileError(
                f"{self.folder} holds another job (another {' and another '.join(other)}): give a new folder, or "
                "overwrite it (overwrite=True, --overwrite)"
            )
        if other:
            self._clear()

    def begin(self, facts: Mapping[str, Any], overwrite: bool) -> Summary | None:
        """Begin the job, or go on with it; return its summary if it is finished.

        Args:
            facts: all that must be the same to go on.
            overwrite: remove another job.

        Raises:
            InputFileError: the folder holds something else.
        """
        self.check(facts, overwrite)
        found = self._job()
        if found is None:
            self._write(facts, None)
        elif found["finished"] is not None:
            return Summary.from_dict(found["finished"])
        return None

    def write(self, number: int, content: bytes, counts: str) -> None:
        """Write a part, and then its counts, which say that it is there."""
        self.folder.write(self.name(number), content)
        self.folder.write(f"{COUNTS}/{number:06}.json", counts.encode("ascii"))

    def name(self, number: int) -> str:
        """Return the name of a part."""
        return f"part-{number:06}{self.suffix}"

    def counted(self) -> Summary:
        """Return the counts of the parts that are there."""
        for name in self.folder.names(COUNTS):
            if name not in self._counted and (content := self.folder.read(f"{COUNTS}/{name}")) is not None:
                self._counted[name] = Summary.from_dict(json.loads(content))
        summary = Summary()
        for part in self._counted.values():
            summary.update(part)
        return summary

    def finish(self, facts: Mapping[str, Any], rows: int, parts: int) -> Summary:
        """Check that nothing is missing, and remove all but the parts and the job.

        Raises:
            InputFileError: parts are missing.
        """
        there = set(self.folder.names())
        missing = [self.name(number) for number in range(parts) if self.name(number) not in there]
        summary = self.counted()
        if missing or summary.rows != rows:
            self.folder.remove(CHECKPOINTS)  # they are wrong
            raise InputFileError(
                f"{self.folder}: {summary.rows:,} of {rows:,} rows are done, and {len(missing)} parts are missing "
                f"({', '.join(missing[:3])}): were files removed? Run the same command again"
            )
        self._write(facts, summary)
        for name in self.folder.names(STATE):
            if f"{STATE}/{name}" != JOB:
                self.folder.remove(f"{STATE}/{name}")
        return summary

    def _write(self, facts: Mapping[str, Any], finished: Summary | None) -> None:
        content = {"facts": facts, "finished": None if finished is None else finished.to_dict()}
        self.folder.write(JOB, json.dumps(content, indent=1).encode("ascii") + b"\n")

    def _job(self) -> dict[str, Any] | None:
        content = self.folder.read(JOB)
        if content is None:
            return None
        try:
            found = json.loads(content)
            return {"facts": dict(found["facts"]), "finished": found["finished"]}
        except (ValueError, KeyError, TypeError) as error:
            raise InputFileError(f"{self.folder}/{JOB} cannot be read ({error}): give a new folder") from error

    def _check_empty(self, overwrite: bool) -> None:
        others = [name for name in self.folder.names() if name not in (STATE, LOCK)]
        if others:
            advice = "remove them yourself, or " if overwrite else ""
            raise InputFileError(
                f"{self.folder} contains files that are not of a job, such as {others[0]}: {advice}give a new folder"
            )

    def _clear(self) -> None:
        for name in self.folder.names():
            if name.startswith("part-"):
                self.folder.remove(name)
        self.folder.remove(STATE)


def check_format(format: str) -> str:
    """Return the suffix of the parts in a format.

    Raises:
        InputValueError: an unknown format.

    Example:
        >>> check_format("jsonl")
        '.jsonl'
    """
    from sda_hf.files import WRITTEN

    if f".{format}" not in WRITTEN:
        raise InputValueError(f"unknown format {format!r}: known are {', '.join(known[1:] for known in WRITTEN)}")
    return f".{format}"
