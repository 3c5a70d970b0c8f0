"""Substitution: a word replaced by an antonym or a synonym."""

from __future__ import annotations

from collections.abc import Collection

from sda_hf.grammar.base import Candidate, Relation
from sda_hf.grammar.edits import Coverage, Edit, Rule, Skip
from sda_hf.syntax.clause import Clause, Word


def candidates(
    clause: Clause, relation: Relation, lexicon: str, parts: Collection[str], coverage: Coverage
) -> list[Candidate] | Skip:
    """Return the words of a sentence that have antonyms or synonyms, with these, in simplified script."""
    return Skip("not written yet")


def focal(clause: Clause, found: list[Candidate]) -> list[Candidate]:
    """Return the candidates that carry the claim."""
    return found


def replaced(clause: Clause, word: Word, base: str, rule: Rule) -> list[Edit]:
    """Replace a word by another one, in the script of the text."""
    return [rule.edit(word.start, word.end, base)]
