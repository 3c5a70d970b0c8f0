"""Loading a sentence encoder from a folder or from the Hub."""

from __future__ import annotations

import importlib.util
import json
import os
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from sda_hf.errors import InputFileError, InputValueError, MissingPackageError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# sentence-transformers would load these models without their heads, as if they were sentence encoders.
HEADS = ("ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering", "ForMultipleChoice")
ADAPTER = "adapter_config.json"  # the file by which peft knows an adapter
LONGEST_REASON = 300  # characters


def load_encoder(model: str | os.PathLike[str]) -> SentenceTransformer:
    """Load a sentence encoder from a folder or from the Hub.

    Weights missing from the files (mostly those of an unused pooler) are initialised from a fixed seed.

    Args:
        model: folder or Hub id of a SentenceTransformer, or of a bare transformers encoder; or a folder with no more
            than an adapter of one (LoRA), which names the model that it is for.

    Raises:
        InputFileError: the model cannot be loaded, or has no vocabulary.
        InputValueError: the model is not a sentence encoder.
        MissingPackageError: the folder holds an adapter, and peft is not installed.
    """
    # Slow to import.
    import torch

    name = os.fspath(model)
    adapter = Path(name) / ADAPTER
    if adapter.is_file() and importlib.util.find_spec("peft") is None:
        raise MissingPackageError(f"{name} is an adapter, which needs peft: pip install 'sda-hf[lora]'")
    try:
        if not name:
            raise ValueError("the name is empty")
        with torch.random.fork_rng():
            torch.manual_seed(0)
            loaded = _load(name, adapter)
        other = _other_kind(name, loaded)
    except Exception as error:  # transformers, safetensors, pickle and huggingface_hub each raise their own
        reason = textwrap.shorten(str(error), LONGEST_REASON, placeholder=" ...") or type(error).__name__
        raise InputFileError(
            f"cannot load {name or repr(name)} as a sentence encoder (a SentenceTransformer's folder or Hub id): "
            f"{'' if Path(name).exists() else 'it is not a folder, and from the Hub: '}{reason}"
        ) from error
    if other is not None:
        raise InputValueError(f"{name} is a {other}, not a sentence encoder: give a SentenceTransformer")
    special = getattr(loaded.tokenizer, "all_special_tokens", None)
    if special and len(loaded.tokenizer) <= len(special):
        raise InputFileError(f"{name} has no vocabulary: add the files of its tokenizer")
    return loaded


def _load(name: str, adapter: Path) -> SentenceTransformer:
    """Load a model, or the model that an adapter is for, with the adapter."""
    from sentence_transformers import SentenceTransformer

    if not adapter.is_file() or (Path(name) / "modules.json").is_file():  # saved with all its modules, it loads itself
        return SentenceTransformer(name)
    model = SentenceTransformer(json.loads(adapter.read_text(encoding="utf-8"))["base_model_name_or_path"])
    model.load_adapter(name)
    return model


def _other_kind(name: str, model: SentenceTransformer) -> str | None:
    """Return what a model was made for, unless that is embedding sentences."""
    from sentence_transformers.util import load_file_path  # slow to import

    if getattr(model[-1], "module_output_name", None) == "token_embeddings":
        return "model of token embeddings (it has no pooling)"
    config = load_file_path(name, "config_sentence_transformers.json")
    kind = json.loads(Path(config).read_text(encoding="utf-8")).get("model_type") if config is not None else None
    if kind is not None:
        return None if kind == "SentenceTransformer" else str(kind)
    if load_file_path(name, "modules.json") is not None:
        return None
    architectures = getattr(getattr(model[0], "config", None), "architectures", None) or ()
    return next((one for one in architectures if one.endswith(HEADS)), None)
