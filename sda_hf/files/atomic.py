"""Atomic writes: files and folders appear complete or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from sda_hf.errors import InputError, InputFileError, InputValueError
from sda_hf.files.disk import DiskFullError, disk_is_full, give_usual_permissions
from sda_hf.files.parts import part_beside, remove, remove_dead_parts


@contextlib.contextmanager
def replacing(path: str | Path, overwrite: bool = True) -> Iterator[Path]:
    """Yield a temporary path in the same folder; when the block ends normally, it replaces `path`.

    The name never refers to a partial file, even after a crash or a power loss: the temporary file is flushed to disk
    before it is renamed. If the block raises, the temporary file is removed and an existing file stays unchanged.
    Temporary files that killed processes left for the same path are removed, with a warning in the log.

    Args:
        path: the file to write.
        overwrite: whether an existing file is replaced.

    Raises:
        DiskFullError: there is no space left.
        InputFileError: the file exists, and `overwrite` is False.
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
    remove_dead_parts(path.parent, path.name)
    temporary = part_beside(path)
    with _removed_on_error(temporary, path):
        mode = _usual_mode(temporary)
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        publish(temporary, path, overwrite)


def publish(temporary: Path, path: Path, overwrite: bool) -> None:
    """Give a whole file, on the same file system, its name.

    Raises:
        InputFileError: the name is taken, and `overwrite` is False.
        OSError: it cannot be renamed.
    """
    if overwrite:
        os.replace(temporary, path)
    else:
        _move(temporary, path)


def check_target(path: str | Path, overwrite: bool, source: str | Path | None = None) -> None:
    """Refuse a file that must not be written, before any work is done.

    Args:
        path: the file to write.
        overwrite: whether an existing file may be replaced.
        source: the file that is read, which is never replaced, however its path is spelled.

    Raises:
        InputFileError: the file exists and must not be replaced, is not a regular file, or is in no folder.
        InputValueError: it is a folder, or the file that is read.
    """
    path = Path(path)
    try:
        if path.is_dir():
            raise InputValueError(f"{path} is a folder: give the name of a file")
        if not path.parent.is_dir():
            raise InputFileError(f"{path}: there is no folder {path.parent}: create it first")
        exists, is_file = os.path.lexists(path), path.is_file()
        is_source = source is not None and is_file and Path(source).exists() and path.samefile(source)
        is_special = path.exists() and not is_file
    except InputError:
        raise
    except OSError as error:
        raise InputFileError(f"cannot write {path}: {error}") from error
    if is_source:
        raise InputValueError(f"{path} is the input itself, which is not overwritten: give another name")
    if is_special:
        raise InputFileError(f"{path} is not a regular file: give another name")
    if exists and not overwrite:
        raise _exists(path)


def _exists(path: Path) -> InputFileError:
    return InputFileError(f"{path} already exists: give another name, or overwrite it (overwrite=True, --overwrite)")


def _usual_mode(temporary: Path) -> int:
    """Return the permissions of a new file, by umask and folder; some libraries let only the owner read theirs."""
    temporary.touch(exist_ok=False)
    mode = temporary.stat().st_mode & 0o777
    temporary.unlink()
    return mode


def _move(temporary: Path, path: Path) -> None:
    """Rename a file to a name that must not exist, even if another process is about to take it."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise _exists(path) from None
    except OSError:  # a file system without hard links
        if os.path.lexists(path):
            raise _exists(path) from None
        os.replace(temporary, path)
    else:
        temporary.unlink()


@contextlib.contextmanager
def _removed_on_error(temporary: Path, path: Path) -> Iterator[None]:
    """Remove a temporary file or folder if the block raises, and say so when the disk is full."""
    try:
        yield
    except BaseException as error:
        remove(temporary)
        if disk_is_full(error) and not isinstance(error, DiskFullError):
            reason = (isinstance(error, OSError) and error.strerror) or "No space left on device"
            raise DiskFullError(f"cannot write {path}: {reason}: free some space, then try again") from error
        raise


@contextlib.contextmanager
def new_folder(path: str | Path) -> Iterator[Path]:
    """Yield a temporary folder next to `path`; when the block ends normally, it becomes `path`.

    Args:
        path: a folder that is empty or does not exist yet; its parents are created.

    Raises:
        DiskFullError: there is no space left.
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
    remove_dead_parts(path.parent, path.name)
    temporary = part_beside(path)
    with _removed_on_error(temporary, path):
        temporary.mkdir()
        yield temporary
        give_usual_permissions(temporary)
        os.replace(temporary, path)


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file atomically.

    Args:
        path: the file; an existing one is replaced.
        content: text, which is written as UTF-8, or bytes.

    Raises:
        DiskFullError: there is no space left; an existing file stays unchanged.
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
