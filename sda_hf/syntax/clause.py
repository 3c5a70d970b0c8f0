"""`Clause`, the view of a sentence that the grammar rules work on."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from sda_hf.syntax.tree import Phrase, Tree, Word

T = TypeVar("T")
Mood = Literal["declarative", "interrogative", "imperative", "fragment"]


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """The auxiliaries (including the copula) and the main verb, if the predicate is a verb, in text order."""

    words: tuple[Word, ...]
    main: Word | None

    @property
    def first(self) -> Word:
        """The word that carries tense: the one that languages with auxiliaries negate and invert."""
        return self.words[0]


@dataclass(frozen=True, slots=True)
class Negator:
    """What makes a claim negative.

    Attributes:
        kind: how it negates; each language defines its own kinds ("particle", "adverb", "determiner", ...).
        word: the word that negates.
    """

    kind: str
    word: Word


@dataclass(frozen=True, slots=True)
class Clause:
    """The main clause of one sentence.

    Attributes:
        text: the whole text, to which the offsets of the words refer.
        words: the words of this sentence alone, without white space.
        predicate: the head of the claim: a verb, or the adjective, noun or adverb after a copula.
        verbs: the verb group of the predicate; None in a fragment.
        subject: the subject phrase; the notional subject if the grammatical one is an expletive.
        expletive: a dummy subject, such as "there", or "it" in place of a clause.
        negators: negation particles that belong to the verb group ("not", "n't").
        mood: declarative, interrogative, imperative or fragment.
        inverted: whether the finite verb precedes the subject.
        coordinated: verb groups of coordinated predicates that share the subject, in text order.
        subordinate: clauses that depend on the predicate or its arguments, in text order.
        end_mark: the punctuation mark that ends the sentence.
        tag: the words of a tag question after the claim ("doesn't he"); empty if there is none.
        negation: what makes the claim negative, by a particle or otherwise; None for a positive claim.
        tree: the dependency tree of the words.
        found: what functions of the clause returned: see `once_per_clause`.
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
    found: dict[str, object] = field(init=False, repr=False, compare=False, default_factory=dict)

    @property
    def polarity(self) -> Literal["positive", "negative"]:
        """Whether the claim is negated."""
        return "positive" if self.negation is None else "negative"

    @property
    def start(self) -> int:
        """The offset at which the sentence begins in the text."""
        return self.words[0].start

    def children(self, word: Word, *labels: str) -> list[Word]:
        """Return the dependents of a word with one of these relations or their subtypes; with any, if none is given."""
        return self.tree.children(word, *labels)

    def opens(self, word: Word) -> bool:
        """Whether a word begins the sentence, ignoring quotation marks and the like."""
        return not any(w.text[:1].isalnum() for w in self.words[: word.index])


def once_per_clause(function: Callable[[Clause], T]) -> Callable[[Clause], T]:
    """Decorate a function that several rules ask about a clause, so that it is computed once for each clause.

    What it returns is shared, and must not be changed.
    """
    name = f"{function.__module__}.{function.__qualname__}"

    @functools.wraps(function)
    def once(clause: Clause) -> T:
        found = clause.found
        if name not in found:
            found[name] = function(clause)
        return found[name]  # type: ignore[return-value]

    return once


__all__ = ["Clause", "Mood", "Negator", "Phrase", "Tree", "VerbGroup", "Word", "once_per_clause"]
