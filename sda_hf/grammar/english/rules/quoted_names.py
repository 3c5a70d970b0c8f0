"""Quotation marks around a name that the sentence gives: 'a dance called "Lambada"'."""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, Rule
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.rules.marks import DOUBLE_QUOTES, is_gap, is_mark, word_at
from sda_hf.grammar.english.rules.natural_marks import by_first_word, match
from sda_hf.syntax.clause import Clause, Word

NAMING = by_first_word(lexicon.phrases("marks", "naming"))
AROUND_NAME = Rule("name-quotes", "double quotes around a name")


def around_name(clause: Clause) -> list[Edit] | None:
    """Rewrite "a dance called Lambada" as 'a dance called "Lambada"'."""
    if not DOUBLE_QUOTES.isdisjoint(clause.text):
        return None
    for word in clause.words[1:-1]:
        length = match(clause.words, word.index, NAMING)
        if (
            length
            and not _names_lightly(clause, word.index + length)
            and is_gap(clause, word.index)
            and (edits := _quoted_name(clause, word.index + length))
        ):
            return edits
    return None


def _names_lightly(clause: Clause, start: int) -> bool:
    """Whether "called" or "known as" comes before a proper name or "the": no title, nickname or term."""
    following = word_at(clause, start)
    verb = clause.words[start - 1].lower
    return verb in ("called", "as") and following is not None and following.tag in ("NNP", "NNPS", "DT")


def _goes_on(clause: Clause, mark: Word) -> bool:
    """Whether another name follows a comma: "also known as blood pudding, black pudding and blood sausage"."""
    following = word_at(clause, mark.index + 1)
    return (
        mark.text in (",", "/") and following is not None and following.tag in ("NN", "NNS", "NNP", "NNPS", "CC", "JJ")
    )


def _quoted_name(clause: Clause, start: int) -> list[Edit] | None:
    """Put the nouns from a position on in double quotes, if nothing but them is the name."""
    start += start < len(clause.words) and clause.words[start].tag == "DT"
    end = start
    while end < len(clause.words) and clause.words[end].tag.startswith("NN"):
        end += 1
    following = word_at(clause, end)
    closed = following is None or following.tag == "IN" or (is_mark(following.text) and not _goes_on(clause, following))
    if end == start or not closed or not is_gap(clause, start):
        return None
    first, last = clause.words[start], clause.words[end - 1]
    return [AROUND_NAME.edit(first.start, first.start, '"'), AROUND_NAME.edit(last.end, last.end, '"')]
