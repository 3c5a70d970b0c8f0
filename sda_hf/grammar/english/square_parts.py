"""Parts of the sentences for squares of opposition: lines of the table `squares.tsv`, subjects and verb groups."""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass

from sda_hf.grammar.english import lexicon, thesaurus
from sda_hf.grammar.english.morphology import inflect
from sda_hf.grammar.square_lines import Line, lines_of

DETERMINED = lexicon.words("squares", "determined")
OWNED = lexicon.words("squares", "owned")
PEOPLE = lexicon.words("squares", "people")
UNIQUE = lexicon.words("squares", "unique")
SENSES = ("seem", "look", "feel", "sound", "taste", "smell")
PERSONS = ("@person", "@kin", "@single", "@names")
CONTRACTED = {"am": "'m", "are": "'re", "is": "'s", "will": "'ll", "has": "'s", "have": "'ve"}
# Of the subjects after "the", how many have a clause or a phrase after them.
MODIFIED = 0.25


@dataclass(frozen=True)
class Subject:
    """A subject.

    Attributes:
        words: its words.
        form: "1" for "I", "3" for the third person singular, "2" for the others.
        pronoun: whether it is a personal pronoun.
        person: whether it is about people.
    """

    words: str
    form: str
    pronoun: bool = False
    person: bool = False


@functools.cache
def lines(split: str) -> tuple[Line, ...]:
    """Return the lines of a split."""
    return lines_of(lexicon.rows("squares.tsv"), thesaurus.splits(), split, ";")


@dataclass(frozen=True)
class VerbGroup:
    """The verb group of an adjective.

    Attributes:
        words: its words.
        tense: "present", "past", "future" or "perfect".
        simple: whether it is a form of "be" alone.
    """

    words: str
    tense: str
    simple: bool


def verb_group(rng: random.Random, line: Line, subject: Subject) -> VerbGroup:
    """Draw the verb group of an adjective."""
    senses = [name for name in SENSES if name in line.facts]
    if senses and rng.random() < 0.25:
        tense = rng.choice(("present", "past"))
        return VerbGroup(finite(rng.choice(senses), "VBZ" if tense == "present" else "VBD", subject), tense, False)
    tense = rng.choice(("present", "past", "future", "perfect") if "stage" in line.facts else ("present", "past"))
    return VerbGroup(be(rng, tense, subject), tense, tense in ("present", "past"))


def adjunct(rng: random.Random, line: Line, tense: str) -> str:
    """Draw an adverbial of time for what changes from day to day, or nothing."""
    if "stage" not in line.facts or (tense != "perfect" and rng.random() > 0.35):
        return ""
    return rng.choice(lexicon.phrases("squares", f"adjuncts-{tense}"))


def compared(rng: random.Random, line: Line, subject: Subject) -> str:
    """Draw what follows a comparative, such as "than usual"."""
    kind = "stage" if "stage" in line.facts else "person" if subject.person else "thing"
    return rng.choice(lexicon.phrases("squares", f"compared-{kind}"))


def degree(rng: random.Random, line: Line) -> str:
    """Draw an adverb of degree, or nothing."""
    return rng.choice(lexicon.phrases("squares", "degrees")) if "very" in line.facts and rng.random() < 0.3 else ""


def verb_of(rng: random.Random, tense: str, phrase: str, subject: Subject) -> str:
    """Return a verb in a tense."""
    if tense == "future":
        return joined(contracted(rng, "will", subject), phrase)
    if tense == "perfect":
        have = "has" if subject.form == "3" else contracted(rng, "have", subject)  # "he's blamed" may be "is"
        return joined(have, inflect(phrase, "VBN"))
    return finite(phrase, "VBZ" if tense == "present" else "VBD", subject)


def finite(verb: str, tag: str, subject: Subject) -> str:
    """Return the form of a verb that agrees with its subject; the tag is "VBZ" or "VBD"."""
    return verb if tag == "VBZ" and subject.form != "3" else inflect(verb, tag)


def be(rng: random.Random, tense: str, subject: Subject) -> str:
    """Return a form of "be", perhaps contracted."""
    present, past, have = {"1": ("am", "was", "have"), "3": ("is", "was", "has")}.get(
        subject.form, ("are", "were", "have")
    )
    if tense == "future":
        return joined(contracted(rng, "will", subject), "be")
    if tense == "perfect":
        return joined(contracted(rng, have, subject), "been")
    return past if tense == "past" else contracted(rng, present, subject)


def contracted(rng: random.Random, word: str, subject: Subject) -> str:
    """Return an auxiliary, half of the time contracted after a pronoun."""
    return CONTRACTED[word] if subject.pronoun and rng.random() < 0.5 else word


def joined(*parts: str) -> str:
    """Join the words that there are."""
    return " ".join(part for part in parts if part)


def sentence(*parts: str) -> str:
    """Return the words as a sentence."""
    text = joined(*parts).replace(" '", "'")
    return f"{text[:1].upper()}{text[1:]}."


def noun_of(rng: random.Random, nouns: str) -> str:
    """Draw a noun of a list, or return the noun itself."""
    return rng.choice(lexicon.phrases("square-subjects", nouns[1:])) if nouns.startswith("@") else nouns


def subject_of(rng: random.Random, name: str) -> Subject:
    """Draw a subject: a pronoun, a name or a noun of a list."""
    if name in PERSONS:
        return _person(rng, name)
    noun = rng.choice(lexicon.phrases("square-subjects", name[1:])) if name.startswith("@") else name
    if rng.random() < 0.08:
        return _pronoun(rng, noun)
    return _noun(rng, noun)


def _pronoun(rng: random.Random, noun: str) -> Subject:
    if noun.endswith("*"):
        return Subject("they", "2", pronoun=True)
    person = noun.split(" of ")[0].split()[-1] in PEOPLE
    return Subject(rng.choice(("he", "she")) if person else "it", "3", pronoun=True, person=person)


def _person(rng: random.Random, name: str) -> Subject:
    share = rng.random()
    if share < 0.4 and name != "@names":
        word = rng.choice(
            ("I", "you", "he", "she", "we", "they") if name in ("@person", "@kin") else ("I", "he", "she")
        )
        return Subject(word, {"I": "1", "he": "3", "she": "3"}.get(word, "2"), pronoun=True, person=True)
    if share < 0.65 or name == "@names":
        return Subject(rng.choice(lexicon.phrases("square-subjects", "names")), "3", person=True)
    noun = _noun(rng, rng.choice(lexicon.phrases("square-subjects", name[1:])))
    return Subject(noun.words, noun.form, person=True)


def _noun(rng: random.Random, noun: str) -> Subject:
    plural = noun.endswith("*")
    noun = noun.removesuffix("*")
    if noun.split()[0] in DETERMINED:
        return Subject(noun, "2" if plural else "3")
    if noun in UNIQUE or " of " in noun:
        return Subject(f"the {noun}", "2" if plural else "3")
    form = "2" if plural else "3"
    if noun in OWNED and rng.random() < 0.4:
        return Subject(f"{rng.choice(lexicon.phrases('squares', 'possessives'))} {noun}", form)
    if rng.random() < MODIFIED:
        return Subject(f"the {noun} {rng.choice(lexicon.phrases('squares', 'modifiers'))}", form)
    kind = "plural-determiners" if plural else "singular-determiners"
    return Subject(f"{rng.choice(lexicon.phrases('squares', kind))} {noun}", form)
