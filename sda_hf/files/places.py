"""Files that are named by a URL, such as hf://datasets/me/texts/train.parquet, read through fsspec."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeAlias

from sda_hf.errors import InputFileError, MissingPackageError

if TYPE_CHECKING:
    import fsspec


class RemoteFile:
    """A file on a file system of fsspec.

    Args:
        url: its name, for messages.
        filesystem: where it is.
        path: its path there.
    """

    def __init__(self, url: str, filesystem: fsspec.AbstractFileSystem, path: str) -> None:
        self.url, self.filesystem, self.path = url, filesystem, path

    def open(self) -> io.BufferedReader:
        """Open it for reading."""
        opened = self.filesystem.open(self.path, "rb")
        # The readers look ahead, which only buffered readers do.
        return opened if isinstance(opened, io.BufferedReader) else io.BufferedReader(opened)

    def __str__(self) -> str:
        return self.url


# A file that can be read; `str` gives its name for messages.
Place: TypeAlias = Path | RemoteFile


def open_binary(place: Place, packed: bool) -> io.BufferedReader | gzip.GzipFile:
    """Open a file for reading, uncompressed if it is packed."""
    file = place.open() if isinstance(place, RemoteFile) else place.open("rb")
    return _Unpacked(file) if packed else file


class _Unpacked(gzip.GzipFile):
    """The content of a compressed file object, which is closed with it."""

    def __init__(self, packed: IO[bytes]) -> None:
        super().__init__(fileobj=packed)
        self._packed = packed

    def close(self) -> None:
        super().close()
        self._packed.close()


def is_url(path: object) -> bool:
    """Whether a path is a URL that fsspec opens, chained ones included.

    Example:
        >>> is_url("hf://datasets/me/texts/train.txt"), is_url("texts/train.txt"), is_url("C://texts")
        (True, False, False)
    """
    scheme, colon, _ = str(path).partition("://")
    return isinstance(path, str) and (("::" in path and bool(colon)) or (bool(colon) and len(scheme) > 1))


def filesystem_of(url: str) -> tuple[fsspec.AbstractFileSystem, str]:
    """Return the file system of a URL or path, and the path there.

    Raises:
        InputFileError: no such file system, or it cannot be reached.
        MissingPackageError: it needs a package that is not installed.
    """
    import fsspec

    try:
        filesystem, path = fsspec.url_to_fs(url)
    except ImportError as error:
        raise MissingPackageError(f"{url}: {error}") from error
    except (ValueError, OSError) as error:
        raise InputFileError(f"{url}: {error}") from error
    return filesystem, path


def place_of(path: str | Path) -> Place:
    """Return the file that a path or a URL names; it need not exist.

    Example:
        >>> str(place_of("texts/train.txt"))
        'texts/train.txt'
    """
    if isinstance(path, str) and is_url(path):
        return RemoteFile(path, *filesystem_of(path))
    return Path(path)
