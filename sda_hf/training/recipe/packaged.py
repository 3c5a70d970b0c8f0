"""The recipes that come with the package, by name."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from pathlib import Path

from sda_hf.errors import InputFileError, shown_path
from sda_hf.files.packaged import recipe_folder


def recipe_names() -> list[str]:
    """Return the names of the recipes.

    Example:
        >>> "quickstart" in recipe_names()
        True
    """
    return sorted(path.stem for path in recipe_folder().glob("*.yaml"))


def described_recipes() -> Iterator[tuple[str, str]]:
    """Yield the name of each recipe, and the first sentence of the comment at its head."""
    for name in recipe_names():
        lines = (recipe_folder() / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
        comment = []
        for line in lines:
            if not line.startswith("# "):
                break
            comment.append(line.removeprefix("# "))
        yield name, _first_sentence(" ".join(comment))


def located(given: str | Path) -> tuple[Path, bool]:
    """Return the file of a recipe, and whether it was given by its name.

    Args:
        given: a file, or the name of a recipe that comes with the package. A file is preferred.

    Raises:
        InputFileError: there is no such file and no such name; the message suggests the nearest name.
    """
    path, text = Path(given), os.fspath(given)
    is_name = path.name == text and not path.suffix
    if is_name and not os.path.isfile(path) and text in recipe_names():
        return recipe_folder() / f"{text}.yaml", True
    if os.path.exists(path):
        return path, False  # also a folder, of which the reader says so
    near = difflib.get_close_matches(path.stem[:100], recipe_names(), n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise InputFileError(
        f"{shown_path(path)}: no such recipe file: {hint}sda-hf recipes lists those that come with the package"
    )


def _first_sentence(comment: str) -> str:
    """Return a text up to the first period that ends a sentence.

    Example:
        >>> _first_sentence("Gao et al., EMNLP 2021, on BERT. Rows are sentences.")
        'Gao et al., EMNLP 2021, on BERT.'
    """
    first, end, rest = comment.partition(". ")
    while end and rest and not rest[0].isupper():
        more, next_end, rest = rest.partition(". ")
        first, end = first + end + more, next_end
    return first + end.rstrip()
