"""The lock of a folder: one process at a time writes to it."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from sda_hf.errors import InputFileError
from sda_hf.files.owners import Owner
from sda_hf.files.parts import remove_dead_parts
from sda_hf.terminal import printable

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

logger = logging.getLogger(__name__)

# Hidden, so that it is never pushed.
LOCK = ".sda-hf.lock"


@contextlib.contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, which is made if need be, and remove what killed processes left in it.

    The lock is a file with the process id, its start and the host. That of a process of this host that has ended is
    taken over, and a warning is logged. A folder that was made, and in which nothing was written, is removed again.

    Raises:
        InputFileError: another process writes to the folder, or the folder cannot be written.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     folder = Path(place, "run")
        ...     with folder_lock(folder):
        ...         [file.name for file in folder.iterdir()]
        ...     folder.exists()
        ['.sda-hf.lock']
        False
    """
    made = [place for place in (folder, *folder.parents) if not place.exists()]
    owner = Owner.this_process()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _take(folder / LOCK, owner)
    except InputFileError:
        raise
    except OSError as error:
        raise InputFileError(f"output {folder}: cannot be written: {error.strerror}: give another folder") from error
    try:
        remove_dead_parts(folder)
        yield
    finally:
        _release(folder / LOCK, owner)
        with contextlib.suppress(OSError):
            for place in made:
                place.rmdir()


def _take(path: Path, owner: Owner) -> None:
    with _alone(path) as file:
        text = file.read()
        holder, since = _read(text)
        if holder is not None and not holder.is_dead:
            advice = (
                "wait for it to end, or give another folder"
                if holder.is_here
                else f"if it has ended, delete {path}; else wait, or give another folder"
            )
            raise InputFileError(f"output {path.parent}: {holder} has been writing to it since {since}: {advice}")
        now = time.strftime("%Y-%m-%d %H:%M:%S")
        try:
            file.seek(0)
            file.truncate()
            json.dump({"pid": owner.pid, "start": owner.start, "host": owner.host, "since": now}, file)
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            path.unlink()
            raise
    if holder is not None:
        logger.warning(
            "taking over %s from %s, which began at %s and has ended", *map(printable, (path.parent, holder, since))
        )


def _release(path: Path, owner: Owner) -> None:
    """Remove the lock if it is still that of this process, which is not so in a copy of the process."""
    with contextlib.suppress(OSError):
        if path.exists() and os.getpid() == owner.pid:
            with _alone(path) as file:
                if _read(file.read())[0] == owner:
                    path.unlink()


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[TextIO]:
    """Open the lock file, made if need be, while no other process reads or changes it."""
    while True:
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+", encoding="utf-8") as file:
            with contextlib.suppress(OSError):  # some network file systems have no such locks
                if fcntl is not None:
                    fcntl.flock(file, fcntl.LOCK_EX)
            try:
                current = os.path.samestat(os.fstat(file.fileno()), path.stat())
            except FileNotFoundError:
                current = False
            if current:  # not removed by its owner in the meantime
                yield file
                return


def _read(text: str) -> tuple[Owner | None, str]:
    """Return the process that holds the lock, and since when; None if it was killed before it said so."""
    try:
        facts = json.loads(text)
        return Owner(int(facts["pid"]), str(facts["start"]), str(facts["host"])), str(facts["since"])
    except (ValueError, KeyError, TypeError):
        return None, ""
