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
from sda_hf.evaluation.tasks import AnyTask, Measurement
from sda_hf.files import write_whole

# What may change a figure although model, task and rows stay the same.
PACKAGES = ("sda-hf", "sentence-transformers", "transformers", "tokenizers", "torch", "scikit-learn")
# Where a model came from, and how it was saved, is no part of what it does.
ORIGIN = ("_name_or_path", "transformers_version", "architectures", "dtype")
# Every call of a tokenizer leaves these as it needed them.
LEFT_BEHIND = ("truncation", "padding")


def default_folder() -> Path:
    """Where measurements are kept by the command line: in the Hugging Face home, beside its other caches."""
    from huggingface_hub.constants import HF_HOME  # here, because it is slow to import

    return Path(HF_HOME) / "sda_hf" / "measurements"


def fingerprint(model: Any) -> str:
    """A hash of what a model makes of a text: its modules, their settings, weights and tokenizer, and its prompts.

    Equal models have equal fingerprints wherever they lie, and a weight that changes changes it.

    Args:
        model: a SentenceTransformer.

    Returns:
        64 hexadecimal digits.

    Raises:
        InputTypeError: the model is something else, of which nobody knows what makes it different from another.
    """
    # Here, because both are slow to import.
    import torch
    from sentence_transformers import SentenceTransformer

    if not isinstance(model, SentenceTransformer):
        raise InputTypeError(
            f"measurements of a {type(model).__name__} cannot be cached: only a SentenceTransformer can be told from "
            "another; measure without cache_dir"
        )
    facts = {
        "modules": [(name, type(module).__name__, _settings(module)) for name, module in model.named_modules()],
        "prompts": [model.prompts, model.default_prompt_name],
        "max_seq_length": model.max_seq_length,
        "truncate_dim": model.truncate_dim,
        "tokenizer": _tokenizer(model.tokenizer),
    }
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode())
    for name, tensor in model.state_dict().items():
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        # As bytes: NumPy knows no bfloat16.
        digest.update(tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def _settings(module: Any) -> Any:
    """What a module of sentence-transformers would save of itself, or the configuration of a transformers model."""
    if hasattr(module, "get_config_dict"):
        return module.get_config_dict()
    config: Any = getattr(module, "config", None)
    if not hasattr(config, "to_dict"):
        return None
    return {key: value for key, value in config.to_dict().items() if key not in ORIGIN}


def _tokenizer(tokenizer: Any) -> Any:
    """How a tokenizer cuts texts: one of transformers, one of tokenizers, or one that has a vocabulary at least."""
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    if hasattr(backend, "to_str"):
        facts = {key: value for key, value in json.loads(backend.to_str()).items() if key not in LEFT_BEHIND}
    else:
        facts = {"vocabulary": backend.get_vocab()} if hasattr(backend, "get_vocab") else {}
    sides = [getattr(tokenizer, f"{what}_side", None) for what in ("padding", "truncation")]
    return [type(tokenizer).__name__, sides, facts]


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
