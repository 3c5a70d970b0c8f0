"""Rows to a dataset repository on the Hub, as a Parquet file with a card."""

from __future__ import annotations

import itertools
import shlex
import shutil
import tempfile
from pathlib import Path

import pyarrow.parquet

from sda_hf.errors import InputError, InputValueError
from sda_hf.files import read_rows, read_schema, write_rows
from sda_hf.hub.dataset_card import FILE, Contents, DatasetCard
from sda_hf.hub.upload import Pushed, Target, upload

EXAMPLES = 10


def push_rows(source: Path, target: Target, card: DatasetCard) -> Pushed:
    """Push the rows of a file to a dataset repository.

    Args:
        source: the file. What is pushed is written to a folder beside it, which is removed after the push.
        target: the repository.
        card: its card.

    Raises:
        InputFileError: the Hub cannot be reached, or refuses. The folder stays; the message has the command that
            uploads it.
        InputValueError: the same for a missing token or a repository that cannot be used; or rows that Parquet cannot
            store.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"{source.name}.hub-", dir=source.parent))
    try:
        contents = _write(source, folder / FILE)
        (folder / "README.md").write_text(card.render(target.repo_id, contents), encoding="utf-8")
    except BaseException:
        shutil.rmtree(folder)
        raise
    try:
        pushed = upload(folder, target)
    except InputError as error:
        raise type(error)(f"{error}. {source} is complete; upload it with: {_command(folder, target)}") from error
    shutil.rmtree(folder)
    return pushed


def _write(source: Path, path: Path) -> Contents:
    """Write the rows of a file as Parquet."""
    schema = read_schema(source)
    if not schema.names:
        raise InputValueError(f"{source} has no rows: a dataset needs at least one to know its columns")
    path.parent.mkdir()
    write_rows(path, (row for _, row in read_rows(source)), schema=schema)
    examples = [row for _, row in itertools.islice(read_rows(path), EXAMPLES)]
    return Contents(schema.names, pyarrow.parquet.read_metadata(path).num_rows, examples)


def _command(folder: Path, target: Target) -> str:
    """Return the command of huggingface_hub that uploads the folder."""
    words = ["hf", "upload", target.repo_id, str(folder), ".", "--repo-type", target.repo_type]
    words += ["--private"] if target.private else []
    words += ["--revision", target.revision] if target.revision else []
    words += ["--create-pr"] if target.create_pr else []
    return shlex.join(words)
