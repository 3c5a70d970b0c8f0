"""What a modal can say about a claim: whether it is a fact, a state, a plan, a habit, a question or a command."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.claims import subject_of, verb_group
from sda_hf.grammar.chinese.polarity import negation_of, negators_of
from sda_hf.grammar.chinese.predicates import (
    aspect_of,
    copula_of,
    de_of,
    final_le,
    is_adjectival,
    is_habitual,
    is_past,
    is_stative,
)
from sda_hf.grammar.chinese.rules.modal_questions import alternative_of, is_marked, question_word
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause

# "narrative": an event of the past without an aspect particle; "open": a bare verb, which may be any of them.
ClaimKind = Literal[
    "fact", "narrative", "state", "plan", "habit", "effect", "open", "command", "request", "which", "whether"
]
EFFECTS = lexicon.words("modal phrases", "effects")
AFFECTING = lexicon.words("modal phrases", "affecting")
SEASONS = lexicon.words("modal phrases", "seasons")
WITH_DE = lexicon.words("verbs", "with-de")
SAYING = lexicon.words("verbs", "saying") | lexicon.words("verbs", "thinking")
NOT_EVENTS = frozenset("没 没有 未".split())
COMMANDING = lexicon.words("verbs", "commanding")
US = lexicon.words("pronouns", "us")
# Without the words that set a time after another one, as in 一个小时以后.
FUTURE = lexicon.words("time", "future") - {"以后", "不久", "稍后", "下午", "未来", "将来", "一会儿", "日后"}
LONGEST_RULE = 10  # words of a sentence that tells what a thing can do
YOU = lexicon.words("pronouns", "you")
TENTATIVE = frozenset("一下 一点 一会儿 点儿 一点儿".split())


def claim_kind(clause: Clause) -> ClaimKind:
    """Return the kind of a claim, by its mood, aspect, time and predicate."""
    if clause.mood == "interrogative" or (is_marked(clause) and alternative_of(clause) is not None):
        return "which" if question_word(clause) is not None else "whether"
    negation = clause.negation.kind if clause.negation is not None else ""
    if (clause.mood == "imperative" and final_le(clause) is None and negation not in NOT_EVENTS) or proposes(clause):
        return "request" if _asks_politely(clause) else "command"
    future = is_planned(clause)
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
    return "effect" if form(clause.predicate) in EFFECTS and len(clause.words) <= LONGEST_RULE else "open"


def is_planned(clause: Clause) -> bool:
    """Whether a word sets the claim in the future, and none in the past."""
    return any(form(w) in FUTURE for w in clause.words) and not is_past(clause)


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
    seasonal = any(form(w) in SEASONS for w in clause.words) or is_habitual(clause) or is_planned(clause)
    return seasonal and is_adjectival(clause) and copula_of(clause) is None


def inner_claim(clause: Clause) -> Clause:
    """Return the clause with the claim of what is said or thought in place of saying or thinking it: 她说她来."""
    if form(clause.predicate) not in SAYING:
        return clause
    for word in clause.children(clause.predicate, "ccomp"):
        named = any(w.index > clause.predicate.index for w in clause.children(word, "nsubj"))
        if named and word.pos == "VERB" and word.index > clause.predicate.index:
            subject = subject_of(clause.tree, word)
            verbs = verb_group(clause.tree, word)
            return replace(
                clause,
                predicate=word,
                verbs=verbs,
                subject=subject,
                negators=negators_of(clause.tree, word),
                negation=negation_of(clause.tree, word),
            )
    return clause


def _asks_politely(clause: Clause) -> bool:
    spoken = [form(w) for w in clause.words if w.pos != "PUNCT"]
    return any(text.startswith("请") or text == "麻烦" for text in spoken[:2])


def proposes(clause: Clause) -> bool:
    """Whether a sentence asks somebody to do something, by its subject and 吧, 说说 or 一下."""
    if any(form(w) in COMMANDING for w in clause.words[:1]) and final_le(clause) is None:
        return True
    subject = form(clause.subject.head) if clause.subject is not None else ""
    if clause.subject is not None and subject not in YOU | US:
        return False
    spoken = [form(w) for w in clause.words if w.pos != "PUNCT"]
    verb = form(clause.predicate)
    doubled = len(verb) == 2 and verb[0] == verb[1]
    return spoken[-1] in ("吧", "呗") or doubled or any(text in TENTATIVE for text in spoken)


def is_pointed(clause: Clause) -> bool:
    """Whether the claim is a short one about a third person or about what somebody points at: 他去了北京."""
    subject = clause.subject
    if subject is None or subject.first is not subject.last:
        return False
    spoken = [w for w in clause.words if w.pos != "PUNCT"]
    plain = not any(w.text in "，,；;：“”" for w in clause.words)
    return plain and len(spoken) <= 6 and form(subject.head) in ("他", "她", "它", "他们", "她们", "它们")
