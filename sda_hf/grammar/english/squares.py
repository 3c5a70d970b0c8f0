"""Short sentences for squares of opposition, from the table `squares.tsv`, and the ways of denying them.

A line of the table has a word, its antonym, facts about both, and what they go with. The facts:

- "very": both take "very"; "more": both take "than"; "stage": what they say may change from day to day.
- "seem", "look", "feel", "sound", "taste", "smell": these verbs go with both.

What they go with: nouns, or lists of `words.cfg` with "@". The lists of [square-subjects] hold nouns and names; a noun
with "*" is a plural.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass

from sda_hf.grammar.base import SquareSeed
from sda_hf.grammar.edits import Result, Rule, Skip
from sda_hf.grammar.english import lexicon, thesaurus
from sda_hf.grammar.english.morphology import inflect, is_operator
from sda_hf.grammar.english.rules import matrix_clause, negation
from sda_hf.grammar.english.surface import after, before
from sda_hf.syntax.clause import Clause

DEGREES = lexicon.phrases("squares", "degrees")
AFTER_BE = lexicon.phrases("squares", "after-be")
FRAMES = lexicon.phrases("phrases statement-denial", "default")
SENSES = ("seem", "look", "feel", "sound", "taste", "smell")
PRONOUNS = {"person": ("I", "you", "he", "she", "we", "they"), "thing": ("it", "they")}
CONTRACTED = {"am": "'m", "are": "'re", "is": "'s", "will": "'ll", "has": "'s", "have": "'ve"}
DENIAL = Rule("square-denial", "a claim of the lexicon denied")
AT_ALL = " at all"


@dataclass(frozen=True)
class Line:
    """A line of the table.

    Attributes:
        kind: "ADJ", "NOUN", "VERB" or "ADV".
        word: the word.
        antonym: its antonym.
        facts: what is known of both.
        nouns: what they go with.
    """

    kind: str
    word: str
    antonym: str
    facts: frozenset[str]
    nouns: tuple[str, ...]


@dataclass(frozen=True)
class Subject:
    """A subject: its words, its person and number ("1", "2", "3" or "plural"), and whether it is a pronoun."""

    words: str
    person: str
    pronoun: bool = False


@functools.cache
def lines(split: str) -> tuple[Line, ...]:
    """Return the lines of a split."""
    splits = thesaurus.splits()
    found = []
    for kind, word, antonym, facts, names in lexicon.rows("squares.tsv"):
        if splits.get(word) == split:
            found.append(Line(kind, word, antonym, frozenset(facts.split()), tuple(names.split())))
    return tuple(found)


def draw(rng: random.Random, split: str) -> SquareSeed:
    """Draw a claim and its contrary.

    Args:
        rng: the only source of randomness.
        split: "train", "dev" or "test".
    """
    line = rng.choice(lines(split))
    words = (line.word, line.antonym) if rng.random() < 0.5 else (line.antonym, line.word)
    return MAKERS[line.kind](rng, line, words)


# -- sentences -----------------------------------------------------------------------------------


def _adjective(rng: random.Random, line: Line, words: tuple[str, str]) -> SquareSeed:
    subject = _subject(rng, rng.choice(line.nouns))
    stage = "stage" in line.facts
    verb, adjunct = _predicate(rng, line, subject, stage)
    degree = rng.choice(DEGREES) if "very" in line.facts and rng.random() < 0.3 else ""

    def sentence(word: str, with_degree: bool) -> str:
        parts = (verb, degree if with_degree else "", word, adjunct)
        return _sentence(subject.words, *parts)

    first, second = words
    plain = "very" in line.facts
    return SquareSeed(
        sentence(first, True),
        sentence(second, True),
        (sentence(first, False), sentence(second, False)),
        (_denial(rng, verb, plain, stage), _denial(rng, verb, plain, stage)),
    )


def _denial(rng: random.Random, verb: str, graded: bool, stage: bool) -> str:
    copular = verb.split()[-1] in ("am", "is", "are", "was", "were", "be", "been", "'s", "'m", "'re")
    simple = copular and len(verb.split()) == 1
    ways: list[tuple[str, int]] = [("n't", 40), ("not", 14), ("frame", 12)]
    ways += [("at all", 8)] if graded else []
    ways += [("never", 6)] if stage else []
    ways += [("after-be", 12)] if graded and simple else []
    way = rng.choices([name for name, _ in ways], [weight for _, weight in ways])[0]
    if way == "frame":
        return rng.choice(FRAMES)
    return rng.choice(AFTER_BE) if way == "after-be" else way


def _predicate(rng: random.Random, line: Line, subject: Subject, stage: bool) -> tuple[str, str]:
    """Return the verb group and an adjunct, or an empty one."""
    senses = [name for name in SENSES if name in line.facts]
    if senses and rng.random() < 0.25:
        verb = rng.choice(senses)
        tense = rng.choice(("VBZ", "VBD"))
        return _finite(verb, tense, subject), ""
    tenses = ("present", "past", "future", "perfect") if stage else ("present", "past")
    tense = rng.choice(tenses)
    adjuncts = lexicon.phrases("squares", f"adjuncts-{tense}") if stage and rng.random() < 0.35 else ("",)
    return _be(rng, tense, subject), rng.choice(adjuncts)


def _finite(verb: str, tag: str, subject: Subject) -> str:
    return inflect(verb, "VB" if tag == "VBZ" and subject.person != "3" else tag)


def _be(rng: random.Random, tense: str, subject: Subject) -> str:
    own = {"1": ("am", "was", "have"), "3": ("is", "was", "has")}.get(subject.person, ("are", "were", "have"))
    present, past, have = own
    words = {"present": (present,), "past": (past,), "future": ("will", "be"), "perfect": (have, "been")}[tense]
    if subject.pronoun and words[0] in CONTRACTED and rng.random() < 0.5:
        return " ".join((CONTRACTED[words[0]], *words[1:]))
    return " ".join(words)


def _sentence(*parts: str) -> str:
    text = " ".join(part for part in parts if part).replace(" '", "'")
    return f"{text[:1].upper()}{text[1:]}."


def _subject(rng: random.Random, name: str) -> Subject:
    if not name.startswith("@"):
        return _noun(rng, name.replace("_", " "))
    group = name[1:]
    persons = group.startswith("person")
    draw = rng.random()
    if draw < (0.4 if persons else 0.1):
        word = rng.choice(PRONOUNS["person" if persons else "thing"])
        return Subject(word, {"I": "1", "you": "2", "we": "plural", "they": "plural"}.get(word, "3"), True)
    if persons and draw < 0.6:
        return Subject(rng.choice(lexicon.phrases("square-subjects", "names")), "3")
    return _noun(rng, rng.choice(lexicon.phrases("square-subjects", group)))


def _noun(rng: random.Random, noun: str) -> Subject:
    plural = noun.endswith("*")
    noun = noun.removesuffix("*")
    if " " in noun and noun.split()[0] in lexicon.words("squares", "determiners"):
        return Subject(noun, "plural" if plural else "3")
    determiner = rng.choice(lexicon.phrases("squares", "plural-determiners" if plural else "singular-determiners"))
    return Subject(f"{determiner} {noun}", "plural" if plural else "3")


MAKERS: dict[str, Callable[[random.Random, Line, tuple[str, str]], SquareSeed]] = {"ADJ": _adjective}


# -- denials -------------------------------------------------------------------------------------


def denied(clause: Clause, denial: str) -> Result:
    """Deny a claim.

    Args:
        clause: the claim.
        denial: "n't", "not", "at all" (n't ... at all), "never", a phrase after "be" or one before the statement.
    """
    if denial in ("n't", "not"):
        return negation.negate(clause, contractions=denial == "n't")
    if denial == "at all":
        edits = negation.negate(clause)
        if isinstance(edits, Skip):
            return edits
        end = clause.predicate.end
        return [*edits, DENIAL.edit(end, end, AT_ALL)]
    if denial in FRAMES:
        site = matrix_clause.site_of(clause)
        return site if isinstance(site, Skip) else [site.put(denial, negation.NEGATIVE_PHRASE)]
    if clause.verbs is None:
        return Skip("no verb")
    operator = clause.verbs.first
    if is_operator(operator, clause.verbs):
        return [after(clause, operator, denial, DENIAL)]
    return [before(operator, denial, DENIAL)] if denial == "never" else Skip("no form of be")
