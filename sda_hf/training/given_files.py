"""What a recipe reads from files, checked before anything slow begins."""

from __future__ import annotations

import contextlib
import glob
import os
from collections.abc import Iterator

from sda_hf.errors import InputFileError
from sda_hf.training.recipe import Recipe


def check_given_files(recipe: Recipe) -> None:
    """Check that every file of sentences is there.

    Raises:
        InputFileError: one is not; the message names every key that has to be set to something else.
    """
    missing = list(_missing_files(recipe))
    if missing:
        folder = recipe.evaluation.data_dir
        missing += [("evaluation.data_dir", folder)] if folder is not None and not os.path.isdir(folder) else []
        raise InputFileError(_message(missing))


@contextlib.contextmanager
def data_dir_explained(recipe: Recipe) -> Iterator[None]:
    """Say what to set if the files of a task cannot be read because their folder is not there."""
    try:
        yield
    except InputFileError as error:
        folder = recipe.evaluation.data_dir
        if folder is None or os.path.isdir(folder):
            raise
        raise InputFileError(f"{_message([('evaluation.data_dir', folder)])}: {error}") from error


def _missing_files(recipe: Recipe) -> Iterator[tuple[str, str]]:
    for name, one in recipe.training_sets.items():
        key = f"datasets.{name}.data.files" if name else "data.files"
        for pattern in one.data.files:
            if "://" not in pattern and not os.path.isfile(pattern) and not glob.glob(pattern):
                yield key, pattern


def _message(missing: list[tuple[str, str]]) -> str:
    """Return the error for keys whose files or folders are not there.

    Example:
        >>> print(_message([("data.files", "a.txt"), ("evaluation.data_dir", "sts")]))
        data.files: no such file: a.txt; evaluation.data_dir: no such folder: sts: give your own with \
--set data.files=FILE --set evaluation.data_dir=DIR (null: the Hub)
        >>> print(_message([("datasets.web.data.files", "a.txt"), ("datasets.wiki.data.files", "a.txt")]))
        datasets.web.data.files, datasets.wiki.data.files: no such file: a.txt: give your own with \
--set datasets.web.data.files=FILE --set datasets.wiki.data.files=FILE, or leave a dataset out with \
--set datasets.NAME=null
    """
    keys_of: dict[str, list[str]] = {}
    for key, path in missing:
        keys_of.setdefault(path, []).append(key)
    what = [
        f"{', '.join(keys)}: no such {'folder' if keys[0].endswith('_dir') else 'file'}: {path}"
        for path, keys in keys_of.items()
    ]
    keys = dict.fromkeys(key for key, _ in missing)
    how = [f"--set {key}={'DIR (null: the Hub)' if key.endswith('_dir') else 'FILE'}" for key in keys]
    several = any(key.startswith("datasets.") for key in keys)
    without = ", or leave a dataset out with --set datasets.NAME=null" if several else ""
    return f"{'; '.join(what)}: give your own with {' '.join(how)}{without}"
