"""Large datasets, augmented shard by shard: what is done stays done when a run is killed."""

from __future__ import annotations

import glob
import json
import os
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sda_hf.augmentation.base import CHUNK
from sda_hf.augmentation.columns import text_column
from sda_hf.augmentation.protocol import RowAugmenter
from sda_hf.errors import InputFileError, InputTypeError, InputValueError

if TYPE_CHECKING:
    from datasets import Dataset, Features

MANIFEST = "manifest.json"
# What the manifest must have in common with a call that goes on, and how an error names it.
IDENTITY = {"dataset": "dataset", "augmenter": "augmenter, or version of sda-hf", "shard_size": "shard_size"}


def augment_in_shards(
    dataset: Dataset,
    augmenter: RowAugmenter,
    folder: str | Path,
    shard_size: int = 10_000,
    num_proc: int | None = None,
) -> Dataset:
    """The dataset with the columns of an augmenter, made shard by shard in a folder.

    A shard appears in the folder, as a Parquet file, when it is complete. A later call with the same rows, augmenter
    and shard size goes on after the shards that are there, so that a run that is killed loses one shard at most. One
    process at a time works in a folder.

    Args:
        dataset: the rows, with a column of texts; they are read once to know them again.
        augmenter: an augmenter, or a `Triplets` that keeps all rows.
        folder: where the shards are or go: one that this function wrote, an empty or a new one.
        shard_size: rows of a shard.
        num_proc: processes that share a shard, as in `Dataset.map`.

    Returns:
        All columns of the dataset and the new ones, in the order of its rows.

    Raises:
        InputTypeError: no `Dataset`, or no augmenter.
        InputValueError: a column that is there already, rows that cannot stay beside the new columns, an augmenter that
            is not fitted.
        InputFileError: the folder holds something else, or shards of another dataset, augmenter or shard size.

    Example:
        >>> import pathlib, tempfile
        >>> from datasets import Dataset
        >>> from sda_hf import Negation
        >>> rows = Dataset.from_dict({"text": ["He left.", "She won.", "It rains."]})
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> augment_in_shards(rows, Negation(), folder, shard_size=2)[2]
        {'text': 'It rains.', 'negative': "It doesn't rain."}
        >>> sorted(path.name for path in folder.iterdir())
        ['manifest.json', 'shard-00000.parquet', 'shard-00001.parquet']
    """
    _check(dataset, augmenter, shard_size)
    folder = Path(folder)
    dataset = dataset.with_format(None)
    columns = _new_columns(dataset, augmenter)
    manifest = _manifest(dataset, augmenter, shard_size)
    _open_folder(folder, manifest)
    starts = range(0, max(1, len(dataset)), shard_size)
    paths = [folder / f"shard-{number:05d}.parquet" for number in range(len(starts))]
    for start, path in zip(starts, paths, strict=True):
        if path.exists():
            continue
        rows = dataset.select(range(start, min(start + shard_size, len(dataset))))
        shard = _augmented(rows, augmenter, columns, num_proc)
        if not (folder / MANIFEST).exists():
            _write_whole(
                folder / MANIFEST, lambda part: part.write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
            )
        _write_whole(path, shard.to_parquet)
    return _joined(paths)


def _check(dataset: Any, augmenter: Any, shard_size: Any) -> None:
    from datasets import Dataset

    if not isinstance(dataset, Dataset):
        raise InputTypeError(
            f"augment_in_shards takes a datasets.Dataset, got {type(dataset).__name__}: give one split, no stream"
        )
    if not hasattr(augmenter, "new_columns"):
        raise InputTypeError(f"augment_in_shards takes an augmenter, got {type(augmenter).__name__}: {augmenter!r}")
    if not augmenter.is_fitted:
        raise InputValueError(f"{type(augmenter).__name__} is not fitted: call fit(sentences) first")
    if isinstance(shard_size, bool) or not isinstance(shard_size, int) or shard_size < 1:
        raise InputValueError(f"augment_in_shards: shard_size={shard_size!r}: give a whole number above 0")
    if not augmenter.keeps_other_columns:
        raise InputValueError(
            f"augment_in_shards keeps the other columns, but {type(augmenter).__name__} with on_skip='drop' returns "
            "fewer rows: give on_skip='null', and filter afterwards"
        )


def _new_columns(dataset: Dataset, augmenter: RowAugmenter) -> list[str]:
    """The names of the columns that the augmenter adds."""
    column = text_column(dict.fromkeys(dataset.column_names), augmenter.input_column)
    new = list(augmenter.new_columns)
    there = [name for name in new if name in dataset.column_names and name != column]
    if there or new == [column]:
        name = there[0] if there else column
        raise InputValueError(f"augment_in_shards: a column {name!r} is there already: rename it first")
    return new


def _manifest(dataset: Dataset, augmenter: RowAugmenter, shard_size: int) -> dict[str, Any]:
    from datasets.fingerprint import Hasher

    return {
        "dataset": _content(dataset),
        "augmenter": Hasher.hash(augmenter),
        "shard_size": shard_size,
        "rows": len(dataset),
        "config": augmenter.get_config_dict(),
    }


def _content(dataset: Dataset) -> str:
    """A hash of columns and rows, which the same rows have however and whenever they were loaded."""
    import pyarrow
    from datasets.fingerprint import Hasher

    hasher = Hasher()
    hasher.update(repr(dataset.features))
    for table in dataset.with_format("arrow").iter(batch_size=CHUNK):
        sink = pyarrow.BufferOutputStream()
        plain = table.combine_chunks().replace_schema_metadata(None)
        with pyarrow.ipc.new_stream(sink, plain.schema) as stream:
            stream.write_table(plain)
        hasher.update(sink.getvalue().to_pybytes())
    return str(hasher.hexdigest())


def _open_folder(folder: Path, manifest: dict[str, Any]) -> None:
    """Make the folder, or see that what it holds was meant for this manifest."""
    if folder.exists() and not folder.is_dir():
        raise InputFileError(f"{folder} is a file: give a folder")
    folder.mkdir(parents=True, exist_ok=True)
    for part in folder.glob(".*.part"):
        part.unlink()
    if not (folder / MANIFEST).exists():
        if any(folder.iterdir()):
            raise InputFileError(f"{folder} holds files, but no {MANIFEST} of augment_in_shards: give a new folder")
        return
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        other = [name for key, name in IDENTITY.items() if found[key] != manifest[key]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputFileError(f"{folder / MANIFEST} cannot be read ({error}): give a new folder") from error
    if other:
        raise InputFileError(
            f"{folder} holds shards of another {' and another '.join(other)}: give a new folder, or call with what "
            f"{MANIFEST} there describes"
        )


def _augmented(rows: Dataset, augmenter: RowAugmenter, columns: list[str], num_proc: int | None) -> Dataset:
    """The rows of a shard with the new columns, which hold strings even where each one is null."""
    from datasets import Features, Value

    features = Features({**rows.features, **{name: Value("string") for name in columns}})
    if not len(rows):
        return _empty(features)
    return rows.map(
        augmenter,
        batched=True,
        batch_size=CHUNK,
        features=features,
        keep_in_memory=True,
        load_from_cache_file=False,
        num_proc=num_proc,
    )


def _write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Write beside the path, then rename: the name never holds half a file, not even after a loss of power."""
    part = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
    try:
        write(part)
        with part.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _joined(paths: list[Path]) -> Dataset:
    import pyarrow.parquet
    from datasets import Dataset, Features

    filled = [path for path in paths if pyarrow.parquet.read_metadata(path).num_rows]
    if not filled:
        return _empty(Features.from_arrow_schema(pyarrow.parquet.read_schema(paths[0])))
    return Dataset.from_parquet([glob.escape(str(path)) for path in filled])


def _empty(features: Features) -> Dataset:
    from datasets import Dataset

    return Dataset.from_dict({name: [] for name in features}, features=features)
