"""The word lists of negation, and what its rules ask about single words."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause, Word

# What an adverb before the negator becomes: see the comments in words.cfg.
WITH_EVENT = lexicon.pairs("negation", "adverbs-of-events")
WITH_STATE = lexicon.pairs("negation", "adverbs-of-states")
INTENSIFIERS = lexicon.words("negation", "intensifiers")
RESTRICTIVE = lexicon.words("negation", "restrictive")
WHOLE = lexicon.pairs("negation", "denied-as-a-whole")
MODALS = lexicon.pairs("negation", "modals")
CLASSIFIERS = lexicon.words("quantifiers", "classifiers")
COMMAS = frozenset("，,；;：:")


def word_before(clause: Clause, word: Word) -> Word | None:
    """Return the word before a word."""
    return clause.words[word.index - 1] if word.index else None


def word_after(clause: Clause, word: Word) -> Word | None:
    """Return the word after a word."""
    return clause.words[word.index + 1] if word.index + 1 < len(clause.words) else None


def segment_of(clause: Clause, word: Word) -> tuple[Word, ...]:
    """Return the words between the commas around a word."""
    start = end = word.index
    while start > 0 and clause.words[start - 1].text not in COMMAS:
        start -= 1
    while end + 1 < len(clause.words) and clause.words[end + 1].text not in COMMAS:
        end += 1
    return clause.words[start : end + 1]


def is_intensifier(word: Word) -> bool:
    """Whether a word is an adverb of high degree, which goes where its adjective is negated."""
    return form(word) in INTENSIFIERS
