"""Temporary files and folders whose names tell the process that writes them, so that those of dead ones are removed."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import uuid
from pathlib import Path

from sda_hf.files.owners import Owner
from sda_hf.terminal import printable

logger = logging.getLogger(__name__)

# The name of the file, process id and start, host, and a random part.
PART = re.compile(r"\.(?P<name>.*)\.(?P<pid>\d+)-(?P<start>\w*)@(?P<host>[\w-]*)\.[0-9a-f]{8}\.part", re.DOTALL)
# File systems take names of 255 bytes.
LONGEST_NAME = 100


def part_beside(path: Path) -> Path:
    """Return the path of a temporary file or folder of this process, in the folder of what it will become."""
    owner = Owner.this_process()
    suffix = f"{owner.pid}-{owner.start}@{owner.host}.{uuid.uuid4().hex[:8]}"
    return path.with_name(f".{_shortened(path.name)}.{suffix}.part")


def remove_dead_parts(folder: Path, name: str | None = None) -> None:
    """Remove what killed processes of this host left in a folder, and log that.

    Args:
        folder: the folder.
        name: the file whose temporary files are removed; None for those of all files.
    """
    wanted = None if name is None else _shortened(name)
    for entry in _entries(folder):
        found = PART.fullmatch(entry.name)
        if not found or not (wanted in (None, found["name"]) or found["name"].startswith(f".{wanted}.")):
            continue  # the second: a temporary file beside a temporary file
        owner = Owner(int(found["pid"]), found["start"], found["host"])
        if owner.is_dead:
            remove(entry)
            logger.warning("removed %s, which %s left unfinished", printable(entry), printable(owner))


def is_part(name: str) -> bool:
    """Whether a name is that of a temporary file or folder."""
    return PART.fullmatch(name) is not None


def remove(path: Path) -> None:
    """Remove a file or a folder, as far as possible."""
    with contextlib.suppress(OSError):
        path.unlink()
        return
    shutil.rmtree(path, ignore_errors=True)


def _shortened(name: str) -> str:
    return os.fsdecode(os.fsencode(name)[:LONGEST_NAME])


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
