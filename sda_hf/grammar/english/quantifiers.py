"""Quantified subjects and negative words: where negation is not on the verb."""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, before, swap
from sda_hf.syntax.clause import Clause, Word

# "Not" stands before these in a subject.
UNIVERSAL = frozenset("all every everyone everybody everything".split())
EXISTENTIAL = {"some": "no", "someone": "no one", "somebody": "nobody", "something": "nothing", "few": "many"}
# Negative words and what restores the positive.
POSITIVE = {
    "nobody": "somebody",
    "nothing": "something",
    "nowhere": "somewhere",
    "none": "some",
    "noone": "someone",
}
# Adverbs whose removal restores the positive.
NEGATIVE_ADVERBS = frozenset({"never", "hardly", "scarcely", "barely", "rarely", "seldom"})
# Under negation → in a positive sentence.
POLARITY = {
    "any": "some",
    "anyone": "someone",
    "anybody": "somebody",
    "anything": "something",
    "anywhere": "somewhere",
    "anymore": "still",
    "either": "too",
    "yet": "already",
}
# Nouns that take no "a"; an article before any other singular noun.
MASS = frozenset(
    "water money time food information evidence work music traffic news advice furniture weather air rain snow "
    "power electricity help hope love peace progress research space sugar salt milk coffee tea bread rice meat "
    "luck fun knowledge luggage equipment homework housework trouble sense room support interest pain blood oil "
    "gas light damage access proof respect trust education experience energy noise dust sand grass wood paper gold "
    "health history art law justice freedom happiness sadness anger fear pride courage patience violence war crime "
    "attention shame harm justification understanding communication parking shade smoke privacy".split()
)
VOWELS = "aeiou"
SPOKEN_CONSONANT = ("uni", "use", "usu", "eu", "one", "once", "ut")
SPOKEN_VOWEL = ("hour", "honest", "honour", "honor", "heir")


def negate_subject(clause: Clause) -> list[Edit] | None:
    """ "All men ..." → "Not all men ...", "Someone ..." → "No one ..."; None where the subject has no such word."""
    subject = clause.subject
    if subject is None or clause.inverted or clause.expletive is not None:
        return None
    word = subject.first
    if word.lower in UNIVERSAL and _quantifies(word, subject.head, clause):
        return before(clause, word, "not", f"{word.lower} → not {word.lower}")
    if word.lower in EXISTENTIAL and _quantifies(word, subject.head, clause):
        new = EXISTENTIAL[word.lower]
        if word is subject.head and word.lower == "some":
            new = "none"
        return [swap(word, new, f"{word.lower} → {new}")]
    return None


def _quantifies(word: Word, head: Word, clause: Clause) -> bool:
    if word is head:
        # "All I want is ..." is no quantified claim about all.
        return not clause.children(word, "acl")
    return word.head == head.index and (word.label.startswith("det") or word.lower == "few")


def article(word: Word) -> str:
    """ "a" or "an" before a word.

    Example:
        >>> from sda_hf.syntax.clause import Word
        >>> article(Word(0, "hour", "NN", "root", 0, 0, 4)), article(Word(0, "unit", "NN", "root", 0, 0, 4))
        ('an', 'a')
    """
    low = word.lower
    if low.startswith(SPOKEN_VOWEL):
        return "an"
    return "an" if low[:1] in VOWELS and not low.startswith(SPOKEN_CONSONANT) else "a"


def positive_determiner(clause: Clause, determiner: Word, noun: Word) -> str:
    """What stands for "no" in the positive: "a", "an" or "some"."""
    if noun.tag in ("NNS", "NNPS") or noun.lower in MASS:
        return "some"
    return article(clause.words[determiner.index + 1])
