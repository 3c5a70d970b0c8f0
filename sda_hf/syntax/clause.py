"""The view of a sentence that the grammar rules read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from sda_hf.syntax.tree import Phrase, Tree, Word

Mood = Literal["declarative", "interrogative", "imperative", "fragment"]


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """The auxiliaries (including the copula) and, if the predicate is verbal, the main verb, in text order."""

    words: tuple[Word, ...]
    main: Word | None

    @property
    def first(self) -> Word:
        """The word that carries tense, where languages with auxiliaries negate and invert."""
        return self.words[0]


@dataclass(frozen=True, slots=True)
class Negator:
    """What makes a claim negative.

    Attributes:
        kind: how it negates; each language names its own kinds ("particle", "adverb", "determiner", ...).
        word: the word that negates.
    """

    kind: str
    word: Word


@dataclass(frozen=True, slots=True)
class Clause:
    """The main clause of one sentence.

    Attributes:
        text: the whole text, which the offsets of the words refer to.
        words: the words of the sentence, without white space and without the text's other sentences.
        predicate: the head of the claim: a verb, or the adjective, noun or adverb under a copula.
        verbs: the verb group of the predicate; None in a fragment.
        subject: the subject phrase; the notional one where the grammatical one is an expletive.
        expletive: a subject without meaning, such as "there", or "it" that stands for a clause.
        negators: negation particles that belong to the verb group ("not", "n't").
        mood: declarative, interrogative, imperative or fragment.
        inverted: the finite verb stands before the subject.
        coordinated: verb groups of coordinated predicates that share the subject, in text order.
        subordinate: clauses that depend on the predicate or its arguments, in text order.
        end_mark: the punctuation mark that closes the sentence.
        tag: the words of a tag question behind the claim ("doesn't he"); empty if there is none.
        negation: what makes the claim negative, by a particle or otherwise; None for a positive claim.
        tree: the dependency tree of the words.
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
    negation: Negator | None = None
    tree: Tree = field(kw_only=True, repr=False, compare=False)

    @property
    def polarity(self) -> Literal["positive", "negative"]:
        """Whether the claim is negated."""
        return "positive" if self.negation is None else "negative"

    @property
    def start(self) -> int:
        """The offset at which the sentence begins in the text."""
        return self.words[0].start

    def children(self, word: Word, *labels: str) -> list[Word]:
        """The dependents of a word with one of these relations (any, if none is given; subtypes count)."""
        return self.tree.children(word, *labels)

    def opens(self, word: Word) -> bool:
        """Whether a word is the first of the sentence, not counting quotation marks and the like."""
        return not any(w.text[:1].isalnum() for w in self.words[: word.index])


__all__ = ["Clause", "Mood", "Negator", "Phrase", "Tree", "VerbGroup", "Word"]
