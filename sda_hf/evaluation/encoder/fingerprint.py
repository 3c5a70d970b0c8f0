"""Fingerprints that tell models apart by what they compute."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from sda_hf.errors import InputTypeError
from sda_hf.evaluation.encoder.vectors import Encoder

if TYPE_CHECKING:
    import torch

# Where a model came from and how it was saved does not change what it computes.
ORIGIN = ("_name_or_path", "transformers_version", "architectures", "dtype")
# A tokenizer keeps these from its last call.
CALL_STATE = ("truncation", "padding")


def fingerprint(model: Encoder) -> str:
    """Hash everything that determines a model's embeddings: modules, settings, weights, tokenizer and prompts.

    Equal models have equal fingerprints wherever they are stored; any change of a weight changes the fingerprint.

    Args:
        model: a SentenceTransformer.

    Returns:
        64 hexadecimal digits.

    Raises:
        InputTypeError: the model is not a SentenceTransformer, so that its settings cannot be read.
    """
    # Slow to import.
    import torch
    from sentence_transformers import SentenceTransformer

    if not isinstance(model, SentenceTransformer):
        raise InputTypeError(
            f"measurements of a {type(model).__name__} cannot be cached: only a SentenceTransformer has a "
            "fingerprint; measure without cache_dir"
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
        # As bytes: NumPy has no bfloat16.
        digest.update(tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def _settings(module: torch.nn.Module) -> dict[str, Any] | None:
    """Return the settings a sentence-transformers module saves, or the configuration of a transformers model."""
    saved: Any = getattr(module, "get_config_dict", None)
    if saved is not None:
        return dict(saved())
    config: Any = getattr(module, "config", None)
    if not hasattr(config, "to_dict"):
        return None
    return {key: value for key, value in config.to_dict().items() if key not in ORIGIN}


def _tokenizer(tokenizer: object) -> list[object]:
    """Return the settings of a tokenizer: of transformers, of tokenizers, or one that has at least a vocabulary."""
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    if hasattr(backend, "to_str"):
        facts = {key: value for key, value in json.loads(backend.to_str()).items() if key not in CALL_STATE}
    else:
        facts = {"vocabulary": backend.get_vocab()} if hasattr(backend, "get_vocab") else {}
    sides = [getattr(tokenizer, f"{what}_side", None) for what in ("padding", "truncation")]
    return [type(tokenizer).__name__, sides, facts]
