"""Fragments, texts without a finite verb: headings, labels, answers."""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, Result, Rule, Skip
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import NOUNS, OPENINGS, PLURAL_NOUNS, WH
from sda_hf.grammar.english.polarity import ALREADY_NEGATED, is_negator
from sda_hf.grammar.english.rules.intensifiers import JUDGEMENTS
from sda_hf.grammar.english.surface import after, before, opening_word, swap
from sda_hf.syntax.clause import Clause, Word

NO_CLAIM = Skip("no claim to negate")
OPPOSITE = lexicon.pairs("formulae", "answers")
THANKS = lexicon.words("formulae", "thanks")
SET_PHRASES = lexicon.words("formulae", "set-phrases")
GOOD_WISHES = lexicon.words("formulae", "good-wishes")
WISHED = lexicon.words("formulae", "wished")
DENIED = lexicon.pairs("quantifiers", "denied-in-fragments")
NOT_DESCRIBING = lexicon.words("formulae", "not-describing") | DENIED.keys()
NAMING = lexicon.words("determiners", "openings")
IS_NOT = {True: ("isn't", "aren't"), False: ("is not", "are not")}
PRESENTED = Rule("fragment-presented", "fragment: this isn't")


def negate(clause: Clause, contractions: bool) -> Result:
    """Rewrite "Great food." as "Not great food."; a name or a noun phrase takes a verb: "This isn't a menu.".

    Args:
        clause: a fragment.
        contractions: "isn't" rather than "is not".
    """
    first = opening_word(clause)
    if first is None or is_greeting(clause, first):
        return _set_phrase(clause, first)
    if first.lower == "why" and not any(w.text[:1].isalnum() for w in clause.words[first.index + 1 :]):
        return [after(clause, first, "not", Rule("why-not", "why → why not"))]
    if first.tag in WH and clause.end_mark is not None and "?" in clause.end_mark.text:
        return Skip("question without a verb")
    following = clause.words[first.index + 1 : first.index + 2]
    if first.lower == "what" and following and following[0].lower in ("a", "an"):
        return [swap(first, "not", Rule("exclamation-denied", "exclamation: what a → not a"))]
    if first.lower in DENIED and (first.label == "det" or first.lower not in ("any", "some")):
        new = DENIED[first.lower]
        return [swap(first, new, Rule("quantifier-denied", f"fragment: {first.lower} → {new}"))]
    if _is_its(clause, first):
        return _after_its(clause, first)
    if not has_words(clause) and not _is_figure(clause):
        address = any(_is_address(w.text) for w in clause.words)
        return presented(clause, *IS_NOT[contractions], PRESENTED) if address else Skip("only punctuation")
    subject, predicate = clause.subject, clause.predicate
    if subject is not None and predicate.tag == "VBN" and subject.last.index < predicate.index:
        return _denied(clause, predicate, "fragment: not before the participle")
    if is_label(clause, first):
        return presented(clause, *IS_NOT[contractions], PRESENTED)
    return _denied(clause, first, "fragment: not at the start")


def _after_its(clause: Clause, its: Word) -> Result:
    """ "its the only place", written for "it's" → "its not the only place"."""
    if is_negator(clause, its.index + 1):
        return ALREADY_NEGATED
    return [after(clause, its, "not", Rule("negated-operator", "not after be"))]


def _denied(clause: Clause, word: Word, words: str) -> Result:
    """Put "not" before a word of a fragment."""
    if is_negator(clause, word.index - 1) or is_negator(clause, word.index):
        return ALREADY_NEGATED
    return [before(word, "not", Rule("fragment-denied", words))]


def _set_phrase(clause: Clause, first: Word | None) -> Result:
    if first is None:
        return NO_CLAIM
    if first.lower in OPPOSITE and (first.index == len(clause.words) - 1 or first.label == "root"):
        new = OPPOSITE[first.lower]
        return [swap(first, new, Rule("answer-denied", f"{first.lower} → {new}"))]
    if first.lower in THANKS:
        return [before(first, "no", Rule("no-thanks", "no thanks"))]
    return NO_CLAIM


def is_greeting(clause: Clause, first: Word) -> bool:
    """Whether the fragment is a greeting, thanks or an answer."""
    if clause.predicate.lower in SET_PHRASES or first.lower in SET_PHRASES:
        return True
    second = clause.words[first.index + 1 : first.index + 2]
    return first.lower in GOOD_WISHES and bool(second) and second[0].lower in WISHED


def has_words(clause: Clause) -> bool:
    """Whether there is more than numbers, punctuation and addresses."""
    return any(
        sum(c.isalpha() for c in w.text) > 1 and w.tag not in ("LS", "SYM", "ADD") and not _is_address(w.text)
        for w in clause.words
    )


def _is_address(text: str) -> bool:
    return any(part in text.lower() for part in ("://", "www.", "@", ".com", ".net", ".org"))


def _is_its(clause: Clause, first: Word) -> bool:
    """Whether "its" is a misspelled "it's": "its the only place"."""
    following = clause.words[first.index + 1 : first.index + 2]
    return first.lower == "its" and bool(following) and following[0].tag in ("DT", "PDT", "RB", "IN")


def _is_figure(clause: Clause) -> bool:
    """Whether there are numbers, dates, times or prices, but no address."""
    figure = any(any(c.isdigit() for c in w.text) for w in clause.words)
    return figure and not _is_address(clause.text)


def is_label(clause: Clause, first: Word) -> bool:
    """Whether a noun phrase names something rather than judging it, so that "this is" can precede it."""
    if not clause.predicate.tag.startswith("NN") or clause.words[-1].text in (",", ":") or _asks(clause):
        return False
    classifies = first.tag == "JJ" and first.lower not in JUDGEMENTS
    return first.tag.startswith("NN") or first.lower in NAMING or classifies


def describes(clause: Clause) -> bool:
    """Whether "this is" can precede the fragment: a noun or adjective phrase that is not a greeting."""
    first = opening_word(clause)
    if first is None or not has_words(clause) or clause.words[-1].text in (",", ":") or _asks(clause):
        return False
    if is_greeting(clause, first) or _is_its(clause, first) or first.lower in NOT_DESCRIBING:
        return False
    if clause.predicate.tag == "VBN" and first.tag == "RB":
        return True  # "Highly recommended!"
    if first.text.isdigit() or first.tag not in OPENINGS:
        return False
    return clause.predicate.tag in ("JJ", "JJS", "GW", *NOUNS) or clause.predicate.lower == "one"


def presented(clause: Clause, singular: str, plural: str, rule: Rule, phrase: str = "") -> list[Edit]:
    """Put "this" or "these" and a verb before a fragment: "This isn't a menu.", "These must be fresh eggs.".

    Args:
        clause: the fragment.
        singular: the verb after "this".
        plural: the verb after "these".
        rule: the rule of the edit.
        phrase: what to put before "this", ending in a space.
    """
    first = opening_word(clause)
    assert first is not None
    many = clause.predicate.tag in PLURAL_NOUNS and first.lower not in ("a", "an", "one")
    return [before(first, f"{phrase}these {plural}" if many else f"{phrase}this {singular}", rule)]


def _asks(clause: Clause) -> bool:
    return clause.end_mark is not None and "?" in clause.end_mark.text
