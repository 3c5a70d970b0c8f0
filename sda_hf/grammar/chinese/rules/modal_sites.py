"""Where a phrase of modality goes: before the predicate with its coverbs, before or after 都 and question words."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.claims import COMMAS
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
POSTURES = frozenset("站 坐 躺 跪 蹲 睡 住 放 挂 停 趴 靠 走 跑".split())
LEADING = frozenset("把 被 将 向 朝 对 从 跟 给 往".split())
ASPECTUAL = lexicon.words("adverbs", "perfect")
TIMES_COUNTED = frozenset("次 度 番 遍 回".split())
MANNER = frozenset("怎么 如何 怎样 为什么 为何 为啥 咋 怎么样 怎么办 干嘛 咋样 怎".split())
AFTER = frozenset("后 前 时 之后 以后 之前 以前 时候 之际 的话 期间".split())
SUBORDINATING = LINKING | {"每当", "正当", "待", "随", "要不是"}
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
    at = _before_coverb(clause, _before_modal(clause, _before_verbs(clause, at)))
    at = _before_date(clause, at)
    if comment:
        at = _before_quantifier(clause, at)
    return clause.words[at]


def stretch(clause: Clause, at: int) -> int:
    """Return the index of the first word after the last mark before `at`."""
    return max((w.index + 1 for w in clause.words[:at] if w.pos == "PUNCT" and w.text != "、"), default=0)


def _before_modal(clause: Clause, at: int) -> int:
    """Return the place before a modal that governs what follows, without a noun in between: 可以晚一天还."""
    start = _open_from(clause, at)
    kinds = ("AUX", "VERB") if clause.mood == "interrogative" else ("AUX",)
    found = next((w for w in clause.words[start:at] if w.pos in kinds and is_modal(w)), None)
    return left_edge(clause.tree, found, aspectual=True) if found is not None else at


def _before_coverb(clause: Clause, at: int) -> int:
    """Return the place before a coverb with a long object, and before a verb of posture: 坐在, 把他的书给我."""
    if at > 0 and form(clause.words[at]) == "在" and form(clause.words[at - 1]) in POSTURES:
        return at - 1
    for word in clause.words[stretch(clause, at) + 1 : at]:
        named = clause.words[word.index - 1].pos in ("NOUN", "PROPN", "PRON")
        if named and form(word) in LEADING and word.pos in ("ADP", "AUX"):
            relative = any(w.label == "mark:rel" for w in clause.words[word.index : at])
            return at if relative else word.index
    return at


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
        opening = clause.words[start]
        chained = 0 < start < at and start == stretch(clause, at) and opening.pos == "VERB"
        return start if chained and not is_stative(clause) and not _is_named(clause, start, at) else at
    nouns = [w for w in clause.words[verb.index + 1 : at] if w.pos in ("NOUN", "PROPN", "PRON")]
    if is_stative(clause) and nouns:
        return at
    return left_edge(clause.tree, verb, aspectual=True)


def _is_named(clause: Clause, start: int, at: int) -> bool:
    return any(w.label.startswith(("nsubj", "mark", "csubj")) for w in clause.words[start:at])


def _leads(clause: Clause, verb: Word, start: int) -> bool:
    """Whether a word is a verb right after a subject, but for adverbs."""
    if verb.pos != "VERB" or verb.label in ("amod", "compound", "nmod", "acl", "acl:relcl", "case"):
        return False
    at = left_edge(clause.tree, verb, aspectual=True)
    if any(form(w) in AFTER | LOCALIZERS for w in clause.words[verb.index + 1 : verb.index + 5]):
        return False
    while (
        at > start
        and clause.words[at - 1].pos != "ADP"
        and (form(clause.words[at - 1]) in SPEAKER or is_time(clause.words[at - 1]))
    ):
        at -= 1
    before = clause.words[at - 1] if at > start else None
    return before is not None and before.pos in ("NOUN", "PROPN", "PRON")


def _before_quantifier(clause: Clause, at: int) -> int:
    conditional = any(form(w) in LINKING or form(w) == "一" for w in clause.words[:at])
    while at > 0 and _quantifies(clause, at, conditional=conditional):
        at -= 1
    counted = at > 1 and form(clause.words[at - 1]) in TIMES_COUNTED and clause.words[at - 2].pos == "NUM"
    return at - 2 if counted else at


def _quantifies(clause: Clause, at: int, *, conditional: bool) -> bool:
    """Whether the word before `at` is an adverb that a comment precedes."""
    word = clause.words[at - 1]
    text = form(word)
    if text == "并":
        return is_negator(clause.words[at])
    if text == "就" and (conditional or (at == 1 and form(clause.words[at]) != "是")):
        return False
    return text in QUANTIFYING and word.pos in ("ADV", "SCONJ")


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
    if form(asking) == "还是":
        return clause.words[_before_quantifier(clause, modal_site(clause).index)]
    if form(asking) in MANNER:
        return clause.words[_before_modals(clause, asking.index)]
    site = clause.words[_before_quantifier(clause, modal_site(clause).index)]
    before = clause.words[asking.index - 1] if asking.index else None
    if asking.index < site.index:
        return before if before is not None and before.pos == "ADP" and before.label == "case" else asking
    if before is not None and before.index > clause.predicate.index + 1 and _asks_about(before):
        return before
    if stretch(clause, asking.index) > clause.predicate.index:
        return asking if asking.pos in ("ADV", "VERB", "AUX") else None
    return site


def _before_modals(clause: Clause, at: int) -> int:
    while at > 0 and (is_modal(clause.words[at - 1]) or form(clause.words[at - 1]) in QUANTIFYING | {"又", "该", "是"}):
        at -= 1
    return at


def _asks_about(word: Word) -> bool:
    """Whether a word right before the one that asks is the verb of the question: 达到20万要多少钱."""
    return is_modal(word) or word.tag.startswith("VC") or (word.pos == "VERB" and word.label != "compound:vv")


def question_site(clause: Clause) -> Word:
    """Return the word before which a modal verb goes in a question: after 为什么, before 怎么."""
    site = modal_site(clause)
    causes = [w for w in clause.words[site.index : clause.predicate.index] if form(w) in CAUSE]
    return clause.words[causes[-1].index + 1] if causes else site


def is_subordinate(clause: Clause) -> bool:
    """Whether the place is in a clause that depends on a later one: 如果… or …后."""
    at = clause.predicate.index
    start = stretch(clause, at)
    end = next((w.index for w in clause.words[at:] if w.text in COMMAS), None)
    if any(form(w) == "时候" for w in clause.words[at:end]):
        return True
    if end is None:
        return False
    linked = any(form(w) in SUBORDINATING for w in clause.words[start:at])
    return linked or form(clause.words[end - 1]) in AFTER


def has_topic(clause: Clause) -> bool:
    """Whether a noun that may be the subject stands before the place of a modal."""
    words = clause.words[: site_of(clause, comment=True).index]
    return clause.subject is not None or any(
        w.pos in ("NOUN", "PROPN", "PRON") and not is_time(w) and w.label not in ("obj", "clf") for w in words
    )


def is_stray(clause: Clause, site: Word) -> bool:
    """Whether the word before a place shows that it is in the middle of a phrase."""
    opened = clause.words[_open_from(clause, site.index) : site.index]
    if any(is_negator(w) or form(w) in ASPECTUAL for w in opened):
        return True
    after = clause.words[site.index + 1 : site.index + 2]
    if form(site) == "可" and after and after[0].pos in NOMINAL:
        return True
    if site.index == 0:
        return False
    previous = clause.words[site.index - 1]
    if form(previous) in ("便", "则"):
        return True
    if previous.pos == "PUNCT" or form(previous) in SPEAKER or is_time(previous):
        return previous.text in "、《“（("
    if form(previous) in OF_MODIFIERS | {"地", "得", "来", "去"} or previous.pos in ("DET", "NUM"):
        return True
    if previous.pos == "ADP" and form(previous) not in LOCALIZERS and not previous.label.startswith("case:loc"):
        return True
    if previous.pos == "VERB":
        return not (is_adjectival(clause) or is_stative(clause) or form(clause.predicate) in EFFECTS)
    return previous.pos not in NOMINAL and previous.pos not in ("ADV", "SCONJ", "CCONJ", "ADP", "PART", "VERB", "AUX")
