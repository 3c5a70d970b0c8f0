"""A phrase in front of the main claim: "It is not true that ..."."""

from __future__ import annotations

from collections.abc import Sequence

from sda_hf.grammar.edits import Edit, Skip, lead_in
from sda_hf.syntax.clause import Clause, Word
from sda_hf.syntax.english.lexicon import FINITE

# SDA 2024, section 4.3.
NOT_TRUE = "It is not true that"
CONNECTIVES = frozenset(
    "and but or so yet however moreover furthermore therefore thus also still besides meanwhile anyway anyhow "
    "no yes well oh ok okay sorry nevertheless nonetheless otherwise consequently hence sure now then".split()
)
CONJUNCTIONS = frozenset({"and", "but", "or", "yet"})
LOOSE = ("cc", "discourse", "vocative", "parataxis", "list", "dislocated", "punct", "dep", "mark")
NO_STATEMENT = {"interrogative": "question", "imperative": "command", "fragment": "no verb"}


def prefixed(clause: Clause, phrase: str, edits: Sequence[Edit], rule: str) -> list[Edit] | Skip:
    """The phrase in front of a statement that `edits` change.

    Args:
        clause: a declarative clause.
        phrase: what to put in front, with a capital.
        edits: the changes of the statement itself.
        rule: the name of the rule.
    """
    reason = unfit(clause)
    if reason is not None:
        return reason
    pronoun = _missing_subject(clause)
    return lead_in(clause, f"{phrase} {pronoun}" if pronoun else phrase, edits, opening(clause), rule)


def unfit(clause: Clause) -> Skip | None:
    """Why no phrase can stand in front of the clause, if none can."""
    if clause.tag or (clause.mood != "declarative" and not _asks_like_a_statement(clause)):
        return Skip(NO_STATEMENT.get(clause.mood, "question"))
    if clause.subject is None and clause.expletive is None and _missing_subject(clause) is None:
        return Skip("no subject")
    return None


def _asks_like_a_statement(clause: Clause) -> bool:
    """ "You know him?": the order of a statement, and no question word."""
    words = (clause.words[0], *clause.words[: clause.predicate.index])
    asking = any(w.tag in ("WP", "WRB", "WDT") for w in words)
    return clause.mood == "interrogative" and not clause.inverted and clause.subject is not None and not asking


def _missing_subject(clause: Clause) -> str | None:
    """The pronoun that a telegraphic sentence leaves out: "Looks good.", "Loved it."; None where none is missing."""
    verbs = clause.verbs
    if clause.subject is not None or clause.expletive is not None or verbs is None:
        return None
    if not clause.opens(verbs.first) or (verbs.first is clause.predicate and verbs.first.tag not in FINITE):
        return None
    return "it" if verbs.first.tag == "VBZ" else "I"


def opening(clause: Clause) -> Word:
    """The first word of the claim, behind "But", "However," and names that are called."""
    subject = clause.subject
    limit = min(w.index for w in (clause.predicate, subject.first if subject else clause.predicate))
    tops = [w for w in clause.words[: limit + 1] if _top(clause, w).index == w.index]
    starts = [_start(clause, w) for w in tops if not _is_loose(clause, w)]
    behind = max((w.index for w in tops if _is_loose(clause, w)), default=-1)
    inside = [w for w in starts if w.index > behind]
    first = min(inside, key=lambda w: w.index) if inside else clause.words[limit]
    behind_it = (w for w in clause.words[first.index :] if w.text[:1].isalnum() and w.lower not in CONJUNCTIONS)
    return next(behind_it, first)


def _top(clause: Clause, word: Word) -> Word:
    """The dependent of the predicate that a word belongs to; the predicate for itself."""
    while word.head not in (clause.predicate.index, word.index) and word.index != clause.predicate.index:
        word = clause.words[word.head]
    return word


def _start(clause: Clause, word: Word) -> Word:
    """The first word of the run that belongs to `word`, marks at its start left out."""
    if word.index == clause.predicate.index:
        return word
    first = word
    while first.index > 0 and _top(clause, clause.words[first.index - 1]).index == word.index:
        first = clause.words[first.index - 1]
    while not first.text[:1].isalnum() and first.index < word.index:
        first = clause.words[first.index + 1]
    return first


def _is_loose(clause: Clause, word: Word) -> bool:
    """The word stands outside of the claim: a conjunction, an interjection, a connective adverb."""
    if word.index == clause.predicate.index:
        return False
    if word.label.split(":")[0] in LOOSE or not word.text[:1].isalnum():
        return True
    return word.lower in CONNECTIVES and word.label == "advmod"
