"""Replace words with others that a masked language model predicts in their place."""

from __future__ import annotations

import functools
import itertools
import random
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sda_hf.augmentation.base import OUTSIDE_DRAWS, TextAugmenter, register
from sda_hf.augmentation.checks import check_count, check_fraction
from sda_hf.augmentation.pretrained_models import HARDWARE, Checkpoint, by_length, check_hardware, check_model, load
from sda_hf.augmentation.vocabulary import TERM
from sda_hf.grammar.base import Grammar, grammar_of
from sda_hf.grammar.edits import Edit, Rule, Skip

RULE = Rule("contextual-word", "word that fits the context")
# The only tokens of a single letter that are words.
LETTERS = ("a", "i")


@register("random-contextual-words")
@dataclass(frozen=True, kw_only=True)
class RandomContextualWords(TextAugmenter):
    """Negative: some words replaced with others that fit the context.

    Each drawn word is masked by itself and replaced with one of the words that a masked language model finds most
    probable there, drawn by its probability; never with the word itself.

    Source: AugCSE (Tang et al.), Table 1: RandomContextualWordAugmentation, the best of its negatives for linguistic
    acceptability.

    Args:
        model: Hub id or folder of a fill-mask model with weights in safetensors.
        rate: share of the words that are replaced, greater than 0 and at most 1; at least one word is.
        top_k: number of the most probable other words that a replacement is drawn from.
        batch_size: texts in a batch; it affects memory and speed only.
        max_length: maximum number of tokens of a text; a longer one is skipped, never truncated.
        device: "cpu", "cuda", "cuda:1" and so on; None for cuda if there is one, else cpu.
        dtype: type of the weights: "float32", "bfloat16" or "float16".

    Raises:
        InputValueError: a value outside what is allowed; at the first text, a model of another kind.
        InputFileError: at the first text, a model that does not exist.

    Example:
        >>> RandomContextualWords(rate=0.3).model
        'bert-base-uncased'
        >>> RandomContextualWords(rate=0)
        Traceback (most recent call last):
        ...
        sda_hf.errors.InputValueError: RandomContextualWords: rate=0: give a number greater than 0 and at most 1
    """

    role = "negative"
    languages = ("en",)
    needs = "text"
    source = "AugCSE, Table 1 (RandomContextualWordAugmentation)"
    limits = (
        "a word replaced by a synonym gives a negative that is true",
        "words with digits are kept, and so are words for which the model has no other single-token word",
        HARDWARE,
        "forked processes cannot use a GPU: call map without num_proc there",
    )

    model: str = "bert-base-uncased"
    rate: float = 0.15
    top_k: int = 10
    batch_size: int = field(default=32, metadata=OUTSIDE_DRAWS)
    max_length: int = 128
    device: str | None = field(default=None, metadata=OUTSIDE_DRAWS)
    dtype: str = field(default="float32", metadata=OUTSIDE_DRAWS)

    def __post_init__(self) -> None:
        super().__post_init__()
        name = "RandomContextualWords"
        check_model(name, "model", self.model)
        check_fraction(name, "rate", self.rate)
        check_count(name, "top_k", self.top_k, highest=10_000)
        check_count(name, "batch_size", self.batch_size, highest=10_000)
        check_count(name, "max_length", self.max_length, lowest=3, highest=10_000)
        check_hardware(name, self.device, self.dtype)

    @property
    def models(self) -> tuple[str, ...]:
        """The model."""
        return (self.model,)

    def edit(self, text: str, rng: random.Random) -> list[Edit] | Skip:
        """Replace words of one text."""
        return self.edits([text], [rng])[0]

    def edits(self, views: Sequence[str], rngs: Sequence[random.Random]) -> list[list[Edit] | Skip]:
        """Replace words of many texts, whose masked variants are batched by length."""
        checkpoint = load("fill-mask", self.model, self.device, self.dtype)
        limit = checkpoint.limit(self.max_length)
        long = [len(row) > limit for row in checkpoint.tokens(views)]
        gaps = [[] if over else self._gaps(text, rng) for text, over, rng in zip(views, long, rngs, strict=True)]
        words = iter(self._words(checkpoint, limit, list(itertools.chain.from_iterable(gaps))))
        grammar = grammar_of(self.language)
        return [
            Skip(f"over {limit} tokens") if over else _edits(found, [next(words) for _ in found], grammar)
            for over, found in zip(long, gaps, strict=True)
        ]

    def _gaps(self, text: str, rng: random.Random) -> list[_Gap]:
        """Draw the words of a text to replace."""
        words = [match.span() for match in TERM.finditer(text) if _is_word(match[0])]
        count = min(len(words), max(1, round(self.rate * len(words))))
        return [_Gap(text, *span, rng.random()) for span in sorted(rng.sample(words, count))]

    def _words(self, checkpoint: Checkpoint, limit: int, gaps: Sequence[_Gap]) -> list[str | None]:
        """Return the word that fills each gap; None if no word fits."""
        tokenizer = checkpoint.tokenizer
        rows = checkpoint.tokens([gap.masked(tokenizer.mask_token) for gap in gaps])
        fit = [i for i, row in enumerate(rows) if len(row) <= limit]  # a mask may split what was one token
        found: list[str | None] = [None] * len(gaps)
        for batch in by_length([rows[i] for i in fit], self.batch_size):
            numbers = [fit[i] for i in batch]
            places = [gaps[i].place(rows[i], tokenizer) for i in numbers]
            shares = self._shares(checkpoint, [rows[i] for i in numbers], places, [gaps[i].old for i in numbers])
            for i, of_gap in zip(numbers, shares, strict=True):
                found[i] = _draw(of_gap, gaps[i].number)
        return found

    def _shares(
        self, checkpoint: Checkpoint, rows: list[list[int]], places: list[int], olds: list[str]
    ) -> list[dict[str, float]]:
        """Return the most probable words at a place of each text, except the old one, with their probabilities."""
        import torch

        vocabulary = _vocabulary(checkpoint.tokenizer)
        with torch.inference_mode():
            logits = checkpoint.model(**checkpoint.padded(rows)).logits  # (texts, tokens, vocabulary)
            scores = logits[torch.arange(len(rows)), places][:, vocabulary.numbers].float()  # (texts, words)
            for row, old in enumerate(olds):
                scores[row, vocabulary.forms.get(old.lower(), [])] = -torch.inf
            best = scores.topk(min(self.top_k, scores.shape[-1]), dim=-1)
            shares = torch.softmax(best.values.double(), dim=-1)  # (texts, top_k)
        return [
            {vocabulary.words[i]: share for i, share in zip(row, of_row, strict=True) if share > 0}
            for row, of_row in zip(best.indices.tolist(), shares.tolist(), strict=True)
        ]


@dataclass(frozen=True)
class _Gap:
    """A word of a text to replace, and the random number that draws the new word."""

    text: str
    start: int
    end: int
    number: float

    @property
    def old(self) -> str:
        return self.text[self.start : self.end]

    def masked(self, mask: str) -> str:
        return f"{self.text[: self.start]}{mask}{self.text[self.end :]}"

    def place(self, row: list[int], tokenizer: Any) -> int:
        """Return the place of the mask among the tokens: the text itself may contain mask tokens before it."""
        before = self.text[: self.start].count(tokenizer.mask_token)
        return [i for i, token in enumerate(row) if token == tokenizer.mask_token_id][before]

    def edit(self, word: str, grammar: Grammar) -> Edit:
        """Return the edit that puts another word here, with the capitals of the old one, or with its own."""
        word = grammar.capitalised(word)
        inner = self.old == "I" and self.text[: self.start].strip()  # its capital does not mean that it comes first
        return RULE.edit(self.start, self.end, word if inner else grammar.cased_like(self.old, word))


@dataclass(frozen=True)
class _Vocabulary:
    """The tokens of a model that are whole words: their ids and texts, and their places in both by lowercase text."""

    numbers: list[int]
    words: list[str]
    forms: dict[str, list[int]]


@functools.lru_cache(maxsize=8)
def _vocabulary(tokenizer: Any) -> _Vocabulary:
    tokens = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
    # The mark of tokens that begin a word, in SentencePiece and byte-level vocabularies.
    start = next((mark for mark in ("▁", "Ġ") if any(token.startswith(mark) for token in tokens)), "")
    special = set(tokenizer.all_special_ids)
    found = _Vocabulary([], [], {})
    for number, token in enumerate(tokens):
        if number in special or not token.startswith(start) or token.startswith("##"):
            continue
        word = tokenizer.decode([number]).strip()
        if TERM.fullmatch(word) and _is_word(word) and (len(word) > 1 or word.lower() in LETTERS):
            found.forms.setdefault(word.lower(), []).append(len(found.words))
            found.numbers.append(number)
            found.words.append(word)
    return found


def _is_word(term: str) -> bool:
    return not any(letter.isdigit() for letter in term)


def _draw(shares: Mapping[str, float], number: float) -> str | None:
    """Return the word that a number in [0, 1) selects by the probabilities."""
    if not shares:
        return None
    words, ends = list(shares), list(itertools.accumulate(shares.values()))
    return words[min(bisect_right(ends, number * ends[-1]), len(words) - 1)]


def _edits(gaps: Sequence[_Gap], words: Sequence[str | None], grammar: Grammar) -> list[Edit] | Skip:
    """Return the edits that fill the gaps of a text."""
    if not gaps:
        return Skip("no word")
    edits = [gap.edit(word, grammar) for gap, word in zip(gaps, words, strict=True) if word is not None]
    return edits or Skip("no other word that fits")
