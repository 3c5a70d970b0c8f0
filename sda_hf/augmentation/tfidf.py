"""Hard negatives by TF-IDF: replace important terms with others of similar importance."""

from __future__ import annotations

import dataclasses
import functools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from sda_hf.augmentation.base import OUTSIDE_DRAWS, Needs, TextAugmenter, register
from sda_hf.augmentation.checks import check_choice, check_count, check_fraction
from sda_hf.augmentation.protocol import Corpus
from sda_hf.augmentation.vocabulary import Vocabulary, terms_of
from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.grammar.base import Grammar, grammar_of
from sda_hf.grammar.edits import Edit, Rule, Skip
from sda_hf.seeding import uniform

if TYPE_CHECKING:
    from typing_extensions import Self

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Reduction = Callable[[Floats, Integers], Floats]
NO_TERMS = Skip("no term")
RULE = Rule("tfidf-term", "term of similar TF-IDF")


@register("tfidf-negatives")
@dataclass(frozen=True, kw_only=True)
class TfidfNegatives(TextAugmenter):
    """Negative: the terms of the highest TF-IDF replaced with others of a similar score.

    The score of a term is tf * idf, with tf = log(1 + its share of the sentence) and idf = log(sentences / sentences
    with the term). The probability that it is replaced grows with the distance from the lowest score in the sentence:
    it is `beta` on average, at most 1, and 1 for the highest score. All terms of the corpus are ranked by their largest
    score; the replacement is drawn, in proportion to that score, from those within `radius` ranks. A term that is not
    in the corpus counts as one that occurs in one sentence.

    Source: UNA (Shu and Lampos), section 3, Appendix B and Algorithm 1; the tf of the published code.

    Args:
        beta: mean share of the terms that are replaced, greater than 0 and at most 1.
        radius: number of ranks on each side that a replacement is drawn from.
        tf: "log", as in the published code, or "ratio" for the share itself, as in the paper's Eq. 2.
        choose: "tfidf"; or "random", which replaces each term with probability `beta`, and at least one (Table 2).
        replacement: "tfidf"; or "random", which draws from all terms of the corpus uniformly (Table 2).
        vocabulary: the vocabulary of a corpus, or the folder that `save_pretrained` wrote; None before `fit`.

    Example:
        >>> corpus = ["The cat sleeps.", "The dog barks.", "The bird sings all day.", "A dog sleeps."]
        >>> una = TfidfNegatives().fit(corpus)
        >>> una.augment(["The cat sleeps."]) != ["The cat sleeps."]
        True
    """

    role = "negative"
    languages = ("en",)
    needs: ClassVar[Needs] = "corpus"
    source = "UNA, section 3, Eq. 2-5, Algorithm 1"
    limits = (
        "grammar and meaning are ignored: the sentence may become nonsense, as intended by the paper",
        "a term replaced by a synonym gives a negative that is true",
    )

    beta: float = 0.5
    radius: int = 4000
    tf: str = "log"
    choose: str = "tfidf"
    replacement: str = "tfidf"
    vocabulary: Vocabulary | str | Path | None = field(default=None, metadata=OUTSIDE_DRAWS)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fraction("TfidfNegatives", "beta", self.beta)
        check_count("TfidfNegatives", "radius", self.radius, highest=10**9)
        check_choice("TfidfNegatives", "tf", self.tf, ("log", "ratio"))
        check_choice("TfidfNegatives", "choose", self.choose, ("tfidf", "random"))
        check_choice("TfidfNegatives", "replacement", self.replacement, ("tfidf", "random"))
        if isinstance(self.vocabulary, (str, Path)):
            object.__setattr__(self, "vocabulary", Vocabulary.load(self.vocabulary))
        elif self.vocabulary is not None and not isinstance(self.vocabulary, Vocabulary):
            raise InputTypeError(
                f"TfidfNegatives: vocabulary={self.vocabulary!r}: give a folder that save_pretrained wrote, or call fit"
            )

    # -- fitting -------------------------------------------------------------------------------

    def fit(self, corpus: Corpus) -> Self:
        """Return a copy with the vocabulary of a corpus: a list, a dataset, a column of one or a stream."""
        return dataclasses.replace(self, vocabulary=Vocabulary.of(corpus, self.input_column))

    @property
    def is_fitted(self) -> bool:
        """Whether it has a vocabulary."""
        return self.vocabulary is not None

    @property
    def _known(self) -> Vocabulary:
        if not isinstance(self.vocabulary, Vocabulary):
            raise InputValueError("TfidfNegatives is not fitted: call fit(sentences), or from_pretrained(folder)")
        return self.vocabulary

    # -- rewriting -----------------------------------------------------------------------------

    def edit(self, text: str, rng: random.Random) -> list[Edit] | Skip:
        """Replace terms of one text."""
        return self.edits([text], [rng])[0]

    def edits(self, views: Sequence[str], rngs: Sequence[random.Random]) -> list[list[Edit] | Skip]:
        """Replace terms of many texts at once."""
        found = [terms_of(text) for text in views]
        lengths = np.array([len(terms) for terms in found], dtype=np.int64)
        words = [term.lower() for terms in found for term in terms]
        batch = _Batch.of(words, lengths, self._scale, logarithmic=self.tf == "log")
        draws = uniform([rng.getrandbits(64) for rng in rngs], lengths, columns=2)  # (terms, 2)
        places = np.flatnonzero(draws[:, 0] < self._probabilities(batch, draws[:, 0]))
        new = self._replacements(batch, places, draws[places, 1])
        grammar = grammar_of(self.language)
        ends = np.cumsum(lengths)
        bounds = np.searchsorted(places, np.concatenate([[0], ends])).tolist()
        within = (places - np.repeat(ends - lengths, np.diff(bounds))).tolist()
        return [
            _edits(text, terms, dict(zip(within[first:last], new[first:last], strict=True)), grammar)
            if terms
            else NO_TERMS
            for text, terms, first, last in zip(views, found, bounds[:-1], bounds[1:], strict=True)
        ]

    @functools.cached_property
    def _scale(self) -> _Scale:
        return _Scale.of(self._known, logarithmic=self.tf == "log")

    def _probabilities(self, batch: _Batch, draws: Floats) -> Floats:
        """Return the probability that each term is replaced: Eq. 3 and 4."""
        if self.choose == "random":
            surest = batch.first_of(-draws)  # if none is drawn, the term that came closest
            probabilities = np.full(len(draws), self.beta)
        else:
            above = batch.scores - batch.spread(np.minimum.reduceat, batch.scores)
            mean = batch.spread(np.add.reduceat, above) / batch.sizes
            probabilities = self.beta * above / np.where(mean > 0, mean, 1.0)
            surest = batch.first_of(batch.scores)
        probabilities[surest] = 1.0
        return np.asarray(np.minimum(probabilities, 1.0))

    def _replacements(self, batch: _Batch, places: Integers, draws: Floats) -> list[str]:
        """Return the replacements of the terms at some places of the batch; the draws are (places,)."""
        numbers = batch.numbers[places]
        if self.replacement == "random":
            found = self._scale.any_but(numbers, draws)
        else:
            found = self._scale.near(numbers, batch.positions[places], self.radius, draws)
        return [self._scale.terms[number] for number in found.tolist()]


def _edits(text: str, terms: list[str], new: dict[int, str], grammar: Grammar) -> list[Edit]:
    """Return the edits that replace the terms at some places of a text."""
    edits, end, find = [], 0, text.find
    for place, term in enumerate(terms):
        start = find(term, end)  # there is no letter or digit between two terms
        end = start + len(term)
        word = new.get(place)
        if word is not None:
            edits.append(RULE.edit(start, end, word if term.islower() else grammar.cased_like(term, word)))
    return edits


@dataclass(frozen=True)
class _Scale:
    """The terms of a vocabulary, ranked by their largest scores."""

    terms: list[str]
    numbers: dict[str, int]
    idf: Floats
    largest: Floats
    cumulated: Floats  # (terms + 1,)
    idf_of_unknown: float

    @classmethod
    def of(cls, vocabulary: Vocabulary, *, logarithmic: bool) -> _Scale:
        idf = np.log(vocabulary.documents / vocabulary.frequency)
        share = vocabulary.largest_share
        largest = idf * (np.log1p(share) if logarithmic else share)
        order = np.argsort(largest, kind="stable")
        terms = [vocabulary.terms[i] for i in order]
        largest = largest[order]
        return cls(
            terms=terms,
            numbers={term: number for number, term in enumerate(terms)},
            idf=idf[order],
            largest=largest,
            cumulated=np.concatenate([[0.0], np.cumsum(largest)]),
            idf_of_unknown=float(np.log(vocabulary.documents)),
        )

    def any_but(self, numbers: Integers, draws: Floats) -> Integers:
        """Draw from all terms except the given ones, uniformly."""
        known = numbers >= 0
        drawn = (draws * (len(self.terms) - known)).astype(np.int64)
        return drawn + (known & (drawn >= numbers))

    def near(self, numbers: Integers, positions: Integers, radius: int, draws: Floats) -> Integers:
        """Draw a term within the radius of each position, but not the given one, in proportion to its largest score."""
        known = numbers >= 0
        low = np.maximum(positions - radius, 0)
        high = np.minimum(positions + radius + known, len(self.terms))
        own = np.where(known, self.largest[np.maximum(numbers, 0)], 0.0)
        weight = self.cumulated[high] - self.cumulated[low] - own
        aim = draws * weight + self.cumulated[low]
        aim = np.where(known & (aim >= self.cumulated[np.maximum(numbers, 0)]), aim + own, aim)
        drawn = np.clip(np.searchsorted(self.cumulated, aim, side="right") - 1, low, high - 1)
        # If all weights around it are 0, or rounding led to the term itself, all are equally likely.
        count = high - low - known
        even = low + (draws * count).astype(np.int64)
        even = even + (known & (even >= numbers))
        return np.where((weight <= 0) | (drawn == numbers), even, drawn)


@dataclass(frozen=True)
class _Batch:
    """The terms of several texts, concatenated; all arrays are (terms,) unless stated otherwise."""

    numbers: Integers  # in the scale; negative if the term is not in the corpus
    scores: Floats
    positions: Integers  # rank by largest score
    starts: Integers  # (texts with a term,)
    counts: Integers  # (texts with a term,)

    @classmethod
    def of(cls, words: list[str], lengths: Integers, scale: _Scale, *, logarithmic: bool) -> _Batch:
        counts = lengths[lengths > 0]
        numbers = np.array([scale.numbers.get(word, -1) for word in words], dtype=np.int64)
        unknown: dict[str, int] = {}
        for place in np.flatnonzero(numbers < 0).tolist():
            numbers[place] = -1 - unknown.setdefault(words[place], len(unknown))
        text = np.repeat(np.arange(len(lengths)), lengths)
        share = _occurrences(numbers, text) / np.repeat(counts, counts)
        known = numbers >= 0
        idf = np.where(known, scale.idf[np.maximum(numbers, 0)], scale.idf_of_unknown)
        scores = (np.log1p(share) if logarithmic else share) * idf
        positions = np.where(known, numbers, np.searchsorted(scale.largest, scores))
        return cls(numbers, scores, positions, np.cumsum(counts) - counts, counts)

    @property
    def sizes(self) -> Integers:
        """The number of terms in the text of each term."""
        return np.repeat(self.counts, self.counts)

    def spread(self, reduce: Reduction, values: Floats) -> Floats:
        """Reduce the values of each text to one, and repeat it for each of its terms."""
        if not len(values):
            return values
        spread: Floats = np.repeat(reduce(values, self.starts), self.counts)
        return spread

    def first_of(self, values: Floats) -> Integers:
        """Return the place of the largest value in each text; of the first, if there are several."""
        places = np.arange(len(values))
        largest = values >= self.spread(np.maximum.reduceat, values)
        if not len(values):
            return places
        return np.asarray(np.minimum.reduceat(np.where(largest, places, len(places)), self.starts))


def _occurrences(numbers: Integers, text: Integers) -> Integers:
    """Return how often each term occurs in its own text."""
    if not len(numbers):
        return numbers
    keys = text * (int(np.ptp(numbers)) + 1) + numbers - int(numbers.min())
    _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse])
