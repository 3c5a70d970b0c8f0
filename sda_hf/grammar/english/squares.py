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

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass

from sda_hf.grammar.base import SquareSeed
from sda_hf.grammar.edits import Result, Rule, Skip
from sda_hf.grammar.english import lexicon, thesaurus
from sda_hf.grammar.english.doubts.opposition import ON_VERB
from sda_hf.grammar.english.morphology import inflect, is_operator
from sda_hf.grammar.english.rules import matrix_clause, negation
from sda_hf.grammar.english.rules.quantifiers import article
from sda_hf.grammar.english.rules.substitution import inflected
from sda_hf.grammar.english.surface import after, before
from sda_hf.syntax.clause import Clause

AFTER_BE = lexicon.phrases("squares", "after-be")
FRAMES = lexicon.phrases("phrases statement-denial", "default")
DETERMINED = lexicon.words("squares", "determined")
OWNED = lexicon.words("squares", "owned")
PEOPLE = lexicon.words("squares", "people")
UNIQUE = lexicon.words("squares", "unique")
SENSES = ("seem", "look", "feel", "sound", "taste", "smell")
PERSONS = ("@person", "@kin", "@single", "@names")
CONTRACTED = {"am": "'m", "are": "'re", "is": "'s", "will": "'ll", "has": "'s", "have": "'ve"}
DENIAL = Rule("square-denial", "a claim of the lexicon denied")


@dataclass(frozen=True)
class Line:
    """A line of the table: see above."""

    kind: str
    word: str
    antonym: str
    facts: frozenset[str]
    goes_with: tuple[str, ...]


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
    splits = thesaurus.splits()
    return tuple(
        Line(kind, word, antonym, frozenset(facts.split()), tuple(entry.strip() for entry in entries.split(";")))
        for kind, word, antonym, facts, entries in lexicon.rows("squares.tsv")
        if splits[word] == split
    )


def draw(rng: random.Random, split: str) -> SquareSeed:
    """Draw a claim and its contrary.

    Args:
        rng: the only source of randomness.
        split: "train", "dev" or "test".
    """
    line = rng.choice(lines(split))
    words = (line.word, line.antonym) if rng.random() < 0.5 else (line.antonym, line.word)
    entry = rng.choice(line.goes_with)
    return MAKERS[line.kind](rng, line, words, entry)


# -- kinds of sentences --------------------------------------------------------------------------


def _adjective(rng: random.Random, line: Line, words: tuple[str, str], entry: str) -> SquareSeed:
    subject = _subject(rng, entry)
    stage = "stage" in line.facts
    verb, adjunct = _predicate(rng, line, subject)
    form, tail = _form(rng, line, subject)
    if tail:
        adjunct = tail
    degree = _degree(rng, line) if form == "JJ" else ""
    simple = verb.lstrip("'") in ("m", "re", "s", "am", "is", "are", "was", "were")
    allowed = set()
    if form == "JJ" and not adjunct:
        allowed |= {"never"} if stage and simple else set()
        allowed |= {"at all"} if "very" in line.facts else set()
    if form == "JJ" and simple and "very" in line.facts:
        allowed |= {"after-be"}
    plain, with_degree = (
        tuple(_sentence(subject.words, verb, before_word, inflected(word, form), adjunct) for word in words)
        for before_word in ("", degree)
    )
    return _seed(rng, plain, with_degree, allowed)


def _attribute(rng: random.Random, line: Line, words: tuple[str, str], entry: str) -> SquareSeed:
    subjects, nouns = entry.split(">")
    subject = Subject(rng.choice(("it", "this", "that")), "3") if subjects == "it" else _subject(rng, subjects)
    noun = _noun_of(rng, nouns)
    verb = _be(rng, rng.choice(("present", "past")), subject)
    return _with_noun(rng, line, words, (subject, verb, noun))


def _having(rng: random.Random, line: Line, words: tuple[str, str], entry: str) -> SquareSeed:
    subjects, nouns = entry.split(">")
    subject = _subject(rng, rng.choice(subjects.split(",")))
    return _with_noun(rng, line, words, (subject, _finite("have", rng.choice(("VBZ", "VBD")), subject), nouns))


def _with_noun(rng: random.Random, line: Line, words: tuple[str, str], parts: tuple[Subject, str, str]) -> SquareSeed:
    subject, verb, nouns = parts
    noun = rng.choice(nouns.split(","))
    plural = verb not in ("have", "has", "had") and subject.form == "2" and subject.words != "you"
    degree = _degree(rng, line)

    def phrase(word: str, degree: str) -> str:
        first = degree or word
        return _words("" if plural else article(first), degree, word, inflected(noun, "NNS") if plural else noun)

    plain, with_degree = (
        tuple(_sentence(subject.words, verb, phrase(word, before_word)) for word in words)
        for before_word in ("", degree)
    )
    return _seed(rng, plain, with_degree, set())


def _nominal(rng: random.Random, line: Line, words: tuple[str, str], entry: str) -> SquareSeed:
    subject = _subject(rng, entry) if entry else Subject(rng.choice(("it", "this", "that")), "3")
    verb = _be(rng, rng.choice(("present", "past")), subject)
    definite = not line.facts
    plain = tuple(
        _sentence(subject.words, verb, "the" if definite and word == "truth" else article(word), word) for word in words
    )
    return _seed(rng, plain, plain, {"in no way"})


def _verbal(rng: random.Random, line: Line, words: tuple[str, str], entry: str) -> SquareSeed:
    subjects, objects = entry.split(">")
    subject = _subject(rng, rng.choice(subjects.split(",")))
    rest = rng.choice(objects.split(","))
    tense = rng.choice(("present", "past") if "event" not in line.facts else ("past", "past", "future", "perfect"))
    plain = tuple(_sentence(subject.words, _verb(rng, tense, word, subject), rest) for word in words)
    allowed = {"at all"} if "at-all" in line.facts else set()
    return _seed(rng, plain, plain, allowed | ({"never"} if "habit" in line.facts else set()))


def _adverbial(rng: random.Random, line: Line, words: tuple[str, str], entry: str) -> SquareSeed:
    subjects, verbs = entry.split(">")
    subject = _subject(rng, subjects)
    verb, _, rest = rng.choice(verbs.split(",")).partition(" ")
    tense = rng.choice(("present", "past", "past", "future"))
    degree = _degree(rng, line)
    plain, with_degree = (
        tuple(_sentence(subject.words, _verb(rng, tense, verb, subject), rest, before_word, word) for word in words)
        for before_word in ("", degree)
    )
    return _seed(rng, plain, with_degree, {"never"} if tense == "present" else set())


MAKERS: dict[str, Callable[[random.Random, Line, tuple[str, str], str], SquareSeed]] = {
    "ADJ": _adjective,
    "ATTR": _attribute,
    "HAVE": _having,
    "NOUN": _nominal,
    "VERB": _verbal,
    "ADV": _adverbial,
}
WAYS = {"frame": 12, "never": 8, "at all": 9, "after-be": 14, "in no way": 4}
# Ways that deny more than the sentence claims: they contradict it, but what is on its side need not be so strong.
STRONGER = {"never", "in no way"}


def _seed(rng: random.Random, plain: tuple[str, ...], graded: tuple[str, ...], allowed: set[str]) -> SquareSeed:
    """Return a seed: what is said with a degree is denied without it, as "isn't very bad" is hardly "very good"."""
    if not plain[0].startswith("That "):  # "It is not true that that ..."
        allowed = allowed | {"frame"}
    denials = [_way(rng, allowed), _way(rng, allowed - STRONGER)]
    return SquareSeed(graded[0], graded[1], (plain[0], plain[1]), (denials[0], denials[1]))


def _way(rng: random.Random, allowed: set[str]) -> str:
    names = ["n't", "not", *sorted(allowed)]
    way = rng.choices(names, [42, 14, *(WAYS[name] for name in sorted(allowed))])[0]
    return rng.choice({"frame": FRAMES, "after-be": AFTER_BE}.get(way, (way,)))


# -- parts of sentences --------------------------------------------------------------------------


def _predicate(rng: random.Random, line: Line, subject: Subject) -> tuple[str, str]:
    """Return the verb group of an adjective, and an adjunct or nothing."""
    senses = [name for name in SENSES if name in line.facts]
    if senses and rng.random() < 0.25:
        return _finite(rng.choice(senses), rng.choice(("VBZ", "VBD")), subject), ""
    stage = "stage" in line.facts
    tense = rng.choice(("present", "past", "future", "perfect") if stage else ("present", "past"))
    placed = stage and (tense == "perfect" or rng.random() < 0.35)
    adjuncts = lexicon.phrases("squares", f"adjuncts-{tense}") if placed else ("",)
    return _be(rng, tense, subject), rng.choice(adjuncts)


def _form(rng: random.Random, line: Line, subject: Subject) -> tuple[str, str]:
    """Return the tag of the adjective, and what a comparative is followed by."""
    if "more" not in line.facts or rng.random() > 0.15:
        return "JJ", ""
    kind = "stage" if "stage" in line.facts else "person" if subject.person else "thing"
    return "JJR", rng.choice(lexicon.phrases("squares", f"compared-{kind}"))


def _degree(rng: random.Random, line: Line) -> str:
    return rng.choice(lexicon.phrases("squares", "degrees")) if "very" in line.facts and rng.random() < 0.3 else ""


def _verb(rng: random.Random, tense: str, phrase: str, subject: Subject) -> str:
    if tense == "future":
        return _words(_contracted(rng, "will", subject), phrase)
    if tense == "perfect":
        have = "has" if subject.form == "3" else _contracted(rng, "have", subject)  # "he's blamed" may be "is"
        return _words(have, inflect(phrase, "VBN"))
    return _finite(phrase, "VBZ" if tense == "present" else "VBD", subject)


def _finite(verb: str, tag: str, subject: Subject) -> str:
    return verb if tag == "VBZ" and subject.form != "3" else inflect(verb, tag)


def _be(rng: random.Random, tense: str, subject: Subject) -> str:
    present, past, have = {"1": ("am", "was", "have"), "3": ("is", "was", "has")}.get(
        subject.form, ("are", "were", "have")
    )
    if tense == "future":
        return _words(_contracted(rng, "will", subject), "be")
    if tense == "perfect":
        return _words(_contracted(rng, have, subject), "been")
    return past if tense == "past" else _contracted(rng, present, subject)


def _contracted(rng: random.Random, word: str, subject: Subject) -> str:
    return CONTRACTED[word] if subject.pronoun and rng.random() < 0.5 else word


def _words(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _sentence(*parts: str) -> str:
    text = _words(*parts).replace(" '", "'")
    return f"{text[:1].upper()}{text[1:]}."


def _noun_of(rng: random.Random, nouns: str) -> str:
    return rng.choice(lexicon.phrases("square-subjects", nouns[1:])) if nouns.startswith("@") else nouns


def _subject(rng: random.Random, name: str) -> Subject:
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
    owned = noun in OWNED and rng.random() < 0.4
    kind = "possessives" if owned else "plural-determiners" if plural else "singular-determiners"
    return Subject(f"{rng.choice(lexicon.phrases('squares', kind))} {noun}", "2" if plural else "3")


# -- denials -------------------------------------------------------------------------------------


def denied(clause: Clause, denial: str) -> Result:
    """Deny a claim.

    Args:
        clause: the claim.
        denial: "n't", "not", "at all" (n't ... at all), "never", a phrase after "be" or one before the statement.
    """
    if clause.mood != "declarative" or clause.verbs is None:
        return Skip("not a statement")
    if denial in ("n't", "not", "at all"):
        edits = negation.negate(clause, contractions=denial != "not")
        if isinstance(edits, Skip) or not {edit.id for edit in edits} <= ON_VERB:
            return Skip("a negation of more than the verb")
        last = clause.words[-2]
        return edits if denial != "at all" else [*edits, DENIAL.edit(last.end, last.end, " at all")]
    if denial in FRAMES:
        site = matrix_clause.site_of(clause)
        return site if isinstance(site, Skip) else [site.put(denial, negation.NEGATIVE_PHRASE)]
    operator = clause.verbs.first
    if is_operator(operator, clause.verbs):
        return [after(clause, operator, denial, DENIAL)]
    return [before(operator, denial, DENIAL)] if denial == "never" else Skip("no form of be")
