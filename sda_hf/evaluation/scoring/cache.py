"""A cache of measurements, so that no model is measured twice on the same rows."""

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

# Packages whose version may change a score although model, task and rows stay the same.
PACKAGES = ("sda-hf", "sentence-transformers", "transformers", "tokenizers", "torch", "scikit-learn")


def default_folder() -> Path:
    """Return the cache folder of the command line, in HF_HOME."""
    from huggingface_hub.constants import HF_HOME  # slow to import

    return Path(HF_HOME) / "sda_hf" / "measurements"


class MeasurementCache:
    """A folder of measurements by model fingerprint, protocol, rows and package versions.

    Args:
        folder: the folder; created if missing.

    Raises:
        InputFileError: the folder cannot be created.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder).expanduser()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._error("write", error) from error

    def get(self, key: str) -> tuple[Measurement, str] | None:
        """Return a measurement and its date; None if it is missing or damaged and has to be made again.

        Raises:
            InputFileError: the file cannot be read.
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
        """Save a measurement atomically.

        Args:
            key: key of the measurement, from `key_of`.
            about: what was measured, from `describe`.
            measurement: the measurement.

        Raises:
            InputFileError: the file cannot be written.
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
            f"cannot {what} measurements in {self.folder}: {error.strerror}: use another cache folder, or none"
        )


def _metrics(kept: Mapping[str, Any]) -> dict[str, float]:
    if not kept or not all(isinstance(value, (int, float)) for value in kept.values()):
        raise ValueError(f"not metrics: {kept!r}")
    return dict(kept)


def describe(model: str, task: AnyTask, data: object) -> dict[str, Any]:
    """Return everything that identifies a measurement; its hash is the key.

    Args:
        model: fingerprint of the model.
        task: the task.
        data: the rows, from `task.read`.

    Raises:
        InputTypeError: the rows cannot be hashed.
    """
    rows = dataclasses.asdict(data) if dataclasses.is_dataclass(data) and not isinstance(data, type) else data
    try:
        text = json.dumps(rows, sort_keys=True)
    except TypeError as error:
        raise InputTypeError(
            f"measurements of task {task.name!r} cannot be cached ({error}): its rows must consist of lists, strings "
            "and numbers; or measure without cache_dir"
        ) from error
    return {
        "model": model,
        "protocol": task.protocol(),
        "rows": hashlib.sha256(text.encode()).hexdigest(),
        "versions": {package: metadata.version(package) for package in PACKAGES},
    }


def key_of(about: Mapping[str, Any]) -> str:
    """Return the key of a description.

    Example:
        >>> key_of({"model": "a"}) == key_of({"model": "a"}) != key_of({"model": "b"})
        True
    """
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()
