"""Load the transformer models that some augmenters run, once per process."""

from __future__ import annotations

import functools
import importlib.util
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from sda_hf.augmentation.checks import check_choice, check_text
from sda_hf.errors import InputError, InputFileError, InputValueError, MissingPackageError, shown
from sda_hf.syntax.parsers import SURROGATES

Kind = Literal["seq2seq", "fill-mask"]
DTYPES = ("float32", "bfloat16", "float16")
DEVICE = re.compile(r"cpu|cuda(:[0-9]{1,3})?")
EXAMPLES = {"seq2seq": "'tuner007/pegasus_paraphrase'", "fill-mask": "'bert-base-uncased'"}
# The generation settings of a model that are kept; the augmenter sets lengths, beams and sampling.
KEPT = (
    "pad_token_id bos_token_id eos_token_id decoder_start_token_id forced_bos_token_id bad_words_ids suppress_tokens "
    "begin_suppress_tokens early_stopping length_penalty no_repeat_ngram_size encoder_no_repeat_ngram_size "
    "repetition_penalty encoder_repetition_penalty renormalize_logits"
).split()
# A process forked from this one lacks its torch threads and would wait for them forever, unless it uses only one.
PROCESS = os.getpid()
HARDWARE = "in half precision the result may depend on the batch; in float32 it practically never does"


class Checkpoint:
    """A model on its device, and its tokenizer.

    Attributes:
        model: the model, in evaluation mode.
        tokenizer: its tokenizer.
        longest: the maximum number of tokens that the model takes; None if there is no limit.
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.longest = _longest(model, tokenizer)

    def limit(self, wanted: int) -> int:
        """Return the maximum number of tokens: `wanted`, or the limit of the model if that is lower."""
        return wanted if self.longest is None else min(wanted, self.longest)

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of each text, with special tokens and without truncation."""
        if not texts:
            return []
        legible = [text.translate(SURROGATES) for text in texts]
        rows: list[list[int]] = self.tokenizer(legible, truncation=False, verbose=False)["input_ids"]
        return rows

    def padded(self, rows: Sequence[list[int]]) -> dict[str, Any]:
        """Return token ids and attention mask on the device of the model, both (texts, longest text)."""
        import torch

        width = max(map(len, rows))
        fill = self.tokenizer.pad_token_id or 0
        ids = torch.tensor([row + [fill] * (width - len(row)) for row in rows])
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])
        return {"input_ids": ids.to(self.model.device), "attention_mask": mask.to(self.model.device)}


def _longest(model: Any, tokenizer: Any) -> int | None:
    """Return the size of the smallest position embedding, or the limit of the tokenizer if it is lower."""
    import torch

    bounds = [tokenizer.model_max_length]
    for name, module in model.named_modules():
        if isinstance(module, torch.nn.Embedding) and name.endswith(("embed_positions", "position_embeddings")):
            reserved = getattr(module, "offset", 0) if module.padding_idx is None else module.padding_idx + 1
            bounds.append(module.num_embeddings - reserved)
    return min(bounds) if min(bounds) < 1_000_000 else None


def load(kind: Kind, name: str, device: str | None, dtype: str) -> Checkpoint:
    """Load a model, once per process.

    Args:
        kind: "seq2seq" or "fill-mask".
        name: a Hub id or a folder.
        device: "cpu", "cuda", "cuda:1" and so on; None for cuda if there is one.
        dtype: "float32", "bfloat16" or "float16".

    Raises:
        InputFileError: there is no such model, or it has no weights in safetensors.
        InputValueError: the model is of another kind, or there is no such device.
        MissingPackageError: the tokenizer needs a package that is not installed.
    """
    import torch

    if os.getpid() != PROCESS:
        torch.set_num_threads(1)
    count = torch.cuda.device_count()
    if device is None:
        device = "cuda" if count else "cpu"
    if device != "cpu" and int(device.removeprefix("cuda").removeprefix(":") or 0) >= count:
        raise InputValueError(
            f"device={device!r}: this machine has {count} CUDA devices: give 'cpu', or None for cuda if available"
        )
    return _loaded(kind, name, device, dtype)


@functools.lru_cache(maxsize=8)
def _loaded(kind: Kind, name: str, device: str, dtype: str) -> Checkpoint:
    import torch
    import transformers
    from transformers import AutoConfig, AutoTokenizer, GenerationConfig

    if kind == "seq2seq":
        auto, known = transformers.AutoModelForSeq2SeqLM, transformers.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING
    else:
        auto, known = transformers.AutoModelForMaskedLM, transformers.MODEL_FOR_MASKED_LM_MAPPING
    config = _read(name, "config", AutoConfig)
    if type(config) not in known:
        raise InputValueError(
            f"model {name!r} is a {config.model_type} model, not a {kind} model: give one, such as {EXAMPLES[kind]}"
        )
    tokenizer = _read(name, "tokenizer", AutoTokenizer)
    if set(tokenizer.get_vocab()) <= set(tokenizer.all_special_tokens):  # what transformers builds without files
        raise InputFileError(f"model {name!r} has no tokenizer: save one in the same folder with save_pretrained")
    with torch.random.fork_rng(devices=[]):
        model, report = _read(
            name, "weights", auto, use_safetensors=True, dtype=getattr(torch, dtype), output_loading_info=True
        )
    computed = {f"{part}.weight" for part, module in model.named_modules() if "Sinusoidal" in type(module).__name__}
    missing = sorted(set(report["missing_keys"]) - computed)
    if missing:
        raise InputValueError(
            f"model {name!r} has no weights for {', '.join(missing[:3])}: it was saved without its {kind} part: "
            f"give a {kind} model, such as {EXAMPLES[kind]}"
        )
    if kind == "seq2seq":
        said = model.generation_config.to_dict()
        model.generation_config = GenerationConfig(**{key: said[key] for key in KEPT if said.get(key) is not None})
    elif tokenizer.mask_token_id is None:
        raise InputValueError(f"model {name!r}: its tokenizer has no mask token: give one, such as {EXAMPLES[kind]}")
    return Checkpoint(model.to(device).eval(), tokenizer)


def _read(name: str, part: str, auto: Any, **options: Any) -> Any:
    """Load a part of a model, with an error that says what to do."""
    from safetensors import SafetensorError

    try:
        return auto.from_pretrained(name, trust_remote_code=False, **options)
    except (OSError, ValueError, KeyError, ImportError, SafetensorError) as error:
        raise _unreadable(name, part, error) from error


def _unreadable(name: str, part: str, error: Exception) -> InputError:
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    if part == "config" and isinstance(error, OSError):
        return InputFileError(
            f"model {name!r} is neither a folder with a model nor one on the Hub or in its cache ({reason}): "
            "give the folder of a saved model, or the id of one on the Hub with a network connection"
        )
    if part == "weights" and isinstance(error, OSError):
        return InputFileError(
            f"model {name!r} has no weights in safetensors, the only supported format ({reason}): save it with "
            "save_pretrained and give that folder"
        )
    if part == "tokenizer" and not isinstance(error, OSError) and importlib.util.find_spec("sentencepiece") is None:
        return MissingPackageError(
            f"model {name!r}: its tokenizer needs sentencepiece, which is missing: run pip install sda-hf[translation]"
        )
    return InputValueError(
        f"model {name!r}: its {part} cannot be read ({reason}): give a completely saved model with an architecture "
        "that is part of transformers; code that comes with a model is never run"
    )


def by_length(rows: Sequence[list[int]], size: int) -> Iterator[list[int]]:
    """Yield the indices of the rows of each batch: rows of similar length, the longest first."""
    order = sorted(range(len(rows)), key=lambda i: -len(rows[i]))
    for start in range(0, len(order), size):
        yield order[start : start + size]


def check_model(owner: str, field: str, value: object) -> None:
    """Raise unless the value is the name of a model."""
    check_text(owner, field, value, "give a Hub id or the path of a folder", most=4096)


def check_hardware(owner: str, device: object, dtype: object) -> None:
    """Raise unless the values are a device and a dtype."""
    if device is not None and (not isinstance(device, str) or not DEVICE.fullmatch(device)):
        raise InputValueError(f"{owner}: device={shown(device)}: give 'cpu', 'cuda', 'cuda:0' and so on, or None")
    check_choice(owner, "dtype", dtype, DTYPES)
