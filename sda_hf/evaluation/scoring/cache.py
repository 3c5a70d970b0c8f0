"""Measurements that are kept, so that no model is measured twice in one way on the same rows."""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import json
import os
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from sda_hf.errors import InputFileError, InputTypeError
from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.files import write_whole

# What may change a figure although model, task and rows stay the same.
PACKAGES = ("sda-hf", "sentence-transformers", "transformers", "tokenizers", "torch", "scikit-learn")


def default_folder() -> Path:
    """Where measurements are kept by the command line: in the Hugging Face home, beside its other caches."""
    from huggingface_hub.constants import HF_HOME  # here, because it is slow to import

    return Path(HF_HOME) / "sda_hf" / "measurements"


class MeasurementCache:
    """A folder of measurements by (model fingerprint, task, protocol, rows and versions).

    Args:
        folder: the folder; made if it is not there.

    Raises:
        InputFileError: the folder cannot be made.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder).expanduser()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._error("write", error) from error

    def get(self, key: str) -> tuple[Measurement, str] | None:
        """A measurement and the day of it; None where there is none, or a damaged one, which is measured again.

        Raises:
            InputFileError: what is there cannot be read at all.
        """
        try:
            kept = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
            items, gold = np.array(kept["items"], dtype=np.float64), kept["gold"]
            gold = None if gold is None else np.array(gold, dtype=np.float64)
            return Measurement(_metrics(kept["metrics"]), items, gold), str(kept["measured"])
        except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
            return None
        except OSError as error:
            raise self._error("read", error) from error

    def put(self, key: str, about: Mapping[str, Any], measurement: Measurement) -> None:
        """Keeps a measurement, whole or not at all.

        Raises:
            InputFileError: the folder cannot be written to.
        """
        kept = {
            **about,
            "measured": datetime.date.today().isoformat(),
            "metrics": measurement.metrics,
            "items": measurement.items.tolist(),
            "gold": None if measurement.gold is None else measurement.gold.tolist(),
        }
        try:
            write_whole(self.folder / f"{key}.json", json.dumps(kept))
        except OSError as error:
            raise self._error("write", error) from error

    def _error(self, what: str, error: OSError) -> InputFileError:
        return InputFileError(
            f"cannot {what} measurements in {self.folder}: {error.strerror}: give another folder for the cache, or none"
        )


def _metrics(kept: Mapping[str, Any]) -> dict[str, float]:
    if not kept or not all(isinstance(value, (int, float)) for value in kept.values()):
        raise ValueError(f"no metrics: {kept!r}")
    return dict(kept)


def describe(model: str, task: AnyTask, data: Any) -> dict[str, Any]:
    """What a measurement is of; its hash is the key.

    Args:
        model: the model's fingerprint.
        task: the task.
        data: the rows that it read.

    Raises:
        InputTypeError: rows of which no hash can be made.
    """
    rows = dataclasses.asdict(data) if dataclasses.is_dataclass(data) and not isinstance(data, type) else data
    try:
        text = json.dumps(rows, sort_keys=True)
    except TypeError as error:
        raise InputTypeError(
            f"measurements of task {task.name!r} cannot be cached ({error}): let it read lists, texts and numbers, or "
            "measure without cache_dir"
        ) from error
    return {
        "model": model,
        "protocol": task.protocol(),
        "rows": hashlib.sha256(text.encode()).hexdigest(),
        "versions": {package: metadata.version(package) for package in PACKAGES},
    }


def key_of(about: Mapping[str, Any]) -> str:
    """The key of what `describe` gave.

    Example:
        >>> key_of({"model": "a"}) == key_of({"model": "a"}) != key_of({"model": "b"})
        True
    """
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()
