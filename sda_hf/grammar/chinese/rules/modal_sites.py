"""Where a phrase of modality goes: before the predicate with its coverbs, and on which side of 都, 就 and question words."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.predicates import is_adjectival, is_stative, modal_site
from sda_hf.grammar.chinese.rules.modal_questions import alternative_of, question_word
from sda_hf.grammar.chinese.spans import NOMINAL, SPEAKER, is_modal, is_negator, is_time, left_edge
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause, Word

# A comment on the claim stands before these adverbs, a modal verb after them: 确实都来, 都会来.
QUANTIFYING = frozenset("都 还 才 又 均 皆 仍 仍然 依然 还是 几乎 就 全 全都 也都".split())
LINKING = lexicon.words("conjunctions", "subordinate")
EFFECTS = lexicon.words("modal phrases", "effects")
CAUSE = frozenset("为什么 为何 为啥 干嘛 干吗 咋".split())
TIME_OR_PLACE = frozenset("于 在".split())
LOCALIZERS = frozenset("前 后 之前 以前 之后 以后 左右 初 末 底 期间 间 中 时".split())
OF_MODIFIERS = frozenset("的 之 所".split())


def site_of(clause: Clause, *, comment: bool) -> Word:
    """Return the word before which a phrase goes.

    Args:
        clause: the main clause.
        comment: whether the phrase comments on the whole claim, as 确实 does, rather than on the verb, as 会 does.
    """
    at = modal_site(clause).index
    subject = clause.subject
    if subject is not None and at <= subject.last.index < clause.predicate.index:
        at = subject.last.index + 1
    at = _before_date(clause, _before_modal(clause, _before_verbs(clause, at)))
    if comment:
        at = _before_quantifier(clause, at)
    return clause.words[at]


def stretch(clause: Clause, at: int) -> int:
    """Return the index of the first word after the last mark before `at`."""
    return max((w.index + 1 for w in clause.words[:at] if w.pos == "PUNCT" and w.text != "、"), default=0)


def _before_modal(clause: Clause, at: int) -> int:
    """Return the place before a modal that governs what follows, without a noun in between: 可以晚一天还."""
    start = _open_from(clause, at)
    found = next((w for w in clause.words[start:at] if w.pos == "AUX" and is_modal(w)), None)
    return left_edge(clause.tree, found, aspectual=True) if found is not None else at


def _open_from(clause: Clause, at: int) -> int:
    """Return where the words before `at` begin that stand in no modifier: after the last mark and the last 的."""
    start = stretch(clause, at)
    return max([start, *(w.index + 1 for w in clause.words[start:at] if form(w) in OF_MODIFIERS)])


def _before_verbs(clause: Clause, at: int) -> int:
    """Return the place before the first of several verbs of one subject: 学生穿校服上学, 他们假装有执照."""
    if is_adjectival(clause) or form(clause.predicate) in EFFECTS or clause.predicate.label == "ccomp":
        return at
    start = _open_from(clause, at)
    verb = next((w for w in clause.words[start:at] if _leads(clause, w, start)), None)
    if verb is None:
        return at
    nouns = [w for w in clause.words[verb.index + 1 : at] if w.pos in ("NOUN", "PROPN", "PRON")]
    if is_stative(clause) and nouns:
        return at
    return left_edge(clause.tree, verb, aspectual=True)


def _leads(clause: Clause, verb: Word, start: int) -> bool:
    """Whether a word is a verb right after a subject, but for adverbs."""
    if verb.pos != "VERB" or verb.label in ("amod", "compound", "nmod", "acl", "acl:relcl", "case"):
        return False
    at = left_edge(clause.tree, verb, aspectual=True)
    while at > start and (form(clause.words[at - 1]) in SPEAKER or is_time(clause.words[at - 1])):
        at -= 1
    before = clause.words[at - 1] if at > start else None
    return before is not None and before.pos in ("NOUN", "PROPN", "PRON")


def _before_quantifier(clause: Clause, at: int) -> int:
    conditional = any(form(w) in LINKING or form(w) == "一" for w in clause.words[:at])
    while at > 0 and form(clause.words[at - 1]) in QUANTIFYING and clause.words[at - 1].pos in ("ADV", "SCONJ"):
        if form(clause.words[at - 1]) == "就" and (conditional or at == 1 or clause.words[at - 2].pos == "PUNCT"):
            break
        at -= 1
    return at


def _before_date(clause: Clause, at: int) -> int:
    """Return the index of 于 or 在 before a date that ends there: 于1988年."""
    for place in range(at - 1, max(at - 7, -1), -1):
        word = clause.words[place]
        if form(word) in TIME_OR_PLACE and word.pos in ("ADP", "VERB") and 0 < place < at - 1:
            return place if clause.words[place - 1].pos != "PUNCT" else at
        if not (is_time(word) or word.pos == "NUM" or form(word) in LOCALIZERS):
            return at
    return at


def inquiry_site(clause: Clause) -> Word | None:
    """Return the word before which 到底 goes in a question: the verb, or the words that ask if they come first."""
    asking = question_word(clause)
    if asking is None:
        return None
    if asking is alternative_of(clause):
        return clause.words[_before_quantifier(clause, asking.index)]
    site = clause.words[_before_quantifier(clause, modal_site(clause).index)]
    before = clause.words[asking.index - 1] if asking.index else None
    if asking.index < site.index:
        return before if before is not None and before.pos == "ADP" and before.label == "case" else asking
    if before is not None and before.index > clause.predicate.index + 1 and _asks_about(before):
        return before
    if stretch(clause, asking.index) > clause.predicate.index:
        return asking if asking.pos in ("ADV", "VERB", "AUX") else None
    return site


def _asks_about(word: Word) -> bool:
    """Whether a word right before the one that asks is the verb of the question: 达到20万要多少钱."""
    return is_modal(word) or word.tag.startswith("VC") or (word.pos == "VERB" and word.label != "compound:vv")


def question_site(clause: Clause) -> Word:
    """Return the word before which a modal verb goes in a question: after 为什么, before 怎么."""
    site = modal_site(clause)
    causes = [w for w in clause.words[site.index : clause.predicate.index] if form(w) in CAUSE]
    return clause.words[causes[-1].index + 1] if causes else site


def has_topic(clause: Clause) -> bool:
    """Whether a noun that may be the subject stands before the place of a modal."""
    words = clause.words[: site_of(clause, comment=True).index]
    return clause.subject is not None or any(
        w.pos in ("NOUN", "PROPN", "PRON") and not is_time(w) and w.label not in ("obj", "clf") for w in words
    )


def is_stray(clause: Clause, site: Word) -> bool:
    """Whether the word before a place shows that it is in the middle of a phrase."""
    if any(is_negator(w) for w in clause.words[_open_from(clause, site.index) : site.index]):
        return True
    if site.index == 0:
        return False
    previous = clause.words[site.index - 1]
    if previous.pos == "PUNCT" or form(previous) in SPEAKER or is_time(previous):
        return previous.text in "、《“（("
    if form(previous) in OF_MODIFIERS | {"地", "得", "来", "去"} or previous.pos in ("DET", "NUM"):
        return True
    if previous.pos == "ADP" and form(previous) not in LOCALIZERS and not previous.label.startswith("case:loc"):
        return True
    if previous.pos == "VERB":
        return not (is_adjectival(clause) or is_stative(clause) or form(clause.predicate) in EFFECTS)
    return previous.pos not in NOMINAL and previous.pos not in ("ADV", "SCONJ", "CCONJ", "ADP", "PART", "VERB", "AUX")
