"""A cache of measurements, so that no model is measured twice on the same rows.

An entry carries a checksum over its key and its content, so that a damaged or changed one, or one of another model, is
noticed and measured again. The checksum is no signature: whoever can write to the folder can also make one that fits.
"""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import json
import logging
import os
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from sda_hf.errors import InputFileError, InputTypeError, InputValueError
from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.evaluation.tasks.measurement import Measurement, check_figures
from sda_hf.files import write_whole
from sda_hf.terminal import printable

logger = logging.getLogger(__name__)

# Packages whose version may change a score although model, task and rows stay the same.
PACKAGES = ("sda-hf", "sentence-transformers", "transformers", "tokenizers", "torch", "scikit-learn")
CHECKSUM = "sha256"


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
        """Return a measurement and its date; None if it has to be made.

        What does not fit its checksum, or holds a figure that no measurement gives, is named in a warning.

        Raises:
            InputFileError: the file cannot be read.
        """
        path = self.folder / f"{key}.json"
        try:
            return _checked(key, path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._error("read", error) from error
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            reason = str(error) if isinstance(error, ValueError) else "it is not a measurement"
            logger.warning(
                "cached measurement %s is not used, and measured again: %s", printable(path), printable(reason)
            )
            return None

    def put(self, key: str, about: Mapping[str, Any], measurement: Measurement) -> None:
        """Save a measurement atomically; one that `get` would not return is left out, and a warning says so.

        Args:
            key: key of the measurement, from `key_of`.
            about: what was measured, from `describe`.
            measurement: the measurement.

        Raises:
            InputFileError: the file cannot be written.
        """
        try:
            check_figures(measurement)
        except InputValueError as error:
            logger.warning("a measurement is not cached: %s", printable(error))
            return
        kept: dict[str, Any] = {
            "key": key,
            **about,
            "measured": datetime.date.today().isoformat(),
            "metrics": measurement.metrics,
            "items": measurement.items.tolist(),
            "gold": None if measurement.gold is None else measurement.gold.tolist(),
        }
        try:
            write_whole(self.folder / f"{key}.json", json.dumps(kept | {CHECKSUM: _checksum(kept)}))
        except OSError as error:
            raise self._error("write", error) from error

    def _error(self, what: str, error: OSError) -> InputFileError:
        return InputFileError(
            f"cannot {what} measurements in {self.folder}: {error.strerror}: use another cache folder, or none"
        )


def _checked(key: str, text: str) -> tuple[Measurement, str]:
    """Return the measurement of an entry and its date.

    Raises:
        ValueError: the entry is damaged, was changed, or belongs to another key.
    """
    kept = json.loads(text)
    checksum = kept.pop(CHECKSUM, None)
    if checksum is None:
        raise ValueError("it has no checksum")
    if kept.get("key") != key:
        raise ValueError("it is that of another model, task or version")
    if checksum != _checksum(kept):
        raise ValueError("its content does not fit its checksum")
    gold = None if kept["gold"] is None else np.array(kept["gold"], dtype=np.float64)
    measurement = Measurement(dict(kept["metrics"]), np.array(kept["items"], dtype=np.float64), gold)
    check_figures(measurement)
    return measurement, datetime.date.fromisoformat(kept["measured"]).isoformat()


def _checksum(kept: Mapping[str, Any]) -> str:
    """Return the checksum of an entry, in which the order counts: the headline metric comes first."""
    return hashlib.sha256(json.dumps(kept).encode()).hexdigest()


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
