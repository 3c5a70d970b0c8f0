"""Squares of opposition that follow a pattern: "enough" and "too", "still" and "no longer", "all" and "none"."""

from __future__ import annotations

import random
from collections.abc import Sequence

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.morphology import inflect
from sda_hf.grammar.english.rules.substitution import inflected
from sda_hf.grammar.english.square_parts import PERSONS, Subject, be, finite, joined, sentence
from sda_hf.grammar.square_lines import Line

# Claim, denial, contrary, equivalent.
Pattern = tuple[str, str, str, str]
# With "failed to", the antonym must not be "fail".
FAIL = "fail"


def of_adjective(
    rng: random.Random, line: Line, words: tuple[str, str], subject: Subject, entry: str
) -> tuple[Pattern, ...]:
    """Return patterns with a form of "be" and an adjective.

    Args:
        rng: the only source of randomness.
        line: the line of the table.
        words: an adjective and its antonym.
        subject: the subject.
        entry: what the subject was drawn from.
    """
    tense = rng.choice(("present", "past"))
    verb = be(rng, tense, subject)
    found = []
    if {"very", "more"} <= line.facts:
        found.append(_enough(rng, words, subject, verb))
    if "stage" in line.facts:
        found += [_still(rng, words, subject, verb), _often(rng, words, (subject.words, verb), "")]
    copula = "is" if tense == "present" else "was"
    plural = "are" if tense == "present" else "were"
    return (*found, *_quantified(rng, words, entry, (copula, plural), ""))


def of_comparative(rng: random.Random, words: tuple[str, str], start: str, than: str) -> tuple[Pattern, ...]:
    """Return the pattern of "hotter than usual" and "less hot than usual".

    Args:
        rng: the only source of randomness.
        words: an adjective and its antonym.
        start: subject and verb.
        than: what they are compared with.
    """
    (more, less), (other_more, other_less) = (
        (sentence(start, inflected(word, "JJR"), than), sentence(start, "less", word, than)) for word in words
    )
    return ((more, less, other_more, other_less),)


def of_noun(plain: Sequence[str], subject: Subject, verb: str, phrases: Sequence[str]) -> tuple[Pattern, ...]:
    """Return the pattern with "no" instead of the article.

    Args:
        plain: the claim and its contrary.
        subject: the subject.
        verb: a form of "be" or "have".
        phrases: the noun phrases of both, without an article.
    """
    first, second = (sentence(subject.words, verb, "no", phrase) for phrase in phrases)
    return ((plain[0], first, plain[1], second),)


def of_verb(
    rng: random.Random, line: Line, words: tuple[str, str], parts: tuple[Subject, str, str]
) -> tuple[Pattern, ...]:
    """Return patterns of a verb in the past tense, or of a habit.

    Args:
        rng: the only source of randomness.
        line: the line of the table.
        words: a verb and its antonym.
        parts: the subject, what it was drawn from, and what follows the verb.
    """
    subject, entry, rest = parts
    past = tuple(inflect(word, "VBD") for word in words)
    found = list(_quantified(rng, (past[0], past[1]), entry, ("", ""), rest))
    if "habit" in line.facts:
        present = tuple(finite(word, "VBZ", subject) for word in words)
        found.append(_often(rng, (present[0], present[1]), (subject.words, ""), rest))
    if "event" in line.facts and entry in PERSONS and words[0] == line.word and FAIL not in words:
        managed, failed, other = (
            sentence(subject.words, verb, rest) for verb in (f"managed to {words[0]}", f"failed to {words[0]}", past[1])
        )
        found.append(
            (managed, failed, other, sentence(subject.words, rng.choice(("didn't", "did not")), words[1], rest))
        )
    return tuple(found)


def of_adverb(rng: random.Random, words: tuple[str, str], verb: tuple[str, str], entry: str) -> tuple[Pattern, ...]:
    """Return the pattern of "everybody" and "nobody" with an adverb.

    Args:
        rng: the only source of randomness.
        words: an adverb and its antonym.
        verb: a verb and what follows it.
        entry: what the subject was drawn from.
    """
    start = joined(inflect(verb[0], "VBD"), verb[1])
    return _quantified(rng, words, entry, (start, start), "")


# -- patterns ------------------------------------------------------------------------------------


def _enough(rng: random.Random, words: tuple[str, str], subject: Subject, verb: str) -> Pattern:
    """Return "hot enough", "not hot enough", "too cold", "not too cold"."""
    one, other = words
    purpose = _one(rng, "purposes")
    negated = _negated(rng, verb)
    return (
        sentence(subject.words, verb, one, "enough", purpose),
        sentence(subject.words, negated, one, "enough", purpose),
        sentence(subject.words, verb, "too", other, purpose),
        sentence(subject.words, negated, "too", other, purpose),
    )


def _still(rng: random.Random, words: tuple[str, str], subject: Subject, verb: str) -> Pattern:
    """Return "still hot", "no longer hot", "already cold", "not cold yet"."""
    one, other = words
    negated = _negated(rng, verb)
    ended = rng.choice(((verb, "no longer", one), (negated, one, "any more")))
    return (
        sentence(subject.words, verb, "still", one),
        sentence(subject.words, *ended),
        sentence(subject.words, verb, "already", other),
        sentence(subject.words, *rng.choice(((negated, other, "yet"), (verb, "not yet", other)))),
    )


def _often(rng: random.Random, words: tuple[str, str], start: tuple[str, str], rest: str) -> Pattern:
    """Return "always hot", "never hot", "often cold", "seldom cold"."""
    one, other = words
    return (
        sentence(*start, _one(rng, "often"), one, rest),
        sentence(*start, _one(rng, "seldom"), one, rest),
        sentence(*start, _one(rng, "often"), other, rest),
        sentence(*start, _one(rng, "seldom"), other, rest),
    )


def _quantified(
    rng: random.Random, words: tuple[str, str], entry: str, verbs: tuple[str, str], rest: str
) -> tuple[Pattern, ...]:
    """Return "all the rooms", "not all the rooms", "most of the rooms", "none of the rooms", or those of people.

    Args:
        rng: the only source of randomness.
        words: a word and its antonym.
        entry: what subjects are drawn from: people, a list or a noun.
        verbs: the verb after a singular and after a plural subject.
        rest: what follows the words.
    """
    one, other = words
    noun = ""
    if entry in PERSONS:
        every, nobody = rng.choice((("everybody", "nobody"), ("all-of-us", "none-of-us")))
    else:
        nouns = lexicon.phrases("square-subjects", entry[1:]) if entry.startswith("@") else (entry,)
        plurals = [noun.removesuffix("*") for noun in nouns if noun.endswith("*") and " " not in noun]
        if not plurals:
            return ()
        every, nobody, noun = "all", "none", rng.choice(plurals)
    verb = verbs[every != "everybody"]
    claimed, denied = every, nobody
    if every == "all" and rng.random() < 0.4:
        claimed, denied = "without-exception", "not-all"
    return (
        (
            sentence(_one(rng, claimed), noun, verb, one, rest),
            sentence(_one(rng, denied), noun, verb, one, rest),
            sentence(_one(rng, every), noun, verb, other, rest),
            sentence(_one(rng, nobody), noun, verb, other, rest),
        ),
    )


def _one(rng: random.Random, name: str) -> str:
    return rng.choice(lexicon.phrases("square-patterns", name))


def _negated(rng: random.Random, verb: str) -> str:
    """Return a negated form of "be"."""
    contracted = verb.startswith("'") or verb == "am" or rng.random() < 0.4
    return f"{verb} not" if contracted else f"{verb}n't"
