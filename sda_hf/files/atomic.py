"""Atomic writes: files and folders appear complete or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

from sda_hf.errors import InputFileError


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path in the same folder; when the block ends normally, it replaces `path`.

    The name never refers to a partial file, even after a crash or a power loss: the temporary file is flushed to disk
    before it is renamed. If the block raises, the temporary file is removed and an existing file stays unchanged.

    Args:
        path: the file to write; an existing file is replaced.

    Raises:
        OSError: the file cannot be written.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with replacing(Path(folder) / "note.txt") as temporary:
        ...         _ = temporary.write_text("It rains.")
        ...     [file.name for file in Path(folder).iterdir()]
        ['note.txt']
    """
    path = Path(path)
    temporary = _beside(path)
    try:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name[:100]}.{uuid.uuid4().hex}.part")


@contextlib.contextmanager
def new_folder(path: str | Path) -> Iterator[Path]:
    """Yield a temporary folder next to `path`; when the block ends normally, it becomes `path`.

    Args:
        path: a folder that is empty or does not exist yet; its parents are created.

    Raises:
        InputFileError: the folder is not empty, or it is a file.
        OSError: the folder cannot be written.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     with new_folder(Path(place) / "notes") as temporary:
        ...         write_whole(temporary / "note.txt", "It rains.")
        ...     [file.name for file in Path(place, "notes").iterdir()]
        ['note.txt']
    """
    path = Path(path).absolute()
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise InputFileError(f"{path} already exists: give a new folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _beside(path)
    temporary.mkdir()
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file atomically.

    Args:
        path: the file; an existing one is replaced.
        content: text, which is written as UTF-8, or bytes.

    Raises:
        OSError: the file cannot be written; an existing file stays unchanged.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     write_whole(Path(folder) / "note.txt", "It rains.")
        ...     (Path(folder) / "note.txt").read_text(encoding="utf-8")
        'It rains.'
    """
    with replacing(path) as temporary:
        temporary.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
