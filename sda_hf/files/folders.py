"""Folders on this machine or behind a URL, whose files are written whole or not at all."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TypeAlias

from sda_hf.errors import InputFileError
from sda_hf.files.atomic import write_whole
from sda_hf.files.parts import is_part, remove
from sda_hf.files.places import filesystem_of, is_url


class LocalFolder:
    """A folder of this machine, or of a disk that several machines share."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).absolute()

    def write(self, name: str, content: bytes) -> None:
        """Write a file atomically; its folder is made if need be."""
        (self.path / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(self.path / name, content)

    def read(self, name: str) -> bytes | None:
        """Return the content of a file; None if there is none."""
        with contextlib.suppress(FileNotFoundError):
            return (self.path / name).read_bytes()
        return None

    def names(self, under: str = "") -> list[str]:
        """Return the names of the files and folders in it, or in a folder of it, without those being written."""
        with contextlib.suppress(FileNotFoundError):
            return sorted(entry.name for entry in (self.path / under).iterdir() if not is_part(entry.name))
        return []

    def remove(self, name: str) -> None:
        """Remove a file or folder, if it is there."""
        remove(self.path / name)

    def __str__(self) -> str:
        return str(self.path)


class RemoteFolder:
    """A folder behind a URL, where fsspec gives files their name once they are complete.

    Args:
        url: of the folder.

    Raises:
        InputFileError: it cannot be reached.
        MissingPackageError: its kind needs a package that is not installed.
    """

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self.filesystem, path = filesystem_of(url)
        self.path = path.rstrip("/")

    def write(self, name: str, content: bytes) -> None:
        """Write a file."""
        place = f"{self.path}/{name}"
        self.filesystem.makedirs(place.rpartition("/")[0], exist_ok=True)
        try:
            self.filesystem.pipe_file(place, content)
        except OSError as error:
            raise InputFileError(f"cannot write {self.url}/{name}: {error}") from error

    def read(self, name: str) -> bytes | None:
        """Return the content of a file; None if there is none."""
        with contextlib.suppress(FileNotFoundError):
            return bytes(self.filesystem.cat_file(f"{self.path}/{name}"))
        return None

    def names(self, under: str = "") -> list[str]:
        """Return the names of the files and folders in it, or in a folder of it."""
        self.filesystem.invalidate_cache()
        with contextlib.suppress(FileNotFoundError):
            found = self.filesystem.ls(f"{self.path}/{under}".rstrip("/"), detail=False)
            return sorted(str(entry).rstrip("/").rpartition("/")[2] for entry in found)
        return []

    def remove(self, name: str) -> None:
        """Remove a file or folder, if it is there."""
        with contextlib.suppress(FileNotFoundError):
            self.filesystem.rm(f"{self.path}/{name}", recursive=True)

    def __str__(self) -> str:
        return self.url


Folder: TypeAlias = LocalFolder | RemoteFolder


def folder_of(path: str | Path) -> Folder:
    """Return the folder that a path or a URL names; it need not exist.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     folder = folder_of(f"file://{place}")
        ...     folder.write("notes/today.txt", b"It rains.")
        ...     folder.read("notes/today.txt"), folder.names("notes"), folder.read("notes/tomorrow.txt")
        (b'It rains.', ['today.txt'], None)
    """
    return RemoteFolder(path) if isinstance(path, str) and is_url(path) else LocalFolder(path)
