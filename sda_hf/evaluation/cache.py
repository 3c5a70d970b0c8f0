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

from sda_hf.evaluation.tasks import AnyTask, Measurement
from sda_hf.writing import write_whole

# What may change a figure although model, task and rows stay the same.
PACKAGES = ("sda-hf", "sentence-transformers", "transformers", "torch", "scikit-learn")
# Where a model came from, and with which version it was saved, is no part of what it does.
ORIGIN = ("_name_or_path", "transformers_version")


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
    """
    digest = hashlib.sha256()
    tokenizer = getattr(getattr(model, "tokenizer", None), "backend_tokenizer", None)
    facts = {
        "modules": [(name, type(module).__name__, _settings(module)) for name, module in model.named_modules()],
        "prompts": [model.prompts, model.default_prompt_name],
        "max_seq_length": model.max_seq_length,
        "truncate_dim": model.truncate_dim,
        "tokenizer": tokenizer.to_str() if tokenizer is not None else None,
    }
    digest.update(json.dumps(facts, sort_keys=True, default=str).encode())
    for name, tensor in model.state_dict().items():
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        # As bytes: NumPy knows no bfloat16.
        digest.update(tensor.detach().cpu().contiguous().flatten().view(_bytes()).numpy().tobytes())
    return digest.hexdigest()


def _bytes() -> Any:
    import torch  # here, because it is slow to import

    return torch.uint8


def _settings(module: Any) -> Any:
    """What a module of sentence-transformers would save of itself, or the configuration of a transformers model."""
    if hasattr(module, "get_config_dict"):
        return module.get_config_dict()
    config: Any = getattr(module, "config", None)
    if not hasattr(config, "to_dict"):
        return None
    return {key: value for key, value in config.to_dict().items() if key not in ORIGIN}


class MeasurementCache:
    """A folder of measurements by (model fingerprint, task, protocol, rows and versions).

    Args:
        folder: the folder; made at the first measurement that is kept.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)

    def get(self, key: str) -> tuple[Measurement, str] | None:
        """A measurement and the day of it; None where there is none, or none that can be read."""
        try:
            kept = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
            gold = None if kept["gold"] is None else np.array(kept["gold"])
            return Measurement(kept["metrics"], np.array(kept["items"]), gold), kept["measured"]
        except (FileNotFoundError, ValueError, KeyError, TypeError):  # damaged: it is measured again and written anew
            return None

    def put(self, key: str, about: Mapping[str, Any], measurement: Measurement) -> None:
        """Keeps a measurement, whole or not at all."""
        kept = {
            **about,
            "measured": datetime.date.today().isoformat(),
            "metrics": measurement.metrics,
            "items": measurement.items.tolist(),
            "gold": None if measurement.gold is None else measurement.gold.tolist(),
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / f"{key}.json", json.dumps(kept))


def describe(model: str, task: AnyTask, data: Any) -> dict[str, Any]:
    """What a measurement is of; its hash is the key.

    Args:
        model: the model's fingerprint.
        task: the task.
        data: the rows that it read.
    """
    rows = dataclasses.asdict(data) if dataclasses.is_dataclass(data) and not isinstance(data, type) else data
    return {
        "model": model,
        "protocol": task.protocol(),
        "rows": hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest(),
        "versions": {package: metadata.version(package) for package in PACKAGES},
    }


def key_of(about: Mapping[str, Any]) -> str:
    """The key of what `describe` gave.

    Example:
        >>> key_of({"model": "a"}) == key_of({"model": "a"}) != key_of({"model": "b"})
        True
    """
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()
