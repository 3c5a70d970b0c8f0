"""Phrases before a statement that deny it, once or twice: "It is not true that", "It is not untrue that"."""

from __future__ import annotations

import functools
import re

from sda_hf.grammar.edits import Edit, Result, Rule, Skip
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.morphology import FINITE_BE
from sda_hf.grammar.english.rules import matrix_clause
from sda_hf.grammar.english.rules.affirmation import affirm
from sda_hf.grammar.english.surface import swap
from sda_hf.syntax.clause import Clause, Word

DENIALS = lexicon.words("denials", "words")
# Under a phrase that denies the statement, negative words become these rather than positive ones.
UNDER_PHRASE = lexicon.pairs("quantifiers", "under-phrase")
WORD = re.compile(r"\w+(?:['’]\w+)?")  # noqa: RUF001
DENIED_TWICE = Rule("negative-phrase", "negative phrase, itself denied")
KEPT = ("negation-replaced", "polarity-dropped")


@functools.lru_cache(maxsize=256)
def denies_twice(phrase: str) -> bool:
    """Whether a phrase holds two negations, which cancel out.

    Example:
        >>> denies_twice("It is not untrue that"), denies_twice("It isn't true that")
        (True, False)
        >>> denies_twice("There is no doubt that"), denies_twice("No one disputes that")
        (True, True)
    """
    words = [word.lower() for word in WORD.findall(phrase)]
    negative = [word for word in words if word in DENIALS or word.endswith(("n't", "n’t"))]  # noqa: RUF001
    return len(negative) > 0 and len(negative) % 2 == 0


def is_emphatic(phrase: str) -> bool:
    """Whether a phrase that denies twice suits lively statements: "There is no denying that"."""
    return denies_twice(phrase) and "deny" in phrase.lower()


def put_before(clause: Clause, phrase: str) -> Result:
    """Put a phrase that denies itself before a statement: "It is not untrue that he left"."""
    if not matrix_clause.is_statement(clause):
        return Skip(matrix_clause.NO_STATEMENT.get(clause.mood, "question"))
    start = matrix_clause.start_of_statement(clause)
    if phrase.endswith(" say that") and _is_subject_that(clause, start):
        phrase = phrase.removesuffix(" that")  # "to say that's true" rather than "that that's true"
    missing, apart = matrix_clause.missing_subject(clause), matrix_clause.needs_comma(clause, start)
    return [matrix_clause.Site(start, missing, apart).put(phrase, DENIED_TWICE)]


def _is_subject_that(clause: Clause, word: Word) -> bool:
    following = clause.words[word.index + 1 : word.index + 2]
    return word.lower == "that" and bool(following) and following[0].lower in FINITE_BE


def affirmed(clause: Clause) -> Result:
    """Remove the negation of a statement that a phrase denies: "anybody came" for "nobody came".

    What a negation licenses stays, as the phrase licenses it as well: "(It is not true that) we have any eggs".
    """
    edits = affirm(clause)
    if isinstance(edits, Skip):
        return edits
    assert clause.negation is not None
    word = clause.negation.word
    low = word.lower
    if clause.negation.kind == "adverb" and low == "never":
        return [edit for edit in _without_polarity(edits, word) if edit.new] or [
            swap(word, "ever", Rule("negation-replaced", "never → ever"))
        ]
    if low in UNDER_PHRASE and clause.negation.kind in ("pronoun", "determiner"):
        new = UNDER_PHRASE[low]
        following = clause.words[word.index + 1 : word.index + 2]
        if low == "no" and following and following[0].lower == "one":
            return [Rule("negation-replaced", "no one → anyone").edit(word.start, following[0].end, "anyone")]
        if low == "no" and following and (following[0].lower == "such" or following[0].tag == "CD"):
            return _without_polarity(edits, word)
        return [swap(word, new, Rule("negation-replaced", f"{low} → {new}"))]
    return _without_polarity(edits, word)


def _without_polarity(edits: list[Edit], negator: Word) -> list[Edit]:
    """Return the edits without those of words that merely depend on the negation."""
    return [edit for edit in edits if edit.id not in KEPT or edit.start <= negator.start < edit.end]
