"""Whether a claim is negated, and by what."""

from __future__ import annotations

import itertools

from sda_hf.grammar.edits import Skip
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import ARGUMENTS, CLAUSAL
from sda_hf.grammar.english.surface import opening_word
from sda_hf.syntax.clause import Clause, Negator, Word

NEGATORS = lexicon.words("adverbs", "negators")
NEGATIVE_ADVERBS = lexicon.words("adverbs", "negative")
EXCLUSIVE = lexicon.words("adverbs", "exclusive")
UNIVERSAL = lexicon.words("quantifiers", "universal")
RESTORED = lexicon.pairs("quantifiers", "restored")
# For negations that the parse does not show.
ALREADY_NEGATED = Skip("already negated")
NEGATIVE_WORDS = NEGATIVE_ADVERBS | RESTORED.keys() | {"no", "neither"}
NEGATING = NEGATIVE_WORDS | NEGATORS


def negation_of(clause: Clause) -> Negator | None:
    """Return what negates the claim of a clause; None if it is positive.

    Returns:
        A negator of one of these kinds: "exclusive" (not only: it denies nothing, but no rule can negate it either),
        "particle" (not, n't), "leading" (not before a fragment or a quantified subject), "neither", "adverb"
        (never), "no longer", "pronoun" (nobody) or "determiner" (no).
    """
    if NEGATING.isdisjoint({word.lower for word in clause.words}):
        return None
    exclusive = _exclusive_not(clause)
    if exclusive is not None:
        return Negator("exclusive", exclusive)
    if clause.negators:
        return Negator("particle", clause.negators[0])
    leading = _leading_not(clause)
    if leading is not None:
        return Negator("leading", leading)
    for word in clause.words:
        if word.lower in NEGATIVE_WORDS and in_claim(clause, word):
            kind = _kind_of(clause, word)
            if kind is not None:
                return Negator(kind, word)
    return None


def in_claim(clause: Clause, word: Word) -> bool:
    """Whether the word depends on the predicate with no clause in between."""
    while word.index != clause.predicate.index:
        if word.label in CLAUSAL or word.head == word.index:
            return False
        word = clause.words[word.head]
    return True


def is_negator(clause: Clause, index: int) -> bool:
    """Whether the word at this position is a negation particle; False for positions outside the sentence.

    Even if the parse does not attach such a particle to the verb, no second one must be added next to it.
    """
    return 0 <= index < len(clause.words) and clause.words[index].lower in NEGATORS


def is_contracted_negator(clause: Clause, index: int) -> bool:
    """Whether the word at a position of the sentence is "n't" or ends with it, as in "don't"."""
    return 0 <= index < len(clause.words) and clause.words[index].lower.endswith("n't")


def _exclusive_not(clause: Clause) -> Word | None:
    """Return the "not" of "not only ... but also"."""
    for word, following in itertools.pairwise(clause.words):
        if word.lower in NEGATORS and following.lower in EXCLUSIVE and in_claim(clause, word):
            return word
    return None


def _leading_not(clause: Clause) -> Word | None:
    """Return a "not" outside the verb group: before a fragment or a quantified subject, or after "Let's"."""
    if clause.verbs is not None and clause.verbs.first.lower == "let":
        following = clause.words[clause.verbs.first.index + 2 : clause.verbs.first.index + 3]
        return following[0] if following and following[0].lower == "not" else None
    first = opening_word(clause)
    if first is not None and first.lower == "not" and first is not clause.words[-1] and first.label != "discourse":
        return first
    subject = clause.subject
    if subject is None:
        return None
    heads = (subject.head.index, subject.first.index)
    previous = clause.words[max(0, subject.first.index - 1)]
    if previous.lower == "not" and subject.first.lower in UNIVERSAL:
        return previous
    near = clause.words[max(0, subject.first.index - 1) : subject.head.index]
    return next((w for w in near if w.lower == "not" and w.head in heads), None)


def _kind_of(clause: Clause, word: Word) -> str | None:
    """Return how a negative word negates the claim; None if it does not."""
    low = word.lower
    following = clause.words[word.index + 1] if word.index + 1 < len(clause.words) else None
    if low == "neither":
        return "neither"
    if low in NEGATIVE_ADVERBS:
        return "adverb" if word.head == clause.predicate.index else None
    if low in RESTORED:
        return "pronoun" if word.label in ARGUMENTS or word.label == "advmod" else None
    if following is not None and following.lower == "longer":
        return "no longer"
    if word.text == "No" and word.index and following is not None and following.tag == "CD":
        return None  # "Symphony No 1"
    argument = word.label == "det" and clause.words[word.head].label in ARGUMENTS
    return "determiner" if argument and following is not None else None
