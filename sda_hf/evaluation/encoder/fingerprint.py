"""Telling models apart by what they compute."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from sda_hf.errors import InputTypeError

# Where a model came from, and how it was saved, is no part of what it does.
ORIGIN = ("_name_or_path", "transformers_version", "architectures", "dtype")
# Every call of a tokenizer leaves these as it needed them.
LEFT_BEHIND = ("truncation", "padding")


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
