"""Punctuation marks that leave the words and their order alone.

SDA 2022, Algorithm 1 (four rules) and SDA 2024, Algorithm 1 (three rules). Where 2022 prints a test
for "!!", a test for "!" is meant.
"""

from __future__ import annotations

from collections.abc import Callable

from sda_hf.grammar.edits import Edit
from sda_hf.grammar.english.morphology import plain_form
from sda_hf.syntax.clause import Clause, Phrase

Rule = Callable[[Clause], list[Edit] | None]

SUBORDINATORS = frozenset(
    "because although though while when whenever if unless since until till after before whereas once "
    "wherever whether even".split()
)
QUESTION_WORDS = frozenset("when if where whether how".split())
# Verbs that an indirect question follows.
ASKING = frozenset(
    "know ask wonder tell see say remember forget decide explain find check learn understand show care guess doubt "
    "discuss determine figure imagine mind describe".split()
)
# Adverbs that belong to the clause behind them: "only because", "even if".
FOCUS = frozenset("only even just especially particularly mainly mostly partly simply right shortly soon not".split())
MARKS = frozenset(",;:-–—()[]{}\"'“”‘’.!?…")  # noqa: RUF001
INNER_MARKS = frozenset({",", ";", ":"})
DOUBLE_QUOTES = frozenset('"“”«»„')


def subordinate_comma(clause: Clause) -> list[Edit] | None:
    """A comma between the main clause and an adverbial clause, before or behind it, where none stands."""
    for phrase in clause.subordinate:
        if not phrase.head.label.startswith("advcl") or not _opens_clause(clause, phrase):
            continue
        if phrase.last.index < clause.predicate.index:
            edit = _comma_after(clause, phrase, "comma after the subordinate clause")
        else:
            edit = _comma_before(clause, phrase, "comma before the subordinate clause")
        if edit is not None:
            return [edit]
    return None


def _opens_clause(clause: Clause, phrase: Phrase) -> bool:
    """The phrase is an adverbial clause by its first word, and no indirect question ("know when it opens")."""
    first = phrase.first
    if (
        first.lower in QUESTION_WORDS
        and clause.predicate.tag.startswith("VB")
        and phrase.last.index > clause.predicate.index
    ):
        return plain_form(clause.predicate) not in ASKING
    if first.lower == "as":
        return phrase.last.index < clause.predicate.index
    return first.lower in SUBORDINATORS or (first is phrase.head and phrase.head.tag == "VBG")


def _comma_after(clause: Clause, phrase: Phrase, rule: str) -> Edit | None:
    end = phrase.last.end
    following = clause.words[phrase.last.index + 1] if phrase.last.index + 1 < len(clause.words) else None
    if following is None or _is_mark(following.text) or _is_mark(phrase.last.text):
        return None
    return Edit(end, end, ",", rule) if clause.text[end].isspace() else None


def _comma_before(clause: Clause, phrase: Phrase, rule: str) -> Edit | None:
    if phrase.first.index == 0:
        return None
    previous = clause.words[phrase.first.index - 1]
    if _is_mark(previous.text) or previous.tag in ("CC", "IN") or not clause.text[previous.end].isspace():
        return None
    if previous.lower in FOCUS or previous.head == phrase.head.index:
        return None
    return Edit(previous.end, previous.end, ",", rule)


def subject_comma(clause: Clause) -> list[Edit] | None:
    """A comma after the whole subject phrase that stands before its predicate."""
    subject = _fronted_subject(clause)
    if subject is None:
        return None
    edit = _comma_after(clause, subject, "comma after the subject")
    return [edit] if edit is not None else None


def subject_quotes(clause: Clause) -> list[Edit] | None:
    """Double quotes around the whole subject phrase, in a text that has none."""
    subject = _fronted_subject(clause)
    if subject is None or DOUBLE_QUOTES & set(clause.text):
        return None
    start, end = subject.first.start, subject.last.end
    glued = (start > 0 and not clause.text[start - 1].isspace()) or not clause.text[end : end + 1].isspace()
    if glued or any(_is_mark(w.text) for w in clause.words[subject.first.index : subject.last.index + 1]):
        return None
    rule = "double quotes around the subject"
    return [Edit(start, start, '"', rule), Edit(end, end, '"', rule)]


def _fronted_subject(clause: Clause) -> Phrase | None:
    subject, verbs = clause.subject, clause.verbs
    if subject is None or verbs is None or subject.last.index >= verbs.first.index:
        return None
    if subject.head.label.startswith("csubj") or subject.head.tag in ("WP", "WDT", "WRB"):
        return None
    between = clause.words[subject.last.index + 1 : verbs.first.index]
    # Anything else there is a part of the subject that the parser hung elsewhere.
    return subject if all(w.tag.startswith("RB") or not w.text[:1].isalnum() for w in between) else None


def inner_mark(clause: Clause) -> list[Edit] | None:
    """The first comma, semicolon or colon inside the sentence, doubled (2022 only)."""
    for word, following in zip(clause.words, clause.words[1:], strict=False):
        if word.text in INNER_MARKS and not _is_mark(following.text):
            return [Edit(word.end, word.end, word.text, "inner mark doubled")]
    return None


def exclamation(clause: Clause) -> list[Edit]:
    """The end mark becomes "!", or one is appended; a question keeps its mark, "!" is doubled."""
    mark = clause.end_mark
    if mark is not None:
        if "?" in mark.text or "!" in mark.text:
            return [Edit(mark.end, mark.end, "!", "exclamation mark appended")]
        return [Edit(mark.start, mark.end, "!", "end mark → exclamation mark")]
    last = clause.words[-1]
    if last.text in INNER_MARKS:
        return [Edit(last.start, last.end, "!", "end mark → exclamation mark")]
    return [Edit(last.end, last.end, "!", "exclamation mark appended")]


def _is_mark(text: str) -> bool:
    return bool(text) and all(c in MARKS for c in text)
