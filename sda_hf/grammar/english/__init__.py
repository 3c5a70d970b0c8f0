"""English: its embedded pipeline, clauses, rules and word lists."""

from __future__ import annotations

import functools
import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from sda_hf.grammar.base import GRAMMARS, Candidate, Grammar, Relation, SquareSeed
from sda_hf.grammar.edits import Coverage, Edit, Result, Rule, Skip, covered
from sda_hf.grammar.english import clauses, lexicon, square_contexts, squares, surface, thesaurus
from sda_hf.grammar.english.doubts import doubt_about, opposition
from sda_hf.grammar.english.doubts.denials import doubt_about_denying, suited
from sda_hf.grammar.english.doubts.double_negation import doubt_about_negated
from sda_hf.grammar.english.doubts.frames import doubt_about_formal, doubt_about_frame
from sda_hf.grammar.english.doubts.inferences import doubt_about_action, doubt_about_comment, doubt_about_inference
from sda_hf.grammar.english.doubts.modality import doubt_on_predicate
from sda_hf.grammar.english.doubts.negation import OF_VERBS
from sda_hf.grammar.english.rules import (
    antonyms,
    double_negation,
    intensifiers,
    matrix_clause,
    modality,
    native_punctuation,
    negation,
    negative_phrases,
    punctuation,
    substitution,
    switch,
    whole_claim,
)
from sda_hf.grammar.english.rules.modal_phrases import ModalPhrase
from sda_hf.grammar.english.schemes import CORE, penn_tags
from sda_hf.syntax.clause import Clause, Word
from sda_hf.syntax.schemes import TagTable


class English(Grammar):
    """The rules of English, on Penn Treebank tags and Universal Dependencies."""

    pipeline = Path(__file__).parent / "pipeline"
    schemes = (CORE,)
    tags: ClassVar[TagTable] = penn_tags()
    phrases: ClassVar[dict[str, dict[str, tuple[str, ...]]]] = {
        name: lexicon.phrase_lists(f"phrases {name}")
        for name in ("modal-verbs", "affirmative-auxiliary", "double-negation", "statement-denial")
    }
    marks: ClassVar[dict[str, str]] = {
        "english": ".,!?;:",
        "english-calm": ".,;:",
        "extended": ".,!?;:[]~|",
    }
    default_marks = "english"
    examples = (
        "Her brother bought the big old house.",
        "The company opened a new office in Paris.",
        "Rain fell on the hills all night.",
        "He painted the wooden door of the barn.",
        "Two students wrote a letter to the mayor.",
        "The museum keeps the oldest maps of the city.",
    )

    def reads(self, text: str) -> bool:
        """Whether a text is in Latin script: it has at least as many Latin words as other letters."""
        latin = len(surface.LATIN.findall(text))
        return latin > 0 and (text.isascii() or latin >= len(surface.OTHER_LETTER.findall(text)))

    def normalize(self, text: str) -> str:
        """Return the text without words in capitals, which a parser handles badly."""
        return surface.legible(text)

    def clause(self, text: str, words: Sequence[Word]) -> Clause | None:
        """Return the main clause of a parsed sentence, or None if it is mostly in another script."""
        return clauses.clause_of(text, words)

    def punctuate(
        self, clause: Clause, rng: random.Random, *, variant: str, strategy: str, coverage: Coverage
    ) -> Result:
        """Insert marks that a native writer could have put there; with "full", those of the papers' algorithms."""
        if coverage == "sound":
            marks = native_punctuation.punctuate(clause, rng, strategy)
        else:
            marks = punctuation.punctuate(clause, rng, variant, strategy)
        return covered(marks, doubt_about(clause, "punctuate"), coverage)

    def modalise(
        self,
        clause: Clause,
        rng: random.Random,
        *,
        phrases: Sequence[str],
        scope: Sequence[str],
        coverage: Coverage,
    ) -> Result:
        """Add a modal phrase to the predicate or an intensifier to an adjective: the first scope that fits."""
        parsed = _parsed(tuple(phrases))
        doubt = doubt_about(clause, "modalise")
        tried: Coverage = "full" if doubt else coverage  # to tell whether there is anything to doubt
        doubts_of = {
            "predicate": doubt_on_predicate(clause),
            "must": doubt_about_inference(clause),
            **dict.fromkeys(("have to", "be able to", "need to"), doubt_about_action(clause)),
            "comment": doubt_about_comment(clause),
            "that": doubt_about_frame(clause) or doubt_about_formal(clause),
        }
        results = (
            modality.modalise(clause, parsed, rng, tried, doubts_of)
            if part == "verb"
            else intensifiers.intensify(clause, rng)
            for part in scope
        )
        return _recased(clause, _first_fit(covered(result, doubt, coverage) for result in results))

    def negate(self, clause: Clause, *, method: str, contractions: bool, coverage: Coverage) -> Result:
        """Negate the claim, or restore the positive of a claim that is already negated."""
        by_prefix = method == "prefix"
        edits = negation.by_matrix_clause(clause) if by_prefix else negation.negate(clause, contractions)
        doubt = doubt_about(clause, "negate")
        if not by_prefix and coverage == "sound" and isinstance(edits, list) and doubt in ("", *OF_VERBS):
            depends = bool(doubt) or whole_claim.is_needed(clause)
            denied = whole_claim.deny(clause, contractions) if depends and not doubt_about_frame(clause) else None
            if isinstance(denied, list):
                return _recased(clause, denied)
            if not doubt and whole_claim.clashes(clause):
                doubt = whole_claim.CLASH
        return _recased(clause, covered(edits, doubt, coverage))

    def negate_twice(
        self,
        clause: Clause,
        rng: random.Random,
        *,
        variant: str,
        phrases: Sequence[str],
        contractions: bool,
        coverage: Coverage,
    ) -> Result:
        """Add two negations that cancel out."""
        doubt = doubt_about(clause, "negate_twice")
        if doubt and coverage == "sound":
            return Skip(doubt)
        if variant == "v1":
            return _recased(clause, covered(double_negation.inside(clause, contractions), doubt, coverage))
        # Two negations in two clauses, as in the paper, come before two negations in the phrase.
        drawn = sorted(
            rng.sample(phrases, len(phrases)),
            key=lambda phrase: (negative_phrases.denies_twice(phrase), negative_phrases.is_emphatic(phrase)),
        )
        doubt = doubt or doubt_about_frame(clause)
        if tuple(phrases) == self.phrases["double-negation"]["default"] and clause.mood != "imperative":
            doubt, drawn = doubt or doubt_about_denying(clause), suited(clause, drawn) or drawn
        if doubt and coverage == "sound":
            return Skip(doubt)
        of_negated = doubt_about_negated(clause)
        return _recased(clause, _soundest(clause, drawn, contractions, (doubt, of_negated), coverage))

    def deny(self, clause: Clause, rng: random.Random, *, phrases: Sequence[str], coverage: Coverage) -> Result:
        """Put a phrase that denies it before a whole statement, negated or not."""
        site = matrix_clause.site_of(clause)
        if not isinstance(site, Skip):
            site = matrix_clause.Site(matrix_clause.start_of_statement(clause), site.pronoun)
        edits = site if isinstance(site, Skip) else [site.put(rng.choice(phrases), negation.NEGATIVE_PHRASE)]
        return _recased(clause, covered(edits, opposition.doubt_about_denial(clause), coverage))

    def doubt_about_both(self, clause: Clause, first: Sequence[Edit], second: Sequence[Edit]) -> str:
        """Return why two rewrites that each deny a claim may not cancel out together; empty if they do."""
        return opposition.doubt_about_both(clause, first, second)

    def square_seed(self, rng: random.Random, split: str) -> SquareSeed:
        """Draw a square from the antonym pairs of a split."""
        return squares.draw(rng, split)

    def deny_as(self, clause: Clause, denial: str) -> Result:
        """Deny a corner that `square_seed` drew in one of the ways that it names."""
        return _recased(clause, squares.denied(clause, denial))

    def placed(self, text: str, frame: str, context: tuple[str, str]) -> str:
        """Return a corner that `square_seed` drew in its frame and its context."""
        return square_contexts.placed(text, frame, context)

    def antonym_splits(self) -> Mapping[str, str]:
        """Return the split of each word that has an antonym; an adverb in -ly is in that of its adjective."""
        return thesaurus.splits()

    def switch(self, clause: Clause, *, coverage: Coverage) -> Result:
        """Exchange subject and object."""
        return covered(switch.switch(clause), doubt_about(clause, "switch"), coverage)

    def replaceable(
        self, clause: Clause, relation: Relation, *, lexicon: str, parts: Collection[str], coverage: Coverage
    ) -> list[Candidate] | Skip:
        """Return the words of a sentence that have antonyms or synonyms, with the base forms of these."""
        doubt = doubt_about(clause, relation) if coverage == "sound" else ""
        if doubt:
            return Skip(doubt)
        if relation == "antonym" and coverage == "sound" and lexicon == "embedded":
            return antonyms.sound_candidates(clause, parts)
        return substitution.candidates(clause, relation, lexicon, parts)

    def focal(self, clause: Clause, candidates: list[Candidate]) -> list[Candidate]:
        """Return the candidates that carry the claim: its predicate before its objects and reported clauses."""
        return antonyms.focal(clause, candidates)

    def replace(self, clause: Clause, word: Word, base: str, rule: Rule) -> list[Edit]:
        """Replace a word by another base form, inflected to match, and correct the article before it."""
        return surface.recased(clause, antonyms.replaced(clause, word, base, rule))

    def places(self, clause: Clause) -> list[int]:
        """Return the offsets after the words of a sentence at which another word can be inserted."""
        return substitution.places(clause)

    def insert(self, clause: Clause, place: int, word: Word, base: str) -> list[Edit]:
        """Insert a base form, inflected like `word`, at an offset returned by `places`."""
        return [substitution.inserted(place, word, base)]

    def check_lexicon(self, lexicon: str) -> None:
        """Raise `MissingPackageError` for "wordnet" if the package wn or its data is missing."""
        if lexicon == "wordnet":
            thesaurus.wordnet()

    def cased_like(self, old: str, new: str) -> str:
        """Return `new` with the capitalization of `old`: none, the first letter, or all of them."""
        return surface.cased_like(old, new)

    def capitalised(self, word: str) -> str:
        """Return a lowercase word as it is written inside a sentence: "english" → "English"."""
        return word[:1].upper() + word[1:] if word.lower() in surface.CAPITALISED else word


@functools.lru_cache(maxsize=256)
def _parsed(phrases: tuple[str, ...]) -> tuple[ModalPhrase, ...]:
    return tuple(ModalPhrase.parse(phrase) for phrase in phrases)


def _first_fit(results: Iterable[Result]) -> Result:
    """Return the first rewrite, or else the reason why the first rule failed."""
    reason = None
    for result in results:
        if not isinstance(result, Skip):
            return result
        reason = reason or result
    assert reason is not None
    return reason


def _soundest(
    clause: Clause, phrases: Sequence[str], contractions: bool, doubts: tuple[str, str], coverage: Coverage
) -> Result:
    """Return a double negation without a doubt; without such a one, what the coverage leaves of the others.

    Args:
        clause: the main clause.
        phrases: the phrases to try, in this order.
        contractions: "didn't" rather than "did not".
        doubts: about any double negation of the clause, and about denying its negation; empty if there are none.
        coverage: "sound" or "full".
    """
    doubt, of_negated = doubts
    of_formal = doubt_about_formal(clause)

    def attempt(phrase: str, level: Coverage) -> Result:
        if level == "sound" and of_negated and not double_negation.suits_any(clause, phrase):
            return Skip(of_negated)  # spares the negation
        against = "" if negative_phrases.is_emphatic(phrase) else of_formal
        return covered(double_negation.with_phrase(clause, phrase, contractions, of_negated), doubt or against, level)

    levels: tuple[Coverage, ...] = ("sound",) if coverage == "sound" else ("sound", "full")
    return _first_fit(attempt(phrase, level) for level in levels for phrase in phrases)


def _recased(clause: Clause, result: Result) -> Result:
    return result if isinstance(result, Skip) else surface.recased(clause, result)


GRAMMARS.register("en")(English())
