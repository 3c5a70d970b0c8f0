"""`Context`, a line of `antonym_contexts.tsv`: where a word can be replaced by an antonym."""

from __future__ import annotations

import functools
from collections import defaultdict
from dataclasses import dataclass

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import POS_OF_TAG
from sda_hf.grammar.english.rules.substitution import base_form
from sda_hf.syntax.clause import Clause, Word

# Forms that stand in the table as they are: "most" is not a form of "much" there.
DEGREES = frozenset({"more", "most", "less", "least", "fewer"})
DATES = lexicon.words("antonyms", "dates")
TIMES = lexicon.words("antonyms", "times")
NEUTRAL = lexicon.words("antonyms", "adjuncts")
PERIODS = lexicon.words("antonym-nouns", "period") - {"NNP"}


@dataclass(frozen=True, slots=True)
class Context:
    """Where a word can be replaced by an antonym.

    Attributes:
        antonym: the base form of the antonym.
        frames: the constructions that the word may stand in, and conditions on them: see `antonym_frames`.
        prepositions: the prepositions that may follow the word, and what each becomes with the antonym.
        only: the nouns that it may go with, or their tags; empty for all.
        never: the nouns that it may not go with, or their tags.
    """

    antonym: str
    frames: frozenset[str]
    prepositions: dict[str, str]
    only: frozenset[str]
    never: frozenset[str]

    def allows(self, noun: Word | None, widely: bool = False) -> bool:
        """Whether the word may go with a noun; with none only if it may go with all.

        Args:
            noun: the noun.
            widely: whether it may go with nouns other than `only`, too.
        """
        if noun is None:
            return not self.only
        pos = POS_OF_TAG.get(noun.tag[:2])
        names = {noun.lower, base_form(noun, pos) if pos else "", "NNP" if noun.tag == "NNPS" else noun.tag}
        return not names & self.never and (widely or not self.only or bool(names & self.only))


@functools.cache
def contexts() -> dict[tuple[str, str], tuple[Context, ...]]:
    """Return the contexts by part of speech and base form.

    Example:
        >>> [context.antonym for context in contexts()["VERB", "win"]]
        ['lose', 'lose']
    """
    found: dict[tuple[str, str], list[Context]] = defaultdict(list)
    for pos, word, antonym, frames, prepositions, only, never in lexicon.rows("antonym_contexts.tsv"):
        pairs = (item.partition(">") for item in prepositions.split())
        changes = {old: new or old for old, _, new in pairs}
        found[pos, word].append(Context(antonym, frozenset(frames.split()), changes, _listed(only), _listed(never)))
    return {pair: tuple(values) for pair, values in found.items()}


def _listed(names: str) -> frozenset[str]:
    """Return words, with the members of the lists that are named "@list"."""
    lists = (lexicon.words("antonym-nouns", name[1:]) if name[0] == "@" else (name,) for name in names.split())
    return frozenset(word for words in lists for word in words)


def key(word: Word, pos: str) -> str:
    """Return the form under which a word stands in the table."""
    own = pos in ("ADP", "DET") or word.lower in DEGREES or (word.lower == "best" and pos == "ADV")
    return word.lower if own else base_form(word, pos)


def adjuncts(clause: Clause, word: Word) -> list[Word]:
    """Return the nouns that depend on a word and follow it, with a preposition or without."""
    return [w for w in clause.children(word, "obl", "nmod") if w.index > word.index]


def prepositions_after(clause: Clause, word: Word) -> list[Word]:
    """Return the prepositions that follow a word and depend on it."""
    return [case for w in adjuncts(clause, word) for case in clause.children(w, "case")[:1]]


def is_time(noun: Word) -> bool:
    """Whether a noun or number names a time: "1990", "May", "the year"."""
    return noun.tag == "CD" or noun.lower in DATES | TIMES | PERIODS


def has_date(clause: Clause, word: Word) -> bool:
    """Whether a verb comes with a year, a month or a weekday."""
    inside = {i for noun in clause.children(word, "obl", "nummod") for i in clause.tree.subtree(noun)}
    return any((w.text.isdigit() and len(w.text) == 4) or w.lower in DATES for w in (clause.words[i] for i in inside))


def prepositions_fit(clause: Clause, word: Word, context: Context) -> bool:
    """Whether the prepositions that follow a word may follow it in a context."""
    cases = [case for case in prepositions_after(clause, word) if case.lower != "than" or word.tag != "JJR"]
    return all(case.lower in NEUTRAL or case.lower in context.prepositions for case in cases)


def subject_of(clause: Clause, word: Word) -> Word | None:
    """Return the subject of a verb or predicate; else that of the main clause."""
    return next(iter(clause.children(word, "nsubj")), clause.subject.head if clause.subject else None)
