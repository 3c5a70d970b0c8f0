"""How much each word of a sentence weighs in its embedding."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputTypeError, InputValueError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

POOLINGS = ("cls", "mean", "lasttoken")


def attention_weights(model: SentenceTransformer, sentence: str) -> list[tuple[str, float]]:
    """The attention that the output token pays to each word, in the last layer, as a mean over the heads.

    The output token is the one that the pooling takes: the first for "cls", the last for "lasttoken"; for "mean" it
    is the mean over all tokens of the sentence, [CLS] and [SEP] included. What a word gets is the sum over its
    pieces. What special tokens get is left out, and the rest is divided by its sum. The sentence is read without a
    prompt. A copy of the encoder is run, in evaluation mode; the model stays as it is.

    Args:
        model: an encoder of transformers with a fast tokenizer, and a pooling of its last layer.
        sentence: any text that the encoder reads in full.

    Returns:
        (word, weight) in the order of the sentence; words are what the tokenizer takes for one (marks apart in BERT's,
        single characters in Chinese), spelt as in the sentence. Weights are shares from 0 to 1 and sum to 1.

    Raises:
        InputTypeError: the model does not begin with an encoder that has attentions and a fast tokenizer.
        InputValueError: another pooling, or a sentence that is blank or longer than what the encoder reads.

    Source:
        SDA (LREC-COLING 2024), section 6.6 and Figure 4. The layer, the mean over heads and the rule for mean pooling
        are not printed there.

    Example:
        >>> from sda_hf.training.encoder import build
        >>> from sda_hf.training.recipe import Build
        >>> model = build(Build(layers=1, hidden_size=8, intermediate_size=8, pooling="cls"), ["It is not late."] * 2)
        >>> weights = attention_weights(model, "It is not late.")
        >>> [word for word, _ in weights]
        ['It', 'is', 'not', 'late', '.']
        >>> round(sum(weight for _, weight in weights), 6)
        1.0
    """
    if not sentence.strip():
        raise InputValueError(f"sentence is {sentence!r}, which has no words: give a text")
    _check_encoder(model)
    pooling = _pooling(model)
    encoding, attention = _last_layer(model[0], sentence)
    tokens = np.flatnonzero(encoding["attention_mask"][0].cpu().numpy())
    rows = {"cls": tokens[:1], "lasttoken": tokens[-1:], "mean": tokens}[pooling]
    words = _merged(sentence, encoding, attention[rows].mean(axis=0))
    total = sum(weight for _, weight in words)
    return [(word, weight / total) for word, weight in words]


def _check_encoder(model: SentenceTransformer) -> None:
    # Heavy, and not needed to import this package.
    from sentence_transformers.sentence_transformer.modules import Transformer

    first = model[0]
    # The method is what a model of transformers has, and what one of ONNX or OpenVINO lacks.
    if not isinstance(first, Transformer) or not hasattr(first.model, "set_attn_implementation"):
        name = type(first.model if isinstance(first, Transformer) else first).__name__
        raise InputTypeError(f"the model begins with a {name}, which shows no attentions: give a torch transformer")
    if not getattr(first.tokenizer, "is_fast", False):
        raise InputTypeError(
            f"the tokenizer is a {type(first.tokenizer).__name__}, which does not say where its pieces stand in the "
            "text: give a model with a fast tokenizer"
        )


def _pooling(model: SentenceTransformer) -> str:
    # Heavy, and not needed to import this package.
    from sentence_transformers.sentence_transformer.modules import Pooling

    # What stands between the encoder and its pooling mixes layers or weighs tokens anew.
    second = model[1] if len(model) > 1 else None
    mode = second.pooling_mode if isinstance(second, Pooling) else type(second).__name__
    if mode not in POOLINGS:
        given = " + ".join(mode) if isinstance(mode, tuple) else mode
        raise InputValueError(
            f"pooling {given!r} has no output token in the last layer: weights are defined for {', '.join(POOLINGS)}"
        )
    return str(mode)


def _last_layer(transformer: Any, sentence: str) -> tuple[Any, NDArray[np.float64]]:
    """The encoding of a sentence, and the attentions (tokens, tokens) of the last layer, mean over heads."""
    # Heavy, and not needed to import this package.
    import torch

    # A copy: other kernels than "eager" give no attentions, and to change it marks the model, its config and tokenizer.
    runner = copy.deepcopy(transformer).eval()
    runner.model.set_attn_implementation("eager")
    encoding = runner.preprocess([sentence])
    if encoding["modality"] != "text":
        raise InputTypeError("the model reads sentences inside a chat template: weights are for models of plain text")
    if encoding.encodings[0].overflowing:
        raise InputValueError(
            f"the sentence is longer than the {runner.max_seq_length} tokens that the model reads: shorten it, or set "
            "model.max_seq_length"
        )
    inputs = {name: encoding[name].to(runner.model.device) for name in encoding if torch.is_tensor(encoding[name])}
    with torch.no_grad():
        attentions = runner.model(**inputs, output_attentions=True, return_dict=True).get("attentions")
    if not attentions or attentions[-1] is None:
        raise InputTypeError(f"a {type(runner.model).__name__} gives no attentions: give a model that does")
    return encoding, attentions[-1][0].double().mean(dim=0).cpu().numpy()


def _merged(sentence: str, encoding: Any, weights: NDArray[np.float64]) -> list[tuple[str, float]]:
    """Sums over the pieces of each word; special tokens and pieces of bare white space are no part of one."""
    spans: list[tuple[int, int]] = []
    sums: list[float] = []
    last = None
    pieces = zip(encoding.word_ids(0), encoding.encodings[0].offsets, weights.tolist(), strict=True)
    for word, (start, end), weight in pieces:
        text = sentence[start:end]
        if word is None or not text.strip():
            continue
        start += len(text) - len(text.lstrip())
        end -= len(text) - len(text.rstrip())
        # Tokenizers that cut no words first (Llama's) number the whole sentence as one: white space parts them.
        if word == last and not any(letter.isspace() for letter in sentence[spans[-1][1] : start]):
            spans[-1] = (spans[-1][0], max(spans[-1][1], end))
            sums[-1] += weight
        else:
            spans.append((start, end))
            sums.append(weight)
        last = word
    if not spans:
        raise InputValueError(f"the tokenizer keeps no word of the sentence {sentence!r}: give a text that it knows")
    return [(sentence[start:end], total) for (start, end), total in zip(spans, sums, strict=True)]
