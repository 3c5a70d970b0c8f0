"""Short sentences for squares of opposition, from the table `squares.tsv`, and the ways of denying them.

A line of the table has a kind of sentence, a word, its antonym, facts about both, and what they go with. The kinds:

- ADJ: "The soup is hot"; with: subjects.
- ATTR: "She is a good teacher", and HAVE: "The house has a large garden"; with: subjects > nouns.
- NOUN: "The party was a success"; with: subjects.
- VERB: "He passed the exam", and ADV: "She drives fast"; with: subjects > what follows the verb, or the verbs.

The facts: "very": both words take it; "more": so do their comparatives; "stage": what they say changes from day to day;
"seem" and the like: both follow these verbs; "event", "state" or "habit": what a verb tells; "at-all": it is denied
with "at all"; "a" or "an": the article. A noun with "*" is a plural, and "@" names a list of [square-subjects].
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from sda_hf.grammar.base import Corner, SquareSeed
from sda_hf.grammar.edits import Result, Rule, Skip
from sda_hf.grammar.english import lexicon, square_contexts, square_patterns
from sda_hf.grammar.english.doubts.opposition import ON_VERB
from sda_hf.grammar.english.morphology import is_operator
from sda_hf.grammar.english.rules import negation
from sda_hf.grammar.english.rules.quantifiers import article
from sda_hf.grammar.english.rules.substitution import inflected
from sda_hf.grammar.english.square_parts import (
    Subject,
    adjunct,
    be,
    compared,
    degree,
    finite,
    joined,
    lines,
    noun_of,
    sentence,
    subject_of,
    verb_group,
    verb_of,
)
from sda_hf.grammar.english.square_patterns import Pattern
from sda_hf.grammar.english.surface import after, before
from sda_hf.grammar.square_lines import Line
from sda_hf.syntax.clause import Clause

Words = tuple[str, str]
AFTER_BE = lexicon.phrases("squares", "after-be")
DENIAL = Rule("square-denial", "a claim of the lexicon denied")
# How many squares follow a pattern, of those whose claim has one.
PATTERNED = 0.4


@dataclass(frozen=True)
class Pair:
    """A claim and its contrary.

    Attributes:
        plain: both, without a degree.
        graded: both, perhaps with a degree ("very").
        ways: how they can be denied, besides "n't" and "not".
        tense: "present", "past", "future" or "perfect".
        patterns: squares with these words that need no denial.
    """

    plain: Words
    graded: Words
    ways: frozenset[str]
    tense: str
    patterns: tuple[Pattern, ...] = ()


def draw(rng: random.Random, split: str) -> SquareSeed:
    """Draw a square.

    Args:
        rng: the only source of randomness.
        split: "train", "dev" or "test".
    """
    line = rng.choice(lines(split))
    words = (line.word, line.antonym) if rng.random() < 0.5 else (line.antonym, line.word)
    pair = MAKERS[line.kind](rng, line, words, rng.choice(line.goes_with))
    if pair.patterns and rng.random() < PATTERNED:
        claim, denied, contrary, other = rng.choice(pair.patterns)
        corners = (Corner(claim), Corner(denied), Corner(contrary), Corner(other))
    else:
        denial, equivalent = _way(rng, pair.ways), _way(rng, pair.ways - STRONGER)
        corners = (
            Corner(pair.graded[0]),
            Corner(pair.plain[0], denial),
            Corner(pair.graded[1]),
            Corner(pair.plain[1], equivalent),
        )
    corners = square_contexts.framed(rng, corners)
    return SquareSeed(*corners, context=square_contexts.draw(rng, split, pair.tense, corners))


# -- kinds of sentences --------------------------------------------------------------------------


def _adjective(rng: random.Random, line: Line, words: Words, entry: str) -> Pair:
    subject = subject_of(rng, entry)
    group = verb_group(rng, line, subject)
    if "more" in line.facts and rng.random() < 0.15:
        return _comparative(rng, line, words, (subject, group.words, group.tense))
    when = adjunct(rng, line, group.tense)
    strength = degree(rng, line)
    ways = set()
    if not when:
        ways |= {"never"} if "stage" in line.facts and group.simple else set()
        ways |= {"at all"} if "very" in line.facts else set()
    if group.simple and "very" in line.facts:
        ways |= {"after-be"}
    plain, graded = (
        (
            sentence(subject.words, group.words, before_word, words[0], when),
            sentence(subject.words, group.words, before_word, words[1], when),
        )
        for before_word in ("", strength)
    )
    patterns = square_patterns.of_adjective(rng, line, words, subject, entry)
    return Pair(plain, graded, frozenset(ways), group.tense, patterns)


def _comparative(rng: random.Random, line: Line, words: Words, parts: tuple[Subject, str, str]) -> Pair:
    subject, group, tense = parts
    than = compared(rng, line, subject)
    first, second = (sentence(subject.words, group, inflected(word, "JJR"), than) for word in words)
    patterns = square_patterns.of_comparative(rng, words, joined(subject.words, group), than)
    return Pair((first, second), (first, second), frozenset(), tense, patterns)


def _attribute(rng: random.Random, line: Line, words: Words, entry: str) -> Pair:
    subjects, nouns = entry.split(">")
    subject = Subject(rng.choice(("it", "this", "that")), "3") if subjects == "it" else subject_of(rng, subjects)
    tense = rng.choice(("present", "past"))
    return _with_noun(rng, line, words, (subject, be(rng, tense, subject), noun_of(rng, nouns), tense))


def _having(rng: random.Random, line: Line, words: Words, entry: str) -> Pair:
    subjects, nouns = entry.split(">")
    subject = subject_of(rng, rng.choice(subjects.split(",")))
    tense = rng.choice(("present", "past"))
    verb = finite("have", "VBZ" if tense == "present" else "VBD", subject)
    return _with_noun(rng, line, words, (subject, verb, nouns, tense))


def _with_noun(rng: random.Random, line: Line, words: Words, parts: tuple[Subject, str, str, str]) -> Pair:
    subject, verb, nouns, tense = parts
    noun = rng.choice(nouns.split(","))
    plural = verb not in ("have", "has", "had") and subject.form == "2" and subject.words != "you"
    noun = inflected(noun, "NNS") if plural else noun
    strength = degree(rng, line)
    plain, graded = (
        (
            _with_article(subject, verb, (before_word, words[0], noun), plural),
            _with_article(subject, verb, (before_word, words[1], noun), plural),
        )
        for before_word in ("", strength)
    )
    patterns = () if plural else square_patterns.of_noun(plain, subject, verb, [f"{word} {noun}" for word in words])
    return Pair(plain, graded, frozenset(), tense, patterns)


def _with_article(subject: Subject, verb: str, phrase: tuple[str, str, str], plural: bool) -> str:
    return sentence(subject.words, verb, "" if plural else article(phrase[0] or phrase[1]), *phrase)


def _nominal(rng: random.Random, line: Line, words: Words, entry: str) -> Pair:
    subject = subject_of(rng, entry) if entry else Subject(rng.choice(("it", "this", "that")), "3")
    tense = rng.choice(("present", "past"))
    verb = be(rng, tense, subject)
    definite = not line.facts
    first, second = (
        sentence(subject.words, verb, "the" if definite and word == "truth" else article(word), word) for word in words
    )
    patterns = () if definite else square_patterns.of_noun((first, second), subject, verb, words)
    return Pair((first, second), (first, second), frozenset({"in no way"}), tense, patterns)


def _verbal(rng: random.Random, line: Line, words: Words, entry: str) -> Pair:
    subjects, objects = entry.split(">")
    name = rng.choice(subjects.split(","))
    subject = subject_of(rng, name)
    rest = rng.choice(objects.split(","))
    tense = rng.choice(("present", "past") if "event" not in line.facts else ("past", "past", "future", "perfect"))
    first, second = (sentence(subject.words, verb_of(rng, tense, word, subject), rest) for word in words)
    ways = ({"at all"} if "at-all" in line.facts else set()) | ({"never"} if "habit" in line.facts else set())
    patterns = square_patterns.of_verb(rng, line, words, (subject, name, rest))
    return Pair((first, second), (first, second), frozenset(ways), tense, patterns)


def _adverbial(rng: random.Random, line: Line, words: Words, entry: str) -> Pair:
    subjects, verbs = entry.split(">")
    subject = subject_of(rng, subjects)
    verb, _, rest = rng.choice(verbs.split(",")).partition(" ")
    tense = rng.choice(("present", "past", "past", "future"))
    strength = degree(rng, line)
    group = verb_of(rng, tense, verb, subject)
    plain, graded = (
        (
            sentence(subject.words, group, rest, before_word, words[0]),
            sentence(subject.words, group, rest, before_word, words[1]),
        )
        for before_word in ("", strength)
    )
    patterns = square_patterns.of_adverb(rng, words, (verb, rest), subjects)
    return Pair(plain, graded, frozenset({"never"} if tense == "present" else ()), tense, patterns)


MAKERS: dict[str, Callable[[random.Random, Line, Words, str], Pair]] = {
    "ADJ": _adjective,
    "ATTR": _attribute,
    "HAVE": _having,
    "NOUN": _nominal,
    "VERB": _verbal,
    "ADV": _adverbial,
}
WAYS = {"never": 9, "at all": 10, "after-be": 16, "in no way": 5}
# Ways that deny more than the sentence claims: they contradict it, but what is on its side need not be so strong.
STRONGER = frozenset({"never", "in no way"})


def _way(rng: random.Random, ways: frozenset[str]) -> str:
    names = ["n't", "not", *sorted(ways)]
    way = rng.choices(names, [42, 14, *(WAYS[name] for name in sorted(ways))])[0]
    return rng.choice(AFTER_BE) if way == "after-be" else way


# -- denials -------------------------------------------------------------------------------------


def denied(clause: Clause, denial: str) -> Result:
    """Deny a claim.

    Args:
        clause: the claim.
        denial: "n't", "not", "at all" (n't ... at all), "never" or a phrase after "be".
    """
    if clause.mood != "declarative" or clause.verbs is None:
        return Skip("not a statement")
    if denial in ("n't", "not", "at all"):
        edits = negation.negate(clause, contractions=denial != "not")
        if isinstance(edits, Skip) or not {edit.id for edit in edits} <= ON_VERB:
            return Skip("a negation of more than the verb")
        last = clause.words[-2]
        return edits if denial != "at all" else [*edits, DENIAL.edit(last.end, last.end, " at all")]
    operator = clause.verbs.first
    if is_operator(operator, clause.verbs):
        return [after(clause, operator, denial, DENIAL)]
    return [before(operator, denial, DENIAL)] if denial == "never" else Skip("no form of be")
