"""Baselines that delete, repeat, swap or mask words without a parse: EDA, cropping, repetition, masking.

Wei and Zou: EDA, EMNLP 2019; rates as in SDA 2022, Table 6, and SDA 2024, Table 8.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sda_hf.augmentation.base import TextAugmenter, register
from sda_hf.augmentation.checks import check_fraction, check_text
from sda_hf.grammar.base import grammar_of, known_languages
from sda_hf.grammar.edits import Edit, Rule, Skip
from sda_hf.grammar.tokens import Span

TOO_SHORT = Skip("fewer than two words")
CROPPED, DELETED, REPEATED, SWAPPED, MASKED = (
    Rule(words, words) for words in ("crop", "deletion", "repetition", "swap", "mask")
)
MEANING = "the meaning may be lost with the words: a baseline"


@dataclass(frozen=True, kw_only=True)
class _WordAugmenter(TextAugmenter):
    """Base class of augmenters of words, which the language tells apart: by spaces, or by a segmenter."""

    role = "positive"
    languages = known_languages()
    needs = "text"
    limits: ClassVar[tuple[str, ...]] = (MEANING,)

    rate: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fraction(type(self).__name__, "rate", self.rate)

    def edit(self, text: str, rng: random.Random) -> list[Edit] | Skip:
        """Edit the words of a text that has at least two."""
        spans = grammar_of(self.language).words(text)
        return TOO_SHORT if len(spans) < 2 else self.move(text, spans, rng)

    def move(self, text: str, spans: Sequence[Span], rng: random.Random) -> list[Edit] | Skip:
        """Return the edits of a text with at least two words."""
        raise TypeError(f"{type(self).__name__} has no move(text, spans, rng)")


def _share(rate: float, count: int) -> int:
    """Return the number of words that a rate stands for: at least one, but never all."""
    return min(max(round(rate * count), 1), count - 1)


@register("crop")
@dataclass(frozen=True, kw_only=True)
class Crop(_WordAugmenter):
    """Positive: a contiguous part of the sentence; the words before and after it are cut off.

    Source: SDA 2022, Table 6: Crop 10 %, 20 %, 30 %.

    Args:
        rate: share of the words to cut off; at least one word is.

    Example:
        >>> Crop(rate=0.3).augment(["Rain fell on the hills all night."])
        ['Rain fell on the hills.']
    """

    source = "SDA, arXiv 2210.03963 v1, Table 6 (Crop)"

    def move(self, text: str, spans: Sequence[Span], rng: random.Random) -> list[Edit] | Skip:
        """Cut off words at the start and at the end."""
        cut = _share(self.rate, len(spans))
        first = rng.randint(0, cut)
        last = first + len(spans) - cut - 1
        edits = [CROPPED.edit(spans[0][0], spans[first][0], "")] if first else []
        return edits + ([CROPPED.edit(spans[last][1], spans[-1][1], "")] if last + 1 < len(spans) else [])


@register("word-deletion")
@dataclass(frozen=True, kw_only=True)
class WordDeletion(_WordAugmenter):
    """Positive: some of the words deleted.

    Source: SDA 2022, Table 6: Word Deletion 10 %, 20 %, 30 %; EDA's random deletion.

    Args:
        rate: share of the words to delete; at least one word is.

    Example:
        >>> WordDeletion(rate=0.3).augment(["Rain fell on the hills all night."])
        ['Rain fell on the all.']
    """

    source = "SDA, arXiv 2210.03963 v1, Table 6 (Word Deletion)"

    def move(self, text: str, spans: Sequence[Span], rng: random.Random) -> list[Edit] | Skip:
        """Delete drawn words, along with the space that separated them."""
        deleted = sorted(rng.sample(range(len(spans)), _share(self.rate, len(spans))))
        runs: list[Span] = []
        for start, end in (spans[i] for i in deleted):
            if runs and text[runs[-1][1] : start].strip() == "":
                runs[-1] = (runs[-1][0], end)
            else:
                runs.append((start, end))
        return [DELETED.edit(*_with_space(text, *run), "") for run in runs]


def _with_space(text: str, start: int, end: int) -> Span:
    """Return a span with the space after it, or with the space before it if there is none after it."""
    after = len(text[end:]) - len(text[end:].lstrip())
    before = len(text[:start]) - len(text[:start].rstrip())
    if after and end + after < len(text):
        return start, end + after
    return (start - before if start > before else start), end


@register("word-repetition")
@dataclass(frozen=True, kw_only=True)
class WordRepetition(_WordAugmenter):
    """Positive: some of the words repeated.

    Source: ESimCSE (Wu et al., COLING 2022), section 3.1: the number of words is drawn between 0 and the larger of 2
    and `rate` times the length; SDA 2022, Table 6 (Word Repetition). ESimCSE repeats subwords; this repeats words.

    Args:
        rate: largest share of the words to repeat.

    Example:
        >>> WordRepetition(seed=1).augment(["Rain fell on the hills all night."])
        ['Rain fell on the hills all night night.']
    """

    source = "ESimCSE, COLING 2022, section 3.1; SDA, arXiv 2210.03963 v1, Table 6"
    limits = ("a text is skipped if no word is drawn",)

    rate: float = 0.32

    def move(self, text: str, spans: Sequence[Span], rng: random.Random) -> list[Edit] | Skip:
        """Repeat drawn words."""
        count = rng.randint(0, min(max(2, int(self.rate * len(spans))), len(spans)))
        if not count:
            return Skip("no repetition drawn")
        space = grammar_of(self.language).space
        chosen = sorted(rng.sample(spans, count))
        return [REPEATED.edit(end, end, f"{space}{text[start:end]}") for start, end in chosen]


@register("random-swap")
@dataclass(frozen=True, kw_only=True)
class RandomSwap(_WordAugmenter):
    """Positive: some words exchanged with each other.

    Source: EDA, section 2 (random swap), alpha 0.1; UNA, Table C3.

    Args:
        rate: number of swaps as a share of the number of words; at least one swap is made.

    Example:
        >>> RandomSwap().augment(["Rain fell on the hills all night."])
        ['Rain fell on the hills night all.']
    """

    source = "EDA, EMNLP 2019, section 2; UNA, Table C3"

    def move(self, text: str, spans: Sequence[Span], rng: random.Random) -> list[Edit] | Skip:
        """Swap drawn pairs, one pair at a time."""
        order = list(range(len(spans)))
        for _ in range(max(int(self.rate * len(spans)), 1)):
            one, other = rng.sample(range(len(spans)), 2)
            order[one], order[other] = order[other], order[one]
        new = [text[start:end] for start, end in (spans[i] for i in order)]
        return [SWAPPED.edit(*span, word) for span, word in zip(spans, new, strict=True) if text[slice(*span)] != word]


@register("masking")
@dataclass(frozen=True, kw_only=True)
class Masking(_WordAugmenter):
    """Positive: some words replaced by a mask.

    Source: SDA 2022, Table 6: Mask 15 %.

    Args:
        rate: share of the words to mask; at least one word is.
        mask: the mask token of the encoder.

    Example:
        >>> Masking().augment(["Rain fell on the hills all night."])
        ['[MASK] fell on the hills all night.']
    """

    source = "SDA, arXiv 2210.03963 v1, Table 6 (Mask 15 %)"
    limits = (MEANING, "RoBERTa's mask token is <mask>")

    rate: float = 0.15
    mask: str = "[MASK]"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_text("Masking", "mask", self.mask, "give the mask token of the encoder, such as [MASK]")

    def move(self, text: str, spans: Sequence[Span], rng: random.Random) -> list[Edit] | Skip:
        """Mask drawn words."""
        chosen = sorted(rng.sample(spans, _share(self.rate, len(spans))))
        return [MASKED.edit(start, end, self.mask) for start, end in chosen]
