"""Phrases before or after a whole statement, which stays as it is: 不可否认, 这一点不假."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.mood import CLOSING
from sda_hf.grammar.chinese.rules.denial_phrases import DenialPhrase
from sda_hf.grammar.chinese.surface import form, insert, mark
from sda_hf.grammar.edits import Edit, Rule
from sda_hf.syntax.clause import Clause, Word

LINKING = lexicon.words("double-negation", "linking")
CONTRARY = lexicon.words("double-negation", "contrary")
OPENING_QUOTES = {"“": "”", "「": "」", "『": "』", '"': '"'}
COMMAS = "，,"
KEPT = Rule("negative-phrase", "negative phrase, itself denied")


def start_of_statement(clause: Clause) -> Word:
    """Return the first word of a statement, after a quote around all of it, and after 但, 此外 and the like."""
    words = clause.words
    at = 1 if is_quoted_whole(clause) else 0
    while at + 1 < len(words) and form(words[at]) in LINKING:
        at += 1
        if words[at].text in COMMAS and at + 1 < len(words):
            at += 1
    return words[at]


def linking_word(clause: Clause) -> Word | None:
    """Return the word that links the statement to what precedes it: 但, 此外."""
    at = 1 if is_quoted_whole(clause) else 0
    return clause.words[at] if form(clause.words[at]) in LINKING else None


def is_quoted_whole(clause: Clause) -> bool:
    """Whether the whole sentence is in quotes."""
    words = clause.words
    close = OPENING_QUOTES.get(words[0].text)
    return close is not None and len(words) > 2 and words[-1].text == close and not _closes_early(words, close)


def _closes_early(words: tuple[Word, ...], close: str) -> bool:
    return any(w.text == close for w in words[1:-1])


def end_of_statement(clause: Clause) -> int:
    """Return the offset after the last word of a statement, before its mark and any closing quote around all of it."""
    words = list(clause.words)
    if clause.end_mark is not None:
        words = words[: clause.end_mark.index]
    while len(words) > 1 and is_quoted_whole(clause) and words[-1].text in CLOSING:
        words.pop()
    return words[-1].end


def put_before(clause: Clause, rule: Rule, phrase: str) -> Edit:
    """Put a phrase before a statement, set off by a comma."""
    return insert(clause, rule, start_of_statement(clause).start, phrase + mark(clause.text, "，"))


def put_around(clause: Clause, phrase: DenialPhrase, rule: Rule = KEPT) -> list[Edit]:
    """Put a phrase before or after a statement, set off by a comma, or around it."""
    if not phrase.closing:
        return [put_before(clause, rule, phrase.opening)] if phrase.opening else []
    edits = []
    if phrase.opening:
        edits.append(insert(clause, rule, start_of_statement(clause).start, phrase.opening))
    new = phrase.closing.replace("，", mark(clause.text, "，"))
    edits.append(insert(clause, rule, end_of_statement(clause), new))
    return edits
