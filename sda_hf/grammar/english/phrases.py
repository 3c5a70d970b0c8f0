"""The modal phrases of the papers, as data, and how each of them behaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sda_hf.grammar.english.morphology import inflect, plain_form
from sda_hf.syntax.clause import Clause, Word

# SDA 2024, section 4.2; 2022, Algorithm 2.
MODAL_VERBS = (
    "must",
    "should",
    "ought to",
    "have to",
    "need to",
    "can't but",
    "cannot help but",
    "can't help",
    "have no choice but to",
)
AFFIRMATIVE_AUXILIARIES = ("have to", "can't but", "can't help", "have no choice but to")
PAST_OF = {"can't": "couldn't", "cannot": "could not", "can": "could"}
# What one does without wanting to: "can't help" suits these best.
INVOLUNTARY = frozenset(
    "admire agree believe blush care compare cry dream enjoy fear feel giggle grin hope imagine laugh like love "
    "miss notice pity remember respect see shiver sigh smile sob stare suspect think tremble want weep wonder worry "
    "yawn".split()
)
# What is so without anyone doing it: no phrase of compulsion suits these.
STATES = frozenset(
    "be have own belong consist contain include cost depend deserve lack mean matter possess resemble seem appear "
    "weigh measure die".split()
)
PERSON_PRONOUNS = frozenset("i you he she we they who everyone everybody someone somebody".split())
PERSONS = frozenset(
    "man men woman women boy girl child children people person baby guy kid friend family father mother parent son "
    "daughter brother sister uncle aunt cousin husband wife student pupil king queen nurse guest thief judge coach "
    "team staff crew police crowd audience couple class boss chef clerk guide tourist soldier captain citizen "
    "neighbour neighbor scientist artist priest nun monk hero patient adult resident president client mum mom dad "
    "grandma grandpa cook pilot poet spy twin witness".split()
)
PERSON_ENDINGS = ("er", "or", "ist", "ian", "man", "men", "woman", "women", "ress")
THINGS = frozenset(
    "computer number paper letter matter order power river summer winter water weather chapter center centre corner "
    "cover dinner disaster factor error mirror motor sector tower theater theatre finger flower computer counter "
    "border butter character cluster container copper cylinder danger december november october september folder "
    "gender hammer helicopter ladder layer leather master meter newspaper offer october printer quarter register "
    "reminder semester server shelter shoulder shower silver sister thunder timber tractor trailer transfer trigger "
    "whisper wonder color colour flavor flavour floor harbor harbour labor labour terror vector monitor tutor reactor "
    "address mattress fortress progress stress express press german".split()
) - {"sister", "tutor", "german", "master"}


@dataclass(frozen=True, slots=True)
class ModalPhrase:
    """A phrase that takes a verb, and how it behaves.

    Attributes:
        words: the phrase before its verb, in the plain form.
        kind: "modal" never inflects and takes "have" for the past (must); "verb" inflects its first
            word (have to); "ability" is "can" with a negation (can't but).
        form: the tag of the verb that it takes: VB or VBG.
    """

    words: str
    kind: Literal["modal", "verb", "ability"]
    form: Literal["VB", "VBG"]

    @classmethod
    def parse(cls, phrase: str) -> ModalPhrase:
        """Tell from its words how a phrase behaves.

        Example:
            >>> ModalPhrase.parse("be bound to").kind, ModalPhrase.parse("can't help").form
            ('verb', 'VBG')
        """
        first, last = phrase.split()[0].lower(), phrase.split()[-1].lower()
        kind: Literal["modal", "verb", "ability"] = "verb"
        if first in PAST_OF:
            kind = "ability"
        elif first in ("must", "should", "ought", "may", "might", "will", "shall", "would", "could"):
            kind = "modal"
        return cls(phrase, kind, "VBG" if last in ("help", "resist", "avoid", "stop") else "VB")

    def inflected(self, tag: str, near: str = "") -> str:
        """The phrase in a tense (VBD, VBZ, VBP or VB); `near` is the form of "be" that it replaces."""
        first, *rest = self.words.split()
        if self.kind == "ability" and tag == "VBD":
            first = PAST_OF[first]
        elif self.kind == "verb":
            first = (near or inflect("be", tag)) if first == "be" else inflect(first, tag)
        return " ".join([first, *rest])

    def negated(self) -> str:
        """The phrase with "not" behind its first word."""
        first, *rest = self.words.split()
        return " ".join([first, "not", *rest])

    def rank(self, clause: Clause) -> int | None:
        """How well the phrase suits a claim: 0 well, 1 where nothing better is at hand, None not at all."""
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
    """Someone does something: an active verb, no state, with a living subject or one that a command leaves out."""
    verbs, subject = clause.verbs, clause.subject
    if verbs is None or verbs.main is None or clause.expletive is not None:
        return False
    if any(w.label == "aux:pass" for w in verbs.words) or plain_form(verbs.main) in STATES:
        return False
    if subject is None:
        return clause.mood == "imperative"
    return is_person(subject.head)


def is_person(word: Word) -> bool:
    """The noun or pronoun is one of a person, as far as its form tells.

    Example:
        >>> is_person(Word(0, "teachers", "NNS", "nsubj", 1, 0, 8)), is_person(Word(0, "river", "NN", "nsubj", 1, 0, 5))
        (True, False)
    """
    low = word.lower
    singular = low[:-1] if word.tag == "NNS" and low.endswith("s") else low
    if low in PERSON_PRONOUNS or singular in PERSONS or low in PERSONS or word.tag == "NNP":
        return True
    return (
        word.tag in ("NN", "NNS") and len(singular) > 5 and singular.endswith(PERSON_ENDINGS) and singular not in THINGS
    )
