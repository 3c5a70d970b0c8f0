"""Augment large datasets shard by shard, so that a run that was killed can continue where it stopped."""

from __future__ import annotations

import glob
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sda_hf.augmentation.base import CHUNK
from sda_hf.augmentation.columns import text_column
from sda_hf.augmentation.protocol import RowAugmenter
from sda_hf.errors import InputFileError, InputTypeError, InputValueError
from sda_hf.files import is_part, remove_dead_parts, replacing, write_whole

if TYPE_CHECKING:
    from datasets import Dataset, Features

MANIFEST = "manifest.json"
# What must be the same as in the manifest to continue, and what an error calls it.
IDENTITY = {"dataset": "dataset", "augmenter": "augmenter, or version of sda-hf", "shard_size": "shard_size"}


def augment_in_shards(
    dataset: Dataset,
    augmenter: RowAugmenter,
    folder: str | Path,
    shard_size: int = 10_000,
    num_proc: int | None = None,
) -> Dataset:
    """Add the columns of an augmenter to a dataset, shard by shard in a folder.

    A shard appears in the folder, as a Parquet file, once it is complete. Another call with the same rows, augmenter
    and shard size continues after the existing shards, so that a run that is killed loses at most one. Only one
    process at a time may write to a folder.

    Args:
        dataset: the rows, with a column of texts; all of them are read once, to identify the dataset.
        augmenter: an augmenter, or a `Triplets` that keeps all rows.
        folder: the folder of the shards: a new one, an empty one, or one written by an earlier call.
        shard_size: number of rows in a shard.
        num_proc: number of processes that share a shard, as in `Dataset.map`.

    Returns:
        The dataset with the new columns, its rows in the same order.

    Raises:
        InputTypeError: not a `Dataset`, or not an augmenter.
        InputValueError: a column that exists already, an augmenter that is not fitted, or one that drops rows.
        InputFileError: the folder contains other files, or shards of another dataset, augmenter or shard size.

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
            write_whole(folder / MANIFEST, json.dumps(manifest, indent=2) + "\n")
        with replacing(path) as temporary:
            shard.to_parquet(temporary)
    return _joined(paths)


def _check(dataset: Any, augmenter: Any, shard_size: Any) -> None:
    from datasets import Dataset

    if not isinstance(dataset, Dataset):
        raise InputTypeError(
            f"augment_in_shards takes a datasets.Dataset, got {type(dataset).__name__}: give one split, not a stream"
        )
    if not hasattr(augmenter, "new_columns"):
        raise InputTypeError(f"augment_in_shards takes an augmenter, got {type(augmenter).__name__}: {augmenter!r}")
    if not augmenter.is_fitted:
        raise InputValueError(f"{type(augmenter).__name__} is not fitted: call fit(sentences) first")
    if isinstance(shard_size, bool) or not isinstance(shard_size, int) or shard_size < 1:
        raise InputValueError(f"augment_in_shards: shard_size={shard_size!r}: give an integer above 0")
    if not augmenter.keeps_other_columns:
        raise InputValueError(
            f"augment_in_shards keeps the other columns, but {type(augmenter).__name__} with on_skip='drop' returns "
            "fewer rows: give on_skip='null', and filter afterwards"
        )


def _new_columns(dataset: Dataset, augmenter: RowAugmenter) -> list[str]:
    """Return the names of the columns that the augmenter adds."""
    column = text_column(dict.fromkeys(dataset.column_names), augmenter.input_column)
    new = list(augmenter.new_columns)
    there = [name for name in new if name in dataset.column_names and name != column]
    if there or new == [column]:
        name = there[0] if there else column
        raise InputValueError(f"augment_in_shards: a column {name!r} exists already: rename it first")
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
    """Return a hash of columns and rows that does not depend on how or when they were loaded."""
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
    """Create the folder, or check that its shards belong to this manifest."""
    if folder.exists() and not folder.is_dir():
        raise InputFileError(f"{folder} is a file: give a folder")
    folder.mkdir(parents=True, exist_ok=True)
    remove_dead_parts(folder)
    if not (folder / MANIFEST).exists():
        if any(not is_part(entry.name) for entry in folder.iterdir()):
            raise InputFileError(f"{folder} contains files, but no {MANIFEST} of augment_in_shards: give a new folder")
        return
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        other = [name for key, name in IDENTITY.items() if found[key] != manifest[key]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputFileError(f"{folder / MANIFEST} cannot be read ({error}): give a new folder") from error
    if other:
        raise InputFileError(
            f"{folder} contains shards of another {' and another '.join(other)}: give a new folder, or the arguments "
            f"that its {MANIFEST} describes"
        )


def _augmented(rows: Dataset, augmenter: RowAugmenter, columns: list[str], num_proc: int | None) -> Dataset:
    """Return the rows of a shard with the new columns, of type string even if all values are null."""
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
