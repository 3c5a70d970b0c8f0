"""Punctuation: marks inserted without changing the characters.

With coverage="sound", a mark is one that a native writer could have put there. With "full", there are the rules of
SDA (2022 and 2024, Algorithm 1), too: a comma after any subject, quotes around it.
"""

from __future__ import annotations

import random

from sda_hf.grammar.chinese.rules import (
    clause_marks,
    end_marks,
    series_marks,
    speech_marks,
    subject_marks,
    time_marks,
    topic_marks,
)
from sda_hf.grammar.chinese.rules.marks import QUOTES, Insertion, Part, around, comma, parts_of
from sda_hf.grammar.edits import Coverage, Edit, Result, Rule, Skip
from sda_hf.syntax.clause import Clause

ONLY_MARKS = Skip("only punctuation")
NO_PLACE = Skip("no place for a mark that is natural")
AFTER_SUBJECT = Rule("subject-comma", "comma after the subject", doubt="a comma between subject and predicate")
AROUND_SUBJECT = Rule("subject-quotes", "quotes around the subject", doubt="quotes around a subject that is not cited")

# From the most to the least natural.
CLEAR: tuple[Insertion, ...] = (
    clause_marks.after_interjection,
    clause_marks.after_clause,
    time_marks.after_time_clause,
    topic_marks.after_phrase,
    time_marks.after_time,
    topic_marks.after_comment,
    clause_marks.before_conjunction,
    clause_marks.between_parallel,
    clause_marks.before_alternative,
    topic_marks.after_object_topic,
    speech_marks.before_quotation,
    speech_marks.after_quotation,
    clause_marks.after_particle,
    clause_marks.before_new_clause,
    topic_marks.after_summary,
    speech_marks.around_name,
    speech_marks.after_saying,
    series_marks.before_last,
    subject_marks.after_subject,
    subject_marks.after_verb_subject,
)
# Where none of those is found and the sentence is not exclaimed.
POSSIBLE: tuple[Insertion, ...] = (
    series_marks.dash,
    series_marks.semicolon,
    speech_marks.colon_for_comma,
    subject_marks.after_medium_subject,
    time_marks.after_short_time,
)


def punctuate(clause: Clause, rng: random.Random, variant: str, strategy: str, coverage: Coverage) -> Result:
    """Insert the mark that is most natural, or with "random" one of those that are.

    Args:
        clause: the main clause.
        rng: draws with "random".
        variant: "v1" also doubles a mark inside the sentence.
        strategy: "first" or "random".
        coverage: "full" also puts a comma after any subject, or quotes around it.
    """
    parts = parts_of(clause)
    if not parts:
        return ONLY_MARKS
    insertions = _clear(clause, rng, variant, strategy, coverage)
    found = (edits for insertion in insertions if (edits := insertion(clause, parts)))
    if strategy == "first":
        return next(found, None) or _last_resort(clause, parts)
    many = list(found)
    return rng.choice(many) if many else _last_resort(clause, parts)


def _clear(clause: Clause, rng: random.Random, variant: str, strategy: str, coverage: Coverage) -> list[Insertion]:
    """Return the insertions that are clearly natural, plus the papers' own ones where the options ask for them."""
    insertions = [*CLEAR]
    if end_marks.asks_openly(clause):
        insertions.insert(0, end_marks.question_mark)
    if coverage == "full":
        papers: list[Insertion] = [subject_comma, subject_quotes]
        if rng.random() < 0.5:
            papers.reverse()
        insertions += papers[:1] if variant == "v2" and strategy == "first" else papers
    if variant == "v1":
        insertions.append(end_marks.doubled)
    if end_marks.exclaims(clause):
        insertions.append(_exclamation)
    return insertions


def _exclamation(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    return end_marks.at_the_end(clause)


def _last_resort(clause: Clause, parts: tuple[Part, ...]) -> Result:
    possible = (edits for insertion in POSSIBLE if (edits := insertion(clause, parts)))
    found = next(possible, None)
    if found is None and not end_marks.is_short(clause):
        found = end_marks.around_sentence(clause)
    return found or end_marks.at_the_end(clause) or NO_PLACE


# -- of the papers -------------------------------------------------------------------------------


def subject_comma(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after the subject."""
    subject = _subject(clause, parts)
    return comma(*subject, AFTER_SUBJECT) if subject is not None else None


def _subject(clause: Clause, parts: tuple[Part, ...]) -> tuple[Part, int] | None:
    """Return the part with the subject and the place after it, if it precedes its predicate."""
    if clause.subject is None:
        return None
    last = clause.subject.last.index
    for part in parts:
        if part.start <= last < part.words[-1].index:
            return part, last - part.start + 1
    return None


def subject_quotes(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put quotes around the subject, if the text has none yet."""
    subject = clause.subject
    if subject is None or QUOTES.intersection(clause.text):
        return None
    if any(w.pos == "PUNCT" for w in clause.words[subject.first.index : subject.last.index + 1]):
        return None
    return around(clause, subject.first, subject.last, AROUND_SUBJECT)
