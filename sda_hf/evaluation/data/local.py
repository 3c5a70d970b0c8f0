"""The local files of tasks, found by their stems."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sda_hf.errors import InputFileError, InputValueError

FORMATS = tuple(kind + packed for kind in (".tsv", ".csv", ".jsonl", ".parquet") for packed in ("", ".gz"))
LISTED = 20  # files that an error message lists


def split_name(path: Path) -> tuple[str, str]:
    """Split a file name into its stem and its format.

    Raises:
        InputValueError: the name does not end in one of `FORMATS`.

    Example:
        >>> split_name(Path("graded/my.pairs.tsv.gz"))
        ('my.pairs', '.tsv.gz')
    """
    name = path.name.lower()
    for ending in FORMATS:
        if name.endswith(ending) and name != ending:
            return path.name[: -len(ending)], ending
    raise InputValueError(f"{path}: unknown file format: use one of {', '.join(FORMATS)}")


def find(folder: Path, stem: str) -> Path:
    """Find the one file with this stem and a known format in a folder or one of its subfolders.

    "-" and "_" are interchangeable in a stem.

    Raises:
        InputFileError: the folder does not exist or cannot be read, it holds no such file (the message lists what it
            holds), or it holds several, of which only the user knows which one is meant.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = (Path(folder) / "zh_stsb-test.csv").write_text("")
        ...     find(Path(folder), "zh-stsb-test").name
        'zh_stsb-test.csv'
    """
    names = {alike(stem) + ending for ending in FORMATS}
    try:
        below = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
        found = [
            path
            for place in (folder, *below)
            if place.is_dir()
            for path in sorted(place.iterdir())
            if alike(path.name) in names and path.is_file()
        ]
    except OSError as error:
        raise InputFileError(f"cannot look for {stem} in {folder}: {error}") from error
    if not found:
        raise missing(folder, [f"{stem}{{{','.join(FORMATS)}}}"])
    if len(found) > 1:
        held = " and ".join(str(path.relative_to(folder)) for path in found)
        raise InputFileError(f"{folder} holds {held}: keep one of them")
    return found[0]


def alike(name: str) -> str:
    """Return a name in the form in which names are compared."""
    return name.replace("_", "-")


def missing(folder: Path, names: Iterable[str]) -> InputFileError:
    """Return the error for files missing from a folder; it lists what the folder holds.

    Example:
        >>> print(missing(Path("no-such-folder"), ["pairs.tsv"]))
        no pairs.tsv in no-such-folder: the folder does not exist
    """
    if not folder.is_dir():
        there = "the folder does not exist"
    else:
        names_there = sorted(path.name for path in folder.iterdir())
        there = "it holds " + (", ".join(names_there[:LISTED]) or "nothing")
        if len(names_there) > LISTED:
            there += f" and {len(names_there) - LISTED} more"
    return InputFileError(f"no {' or '.join(names)} in {folder}: {there}")
