"""Whether two denials of a claim cancel out: its negation, and an antonym or a phrase before the statement."""

from __future__ import annotations

from collections.abc import Sequence

from sda_hf.grammar.edits import Edit
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.doubts import doubt_about
from sda_hf.grammar.english.doubts.denied_negation import adds_relative, doubt_about_denied
from sda_hf.grammar.english.doubts.frames import doubt_about_formal, doubt_about_frame
from sda_hf.grammar.english.labels import PLURAL_NOUNS
from sda_hf.grammar.english.morphology import lemma, plain_form
from sda_hf.grammar.english.rules.substitution import base_form
from sda_hf.syntax.clause import Clause, Word

FRAME = "negative-phrase"
# Negations that leave the rest of the claim as it is.
ON_VERB = frozenset({"negated-operator", "do-support"})
ON_CLAIM = ON_VERB | {
    "negation-removed",
    "negation-replaced",
    "or-under-negation",
    "polarity-under-negation",
    "adverb-denied",
}
# Those that go with an antonym: they leave it where it is.
OF_ANTONYMS = ON_VERB | {"or-under-negation", "polarity-under-negation", "claim-denied"}
SEEMING = lexicon.words("opposition", "seeming")
LIGHT = lexicon.words("opposition", "light")
NEUTRAL = lexicon.words("opposition", "neutral")
MANNER = lexicon.words("opposition", "manner")
NOUNS = lexicon.words("opposition", "nouns")
CONTRADICTORY = frozenset(lexicon.phrases("opposition", "verbs"))
OPEN = lexicon.words("opposition", "open")
PARTIAL = lexicon.words("opposition", "partial")
LONGEST = 36  # words and marks


def doubt_about_both(clause: Clause, first: Sequence[Edit], second: Sequence[Edit]) -> str:
    """Return why a negation and another denial may not cancel out; empty if they do.

    Args:
        clause: the main clause.
        first: the edits of the negation.
        second: the edits of an antonym, or of a phrase before the statement.
    """
    if clause.mood != "declarative":
        return "not a statement"
    if any(edit.id == FRAME for edit in second):
        return _doubt_about_frame(clause, first)
    return _doubt_about_antonym(clause, first, second)


def _doubt_about_frame(clause: Clause, first: Sequence[Edit]) -> str:
    known = {edit.id for edit in first} <= ON_CLAIM
    return doubt_about_denied(clause) if known else "a negation of more than the verb"


def _doubt_about_antonym(clause: Clause, first: Sequence[Edit], second: Sequence[Edit]) -> str:
    if not {edit.id for edit in first} <= OF_ANTONYMS:
        return "a negation of more than the verb"
    changed = (w for w in clause.words if any(e.start <= w.start and w.end <= e.end and e.new for e in second))
    word = next((w for w in changed if w.label != "det"), None)
    if word is None or not _is_in_predicate(clause, word, second):
        return "an antonym outside the negated predicate"
    if _has_more(clause, word):
        return "more in the claim than what the antonym changes"
    return ""


def _is_in_predicate(clause: Clause, word: Word, second: Sequence[Edit]) -> bool:
    predicate = clause.predicate
    if word.lower in OPEN or word.tag in ("JJS", "RBS"):
        return False
    if word is predicate:
        return _fits_predicate(clause, word, second)
    head = clause.words[word.head]
    if word.tag[:2] == "JJ" and word.label == "xcomp" and head is predicate:
        return plain_form(predicate) in SEEMING
    if word.label == "amod" and word.tag == "JJ":
        return _is_attribute(clause, head)
    return word.tag == "RB" and head is predicate and word.index > predicate.index and word.lower in MANNER


def _fits_predicate(clause: Clause, word: Word, second: Sequence[Edit]) -> bool:
    copula = bool(clause.children(word, "cop"))
    if word.tag[:2] == "JJ" and copula:
        return True
    if word.tag[:2] == "NN" and copula:
        return base_form(word, "NOUN") in NOUNS
    new = " ".join(e.new for e in second if e.start <= word.start and word.end <= e.end)
    known = plain_form(word) in CONTRADICTORY and lemma(new, word.tag) in CONTRADICTORY
    objects = clause.children(word, "obj")
    counted = any(clause.children(noun, "nummod") for noun in objects)  # "lost four titles"
    able = any(clause.children(noun, "acl", "xcomp") for noun in objects)  # "has the ability to"
    return word.tag[:2] == "VB" and known and not counted and (able or plain_form(word) != "have")


def _is_attribute(clause: Clause, noun: Word) -> bool:
    """Whether a noun is what the claim says of its subject: "is a good idea", "has a low ceiling"."""
    determiners = {w.lower for w in clause.children(noun, "det")}
    indefinite = bool(determiners & {"a", "an"}) or (not determiners and noun.tag in PLURAL_NOUNS)
    if not indefinite or clause.children(noun, "nmod:poss"):
        return False
    if noun is clause.predicate:
        return bool(clause.children(noun, "cop"))
    light = clause.words[noun.head] is clause.predicate and noun.label == "obj"
    return light and plain_form(clause.predicate) in LIGHT


def _has_more(clause: Clause, word: Word) -> bool:
    predicate = clause.predicate
    if clause.coordinated or len(clause.words) > LONGEST:
        return True
    if clause.children(predicate, "conj", "parataxis", "ccomp", "list", "discourse", "vocative"):
        return True
    if clause.end_mark is not None and "!" in clause.end_mark.text:
        return True
    rest = clause.words[min(word.index, predicate.index) :]
    if any(w.lower in PARTIAL for w in rest) or adds_relative(clause):
        return True
    if any(w.index > predicate.index for w in clause.children(predicate, "advcl")):
        return True
    if any(w.lower not in NEUTRAL for w in clause.children(word, "advmod")):
        return True
    return any(
        w.lower not in NEUTRAL and w is not word and w.index != predicate.index
        for w in clause.children(predicate, "advmod")
    )


def doubt_about_denial(clause: Clause) -> str:
    """Return why a phrase before a statement may not deny it; empty if it does."""
    if clause.mood != "declarative":
        return "not a statement"
    doubt = doubt_about(clause, "negate_twice") or doubt_about_frame(clause) or doubt_about_formal(clause)
    return doubt or doubt_about_denied(clause)
