"""Word substitutions based on the parse: antonyms and switches as negatives (AugCSE), synonyms as positives (EDA)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from sda_hf.augmentation.base import OUTSIDE_DRAWS, ClauseAugmenter, register
from sda_hf.augmentation.checks import check_choice, check_choices, check_fraction
from sda_hf.augmentation.sda import SMALL_PARSER
from sda_hf.errors import InputValueError
from sda_hf.grammar.base import Candidate, Relation, grammar_of, languages_offering
from sda_hf.grammar.edits import Edit, Rule, Skip
from sda_hf.grammar.splits import SPLITS
from sda_hf.syntax.clause import Clause

LEXICONS = ("embedded", "wordnet")
PARTS = ("ADJ", "ADV", "NOUN", "VERB")
ANTONYM_PARTS = ("ADJ", "ADP", "ADV", "DET", "NOUN", "VERB")
NO_ANTONYM = Skip("no word with an antonym")
NO_SYNONYM = Skip("no word with a synonym")
ADJECTIVE_ANTONYM = Rule("adjective-antonym", "adjective → antonym")
ANTONYM = Rule("antonym", "antonym")
SYNONYM = Rule("synonym", "synonym")
SENSES = "word senses are not disambiguated: the most common one is assumed"


@dataclass(frozen=True, kw_only=True)
class _FromLexicon(ClauseAugmenter):
    """Base class of augmenters that take words from a lexicon."""

    languages = languages_offering("replaceable")
    needs = "clause"

    lexicon: str = "embedded"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(type(self).__name__, "lexicon", self.lexicon, LEXICONS)
        grammar_of(self.language).check_lexicon(self.lexicon)

    def replaceable(self, clause: Clause, relation: Relation, parts: tuple[str, ...]) -> list[Candidate] | Skip:
        """Return the words that have antonyms or synonyms, or why none is to be replaced."""
        grammar = grammar_of(self.language)
        return grammar.replaceable(clause, relation, lexicon=self.lexicon, parts=parts, coverage=self.coverage)


@register("subject-object-switch")
@dataclass(frozen=True, kw_only=True)
class SubjectObjectSwitch(ClauseAugmenter):
    """Negative: subject and object of the main claim exchanged.

    Pronouns change their case, and the verb agrees with its new subject.

    Source: AugCSE (Tang et al., AACL 2022), section 3.1 and Table 1 (SentenceSubjectObjectSwitch).

    Example:
        >>> SubjectObjectSwitch().augment(["She has invited the two brothers."])
        ['The two brothers have invited her.']
    """

    role = "negative"
    flips = "roles"
    languages = languages_offering("switch")
    needs = "clause"
    source = "AugCSE, AACL 2022, section 3.1, Table 1 (SentenceSubjectObjectSwitch)"
    limits = (
        SMALL_PARSER,
        'coverage="sound" switches only people, animals and groups, and not with symmetric verbs: "Ann met Ben"',
    )

    def edit(self, clause: Clause, rng: random.Random) -> list[Edit] | Skip:
        """Exchange subject and object."""
        return grammar_of(self.language).switch(clause, coverage=self.coverage)


@register("adjective-antonym-switch")
@dataclass(frozen=True, kw_only=True)
class AdjectiveAntonymSwitch(_FromLexicon):
    """Negative: every adjective that has an antonym replaced by it, in the same degree.

    With coverage="sound", only those adjectives whose antonyms contradict the sentence.

    Source: AugCSE (Tang et al., AACL 2022), section 3.1 and Table 1 (SentenceAdjectivesAntonymsSwitch).

    Args:
        lexicon: "embedded", or "wordnet" for the English wordnet of the package wn.

    Example:
        >>> AdjectiveAntonymSwitch().augment(["It was the hottest day of an easy week."])
        ['It was the coldest day of an easy week.']
    """

    role = "negative"
    source = "AugCSE, AACL 2022, section 3.1, Table 1 (SentenceAdjectivesAntonymsSwitch)"
    limits = (SMALL_PARSER, SENSES)

    def edit(self, clause: Clause, rng: random.Random) -> list[Edit] | Skip:
        """Replace each adjective by its antonym, or by a random one of several."""
        grammar = grammar_of(self.language)
        found = self.replaceable(clause, "antonym", ("ADJ",))
        if isinstance(found, Skip):
            return found
        edits: list[Edit] = []
        for word, antonyms in found:
            edits += grammar.replace(clause, word, rng.choice(antonyms), ADJECTIVE_ANTONYM)
        return edits or NO_ANTONYM


@register("antonym-substitute")
@dataclass(frozen=True, kw_only=True)
class AntonymSubstitute(_FromLexicon):
    """Negative: one word of the sentence replaced by its antonym, in the same form.

    Only one word is replaced, because two antonyms in one sentence may cancel out. With coverage="sound", it is the
    word nearest to the claim among those whose antonyms contradict the sentence, and its prepositions change with it
    ("lost to", "won against"); with "full", any word of the lexicon.

    Source: AugCSE (Tang et al., AACL 2022), section 3.1 and Table 1 (AntonymSubstitute).

    Args:
        lexicon: "embedded", or "wordnet" for the English wordnet of the package wn.
        split: "train", "dev" or "test", to take only the antonym pairs of that split: see `LexiconSquares`; None for
            all.
        parts: the parts of speech to replace: ADJ, ADP and DET (prepositions and determiners; not with "full"),
            ADV, NOUN, VERB.

    Example:
        >>> AntonymSubstitute().augment(["They bought the house."])
        ['They sold the house.']
    """

    role = "negative"
    flips = "polarity"
    source = "AugCSE, AACL 2022, section 3.1, Table 1 (AntonymSubstitute)"
    limits = (
        SMALL_PARSER,
        SENSES,
        'coverage="sound" skips questions, negated sentences and words of other contexts than those listed',
        'coverage="full" draws any word: it may not matter for the claim',
    )

    parts: tuple[str, ...] = ANTONYM_PARTS
    split: str | None = field(default=None, repr=False, metadata=OUTSIDE_DRAWS)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.split is not None:
            check_choice("AntonymSubstitute", "split", self.split, SPLITS)
            if self.lexicon != "embedded":
                raise InputValueError("AntonymSubstitute: split= needs lexicon='embedded', whose pairs it splits")
        object.__setattr__(self, "parts", check_choices("AntonymSubstitute", "parts", self.parts, ANTONYM_PARTS))

    def edit(self, clause: Clause, rng: random.Random) -> list[Edit] | Skip:
        """Replace a drawn word."""
        found = self.replaceable(clause, "antonym", self.parts)
        if isinstance(found, Skip):
            return found
        grammar = grammar_of(self.language)
        if self.split is not None:
            found = _of_split(found, grammar.antonym_splits(), self.split)
        if not found:
            return NO_ANTONYM
        word, antonyms = rng.choice(grammar.focal(clause, found) if self.coverage == "sound" else found)
        return grammar.replace(clause, word, rng.choice(antonyms), ANTONYM)


def _of_split(found: list[Candidate], splits: Mapping[str, str], split: str) -> list[Candidate]:
    """Return the candidates with those of their antonyms that are in a split."""
    kept = [(word, tuple(new for new in antonyms if splits.get(new) == split)) for word, antonyms in found]
    return [(word, antonyms) for word, antonyms in kept if antonyms]


@dataclass(frozen=True, kw_only=True)
class _Synonyms(_FromLexicon):
    """Base class of EDA's two augmentations with synonyms of a share of the words."""

    role = "positive"
    limits: ClassVar[tuple[str, ...]] = (SMALL_PARSER, SENSES)

    rate: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fraction(type(self).__name__, "rate", self.rate)

    def drawn(self, clause: Clause, rng: random.Random) -> list[tuple[Candidate, str]]:
        """Draw words that have synonyms, up to the share of all words given by the rate, and a synonym of each."""
        found = self.replaceable(clause, "synonym", PARTS)
        if isinstance(found, Skip):
            return []
        count = max(int(self.rate * len(clause.words)), 1)
        return [(candidate, rng.choice(candidate[1])) for candidate in rng.sample(found, min(count, len(found)))]


@register("synonym-replacement")
@dataclass(frozen=True, kw_only=True)
class SynonymReplacement(_Synonyms):
    """Positive: some words replaced by synonyms, in the same form.

    Source: EDA (Wei and Zou, EMNLP 2019), section 2; SDA 2022, Table 6; UNA, Table C3.

    Args:
        lexicon: "embedded", or "wordnet" for the English wordnet of the package wn.
        rate: EDA's alpha: share of the words of the sentence to replace; at least one word is.

    Example:
        >>> SynonymReplacement().augment(["She bought a big house."])
        ['She bought a large house.']
    """

    source = "EDA, EMNLP 2019, section 2; SDA, arXiv 2210.03963 v1, Table 6"

    def edit(self, clause: Clause, rng: random.Random) -> list[Edit] | Skip:
        """Replace drawn words."""
        edits: list[Edit] = []
        for (word, _), new in self.drawn(clause, rng):
            edits += grammar_of(self.language).replace(clause, word, new, SYNONYM)
        return edits or NO_SYNONYM


@register("random-insertion")
@dataclass(frozen=True, kw_only=True)
class RandomInsertion(_Synonyms):
    """Positive: synonyms of some words inserted at random places.

    Source: EDA (Wei and Zou, EMNLP 2019), section 2; UNA, Table C3.

    Args:
        lexicon: "embedded", or "wordnet" for the English wordnet of the package wn.
        rate: EDA's alpha: number of words to insert as a share of those of the sentence; at least one word is.

    Example:
        >>> RandomInsertion().augment(["She bought a big house."])
        ['She large bought a big house.']
    """

    source = "EDA, EMNLP 2019, section 2; UNA, Table C3"
    limits = (*_Synonyms.limits, "the inserted words are ungrammatical: a baseline")

    def edit(self, clause: Clause, rng: random.Random) -> list[Edit] | Skip:
        """Insert synonyms at random places."""
        grammar = grammar_of(self.language)
        places = grammar.places(clause)
        edits: list[Edit] = []
        for (word, _), new in self.drawn(clause, rng) if places else ():
            edits += grammar.insert(clause, rng.choice(places), word, new)
        return sorted(edits, key=lambda edit: edit.start) or NO_SYNONYM
