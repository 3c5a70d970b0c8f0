"""Punctuation as noise: marks at random places between words, which stay unchanged."""

from __future__ import annotations

import random
import string
from dataclasses import dataclass

from sda_hf.augmentation.base import TextAugmenter, register
from sda_hf.augmentation.checks import check_choice, check_count
from sda_hf.errors import InputValueError
from sda_hf.grammar.base import grammar_of, known_languages, mark_sets
from sda_hf.grammar.edits import Edit, Rule, Skip
from sda_hf.grammar.tokens import cores

MOST_MARKS = 1000
NO_WORD = Skip("no word")
AFTER_WORD = Rule("mark-noise", "punctuation mark after a word")


@dataclass(frozen=True, kw_only=True)
class _Noise(TextAugmenter):
    """Base class of both: inserts marks after randomly drawn words."""

    role = "positive"
    languages = known_languages()
    needs = "text"

    def insert(self, text: str, count: int, pool: str, rng: random.Random) -> list[Edit] | Skip:
        """Insert marks from a pool, each after a different word if there are enough words."""
        grammar = grammar_of(self.language)
        if not cores(text, grammar.runs(text)):
            return NO_WORD
        gaps = [end for _, end in grammar.runs(text)]
        places = rng.sample(gaps, count) if count <= len(gaps) else rng.choices(gaps, k=count)
        return [AFTER_WORD.edit(place, place, rng.choice(pool)) for place in sorted(places)]


@register("punctuation-noise")
@dataclass(frozen=True, kw_only=True)
class PunctuationNoise(_Noise):
    """Positive: a few punctuation marks at random places, so that a model learns nothing from the length.

    A mark is inserted after a word, or after a character in languages without spaces, but never inside a number, an
    address or a word with spaces around it.

    Source: EdaCSE, Applied Sciences 2023, 13, 10120, section 3.3 and Tables 9 to 14.

    Args:
        min_marks: smallest number of marks.
        max_marks: largest number of marks, up to 1,000; the paper finds 3 best for its base encoder, 2 and 5 for the
            others.
        marks: a set of marks of any language: "english" (. , ! ? ; :), "english-calm" (without ! and ?), "chinese",
            "chinese-calm" or "extended" (English and [ ] ~ |); None for the language's default.

    Example:
        >>> PunctuationNoise(max_marks=1).augment(["Rain fell."])
        ['Rain fell..']
        >>> PunctuationNoise(max_marks=1, language="zh").augment(["今天天气很好"])
        ['今天天气很好!']
    """

    source = "EdaCSE, Applied Sciences 2023, 13, 10120, section 3.3"
    limits = ("a question or exclamation mark may change the tone",)

    min_marks: int = 1
    max_marks: int = 3
    marks: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("PunctuationNoise", "min_marks", self.min_marks, highest=MOST_MARKS)
        check_count("PunctuationNoise", "max_marks", self.max_marks, highest=MOST_MARKS)
        if self.min_marks > self.max_marks:
            raise InputValueError(
                f"PunctuationNoise: min_marks={self.min_marks} is above max_marks={self.max_marks}: give a range"
            )
        marks = grammar_of(self.language).default_marks if self.marks is None else self.marks
        check_choice("PunctuationNoise", "marks", marks, tuple(mark_sets()))
        object.__setattr__(self, "marks", marks)

    def edit(self, text: str, rng: random.Random) -> list[Edit] | Skip:
        """Insert a drawn number of marks."""
        return self.insert(text, rng.randint(self.min_marks, self.max_marks), mark_sets()[str(self.marks)], rng)


@register("random-punctuation")
@dataclass(frozen=True, kw_only=True)
class RandomPunctuation(_Noise):
    """Positive: any ASCII punctuation marks at random places, the baseline for rule-based insertion.

    Source: SDA 2022, Table 7 (Random Insertion): the pool is all ASCII punctuation. The paper does not say how many
    marks are inserted.

    Args:
        count: number of marks, up to 1,000.

    Example:
        >>> RandomPunctuation().augment(["Rain fell on the hills."])
        ['Rain fell on# the hills.']
    """

    source = "SDA, arXiv 2210.03963 v1, Table 7 (Random Insertion)"
    limits = ("marks such as @ or # may change the meaning: a baseline",)

    count: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("RandomPunctuation", "count", self.count, highest=MOST_MARKS)

    def edit(self, text: str, rng: random.Random) -> list[Edit] | Skip:
        """Insert the marks."""
        return self.insert(text, self.count, string.punctuation, rng)
