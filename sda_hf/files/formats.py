"""The formats of files of rows, recognized by their suffixes."""

from __future__ import annotations

import difflib
from pathlib import Path

from sda_hf.errors import InputFileError, InputValueError

READ = (".txt", ".csv", ".tsv", ".jsonl", ".json", ".parquet", ".conllu")
WRITTEN = (".txt", ".csv", ".tsv", ".jsonl", ".parquet")


def format_of(path: str | Path, known: tuple[str, ...] = READ) -> str:
    """Return the format of a file: its last suffix before ".gz", in lower case.

    Args:
        path: a path or a URL; the file need not exist.
        known: the formats to choose from.

    Raises:
        InputValueError: the suffix is not one of `known`.

    Example:
        >>> format_of("pairs.TSV.gz"), format_of("pairs.tsv.csv")
        ('.tsv', '.csv')
    """
    suffix = Path(Path(path).stem if is_packed(path) else path).suffix.lower()
    if suffix not in known:
        raise InputValueError(
            f"{path}: unknown format {suffix!r}: known are {', '.join(known)}, each optionally compressed (.gz)"
        )
    return suffix


def is_packed(path: str | Path) -> bool:
    """Whether a file is compressed with gzip, judging by its name.

    Example:
        >>> is_packed("pairs.tsv.gz"), is_packed("pairs.tsv")
        (True, False)
    """
    return Path(path).suffix.lower() == ".gz"


def check_exists(path: Path) -> None:
    """Raise if a path is not a file, and suggest the nearest name in its folder.

    Raises:
        InputFileError: there is no such file.
        InputValueError: it is a folder.
    """
    try:
        if path.is_file():
            return
        if path.is_dir():
            raise InputValueError(f"{path} is a folder: give a file")
        names = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    except OSError as error:
        raise InputFileError(f"cannot read {path}: {error}") from error
    near = difflib.get_close_matches(path.name, names, n=1)
    raise InputFileError(f"{path}: no such file{f'; did you mean {near[0]}?' if near else ''}")
