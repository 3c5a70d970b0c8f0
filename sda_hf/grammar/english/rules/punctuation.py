"""Punctuation insertion, which leaves the words and their order unchanged.

SDA 2022, Algorithm 1 (four rules) and SDA 2024, Algorithm 1 (three rules). Where the 2022 paper prints a
test for "!!", it means a test for "!".
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable
from typing import TypeAlias

from sda_hf.grammar.edits import Edit, Result, Rule
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import WH
from sda_hf.grammar.english.morphology import plain_form
from sda_hf.syntax.clause import Clause, Phrase, Word

Insertion: TypeAlias = Callable[[Clause], list[Edit] | None]

SUBORDINATORS = lexicon.words("conjunctions", "subordinating")
QUESTION_WORDS = lexicon.words("conjunctions", "interrogative")
ASKING = lexicon.words("verbs", "asking")
FOCUS = lexicon.words("adverbs", "focus")
MARKS = frozenset(",;:-–—()[]{}\"'“”‘’.!?…")  # noqa: RUF001
INNER_MARKS = frozenset({",", ";", ":"})
# Marks that join two parts of a word: "don't", "well-known".
JOINERS = frozenset("'’-")  # noqa: RUF001
DOUBLE_QUOTES = frozenset('"“”«»„')
AFTER_SUBORDINATE = Rule("subordinate-comma", "comma after the subordinate clause")
BEFORE_SUBORDINATE = Rule("subordinate-comma", "comma before the subordinate clause")
AFTER_SUBJECT = Rule("subject-comma", "comma after the subject", doubt="a comma between subject and predicate")
AROUND_SUBJECT = Rule(
    "subject-quotes", "double quotes around the subject", doubt="quotes around a subject that is no title"
)
DOUBLED = Rule("mark-doubled", "inner punctuation mark doubled", doubt="a doubled punctuation mark")
APPENDED = Rule("exclamation-mark", "exclamation mark appended")
REPLACED = Rule("exclamation-mark", "end mark → exclamation mark")


def punctuate(clause: Clause, rng: random.Random, variant: str, strategy: str) -> Result:
    """Insert punctuation marks by one of the rules that apply.

    Args:
        clause: the main clause.
        rng: chooses between a comma and quotes for the subject and, with "random", one of the rules that apply.
        variant: "v2" for the rules of 2024, "v1" for those of 2022.
        strategy: "first" for the first rule that applies, in the order of the algorithms, or "random".
    """
    if variant == "v2" and strategy == "first":
        subject: list[Insertion] = [subject_comma]  # Algorithm 1 of 2024 has only the comma
    else:
        subject = [subject_comma, subject_quotes] if rng.random() < 0.5 else [subject_quotes, subject_comma]
    inner: list[Insertion] = [inner_mark] if variant == "v1" else []
    insertions: list[Insertion] = [subordinate_comma, *subject, *inner, exclamation]
    found = [edits for insertion in insertions if (edits := insertion(clause))]
    return found[0] if strategy == "first" else rng.choice(found)


def subordinate_comma(clause: Clause) -> list[Edit] | None:
    """Put a comma between the main clause and an adverbial clause before or after it, if there is none."""
    for phrase in clause.subordinate:
        if not phrase.head.label.startswith("advcl") or not _opens_clause(clause, phrase):
            continue
        if phrase.last.index < clause.predicate.index:
            edit = _comma_after(clause, phrase, AFTER_SUBORDINATE)
        else:
            edit = _comma_before(clause, phrase, BEFORE_SUBORDINATE)
        if edit is not None:
            return [edit]
    return None


def _opens_clause(clause: Clause, phrase: Phrase) -> bool:
    """Whether a phrase is an adverbial clause, and not an indirect question ("know when it opens")."""
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


def _comma_after(clause: Clause, phrase: Phrase, rule: Rule) -> Edit | None:
    end = phrase.last.end
    following = clause.words[phrase.last.index + 1] if phrase.last.index + 1 < len(clause.words) else None
    if following is None or _is_mark(following.text) or _is_mark(phrase.last.text):
        return None
    return rule.edit(end, end, ",") if clause.text[end].isspace() else None


def _comma_before(clause: Clause, phrase: Phrase, rule: Rule) -> Edit | None:
    if phrase.first.index == 0:
        return None
    previous = clause.words[phrase.first.index - 1]
    if _is_mark(previous.text) or previous.tag in ("CC", "IN") or not clause.text[previous.end].isspace():
        return None
    if previous.lower in FOCUS or previous.head == phrase.head.index:
        return None
    return rule.edit(previous.end, previous.end, ",")


def subject_comma(clause: Clause) -> list[Edit] | None:
    """Put a comma after the whole subject phrase, if it precedes its predicate."""
    subject = _fronted_subject(clause)
    if subject is None:
        return None
    edit = _comma_after(clause, subject, AFTER_SUBJECT)
    return [edit] if edit is not None else None


def subject_quotes(clause: Clause) -> list[Edit] | None:
    """Put double quotes around the whole subject phrase, if the text has none yet."""
    subject = _fronted_subject(clause)
    if subject is None or DOUBLE_QUOTES & set(clause.text):
        return None
    start, end = subject.first.start, subject.last.end
    glued = (start > 0 and not clause.text[start - 1].isspace()) or not clause.text[end : end + 1].isspace()
    if glued or any(_is_mark(w.text) for w in clause.words[subject.first.index : subject.last.index + 1]):
        return None
    return [AROUND_SUBJECT.edit(start, start, '"'), AROUND_SUBJECT.edit(end, end, '"')]


def _fronted_subject(clause: Clause) -> Phrase | None:
    subject, verbs = clause.subject, clause.verbs
    if subject is None or verbs is None or subject.last.index >= verbs.first.index:
        return None
    if subject.head.label.startswith("csubj") or subject.head.tag in WH:
        return None
    between = clause.words[subject.last.index + 1 : verbs.first.index]
    # Anything else there is part of the subject, wrongly attached by the parser.
    return subject if all(w.tag.startswith("RB") or not w.text[:1].isalnum() for w in between) else None


def inner_mark(clause: Clause) -> list[Edit] | None:
    """Double the first comma, semicolon or colon inside the sentence (2022 only)."""
    for word, following in zip(clause.words, clause.words[1:], strict=False):
        glued = clause.text[word.start - 1 : word.start].isdigit() and clause.text[word.end : word.end + 1].isdigit()
        if word.text in INNER_MARKS and not _is_mark(following.text) and not glued:
            return [DOUBLED.edit(word.end, word.end, word.text)]
    return None


def exclamation(clause: Clause) -> list[Edit]:
    """Replace the end mark by "!", or append one; a question keeps its mark, and "!" is doubled."""
    mark = clause.end_mark
    if mark is not None:
        if "?" in mark.text or "!" in mark.text:
            return [_appended(clause, mark)]
        return [REPLACED.edit(mark.start, mark.end, "!")]
    last = clause.words[-1]
    if last.text in INNER_MARKS:
        return [REPLACED.edit(last.start, last.end, "!")]
    return [_appended(clause, last)]


def _appended(clause: Clause, last: Word) -> Edit:
    """A mark after the last word, including what the tokenizer cut off from it: "'t" of "don't"."""
    text, end = clause.text, last.end
    while _is_word_character(text[end : end + 1]) or (
        text[end : end + 1] in JOINERS and _is_word_character(text[end + 1 : end + 2])
    ):
        end += 1
    return APPENDED.edit(end, end, "!")


def _is_word_character(character: str) -> bool:
    return character.isalnum() or character == "_" or bool(character and unicodedata.combining(character))


def _is_mark(text: str) -> bool:
    return bool(text) and all(c in MARKS for c in text)
