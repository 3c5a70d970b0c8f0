"""Modal phrases in questions: "Why did you leave?" → "Why did you have to leave?"."""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, Rule
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import PLAIN, WH
from sda_hf.grammar.english.morphology import DO, FINITE_BE, full_operator, is_before_to, is_operator
from sda_hf.grammar.english.rules.modal_phrases import ModalPhrase
from sda_hf.grammar.english.surface import is_short, swap
from sda_hf.syntax.clause import Clause, Phrase, VerbGroup, Word

MOBILE = lexicon.words("adverbs", "mobile")
DO_OF_BE = lexicon.pairs("verbs", "do-for-be")
IN_QUESTION = Rule("modal-in-question", "modal phrase in a question")
# A longer subject leaves the "be" after it too far from the modal: "What must the best way to get there be?"
LONGEST_SUBJECT = 4


def ask(clause: Clause, phrase: ModalPhrase) -> list[Edit] | None:
    """Return the edits that add a phrase to an inverted question; None if the result would not make sense.

    Args:
        clause: an inverted question.
        phrase: a phrase that takes a base form.
    """
    verbs = clause.verbs
    assert verbs is not None
    operator = verbs.first
    if (
        not clause.inverted
        or clause.negators
        or phrase.form != "VB"
        or phrase.kind in ("ability", "comment")
        or (phrase.words.startswith("be ") and phrase.words != "be able to")
    ):
        return None
    full = full_operator(operator, verbs) if is_operator(operator, verbs) else ""
    if phrase.words == "be able to":
        return _for_ability(clause, verbs, full)
    if phrase.kind == "modal" and full in ("do", "does") and not is_short(operator):
        return [swap(operator, phrase.words, IN_QUESTION)]
    if full in DO or full == "will":
        return _before_verb(clause, verbs, phrase)
    if full in FINITE_BE and not is_short(operator):
        return _on_be(clause, operator, full, phrase)
    return None


def _before_verb(clause: Clause, verbs: VerbGroup, phrase: ModalPhrase) -> list[Edit] | None:
    following = verbs.words[1] if len(verbs.words) > 1 else None
    if phrase.kind != "verb" or following is None or following.tag not in PLAIN:
        return None
    if following.lower in ("have", "need") and is_before_to(clause, following):
        return None
    return [IN_QUESTION.edit(following.start, following.start, f"{phrase.words} ")]


def _for_ability(clause: Clause, verbs: VerbGroup, full: str) -> list[Edit] | None:
    """Rewrite "Can you help?" as "Would you be able to help?"."""
    can, subject = verbs.first, clause.subject
    if full not in ("can", "could") or subject is None or len(verbs.words) != 2 or verbs.main is None:
        return None
    if verbs.main.tag not in PLAIN or subject.first.index != can.index + 1:
        return None
    end = subject.last.end
    return [swap(can, "would", IN_QUESTION), IN_QUESTION.edit(end, end, " be able to")]


def _on_be(clause: Clause, be: Word, full: str, phrase: ModalPhrase) -> list[Edit] | None:
    """Rewrite "Is he late?" as "Must he be late?" or "Does he have to be late?"."""
    subject_end = _end_of_subject(clause, be)
    past = full in ("was", "were")
    if subject_end is None or (phrase.kind == "modal" and (past or " " in phrase.words)):
        return None
    following = clause.words[subject_end.index + 1]
    if following.lower in MOBILE and following.label == "advmod":  # "Is he still ill?" → "Would he still be ill?"
        subject_end = following
    first, rest = (phrase.words, "be") if phrase.kind == "modal" else (DO_OF_BE[full], f"{phrase.words} be")
    return [swap(be, first, IN_QUESTION), IN_QUESTION.edit(subject_end.end, subject_end.end, f" {rest}")]


def _end_of_subject(clause: Clause, be: Word) -> Word | None:
    """Return the word after which "be" goes: the last word of a subject that directly follows the finite verb."""
    if clause.expletive is not None:
        return clause.expletive if clause.expletive.index == be.index + 1 else None
    subject: Phrase | None = clause.subject
    if subject is None or subject.first.index != be.index + 1:
        return None
    wh = clause.predicate.tag in WH
    if wh and (subject.head.tag.startswith("PRP") or subject.last.index - subject.first.index >= LONGEST_SUBJECT):
        return None  # "How are you?"
    return subject.last
