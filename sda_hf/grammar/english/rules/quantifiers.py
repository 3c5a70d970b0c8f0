"""Quantified subjects and negative words, where the negation is not on the verb."""

from __future__ import annotations

from collections.abc import Collection

from sda_hf.grammar.edits import Edit, Rule
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import PLAIN, PLURAL_NOUNS, QUANTIFIED
from sda_hf.grammar.english.morphology import inflect, plain_form
from sda_hf.grammar.english.surface import before, swap
from sda_hf.syntax.clause import Clause, Phrase, Word

UNIVERSAL = lexicon.words("quantifiers", "universal")
APPROXIMATE = lexicon.words("quantifiers", "approximate")
DENIED = lexicon.pairs("quantifiers", "denied")
DENIED_PHRASES = lexicon.pairs("quantifiers", "denied-phrases")
QUANTITIES = lexicon.words("quantifiers", "quantities")
UNDER_NEGATION = lexicon.pairs("quantifiers", "under-negation")
PHRASES_UNDER_NEGATION = lexicon.pairs("quantifiers", "phrases-under-negation")
WEAKENING = lexicon.words("adverbs", "weakening")
MARKS = frozenset(",()-–—;:")  # noqa: RUF001
NOT_QUANTIFIED = lexicon.words("nouns", "not-quantified")
MASS = lexicon.words("nouns", "mass")
# Quantifiers that parsers label as adjectives.
AMOD_QUANTIFIERS = ("few", "many", "several", "numerous", "various", "other")
VOWELS = "aeiou"
SPOKEN_CONSONANT = lexicon.phrases("determiners", "consonants")
SPOKEN_VOWEL = lexicon.phrases("determiners", "vowels")


def negate_subject(clause: Clause) -> list[Edit] | None:
    """Rewrite "All men" as "Not all men" and "A few men" as "No men"; None if the subject has no such quantifier."""
    subject = clause.subject
    if subject is None or clause.inverted or clause.expletive is not None:
        return None
    word = subject.first
    named = _before_not(clause, word, subject.head)
    if named is not None:
        rule = Rule("quantifier-denied", f"{named} → not {named}")
        many = word.lower in ("many", "much")  # begins no title, so it loses its capital: "Many Taliban"
        return [swap(word, f"not {word.lower}", rule) if many else before(word, "not", rule)]
    following = clause.words[word.index + 1 : word.index + 2]
    if following and following[0].tag == "CD":
        return None  # "some 20 per cent"
    phrase = _at(clause, word, DENIED_PHRASES)
    if phrase is not None:
        old, last = phrase
        rule = Rule("quantifier-denied", f"{old} → {DENIED_PHRASES[old]}")
        return [rule.edit(word.start, last.end, DENIED_PHRASES[old])]
    if word.lower in DENIED and _quantifies(word, subject.head, clause) and not _lists(clause, word):
        new = DENIED[word.lower]
        if word is subject.head and word.lower in ("some", "several"):
            new = "none"
        rule = Rule("quantifier-denied", f"{word.lower} → {new}")
        return [swap(word, new, rule), *_agree(clause, word, rule)]
    if _introduces(clause, word) or _counts(clause, word):
        new = "none" if word is subject.head else "no"
        return [swap(word, new, Rule("indefinite-denied", f"{word.lower} → {new}"))]
    return None


def _lists(clause: Clause, word: Word) -> bool:
    """Whether the clause says what belongs to a group: "Other towns include ..."."""
    return word.lower in ("other", "others", "several", "various") and clause.predicate.lower.startswith("includ")


def _introduces(clause: Clause, word: Word) -> bool:
    """Whether "a" introduces the subject of something that happened: "A fire destroyed the church."."""
    subject, verbs = clause.subject, clause.verbs
    assert subject is not None
    if word.lower not in ("a", "an") or word.head != subject.head.index or subject.head.tag != "NN" or verbs is None:
        return False
    happened = verbs.words[-1].tag in ("VBD", "VBN") and verbs.first.tag != "MD" and verbs.main is clause.predicate
    return happened and subject.head.lower not in QUANTITIES and _is_simple(clause, subject)


def _counts(clause: Clause, word: Word) -> bool:
    """Whether a number begins the subject of a verb: "Two people were killed."."""
    subject, verbs = clause.subject, clause.verbs
    assert subject is not None
    following = clause.words[word.index + 1 : word.index + 2]
    if word.tag != "CD" or not word.text.isalnum() or verbs is None or verbs.main is not clause.predicate:
        return False
    if verbs.words[-1].tag not in ("VBD", "VBN") or not _is_simple(clause, subject):
        return False
    whole = word.head == subject.head.index and subject.head.tag == "NNS" and subject.head.lower not in NOT_QUANTIFIED
    return whole or (word is subject.head and bool(following) and following[0].lower == "of")


def _is_simple(clause: Clause, subject: Phrase) -> bool:
    """Whether a subject has no conjuncts and nothing in parentheses or between commas."""
    marks = (w.text for w in clause.words[subject.first.index : subject.last.index + 2])
    return not clause.children(subject.head, "conj", "appos") and not any(m in MARKS for m in marks)


def _at(clause: Clause, word: Word, phrases: Collection[str]) -> tuple[str, Word] | None:
    """Return the longest of the phrases that begins at a word, and its last word."""
    for length in (3, 2):
        words = clause.words[word.index : word.index + length]
        phrase = " ".join(w.lower for w in words)
        if len(words) == length and phrase in phrases:
            return phrase, words[-1]
    return None


def _agree(clause: Clause, subject: Word, rule: Rule) -> list[Edit]:
    """Make the verb agree: in "Anyone know him?" → "No one knows him?", the question leaves out its "does"."""
    verb = clause.verbs.main if clause.verbs is not None else None
    if not subject.lower.startswith("any") or verb is None or verb is not clause.predicate or verb.tag not in PLAIN:
        return []
    alone = clause.verbs is not None and len(clause.verbs.words) == 1
    return [swap(verb, inflect(plain_form(verb), "VBZ"), rule)] if alone and subject.tag == "NN" else []


def _before_not(clause: Clause, word: Word, head: Word) -> str | None:
    """Return the quantifier at the start of a subject that "not" can precede: "all", "nearly every", "only"."""
    if word.lower in UNIVERSAL and _quantifies(word, head, clause):
        return word.lower
    following = clause.words[word.index + 1]
    if word.lower in APPROXIMATE and word is not head and following.lower in UNIVERSAL:
        return f"{word.lower} {following.lower}"
    if word.lower == "only" and word is not head and following.lower in ("a", "the", head.lower):
        return "only"
    return None


def under_negation(clause: Clause) -> list[Edit]:
    """Return the edits that a new negation of the verb requires after it: "some" → "any", "too" → "either"."""
    verbs = clause.verbs
    assert verbs is not None
    edits: list[Edit] = []
    for word in clause.words[verbs.first.index + 1 :]:
        new = UNDER_NEGATION.get(word.lower)
        if new is not None and _is_open(clause, word):
            edits.append(swap(word, new, _under_negation(word.lower, new)))
        elif word.lower == "a":
            edits += _phrase_under_negation(clause, word)
        elif word.lower == "already" and word.label == "advmod" and word.head == clause.predicate.index:
            edits.append(swap(word, "yet", _under_negation("already", "yet")))
        elif word.lower in ("too", "well") and is_last(clause, word):
            edits += _addition(clause, word)
    return edits + _without_weakening(clause)


def _phrase_under_negation(clause: Clause, word: Word) -> list[Edit]:
    found = _at(clause, word, PHRASES_UNDER_NEGATION)
    if found is None:
        return []
    phrase, last = found
    noun = clause.words[word.head] if last.lower == "of" else clause.words[last.head]
    plural = next((w for w in clause.words[last.index + 1 : last.index + 4] if w.tag in PLURAL_NOUNS), None)
    if not _is_object(clause, noun) or plural is None or plural.lower in NOT_QUANTIFIED:
        return []
    new = PHRASES_UNDER_NEGATION[phrase]
    return [_under_negation(phrase, new).edit(word.start, last.end, new)]


def _addition(clause: Clause, word: Word) -> list[Edit]:
    """Rewrite "too" and "as well" at the end of a claim as "either"."""
    if coordinated_claim(clause, word):
        return []
    if word.lower == "too" and word.head == clause.predicate.index:
        return [swap(word, "either", _under_negation("too", "either"))]
    previous = clause.words[word.index - 1]
    if word.lower == "well" and previous.lower == "as":
        return [_under_negation("as well", "either").edit(previous.start, word.end, "either")]
    return []


def coordinated_claim(clause: Clause, word: Word) -> bool:
    """Whether another claim begins between the predicate and a word."""
    return any(w.label == "conj" and w.tag.startswith("VB") for w in clause.words[clause.predicate.index : word.index])


def _without_weakening(clause: Clause) -> list[Edit]:
    """Drop what weakens the adjective that is said of the subject: "fairly basic", "a pretty good place"."""
    verbs, predicate = clause.verbs, clause.predicate
    if verbs is None or verbs.main is predicate:
        return []
    edits = []
    described = [predicate, *clause.children(predicate, "amod")] if predicate.tag.startswith("NN") else [predicate]
    for word in (w for one in described for w in clause.children(one, "advmod", "obl")):
        adjective = clause.words[word.head]
        little = clause.words[word.index - 1] if word.lower in ("little", "bit") and word.index else None
        if little is not None and little.lower == "a" and adjective.index == word.index + 1:
            rule = Rule("weakening-dropped", f"a {word.lower} dropped under negation")
            edits += [rule.edit(little.start, adjective.start, "")] if verbs.first.index < little.index else []
        if word.lower not in WEAKENING or adjective.index != word.index + 1 or adjective.tag not in ("JJ", "RB"):
            continue
        previous = clause.words[word.index - 1]
        rule = Rule("weakening-dropped", f"{word.lower} dropped under negation")
        if previous.lower in ("a", "an"):
            edits.append(swap(previous, article(adjective.text), rule))
        if verbs.first.index < word.index:
            edits.append(rule.edit(word.start, adjective.start, ""))
    return edits


def _under_negation(old: str, new: str) -> Rule:
    return Rule("polarity-under-negation", f"{old} → {new} under negation")


def _is_open(clause: Clause, word: Word) -> bool:
    """Whether a quantifier is in an object of the predicate, or in a phrase introduced by "there is"."""
    noun = clause.words[word.head] if word.label in ("det", "amod") else word
    following = clause.words[word.index + 1 : word.index + 2]
    if word.label == "amod" and noun.tag not in PLURAL_NOUNS:
        return False
    if noun.lower in NOT_QUANTIFIED or (following and following[0].tag == "CD"):
        return False
    return _is_object(clause, noun, adverbial=word.lower != "some")


def _is_object(clause: Clause, noun: Word, adverbial: bool = True) -> bool:
    if noun.head != clause.predicate.index and noun.index != clause.predicate.index:
        return False
    if noun.index == clause.predicate.index and clause.expletive is None:
        return False
    return noun.label.split(":")[0] in QUANTIFIED[: 5 if adverbial else 4] or clause.expletive is not None


def is_last(clause: Clause, word: Word) -> bool:
    """Whether only punctuation follows the word."""
    following = clause.words[word.index + 1 : word.index + 2]
    return not following or not following[0].text[:1].isalnum()


def _quantifies(word: Word, head: Word, clause: Clause) -> bool:
    if word is head:
        # "All I want is ..." does not quantify over all.
        return not clause.children(word, "acl")
    return word.head == head.index and (word.label.startswith("det") or word.lower in AMOD_QUANTIFIERS)


def article(word: str) -> str:
    """Return the article before a word, "a" or "an".

    Example:
        >>> article("hour"), article("unit")
        ('an', 'a')
    """
    low = word.lower()
    if low.startswith(SPOKEN_VOWEL):
        return "an"
    return "an" if low[:1] in VOWELS and not low.startswith(SPOKEN_CONSONANT) else "a"


def positive_determiner(clause: Clause, determiner: Word, noun: Word) -> str:
    """Return the positive counterpart of "no": "a", "an" or "some"."""
    if noun.tag in PLURAL_NOUNS or noun.lower in MASS:
        return "some"
    return article(clause.words[determiner.index + 1].text)
