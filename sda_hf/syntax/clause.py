"""The view of a sentence that the grammar rules read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Mood = Literal["declarative", "interrogative", "imperative", "fragment"]


@dataclass(frozen=True, slots=True)
class Word:
    """A token of a sentence.

    `tag` is a Penn Treebank tag and `label` a Universal Dependencies relation (`root` for the root),
    whatever parser the word comes from. `index` and `head` count within the sentence; `start` and `end`
    are character offsets in the text.
    """

    index: int
    text: str
    tag: str
    label: str
    head: int
    start: int
    end: int

    @property
    def lower(self) -> str:
        """The lower-cased form, with a straight apostrophe."""
        return self.text.lower().replace("’", "'")  # noqa: RUF001


@dataclass(frozen=True, slots=True)
class Phrase:
    """A contiguous run of words, both ends included, and the word that heads it."""

    head: Word
    first: Word
    last: Word

    def __contains__(self, word: Word) -> bool:
        return self.first.index <= word.index <= self.last.index


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """The auxiliaries (copula among them) and, if the predicate is verbal, the main verb, in text order."""

    words: tuple[Word, ...]
    main: Word | None

    @property
    def first(self) -> Word:
        """The word that carries tense: where negation and inversion happen."""
        return self.words[0]


@dataclass(frozen=True, slots=True)
class Clause:
    """The main clause of one sentence.

    Attributes:
        text: the whole text, in which the offsets of the words count.
        words: the words of the sentence, white space and all other sentences left out.
        predicate: the head of the claim: a verb, or the adjective, noun or adverb under a copula.
        verbs: the verb group of the predicate; None in a fragment.
        subject: the subject phrase; the notional one where the grammatical one is an expletive.
        expletive: "there", or "it" that stands for a clause.
        negators: "not" and "n't" that belong to the verb group.
        mood: declarative, interrogative, imperative or fragment.
        inverted: the finite verb stands before the subject.
        coordinated: verb groups of coordinated predicates that share the subject, in text order.
        subordinate: clauses that depend on the predicate or its arguments, in text order.
        end_mark: the punctuation mark that closes the sentence.
        tag: the words of a tag question behind the claim ("doesn't he"), none if there is none.
    """

    text: str
    words: tuple[Word, ...]
    predicate: Word
    verbs: VerbGroup | None
    subject: Phrase | None
    expletive: Word | None
    negators: tuple[Word, ...]
    mood: Mood
    inverted: bool
    coordinated: tuple[VerbGroup, ...]
    subordinate: tuple[Phrase, ...]
    end_mark: Word | None
    tag: tuple[Word, ...] = ()

    def children(self, word: Word, *labels: str) -> list[Word]:
        """The dependents of a word, of these relations (all if none is given; subtypes count)."""
        return [
            w
            for w in self.words
            if w.head == word.index and w.index != word.index and (not labels or w.label.split(":")[0] in labels)
        ]

    def opens(self, word: Word) -> bool:
        """The word is the first of the sentence, quotation marks and the like aside."""
        return not any(w.text[:1].isalnum() for w in self.words[: word.index])

    @property
    def start(self) -> int:
        """Where the sentence begins in the text."""
        return self.words[0].start
