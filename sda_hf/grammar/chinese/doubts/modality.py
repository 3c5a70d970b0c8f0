"""Doubts about modality."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.claims import COMMAS
from sda_hf.grammar.chinese.doubts.doubt import Doubt
from sda_hf.grammar.chinese.predicates import is_adjectival, is_having, is_stative, modal_of
from sda_hf.grammar.chinese.rules.modal_claims import claim_kind
from sda_hf.grammar.chinese.rules.modal_questions import is_marked
from sda_hf.grammar.chinese.rules.modal_sites import has_topic, is_stray, site_of
from sda_hf.grammar.chinese.surface import form, forms
from sda_hf.syntax.clause import Clause

SAYING = lexicon.words("verbs", "saying")
LONGEST_COMMAND = 14  # words
ANSWERS = frozenset("是的 对 好的 行 感谢 谢谢 多谢 谢 拜托".split())


def has_stray_site(clause: Clause) -> bool:
    """Whether the place of a modal is in the middle of a phrase."""
    return clause.mood != "interrogative" and is_stray(clause, site_of(clause, comment=True))


def is_query(clause: Clause) -> bool:
    """Whether a bare verb without a mark may be a heading or what is typed into a search."""
    if clause.end_mark is not None or modal_of(clause) is not None:
        return False
    named = clause.subject is not None and clause.subject.head.pos == "PRON"
    return not named and claim_kind(clause) in ("open", "effect", "command")


def is_embedded(clause: Clause) -> bool:
    """Whether the words of a question stand in a statement: 他想知道谁来."""
    return clause.mood == "interrogative" and not is_marked(clause)


def is_modifier(clause: Clause) -> bool:
    """Whether the sentence may be a noun with a modifier before it: 熨褐色外套的人."""
    spoken = [w for w in clause.words if w.pos != "PUNCT"]
    if clause.subject is not None or clause.mood == "interrogative" or is_having(clause) or is_adjectival(clause):
        return False
    if clause.verbs is None or clause.verbs.main is None:
        return False
    last = spoken[-1]
    if last.pos != "NOUN" or last.index < 2 or any(w.text in COMMAS for w in clause.words):
        return False
    before = clause.words[last.index - 2 : last.index]
    return form(before[1]) == "的" and before[0].pos != "PRON" and not has_topic(clause)


def is_odd_command(clause: Clause) -> bool:
    """Whether what looks like a command has a copula, or is too long for one."""
    if claim_kind(clause) not in ("command", "request"):
        return False
    return is_stative(clause) or len(clause.words) > LONGEST_COMMAND or any(w.text in "；：…" for w in clause.words)


def is_quoting(clause: Clause) -> bool:
    """Whether the predicate only tells who speaks: 他说，……"""
    after = clause.words[clause.predicate.index + 1 : clause.predicate.index + 2]
    return form(clause.predicate) in SAYING and (not after or after[0].pos == "PUNCT")


def is_answer(clause: Clause) -> bool:
    """Whether the predicate is an answer or thanks: 是的, 非常感谢."""
    return form(clause.predicate) in ANSWERS and clause.subject is None or "对不起" in forms(clause.words)


DOUBTS: tuple[Doubt, ...] = (
    Doubt("uncertain place of the modal", has_stray_site),
    Doubt("question within a statement", is_embedded),
    Doubt("not a clause: it may be a heading or a query", is_query),
    Doubt("not a clause: it may be a noun phrase", is_modifier),
    Doubt("command: it may be a statement", is_odd_command),
    Doubt("verb of saying before or after a quotation", is_quoting),
    Doubt("an answer or thanks", is_answer),
)
