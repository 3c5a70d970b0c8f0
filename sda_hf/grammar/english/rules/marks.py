"""What the rules of punctuation share: where a mark can stand, and the edits that put it there."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeAlias

from sda_hf.grammar.edits import Edit, Rule
from sda_hf.syntax.clause import Clause, Phrase, Word

Insertion: TypeAlias = Callable[[Clause], list[Edit] | None]

MARKS = frozenset(",;:-–—()[]{}\"'“”‘’.!?…/&")  # noqa: RUF001
DOUBLE_QUOTES = frozenset('"“”«»„')
DASHES = frozenset("-–—")  # noqa: RUF001


@functools.lru_cache(maxsize=4096)
def is_mark(text: str) -> bool:
    """Whether a token is nothing but punctuation."""
    return bool(text) and all(c in MARKS for c in text)


def word_at(clause: Clause, index: int) -> Word | None:
    """Return the word at a position of the sentence; None outside of it."""
    return clause.words[index] if 0 <= index < len(clause.words) else None


def is_gap(clause: Clause, index: int) -> bool:
    """Whether nothing but one space stands between the word at a position and the one before it."""
    previous, word = word_at(clause, index - 1), word_at(clause, index)
    if previous is None or word is None or is_mark(previous.text) or is_mark(word.text):
        return False
    return clause.text[previous.end : word.start] == " "


def comma_at(clause: Clause, index: int, rule: Rule) -> list[Edit] | None:
    """Put a comma before the word at a position, if there is no mark yet."""
    if not is_gap(clause, index):
        return None
    end = clause.words[index - 1].end
    return [rule.edit(end, end, ",")]


def is_balanced(clause: Clause, phrase: Phrase) -> bool:
    """Whether a phrase has all its brackets and quotation marks inside, or none."""
    text = clause.text[phrase.first.start : phrase.last.end]
    pairs = (("(", ")"), ("[", "]"), ("“", "”"))
    return text.count('"') % 2 == 0 and all(text.count(left) == text.count(right) for left, right in pairs)


def last_word(clause: Clause) -> Word:
    """Return the last word before the marks that end the sentence."""
    return next((w for w in reversed(clause.words) if not is_mark(w.text)), clause.words[-1])
