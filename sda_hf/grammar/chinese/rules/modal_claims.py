"""What a modal can say about a claim: whether it is a fact, a state, a plan, a habit, a question or a command."""

from __future__ import annotations

from typing import Literal

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.mood import QUESTION_WORDS, final_particles, is_a_not_a
from sda_hf.grammar.chinese.predicates import (
    aspect_of,
    copula_of,
    de_of,
    is_adjectival,
    is_future,
    is_habitual,
    is_past,
    is_stative,
)
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause, Word

# "narrative": an event of the past without an aspect particle; "open": a bare verb, which may be any of them.
ClaimKind = Literal[
    "fact", "narrative", "state", "plan", "habit", "effect", "open", "command", "request", "which", "whether"
]
EFFECTS = lexicon.words("modal phrases", "effects")
AFFECTING = lexicon.words("modal phrases", "affecting")
SEASONS = lexicon.words("modal phrases", "seasons")
ALTERNATIVES = lexicon.words("pronouns", "alternatives")
WITH_DE = lexicon.words("verbs", "with-de")
PASSIVE = lexicon.words("prepositions", "passive")
NOT_EVENTS = frozenset("没 没有 未".split())
INDEFINITE = frozenset("几 多少 还是".split())
POTENTIAL = frozenset(lexicon.words("verbs", "complements"))


def claim_kind(clause: Clause) -> ClaimKind:
    """Return the kind of a claim, by its mood, aspect, time and predicate."""
    if clause.mood == "interrogative":
        return "which" if question_word(clause) is not None else "whether"
    if clause.mood == "imperative":
        return "request" if _asks_politely(clause) else "command"
    future = is_future(clause) and not is_past(clause)
    negation = clause.negation.kind if clause.negation is not None else ""
    if negation in NOT_EVENTS:
        return "fact"
    if _is_fact(clause, future=future):
        return "fact"
    if is_state(clause):
        return "state"
    if future:
        return "plan"
    if is_past(clause):
        return "narrative"
    if negation:
        return "state"
    if is_habitual(clause):
        return "habit"
    return "effect" if form(clause.predicate) in EFFECTS else "open"


def _is_fact(clause: Clause, *, future: bool) -> bool:
    """Whether the claim tells of something that has happened, by 了, 过, 已经 or 被."""
    aspect = aspect_of(clause)
    if aspect.kind in ("perfective", "experiential"):
        return True
    if future:
        return False
    passive = any(w.label == "aux:pass" or form(w) == "被" for w in clause.words[: clause.predicate.index])
    return aspect.kind == "change" or passive


def is_state(clause: Clause) -> bool:
    """Whether the claim is about a state: by its predicate, by 着 or 在, or by a complement of degree."""
    if is_stative(clause) or is_adjectival(clause) or clause.verbs is None or clause.verbs.main is None:
        return True
    if form(clause.predicate) in AFFECTING or aspect_of(clause).kind in ("durative", "progressive"):
        return True
    return de_of(clause) is not None or form(clause.predicate) in WITH_DE


def tends(clause: Clause) -> bool:
    """Whether a state is one that comes about again and again: 冬天很冷, 熬夜影响健康."""
    if form(clause.predicate) in AFFECTING and not is_past(clause):
        return True
    seasonal = any(form(w) in SEASONS for w in clause.words) or is_habitual(clause) or is_future(clause)
    return seasonal and is_adjectival(clause) and copula_of(clause) is None


def question_word(clause: Clause) -> Word | None:
    """Return the word that asks: 谁, 怎么, or a verb with its negation: 去不去; None in a question with 吗."""
    if any(form(w) in ("吗", "么") for w in final_particles(clause.words)):
        return None
    for word in clause.words:
        if form(word) in QUESTION_WORDS - INDEFINITE or form(word) in ALTERNATIVES - {"还是", "要么"}:
            return word
        if _is_a_not_a(clause, word):
            return word
    return next((w for w in clause.words if form(w) in INDEFINITE), None)


def _is_a_not_a(clause: Clause, word: Word) -> bool:
    return is_a_not_a(clause.words[word.index : word.index + 3]) or is_a_not_a((word,))


def _asks_politely(clause: Clause) -> bool:
    spoken = [form(w) for w in clause.words if w.pos != "PUNCT"]
    return any(text.startswith("请") or text == "麻烦" for text in spoken[:2])


def is_pointed(clause: Clause) -> bool:
    """Whether the claim is a short one about a third person or about what somebody points at: 他去了北京."""
    subject = clause.subject
    if subject is None or subject.first is not subject.last:
        return False
    spoken = [w for w in clause.words if w.pos != "PUNCT"]
    plain = not any(w.text in "，,；;：“”" for w in clause.words)
    return plain and len(spoken) <= 6 and form(subject.head) in ("他", "她", "它", "他们", "她们", "它们")
