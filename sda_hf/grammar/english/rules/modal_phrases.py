"""Modal phrases: how each of them behaves, and which of them suits a claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.morphology import inflect, plain_form
from sda_hf.syntax.clause import Clause, Word

PAST_OF = lexicon.pairs("verbs", "past-of-can")
UNINFLECTED = lexicon.words("verbs", "uninflected")
BEFORE_GERUNDS = lexicon.words("verbs", "before-gerunds")
INVOLUNTARY = lexicon.words("verbs", "involuntary")
STATES = lexicon.words("verbs", "states")
PERSON_PRONOUNS = lexicon.words("pronouns", "persons")
PERSONS = lexicon.words("nouns", "persons")
PERSON_ENDINGS = lexicon.phrases("nouns", "person-endings")
CALENDAR = lexicon.words("nouns", "calendar")
THINGS = lexicon.words("nouns", "things")


@dataclass(frozen=True, slots=True)
class ModalPhrase:
    """A modal verb or a phrase that is used like one, and how it behaves.

    Attributes:
        words: the phrase before its verb, in its base form.
        kind: "modal" never inflects and takes "have" for the past (must); "verb" inflects its first
            word (have to); "ability" is a negated "can" (can't but); "comment" is a clause before the whole claim
            (I must say, it should be noted that).
        form: the tag of the verb that it takes: VB or VBG.
    """

    words: str
    kind: Literal["modal", "verb", "ability", "comment"]
    form: Literal["VB", "VBG"]

    @classmethod
    def parse(cls, phrase: str) -> ModalPhrase:
        """Infer from its words how a phrase behaves.

        Example:
            >>> ModalPhrase.parse("be bound to").kind, ModalPhrase.parse("can't help").form
            ('verb', 'VBG')
        """
        first, last = phrase.split()[0].lower(), phrase.split()[-1].lower()
        kind: Literal["modal", "verb", "ability", "comment"] = "verb"
        if first == "i" or last == "that":
            kind = "comment"
        elif first in PAST_OF and phrase.lower() != first:
            kind = "ability"
        elif first in UNINFLECTED:
            kind = "modal"
        return cls(phrase, kind, "VBG" if last in BEFORE_GERUNDS else "VB")

    def inflected(self, tag: str, near: str = "") -> str:
        """Return the phrase in a tense (VBD, VBZ, VBP or VB); `near` is the form of "be" that it replaces."""
        first, *rest = self.words.split()
        if self.kind == "ability" and tag == "VBD":
            first = PAST_OF[first]
        elif self.kind == "verb":
            first = (near or inflect("be", tag)) if first == "be" else inflect(first, tag)
        return " ".join([first, *rest])

    def negated(self) -> str:
        """Return the phrase with "not" after its first word."""
        first, *rest = self.words.split()
        return " ".join([first, "not", *rest])

    def rank(self, clause: Clause) -> int | None:
        """Return how well the phrase suits a claim: 0 if well, 1 as a fallback, None if not at all."""
        if self.words.startswith("ought"):
            return 1 if clause.negators else 0
        compels = self.words.startswith("have no choice")
        if self.kind != "ability" and not compels:
            return 0
        if not _acts(clause):
            return None
        they = clause.subject is not None and clause.subject.head.lower == "they"  # people or things
        if they or clause.mood == "imperative":
            return 1
        if clause.verbs is not None and clause.verbs.first is not clause.verbs.main and self.form == "VB":
            return 1  # "has no choice but to be running"
        involuntary = clause.predicate.tag.startswith("VB") and plain_form(clause.predicate) in INVOLUNTARY
        return int(involuntary == compels)


def _acts(clause: Clause) -> bool:
    """Whether someone does something: an active verb, not a stative one, with a person as subject or in a command."""
    verbs, subject = clause.verbs, clause.subject
    if verbs is None or verbs.main is None or clause.expletive is not None:
        return False
    if any(w.label == "aux:pass" for w in verbs.words) or plain_form(verbs.main) in STATES:
        return False
    if subject is None:
        return clause.mood == "imperative"
    return is_person(subject.head)


def is_person(word: Word) -> bool:
    """Whether a noun or pronoun refers to a person, judging by its form.

    Example:
        >>> is_person(Word(0, "teachers", "NNS", "nsubj", 1, 0, 8)), is_person(Word(0, "river", "NN", "nsubj", 1, 0, 5))
        (True, False)
    """
    low = word.lower
    singular = low[:-1] if word.tag == "NNS" and low.endswith("s") else low
    if low in CALENDAR:
        return False
    if low in PERSON_PRONOUNS or singular in PERSONS or low in PERSONS or word.tag == "NNP":
        return True
    return (
        word.tag in ("NN", "NNS") and len(singular) > 5 and singular.endswith(PERSON_ENDINGS) and singular not in THINGS
    )
