"""Quantified subjects and negative words, where the negation is not on the verb."""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, Rule
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import PLAIN, PLURAL_NOUNS, QUANTIFIED
from sda_hf.grammar.english.morphology import inflect, plain_form
from sda_hf.grammar.english.surface import before, swap
from sda_hf.syntax.clause import Clause, Word

UNIVERSAL = lexicon.words("quantifiers", "universal")
APPROXIMATE = lexicon.words("quantifiers", "approximate")
DENIED = lexicon.pairs("quantifiers", "denied")
UNDER_NEGATION = lexicon.pairs("quantifiers", "under-negation")
NOT_QUANTIFIED = lexicon.words("nouns", "not-quantified")
MASS = lexicon.words("nouns", "mass")
VOWELS = "aeiou"
SPOKEN_CONSONANT = lexicon.phrases("determiners", "consonants")
SPOKEN_VOWEL = lexicon.phrases("determiners", "vowels")


def negate_subject(clause: Clause) -> list[Edit] | None:
    """Rewrite "All men" as "Not all men" and "Someone" as "No one"; None if the subject has no such quantifier."""
    subject = clause.subject
    if subject is None or clause.inverted or clause.expletive is not None:
        return None
    word = subject.first
    named = _before_not(clause, word, subject.head)
    if named is not None:
        return [before(word, "not", Rule("quantifier-denied", f"{named} → not {named}"))]
    approximate = clause.words[word.index + 1 : word.index + 2]
    if approximate and approximate[0].tag == "CD":
        return None  # "some 20 per cent"
    if word.lower in DENIED and _quantifies(word, subject.head, clause):
        new = DENIED[word.lower]
        if word is subject.head and word.lower == "some":
            new = "none"
        rule = Rule("quantifier-denied", f"{word.lower} → {new}")
        return [swap(word, new, rule), *_agree(clause, word, rule)]
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
    edits = []
    for word in clause.words[verbs.first.index + 1 :]:
        new = UNDER_NEGATION.get(word.lower)
        if new is not None and _is_open(clause, word):
            edits.append(swap(word, new, _under_negation(word.lower, new)))
        elif word.lower == "too" and word.head == clause.predicate.index and is_last(clause, word):
            edits.append(swap(word, "either", _under_negation("too", "either")))
    return edits


def _under_negation(old: str, new: str) -> Rule:
    return Rule("polarity-under-negation", f"{old} → {new} under negation")


def _is_open(clause: Clause, word: Word) -> bool:
    """Whether a quantifier is in an object of the predicate, or in a phrase introduced by "there is"."""
    noun = clause.words[word.head] if word.label == "det" else word
    following = clause.words[word.index + 1 : word.index + 2]
    if noun.head != clause.predicate.index and noun.index != clause.predicate.index:
        return False
    if noun.index == clause.predicate.index and clause.expletive is None:
        return False
    if noun.lower in NOT_QUANTIFIED or (following and following[0].tag == "CD"):
        return False
    return noun.label.split(":")[0] in QUANTIFIED[: 4 if word.lower == "some" else 5] or clause.expletive is not None


def is_last(clause: Clause, word: Word) -> bool:
    """Whether only punctuation follows the word."""
    following = clause.words[word.index + 1 : word.index + 2]
    return not following or not following[0].text[:1].isalnum()


def _quantifies(word: Word, head: Word, clause: Clause) -> bool:
    if word is head:
        # "All I want is ..." does not quantify over all.
        return not clause.children(word, "acl")
    return word.head == head.index and (word.label.startswith("det") or word.lower in ("few", "many"))


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
