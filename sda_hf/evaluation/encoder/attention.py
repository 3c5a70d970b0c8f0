"""The weight of each word of a sentence in its embedding."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputTypeError, InputValueError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Transformer
    from transformers import BatchEncoding

POOLINGS = ("cls", "mean", "lasttoken")


def attention_weights(model: SentenceTransformer, sentence: str) -> list[tuple[str, float]]:
    """Return the attention of the output token to each word, in the last layer, averaged over the heads.

    The output token is the one the pooling selects: the first for "cls", the last for "lasttoken". For "mean", the
    attention is averaged over all tokens of the sentence, [CLS] and [SEP] included. The weight of a word is the sum
    over its subwords. Special tokens are left out and the weights renormalised. No prompt is prepended. A copy of the
    transformer is run in evaluation mode; the model itself is not changed.

    Args:
        model: a transformer with a fast tokenizer, followed by a pooling of its last layer.
        sentence: a text that fits into the model's maximum length.

    Returns:
        (word, weight) in the order of the sentence. Words are those of the tokenizer (BERT's separates punctuation and
        Chinese characters), spelt as in the sentence. Weights lie between 0 and 1 and sum to 1.

    Raises:
        InputTypeError: the model does not start with a transformer that returns attentions, or its tokenizer is slow.
        InputValueError: the pooling has no output token, or the sentence is blank or too long.

    Source:
        SDA (LREC-COLING 2024), section 6.6 and Figure 4. The paper does not state the layer, the average over heads or
        the treatment of mean pooling.

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
        raise InputValueError(f"sentence is {sentence!r}, which has no words: give a sentence")
    _check_encoder(model)
    pooling = _pooling(model)
    encoding, attention = _last_layer(model[0], sentence)
    tokens = np.flatnonzero(encoding["attention_mask"][0].cpu().numpy())
    rows = {"cls": tokens[:1], "lasttoken": tokens[-1:], "mean": tokens}[pooling]
    words = _merged(sentence, encoding, attention[rows].mean(axis=0))
    total = sum(weight for _, weight in words)
    return [(word, weight / total) for word, weight in words]


def _check_encoder(model: SentenceTransformer) -> None:
    # Slow to import.
    from sentence_transformers.sentence_transformer.modules import Transformer

    first = model[0]
    # A model of transformers has this method, one of ONNX or OpenVINO does not.
    if not isinstance(first, Transformer) or not hasattr(first.model, "set_attn_implementation"):
        name = type(first.model if isinstance(first, Transformer) else first).__name__
        raise InputTypeError(f"the model starts with a {name}, which returns no attentions: give a PyTorch transformer")
    if not getattr(first.tokenizer, "is_fast", False):
        raise InputTypeError(
            f"the tokenizer is a {type(first.tokenizer).__name__}, which does not give the offsets of its tokens: "
            "give a model with a fast tokenizer"
        )


def _pooling(model: SentenceTransformer) -> str:
    # Slow to import.
    from sentence_transformers.sentence_transformer.modules import Pooling

    # A module between transformer and pooling would mix layers or reweight tokens.
    second = model[1] if len(model) > 1 else None
    mode = second.pooling_mode if isinstance(second, Pooling) else type(second).__name__
    if mode not in POOLINGS:
        given = " + ".join(mode) if isinstance(mode, tuple) else mode
        raise InputValueError(
            f"pooling {given!r} has no output token in the last layer: use one of {', '.join(POOLINGS)}"
        )
    return str(mode)


def _last_layer(transformer: Transformer, sentence: str) -> tuple[BatchEncoding, NDArray[np.float64]]:
    """Return the encoding of a sentence and the attentions of the last layer, averaged over heads: (tokens, tokens)."""
    # Slow to import.
    import torch

    # A copy: only "eager" kernels return attentions, and switching to them changes the model's config.
    runner = copy.deepcopy(transformer).eval()
    runner.model.set_attn_implementation("eager")
    encoding = runner.preprocess([sentence])
    if encoding["modality"] != "text":
        raise InputTypeError("the model wraps sentences in a chat template: give a model that reads plain text")
    if encoding.encodings[0].overflowing:
        raise InputValueError(
            f"the sentence is longer than the model's maximum of {runner.max_seq_length} tokens: shorten it, or raise "
            "model.max_seq_length"
        )
    inputs = {name: encoding[name].to(runner.model.device) for name in encoding if torch.is_tensor(encoding[name])}
    with torch.no_grad():
        attentions = runner.model(**inputs, output_attentions=True, return_dict=True).get("attentions")
    if not attentions or attentions[-1] is None:
        raise InputTypeError(f"a {type(runner.model).__name__} returns no attentions: give a model that does")
    return encoding, attentions[-1][0].double().mean(dim=0).cpu().numpy()


def _merged(sentence: str, encoding: BatchEncoding, weights: NDArray[np.float64]) -> list[tuple[str, float]]:
    """Sum the weights of the subwords of each word; special tokens and whitespace belong to no word."""
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
        # To tokenizers without pre-tokenization (Llama's) the sentence is one word: split it at whitespace.
        if word == last and not any(letter.isspace() for letter in sentence[spans[-1][1] : start]):
            spans[-1] = (spans[-1][0], max(spans[-1][1], end))
            sums[-1] += weight
        else:
            spans.append((start, end))
            sums.append(weight)
        last = word
    if not spans:
        raise InputValueError(f"the tokenizer drops every word of {sentence!r}: give a sentence it knows")
    return [(sentence[start:end], total) for (start, end), total in zip(spans, sums, strict=True)]
