"""Loading the encoder in a folder or on the Hub."""

from __future__ import annotations

import json
import os
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sda_hf.errors import InputFileError, InputValueError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# Models that sentence-transformers would load without their heads, as if they had been trained to embed.
HEADS = ("ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering", "ForMultipleChoice")
LONGEST_REASON = 300


def load_encoder(model: str | os.PathLike[str]) -> SentenceTransformer:
    """The model in a folder or on the Hub.

    Weights that the files lack (a pooler that is not used, mostly) are drawn from a seed of their own.

    Raises:
        InputFileError: it cannot be read.
        InputValueError: what is there is no sentence encoder.
    """
    # Here, because both are slow to import.
    import torch
    from sentence_transformers import SentenceTransformer

    name = os.fspath(model)
    try:
        if not name:
            raise ValueError("the name is empty")
        with torch.random.fork_rng():
            torch.manual_seed(0)
            loaded = SentenceTransformer(name)
        other = _other_kind(name, loaded)
    except Exception as error:  # transformers, safetensors, pickle and huggingface_hub have errors of their own
        reason = textwrap.shorten(str(error), LONGEST_REASON, placeholder=" ...") or type(error).__name__
        raise InputFileError(
            f"cannot load {name or repr(name)} as a sentence encoder (a SentenceTransformer's folder or Hub id): "
            f"{'' if Path(name).exists() else 'it is no folder, and from the Hub: '}{reason}"
        ) from error
    if other is not None:
        raise InputValueError(f"{name} is a {other}, no sentence encoder: give a SentenceTransformer or a bare encoder")
    special = getattr(loaded.tokenizer, "all_special_tokens", None)
    if special and len(loaded.tokenizer) <= len(special):
        raise InputFileError(f"{name} has no vocabulary: its tokenizer's files are missing: give the whole model")
    return loaded


def _other_kind(name: str, model: Any) -> str | None:
    """What a model was made for, where that is not to embed sentences."""
    from sentence_transformers.util import load_file_path  # here, because it is slow to import

    if getattr(model[-1], "module_output_name", None) == "token_embeddings":
        return "model of tokens (it ends without a pooling)"
    config = load_file_path(name, "config_sentence_transformers.json")
    kind = json.loads(Path(config).read_text(encoding="utf-8")).get("model_type") if config is not None else None
    if kind is not None:
        return None if kind == "SentenceTransformer" else str(kind)
    if load_file_path(name, "modules.json") is not None:
        return None
    architectures = getattr(getattr(model[0], "config", None), "architectures", None) or ()
    return next((one for one in architectures if one.endswith(HEADS)), None)
