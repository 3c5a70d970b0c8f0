"""Where a phrase of modality goes: before the predicate with its coverbs, before or after 都 and question words."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.claims import COMMAS
from sda_hf.grammar.chinese.dictionary import divides
from sda_hf.grammar.chinese.predicates import is_adjectival, is_stative, modal_site
from sda_hf.grammar.chinese.rules.modal_questions import MANNER, alternative_of, question_word
from sda_hf.grammar.chinese.spans import NOMINAL, PROGRESSIVE, SPEAKER, STRONG, is_modal, is_negator, is_time, left_edge
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause, Word

# A comment on the claim stands before these adverbs, a modal verb after them: 确实都来, 都会来.
QUANTIFYING = frozenset(
    "都 还 才 又 均 皆 仍 仍然 依然 还是 几乎 就 全 全都 也都 从来 从未 天天 往往 时常 一向 向来 又 再次 一次".split()
)
LINKING = lexicon.words("conjunctions", "subordinate")
EFFECTS = lexicon.words("modal phrases", "effects")
AFFECTING = lexicon.words("modal phrases", "affecting") | lexicon.words("verbs", "causing")
UNABLE = frozenset("无法 未能 不能".split())
ANY = frozenset("什么 谁 哪里 哪儿 啥".split())
ASKED_FOR = frozenset("什么 啥 谁 哪 哪个 哪些 哪里 哪儿".split())
CAUSE = frozenset("为什么 为何 为啥 干嘛 干吗 咋".split())
TIME_OR_PLACE = frozenset("于 在".split())
POSTURES = frozenset("站 坐 躺 跪 蹲 睡 住 放 挂 停 趴 靠 走 跑".split())
LEADING = frozenset("把 被 将 向 朝 对 从 跟 给 往 为 由 以 就".split())
MEANS = frozenset("用 通过 以 利用 靠 凭".split())
ASPECTUAL = lexicon.words("adverbs", "perfect")
FARTHEST = 5  # words between 到底 and the word that asks
TIMES_COUNTED = frozenset("次 度 番 遍 回".split())
WORTH = frozenset("有 是 要 花 值 卖 为 占 差 欠 付 收 交 剩 用 省 赚".split())  # 要多少钱
PURPOSE = frozenset("以便 以免 免得 省得 以致 以至".split())
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
    named = [w.index for w in clause.words[at : clause.predicate.index] if w.label == "nsubj" and w.pos == "PRON"]
    if named and form(clause.words[named[-1] - 1]) not in STRONG:
        at = named[-1] + 1
    while at < clause.predicate.index and clause.words[at].label.startswith("nsubj"):
        at += 1
    at = _before_adverb(clause, at)
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
    found = next((w for w in _outside(clause, at) if is_modal(w) and w.pos != "ADP"), None)
    return left_edge(clause.tree, found, aspectual=True) if found is not None else at


def _before_adverb(clause: Clause, at: int) -> int:
    """Return the place before an adverb of aspect or a negator that other words separate from the predicate."""
    adverbs = [w for w in _outside(clause, at) if w.pos in ("ADV", "AUX") or form(w) in UNABLE]
    adverbs = [w for w in adverbs if is_negator(w) or form(w) in ASPECTUAL]
    if not adverbs or any(w.label.startswith("nsubj") for w in clause.words[adverbs[0].index : at]):
        return at
    return adverbs[0].index


def _outside(clause: Clause, at: int) -> tuple[Word, ...]:
    """Return the words before `at` that stand in no modifier: no verb and 的 follow them."""
    start = stretch(clause, at)
    modifiers = clause.words[start : _open_from(clause, at)]
    verbs = [w.index + 1 for w in modifiers if w.pos in ("VERB", "ADJ")]
    return clause.words[max([start, *verbs]) : at]


def _before_coverb(clause: Clause, at: int) -> int:
    """Return the place before a coverb with a long object, and before a verb of posture: 坐在, 把他的书给我."""
    if at > 0 and form(clause.words[at]) == "在" and form(clause.words[at - 1]) in POSTURES:
        return at - 1
    start = stretch(clause, at)
    even = next((w for w in clause.words[start:at] if form(w) == "连"), None)
    if even is not None:
        return even.index
    if at > start and form(clause.words[at - 1]) in ("来", "去"):
        means = [w.index for w in clause.words[start + 1 : at] if form(w) in MEANS and w.pos in ("ADP", "VERB")]
        at = means[0] if means else at
    if at - start > 1 and form(clause.words[at - 2]) in ("用", "以") and clause.words[at - 2].pos in ("ADP", "VERB"):
        return at - 2
    if at > start and form(clause.words[start]) == "由":
        return start
    for word in clause.words[start + 1 : at]:
        previous = clause.words[word.index - 1]
        named = previous.pos in ("NOUN", "PROPN", "PRON", "ADV") or form(previous) in PROGRESSIVE
        if named and form(word) in LEADING and word.pos in ("ADP", "AUX"):
            verbs = [w for w in clause.words[word.index + 1 : at] if w.pos == "VERB"]
            relative = verbs and any(w.label == "mark:rel" for w in clause.words[verbs[0].index : at])
            return at if relative else word.index - (form(previous) in PROGRESSIVE)
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
    while at > 0 and _quantifies(clause, at):
        at -= 1
    if 0 < at < len(clause.words) and form(clause.words[at]) in QUANTIFYING and form(clause.words[at - 1]) in ANY:
        return at - 1
    counted = at > 1 and form(clause.words[at - 1]) in TIMES_COUNTED and clause.words[at - 2].pos == "NUM"
    return at - 2 if counted else at


def _quantifies(clause: Clause, at: int) -> bool:
    """Whether the word before `at` is an adverb that a comment precedes."""
    word = clause.words[at - 1]
    text = form(word)
    if text == "并":
        return is_negator(clause.words[at])
    if text in ("将", "将要", "即将"):
        return True
    if text == "就":
        previous = clause.words[at - 2] if at > 1 else None
        if previous is None or previous.pos not in ("NOUN", "PROPN", "PRON", "PART"):
            return previous is not None and previous.pos == "PUNCT" and form(clause.words[at]) == "是"
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
    site = _inquiring(clause, asking) if asking is not None else None
    return _settled(clause, asking, site) if asking is not None and site is not None else None


def _inquiring(clause: Clause, asking: Word) -> Word | None:
    if asking is alternative_of(clause):
        return clause.words[_before_modals(clause, _before_quantifier(clause, asking.index))]
    before = clause.words[asking.index - 1] if asking.index else None
    if before is not None and form(before) == "为" and form(asking) in ("什么", "何"):
        return clause.words[_before_modals(clause, before.index)]
    if form(asking) == "还是":
        return clause.words[_before_quantifier(clause, modal_site(clause).index)]
    if form(asking) in MANNER:
        return clause.words[_before_modals(clause, asking.index)]
    return _before_asked(clause, asking, before)


def _settled(clause: Clause, asking: Word, site: Word) -> Word | None:
    """Return the place of 到底, moved out of a phrase: before 喝什么茶, 能省多少钱, 把我们带到哪里."""
    start = stretch(clause, site.index)
    words = clause.words
    before = words[site.index - 1] if site.index > start else None
    if site.index < asking.index:
        asked = words[asking.head] if asking.label in ("det", "nummod", "clf") and asking.head >= 0 else asking
        if asked.label.startswith("nsubj") and words[asking.index - 1].pos in ("NOUN", "PROPN", "VERB", "ADV", "PART"):
            verbal = words[asking.index - 1].pos == "VERB" and form(words[asking.index - 1]) != "开始"
            site = site if verbal else asking
        while site.index < asking.index and site.label.startswith("nsubj"):
            site = words[site.index + 1]
        between = words[site.index + 1 : asking.index]
        located = form(site) == "在" and between and all(w.pos in NOMINAL for w in between)
        priced = form(asking) == "多少" and not between and form(site) not in WORTH and len(form(site)) == 1
        site = asking if located or priced else site
    elif site is asking and before is not None and before.pos == "VERB" and _asks_for_thing(clause, asking):
        if before.index > start and words[before.index - 1].pos not in (*NOMINAL, "AUX"):
            return None
        site = before
    elif before is not None and form(before) in ("些", "点", "点儿"):
        return None
    if any(form(w) == "把" and w.pos == "ADP" for w in words[start : site.index]):
        return None if form(asking) not in MANNER else site
    if site.pos == "VERB" and site.index > start + 1 and form(words[site.index - 1]) == "去":
        site = words[site.index - 1]
    return words[_before_modals(clause, site.index)]


def _before_asked(clause: Clause, asking: Word, before: Word | None) -> Word | None:
    """Return the place of 到底 where the word that asks is a noun or stands for one: 什么, 哪里, 谁."""
    site = clause.words[_before_quantifier(clause, modal_site(clause).index)]
    if _is_far(clause, site, asking):
        return before if before is not None and _asks_about(before) else None
    cut = divides([form(w) for w in clause.words], site.index)
    if (cut or form(site).startswith("到")) and site.index < asking.index:
        if before is not None and before.label == "compound:vv":
            before = clause.words[min(before.head, before.index)]
        return before if before is not None and before.pos in ("VERB", "NOUN") and before.label == "root" else asking
    if asking.index < site.index:
        return before if before is not None and before.pos == "ADP" and before.label == "case" else asking
    if before is not None and before.index > clause.predicate.index + 1 and _asks_about(before):
        return before
    if stretch(clause, asking.index) > clause.predicate.index:
        return asking if asking.pos in ("ADV", "VERB", "AUX") else None
    return site


def _asks_for_thing(clause: Clause, asking: Word) -> bool:
    """Whether a word asks for what a verb before it is done to, or where: 什么, but not 什么时候."""
    following = clause.words[asking.index + 1 : asking.index + 2]
    return form(asking) in ASKED_FOR and not (following and form(following[0]) in AFTER)


def _is_far(clause: Clause, site: Word, asking: Word) -> bool:
    """Whether too much stands between a place and the word that asks: several verbs or many words."""
    between = clause.words[site.index : asking.index]
    return len(between) > FARTHEST or sum(w.pos == "VERB" or w.tag.startswith("VC") for w in between) > 1


def _before_modals(clause: Clause, at: int) -> int:
    while at > 0 and (is_modal(clause.words[at - 1]) or form(clause.words[at - 1]) in QUANTIFYING | {"又", "该", "是"}):
        at -= 1
    return at


def _asks_about(word: Word) -> bool:
    """Whether a word right before the one that asks is the verb of the question: 达到20万要多少钱."""
    return is_modal(word) or word.tag.startswith("VC") or (word.pos == "VERB" and word.label != "compound:vv")


def request_site(clause: Clause) -> Word | None:
    """Return the word before which 务必 goes in a request with 请: 请务必坐下, 请各位务必坐下."""
    polite = next((w for w in clause.words if form(w).startswith("请") or form(w) == "麻烦"), None)
    verb = next((w for w in clause.words[polite.index + 1 :] if w.pos == "VERB"), None) if polite is not None else None
    if polite is None or verb is None or len(form(polite)) > 1:
        return None
    return clause.words[max(polite.index + 1, left_edge(clause.tree, verb, aspectual=True))]


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
    if form(clause.words[start]) in ("当", "每当", "随着", "自从") or any(
        form(w) == "时候" for w in clause.words[at:end]
    ):
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
    """Whether the words around a place show that it is in the middle of a phrase."""
    start = stretch(clause, site.index)
    if any(form(w) in PURPOSE for w in clause.words[start : site.index + 1]):
        return True
    after = clause.words[site.index + 1 : site.index + 2]
    if form(site) in ("而是", "而", "但是"):
        return True
    if form(site) == "可" and after and after[0].pos in NOMINAL:
        return True
    return _is_open(clause, site) or (site.index > 0 and _goes_on(clause, clause.words[site.index - 1]))


def _is_open(clause: Clause, site: Word) -> bool:
    """Whether a word before a place still waits for what it belongs to: 不, 已经, 向, 因."""
    opened = clause.words[_open_from(clause, site.index) : site.index]
    if any(is_negator(w) or form(w) in ASPECTUAL for w in opened):
        return True
    if any(form(w) in LEADING - {"由", "从", "对"} and w.label == "case" and w.head < site.index for w in opened):
        return True
    cause = any(form(w) in ("因", "为") for w in opened)
    return cause and form(clause.words[site.index - 1]) == "而"


def _goes_on(clause: Clause, previous: Word) -> bool:
    """Whether a phrase cannot end with a word."""
    if form(previous) in ("以", "和", "与", "及", "或") or previous.tag.startswith("VC") or form(previous) == "还是":
        return True
    if form(previous) in ("便", "则", "不过"):
        return previous.index > 0 or form(previous) != "不过"
    if previous.pos == "PUNCT" or form(previous) in SPEAKER or is_time(previous):
        return previous.text in "、《“（("
    if form(previous) in OF_MODIFIERS | {"地", "得", "来", "去"} or previous.pos in ("DET", "NUM"):
        return True
    if previous.pos == "ADP" and form(previous) not in LOCALIZERS and not previous.label.startswith("case:loc"):
        return True
    if previous.pos == "VERB" and form(clause.predicate) not in AFFECTING:
        return not (is_adjectival(clause) or is_stative(clause) or form(clause.predicate) in EFFECTS)
    return previous.pos not in NOMINAL and previous.pos not in ("ADV", "SCONJ", "CCONJ", "ADP", "PART", "AUX")
