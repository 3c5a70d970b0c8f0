"""Rewrites by text-to-text models: paraphrases and back-translations."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sda_hf.augmentation.base import OUTSIDE_DRAWS, TextAugmenter, register
from sda_hf.augmentation.checks import check_count, check_flag, check_fraction, check_text
from sda_hf.augmentation.pretrained_models import HARDWARE, Checkpoint, by_length, check_hardware, check_model, load
from sda_hf.errors import InputTypeError, InputValueError, shown
from sda_hf.grammar.edits import Edit, Rule, Skip
from sda_hf.registry import AUGMENTERS


@dataclass(frozen=True, kw_only=True)
class _Generative(TextAugmenter):
    """Base class of Paraphrase and BackTranslation, which differ in the models they run."""

    role = "positive"
    languages = ("en", "zh")
    needs = "text"

    batch_size: int = field(default=32, metadata=OUTSIDE_DRAWS)
    num_beams: int = 4
    sample: bool = False
    temperature: float = 1.0
    top_p: float = 1.0
    max_length: int = 64
    device: str | None = field(default=None, metadata=OUTSIDE_DRAWS)
    dtype: str = field(default="float32", metadata=OUTSIDE_DRAWS)

    def __post_init__(self) -> None:
        super().__post_init__()
        name = type(self).__name__
        check_count(name, "batch_size", self.batch_size, highest=10_000)
        check_count(name, "num_beams", self.num_beams, highest=100)
        check_count(name, "max_length", self.max_length, lowest=2, highest=10_000)
        check_flag(name, "sample", self.sample)
        check_fraction(name, "top_p", self.top_p)
        if isinstance(self.temperature, bool) or not isinstance(self.temperature, (int, float)):
            raise InputTypeError(
                f"{name}: temperature={shown(self.temperature)} is not a number: give one from 0.01 to 100"
            )
        if not 0.01 <= self.temperature <= 100:
            raise InputValueError(f"{name}: temperature={shown(self.temperature)}: give a number from 0.01 to 100")
        if not self.sample and (self.temperature, self.top_p) != (1, 1):
            raise InputValueError(
                f"{name}: temperature={self.temperature!r} and top_p={self.top_p!r} have no effect in a beam search: "
                "give sample=True, or leave them at 1.0"
            )
        check_hardware(name, self.device, self.dtype)

    def edit(self, text: str, rng: random.Random) -> list[Edit] | Skip:
        """Rewrite one text."""
        return self.edits([text], [rng])[0]

    def edits(self, texts: Sequence[str], rngs: Sequence[random.Random]) -> list[list[Edit] | Skip]:
        """Rewrite many texts, in batches of similar length."""
        name = AUGMENTERS.name_of(type(self))
        rule = Rule(name, name)
        return [_whole(text, new, rule) for text, new in zip(texts, self._rewritten(texts, rngs), strict=True)]

    def _rewritten(self, texts: Sequence[str], rngs: Sequence[random.Random]) -> list[str | Skip]:
        """Return the output of the models for each text."""
        raise TypeError(f"{type(self).__name__} names no model")

    def _write(self, model: str, texts: Sequence[str], rngs: Sequence[random.Random]) -> list[str | Skip]:
        """Return the output of one model for each text."""
        checkpoint = load("seq2seq", model, self.device, self.dtype)
        limit = checkpoint.limit(self.max_length)
        rows = checkpoint.tokens(texts)
        written: list[str | Skip] = [Skip(f"over {limit} tokens")] * len(rows)
        fit = [i for i, row in enumerate(rows) if len(row) <= limit]
        for batch in by_length([rows[i] for i in fit], self.batch_size):
            places = [fit[i] for i in batch]
            draws = [random.Random(rngs[i].getrandbits(64)) for i in places] if self.sample else None
            outputs = self._generate(checkpoint, [rows[i] for i in places], limit, draws)
            for i, output in zip(places, outputs, strict=True):
                written[i] = output
        return written

    def _generate(
        self, checkpoint: Checkpoint, rows: list[list[int]], limit: int, draws: list[random.Random] | None
    ) -> list[str | Skip]:
        from transformers import GenerationConfig, LogitsProcessorList

        model, tokenizer = checkpoint.model, checkpoint.tokenizer
        beams = 1 if draws else self.num_beams
        config = GenerationConfig(max_new_tokens=limit, num_beams=beams, do_sample=False, num_return_sequences=1)
        processors = LogitsProcessorList([_Draws(draws, self.temperature, self.top_p)] if draws else [])
        output = model.generate(**checkpoint.padded(rows), generation_config=config, logits_processor=processors)
        return [_decoded(model, tokenizer, row[1:], limit) for row in output.tolist()]


def _decoded(model: Any, tokenizer: Any, row: list[int], limit: int) -> str | Skip:
    """Return the text of an output, or a skip if it has no end token."""
    end = model.generation_config.eos_token_id
    ends = end if isinstance(end, list) else [end]
    if not any(token in ends for token in row):
        return Skip(f"no end within {limit} tokens")
    text: str = tokenizer.decode(row, skip_special_tokens=True).strip()
    return text or Skip("empty output")


def _whole(text: str, new: str | Skip, rule: Rule) -> list[Edit] | Skip:
    """Return the edit that replaces the whole text."""
    if isinstance(new, Skip):
        return new
    return Skip("unchanged") if new == text.strip() else [rule.edit(0, len(text), new)]


class _Draws:
    """Draw each next token by its probability, with one generator per text.

    The draw depends only on the generator of the text, not on the batch or on a global generator. All other tokens are
    masked, so that greedy search picks the drawn one.
    """

    def __init__(self, rngs: Sequence[random.Random], temperature: float, top_p: float) -> None:
        self.rngs = rngs
        self.temperature = temperature
        self.top_p = top_p

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Mask the scores, (texts, vocabulary), of all tokens except the drawn ones."""
        import torch

        probabilities = torch.softmax(scores.double() / self.temperature, dim=-1)  # (texts, vocabulary)
        if self.top_p < 1:
            ranked, order = probabilities.sort(dim=-1, descending=True, stable=True)
            ranked = torch.where(ranked.cumsum(-1) - ranked < self.top_p, ranked, 0.0)
            probabilities = torch.zeros_like(ranked).scatter(-1, order, ranked)
        cumulated = probabilities.cumsum(-1)
        numbers = torch.tensor([[rng.random()] for rng in self.rngs], dtype=torch.float64, device=scores.device)
        drawn = torch.searchsorted(cumulated, numbers * cumulated[:, -1:], right=True)  # (texts, 1)
        drawn = drawn.clamp(max=scores.shape[-1] - 1)
        return torch.full_like(scores, -torch.inf).scatter(-1, drawn, 0.0)


@register("paraphrase")
@dataclass(frozen=True, kw_only=True)
class Paraphrase(_Generative):
    """Positive: the sentence in other words, written by a text-to-text model.

    Source: UNA (Shu and Lampos), Appendix C.1, with PEGASUS (Zhang et al., 2020) fine-tuned for paraphrasing. The paper
    also tries `Vamsi/T5_Paraphrase_Paws`, which needs the prefix "paraphrase: ".

    Args:
        model: Hub id or folder of a seq2seq model with weights in safetensors.
        prefix: the prefix that the model expects before each text.
        batch_size: texts in a batch; it affects memory and speed only.
        num_beams: number of beams; not used with `sample`.
        sample: draw each token by its probability instead of searching for the best text.
        temperature: divides the scores before each draw; higher values give more varied texts.
        top_p: tokens are drawn from the most probable ones with this total probability, at most 1.
        max_length: maximum number of tokens of a text and of its paraphrase; longer ones are skipped, never truncated.
        device: "cpu", "cuda", "cuda:1" and so on; None for cuda if there is one, else cpu.
        dtype: type of the weights: "float32", "bfloat16" or "float16".

    Raises:
        InputValueError: a value outside what is allowed; at the first text, a model of another kind.
        InputFileError: at the first text, a model that does not exist.

    Example:
        >>> Paraphrase(sample=True, top_p=0.9).model
        'tuner007/pegasus_paraphrase'
        >>> Paraphrase(top_p=0.9)
        Traceback (most recent call last):
        ...
        sda_hf.errors.InputValueError: Paraphrase: temperature=1.0 and top_p=0.9 have no effect in a beam search: ...
    """

    source = "UNA, Appendix C.1 (PEGASUS, Zhang et al. 2020)"
    limits = (
        "whether the meaning is preserved depends on the model: it is not checked",
        "without sample, a text has a single paraphrase, whatever the seed and epoch",
        HARDWARE,
        "forked processes cannot use a GPU: call map without num_proc there",
    )

    model: str = "tuner007/pegasus_paraphrase"
    prefix: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_model("Paraphrase", "model", self.model)
        if self.prefix != "":
            check_text("Paraphrase", "prefix", self.prefix, "give the prefix that the model expects")
        _check_language(self, "model")

    @property
    def models(self) -> tuple[str, ...]:
        """The model."""
        return (self.model,)

    def _rewritten(self, texts: Sequence[str], rngs: Sequence[random.Random]) -> list[str | Skip]:
        return self._write(self.model, [self.prefix + text for text in texts], rngs)


@register("back-translation")
@dataclass(frozen=True, kw_only=True)
class BackTranslation(_Generative):
    """Positive: the sentence translated into another language and back.

    Source: UNA (Shu and Lampos), Appendix C.2: English to French and back, with the OPUS-MT models of Tiedemann and
    Thottingal (2020).

    Args:
        forward: Hub id or folder of the seq2seq model that translates into the other language.
        backward: Hub id or folder of the model that translates back.
        batch_size: as in `Paraphrase`.
        num_beams: as in `Paraphrase`, in both directions.
        sample: as in `Paraphrase`, in both directions.
        temperature: as in `Paraphrase`.
        top_p: as in `Paraphrase`.
        max_length: maximum number of tokens of a text and of both translations; longer ones are skipped, not truncated.
        device: as in `Paraphrase`.
        dtype: as in `Paraphrase`.

    Raises:
        InputValueError: a value outside what is allowed; at the first text, a model of another kind.
        InputFileError: at the first text, a model that does not exist.
        MissingPackageError: at the first text, a tokenizer that needs sentencepiece, as OPUS-MT's do.

    Example:
        >>> BackTranslation().forward
        'Helsinki-NLP/opus-mt-en-fr'
        >>> BackTranslation(language="zh")
        Traceback (most recent call last):
        ...
        sda_hf.errors.InputValueError: BackTranslation: forward='Helsinki-NLP/opus-mt-en-fr' reads English: ...
    """

    source = "UNA, Appendix C.2 (OPUS-MT, Tiedemann and Thottingal 2020)"
    limits = (
        "whether the meaning is preserved depends on the models: it is not checked",
        "multilingual models, which need to be told the languages, are not supported: give models of one language pair",
        "OPUS-MT models need the package sentencepiece: pip install sda-hf[translation]",
        *Paraphrase.limits[1:],
    )

    forward: str = "Helsinki-NLP/opus-mt-en-fr"
    backward: str = "Helsinki-NLP/opus-mt-fr-en"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("forward", "backward"):
            check_model("BackTranslation", name, getattr(self, name))
            _check_language(self, name)

    @property
    def models(self) -> tuple[str, ...]:
        """Both models."""
        return (self.forward, self.backward)

    def _rewritten(self, texts: Sequence[str], rngs: Sequence[random.Random]) -> list[str | Skip]:
        there = self._write(self.forward, texts, rngs)
        done = [(new, rng) for new, rng in zip(there, rngs, strict=True) if not isinstance(new, Skip)]
        back = iter(self._write(self.backward, [new for new, _ in done], [rng for _, rng in done]))
        return [new if isinstance(new, Skip) else next(back) for new in there]


def _check_language(augmenter: _Generative, field: str) -> None:
    """Raise if a default model, which is for English, is used for another language."""
    name, model = type(augmenter).__name__, getattr(augmenter, field)
    if augmenter.language != "en" and model == getattr(type(augmenter), field):
        raise InputValueError(
            f"{name}: {field}={model!r} {'reads' if field != 'backward' else 'writes'} English: give models for "
            f"language={augmenter.language!r}"
        )
