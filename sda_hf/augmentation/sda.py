"""The augmenters of SDA: punctuation, modality, double negation and negation.

Zhu et al.: SDA: Simple Discrete Augmentation for Contrastive Sentence Representation Learning,
arXiv 2210.03963 v1 (2022, "v1" here) and LREC-COLING 2024 ("v2").
"""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass
from typing import ClassVar

from sda_hf.augmentation.base import ClauseAugmenter, register
from sda_hf.augmentation.checks import check_choice, check_choices, check_flag, check_phrases
from sda_hf.errors import InputValueError, unknown
from sda_hf.grammar.base import grammar_of, languages_offering
from sda_hf.grammar.edits import Edit, Skip
from sda_hf.syntax.clause import Clause

DEFAULT_PHRASES = "default"
UNSURE = (
    'coverage="sound" skips what is not a clause (headings, lists, clipped questions), inversions, exclamations and '
    "fixed forms, with the reason"
)
SMALL_PARSER = "the embedded parser is a small model of web text: it may misread long or unusual sentences"


def phrase_list(augmenter: ClauseAugmenter, given: object, kind: str) -> tuple[str, ...]:
    """Return the phrases that a user gave, after checking them, or those of a list of the language.

    Args:
        augmenter: the augmenter that draws from them.
        given: the phrases, the name of a list, or None for the default list.
        kind: the key of the lists in `Grammar.phrases`.

    Raises:
        InputTypeError: what was given is neither a list of phrases nor a name.
        InputValueError: the language has no such list.
    """
    owner = type(augmenter).__name__
    if given is not None and not isinstance(given, str):
        return check_phrases(owner, given)
    lists = grammar_of(augmenter.language).phrases.get(kind)
    if not lists:
        raise InputValueError(f"{owner}: language {augmenter.language!r} has no phrases of its own: give phrases=[...]")
    name = DEFAULT_PHRASES if given is None else given
    if name not in lists:
        raise InputValueError(f"{owner}: phrases: {unknown('list', name, lists)}; or give a list of phrases")
    return lists[name]


def check_phrase_list(augmenter: ClauseAugmenter, given: object, kind: str) -> str | tuple[str, ...]:
    """Return what a field holds for the phrases: the name of a list as it was given, or else the phrases themselves."""
    phrases = phrase_list(augmenter, given, kind)
    return given if isinstance(given, str) else phrases


@register("punctuation-insertion")
@dataclass(frozen=True, kw_only=True)
class PunctuationInsertion(ClauseAugmenter):
    """Positive: punctuation marks inserted, without changing the words.

    With `coverage="sound"`, the mark is one that a native writer could have put there: a comma after what is fronted,
    between clauses, before the last item of a list or around an aside, a dash for a comma or a semicolon, brackets
    around an adjunct, "!" in a lively sentence, or else quotes around the whole sentence.

    Source: SDA 2024, section 4.1 and Algorithm 1 (`variant="v2"`), which `coverage="full"` follows: a comma between
    main and subordinate clause, a comma after the subject or double quotes around it, "!" at the end. SDA 2022,
    Algorithm 1 (`variant="v1"`) has one more rule, which doubles a punctuation mark inside the sentence.

    Args:
        variant: "v2" or "v1", for `coverage="full"`.
        strategy: "first" takes the first rule that applies, in the order of the algorithms or, with "sound", from the
            most natural to the least; "random" draws one of those that apply.

    Example:
        >>> PunctuationInsertion().augment(["In 1996 the band split up."])
        ['In 1996, the band split up.']
        >>> PunctuationInsertion(coverage="full").augment(["He travelled widely in Europe."])
        ['He, travelled widely in Europe.']
    """

    role = "positive"
    languages = languages_offering("punctuate")
    needs = "clause"
    source = "SDA, LREC-COLING 2024, section 4.1, Algorithm 1; SDA 2022, Algorithm 1"
    limits = (
        SMALL_PARSER,
        "bare names, headings and dates are skipped",
        'the comma after the subject follows the paper, with coverage="full": a copy editor would remove it',
    )

    variant: str = "v2"
    strategy: str = "first"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("PunctuationInsertion", "variant", self.variant, ("v2", "v1"))
        check_choice("PunctuationInsertion", "strategy", self.strategy, ("first", "random"))

    def edit(self, clause: Clause, rng: random.Random) -> list[Edit] | Skip:
        """Insert marks by the first rule that applies, or by a random one of those that apply."""
        return grammar_of(self.language).punctuate(
            clause, rng, variant=self.variant, strategy=self.strategy, coverage=self.coverage
        )


@dataclass(frozen=True, kw_only=True)
class _Modality(ClauseAugmenter):
    """Base class of ModalVerbs and AffirmativeAuxiliary, which differ in their phrases: `kind` is the key of these."""

    role = "positive"
    languages = languages_offering("modalise")
    needs = "clause"
    limits = (
        SMALL_PARSER,
        UNSURE,
        "most questions, texts without a verb, wishes and fixed forms are skipped",
        "the modal may turn a plain fact into an inference or an obligation, as in the papers",
        'where no modal suits the predicate, a comment with one precedes the claim: "It should be noted that"',
    )

    kind: ClassVar[str]

    phrases: str | tuple[str, ...] | None = None
    scope: tuple[str, ...] = ("verb",)

    def __post_init__(self) -> None:
        super().__post_init__()
        name = type(self).__name__
        object.__setattr__(self, "phrases", check_phrase_list(self, self.phrases, self.kind))
        object.__setattr__(self, "scope", check_choices(name, "scope", self.scope, ("verb", "adjective")))

    @functools.cached_property
    def _phrases(self) -> tuple[str, ...]:
        return phrase_list(self, self.phrases, self.kind)

    def edit(self, clause: Clause, rng: random.Random) -> list[Edit] | Skip:
        """Add a phrase to the predicate or an intensifier to an adjective: the first scope that fits."""
        return grammar_of(self.language).modalise(
            clause, rng, phrases=self._phrases, scope=self.scope, coverage=self.coverage
        )


@register("modal-verbs")
@dataclass(frozen=True, kw_only=True)
class ModalVerbs(_Modality):
    """Positive: a modal verb or phrase on the predicate of the main clause.

    Source: SDA 2024, section 4.2 and Algorithm 2; tense as in its Table 1.

    Args:
        phrases: the phrases to draw from, each in its base form ("must", "have to", "can't help"); the name of a list
            of the language, such as "sda2024" for the paper's; or None for its default list. The first word determines
            how a phrase inflects, the last one whether it takes an -ing form or, with "that", precedes the whole claim.
            One of those that suit the claim best is drawn: "had to" suits "moved" but not "was born", and "should have"
            says that what is told did not happen, so that `coverage="sound"` never puts it on a statement of fact.
        scope: what to modify, in order of preference: "verb" (with `coverage="full"`, where there is none, the whole
            noun phrase: "This must be ..."), "adjective" (a gradable one gets "very" or "really").

    Example:
        >>> ModalVerbs(phrases=("must",)).augment(["He travelled widely in Europe."])
        ['He must have travelled widely in Europe.']
    """

    source = "SDA, LREC-COLING 2024, section 4.2, Algorithm 2, Table 1"
    kind = "modal-verbs"

    scope: tuple[str, ...] = ("verb", "adjective")


@register("affirmative-auxiliary")
@dataclass(frozen=True, kw_only=True)
class AffirmativeAuxiliary(_Modality):
    """Positive: an auxiliary phrase that affirms the predicate of the main clause.

    Source: SDA 2022, section "Affirmative Auxiliary" and Algorithm 2.

    Args:
        phrases: as in `ModalVerbs`; the paper's list is "sda2022".
        scope: as in `ModalVerbs`.

    Example:
        >>> AffirmativeAuxiliary(phrases=("have to",)).augment(["He travelled widely in Europe."])
        ['He had to travel widely in Europe.']
    """

    source = "SDA, arXiv 2210.03963 v1 (2022), Affirmative Auxiliary, Algorithm 2"
    kind = "affirmative-auxiliary"


@register("negation")
@dataclass(frozen=True, kw_only=True)
class Negation(ClauseAugmenter):
    """Negative: the main claim negated, or its negation removed.

    Source: SDA 2024, section 4.4; grammar as in its Table 1.

    Args:
        contractions: "didn't" rather than "did not".
        method: "syntactic" negates the predicate; "prefix" puts "It is not true that" before a statement.
            Both remove the negation of a claim that is already negated.

    Example:
        >>> Negation().augment(["He travelled widely in Europe.", "It isn't cold."])
        ["He didn't travel widely in Europe.", 'It is cold.']
    """

    role = "negative"
    flips = "polarity"
    languages = languages_offering("negate")
    needs = "clause"
    source = "SDA, LREC-COLING 2024, section 4.4, Table 1"
    limits = (
        SMALL_PARSER,
        UNSURE,
        'one claim of a text is negated: the first, unless sentences="random"',
        "a claim with may, might or an indefinite subject can be true together with its negation",
        "where the rest of the sentence depends on the claim, the whole of it is denied: It isn't true that",
        "what further sentences, dashes and semicolons say is kept, even where it follows from the claim",
    )

    contractions: bool = True
    method: str = "syntactic"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_flag("Negation", "contractions", self.contractions)
        check_choice("Negation", "method", self.method, ("syntactic", "prefix"))

    def edit(self, clause: Clause, rng: random.Random) -> list[Edit] | Skip:
        """Negate the claim."""
        return grammar_of(self.language).negate(
            clause, method=self.method, contractions=self.contractions, coverage=self.coverage
        )


@register("statement-denial")
@dataclass(frozen=True, kw_only=True)
class StatementDenial(ClauseAugmenter):
    """Negative: a phrase that denies the whole of a statement put before it, whether it is negated or not.

    Where `Negation` removes the negation of a claim that is already negated, this one denies it: it is the second flip
    of `OppositionSquares` where there is no antonym.

    Source: SDA 2024, section 4.3: the negative phrases, here before the statement itself.

    Args:
        phrases: the phrases to draw from, such as "It is not true that"; None for the default list of the language.

    Example:
        >>> StatementDenial(phrases=("It is not true that",)).augment(["He left early.", "She didn't call."])
        ['It is not true that he left early.', "It is not true that she didn't call."]
    """

    role = "negative"
    flips = "polarity"
    languages = languages_offering("deny")
    needs = "clause"
    source = "SDA, LREC-COLING 2024, section 4.3"
    limits = (
        SMALL_PARSER,
        UNSURE,
        "questions, commands, quoted speech, informal texts and those of several claims are skipped",
    )

    phrases: str | tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "phrases", check_phrase_list(self, self.phrases, "statement-denial"))

    @functools.cached_property
    def _phrases(self) -> tuple[str, ...]:
        return phrase_list(self, self.phrases, "statement-denial")

    def edit(self, clause: Clause, rng: random.Random) -> list[Edit] | Skip:
        """Put a phrase before the statement."""
        return grammar_of(self.language).deny(clause, rng, phrases=self._phrases, coverage=self.coverage)


@register("double-negation")
@dataclass(frozen=True, kw_only=True)
class DoubleNegation(ClauseAugmenter):
    """Positive: two negations that cancel out.

    Source: `variant="v2"`: SDA 2024, section 4.3 and Table 1, a negative phrase before the negated
    sentence (a negated one loses its negation). A phrase that holds two negations, such as "It would not be untrue to
    say that", leaves the sentence itself as it is. `variant="v1"`: SDA 2022, Algorithm 3, two negative transformations
    inside the sentence, only where they are logically equivalent to it: every → no ... not, always → never not,
    must → can't not. With either variant, a command becomes "Don't fail to ...".

    With `coverage="sound"`, a phrase with one negation is put only before a short, simple sentence, in which the two
    surely cancel out: no second clause, quantifier, modal of obligation or adverb. Where the first phrase drawn does
    not fit, another one is tried. Of the default list, only phrases that suit the claim are drawn: "There is no
    doubt that" before a definition, "I cannot deny that" before a feeling. What nobody would deny, such as a plan, is
    skipped. With `coverage="full"`, a phrase is put before the other sentences too; yes/no questions get it inverted,
    and a noun phrase becomes "this isn't ...".

    Args:
        variant: "v2" or "v1".
        phrases: the negative phrases to draw from (v2); the name of a list of the language, such as "sda2024" for the
            paper's; or None for its default list. The paper's "It can't be that" is not in the default list, because it
            turns a statement into an inference.
        contractions: "didn't" rather than "did not".

    Example:
        >>> DoubleNegation(phrases=("It is not the fact that",)).augment(["He travelled widely in Europe."])
        ["It is not the fact that he didn't travel widely in Europe."]
        >>> DoubleNegation(variant="v1").augment(["He is always late."])
        ['He is never not late.']
    """

    role = "positive"
    languages = languages_offering("negate_twice")
    needs = "clause"
    source = "SDA, LREC-COLING 2024, section 4.3, Algorithm 3, Table 1; SDA 2022, Algorithm 3"
    limits = (
        SMALL_PARSER,
        UNSURE,
        "questions, negated commands, quoted speech, wishes, greetings and texts without a verb are skipped",
        "the negations cancel out logically, but the tone may change",
    )

    variant: str = "v2"
    phrases: str | tuple[str, ...] | None = None
    contractions: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("DoubleNegation", "variant", self.variant, ("v2", "v1"))
        check_flag("DoubleNegation", "contractions", self.contractions)
        object.__setattr__(self, "phrases", check_phrase_list(self, self.phrases, "double-negation"))

    @functools.cached_property
    def _phrases(self) -> tuple[str, ...]:
        return phrase_list(self, self.phrases, "double-negation")

    def edit(self, clause: Clause, rng: random.Random) -> list[Edit] | Skip:
        """Negate twice."""
        return grammar_of(self.language).negate_twice(
            clause,
            rng,
            variant=self.variant,
            phrases=self._phrases,
            contractions=self.contractions,
            coverage=self.coverage,
        )


__all__ = [
    "AffirmativeAuxiliary",
    "DoubleNegation",
    "ModalVerbs",
    "Negation",
    "PunctuationInsertion",
    "StatementDenial",
]
