"""Disks that are full, and the permissions of what is saved."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

from sda_hf.errors import InputError, InputFileError

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
# Messages of failed writes in safetensors and torch, which raise no OSError.
WRITE_FAILED = re.compile(r"os error (?:27|28|122)\)|inline_container\.cc|iostream error|PytorchStreamWriter")


class DiskFullError(InputFileError):
    """There is no space left for a file."""


def disk_is_full(error: BaseException) -> bool:
    """Return whether an error means that a file could not be written for lack of space."""
    if isinstance(error, InputError):
        return isinstance(error, DiskFullError)
    return (isinstance(error, OSError) and error.errno in NO_ROOM) or bool(WRITE_FAILED.search(str(error)))


def give_usual_permissions(folder: Path) -> None:
    """Give all files in a folder the permissions of new ones: some libraries let only their owner read what they write.

    Args:
        folder: a folder that was made with the usual permissions, from which those of files follow.
    """
    mode = folder.stat().st_mode & 0o666
    for file in folder.rglob("*"):
        if file.is_file() and not file.is_symlink() and file.stat().st_mode & 0o777 != mode:
            os.chmod(file, mode)
