"""Doubts of a negator put in or taken out: what stands around it that it does not go with."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.dictionary import dictionary, divides
from sda_hf.grammar.chinese.polarity import FIXED
from sda_hf.grammar.chinese.predicates import COMPLEMENTS, copula_of, final_le
from sda_hf.grammar.chinese.rules.negation.words import CLASSIFIERS, segment_of
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.spans import COVERBS, MODALS, NEGATORS, SCOPE, is_time
from sda_hf.grammar.chinese.surface import form, forms
from sda_hf.grammar.edits import Edit
from sda_hf.syntax.clause import Clause, Word

NEGATING = re.compile(r"[不没沒未无無非]")
THINKING = lexicon.words("verbs", "thinking")
TELLING = lexicon.words("double-negation", "telling")
TRANSLITERATED = lexicon.words("negation-inside", "transliterated")
SINGULAR = frozenset("我 你 您 他 她 它 这 那 此".split())
POSSIBLE = re.compile(r"(?<!不)可能")
LASTING = re.compile(
    r"^[^，。]{0,2}(?:[一二两三四五六七八九十几半数多\d]+)(?:周|天|年|个?小时|分钟|个?月|个?星期|秒|次|遍|回|趟|晚)"
)
COUNTED = re.compile(r"(?<![一二两三四五六七八九十几这那每某整多是\d])个(?!人|性|体|别|头|子)")
INDEFINITE = re.compile(r"某|任意|[他她它](?:们)?的|[他她它]们?[一-鿿]{0,1}(?:手|妈|爸|儿|女)")
THEIRS = re.compile(r"[和与跟][他她它]们?的")
POSTURES = frozenset("坐 站 躺 蹲 跪 趴 靠 睡 挂 停 放 摆 住 立 走 跑 玩 笑".split())
TIMES = frozenset("月 周 天 年 今天 全年 整年 整天 半夜 平时 月底 年底 星期".split())
LOCALIZING = "上下里外中前后面边旁内"
DEGREE = lexicon.words("adverbs", "degree")
PLAIN_MANNERS = SCOPE | frozenset("耐心 清楚 真正 很好 更好".split())
OF_NOUNS = frozenset("negation-universal negation-existential negation-many negation-condition negation-adverb".split())
LEADING_TO = frozenset("进 到 入 出 回 过 向 成".split())
GRADABLE = lexicon.words("adjectives", "gradable")
EXISTING = frozenset("有 没有 是 在 有些 有的".split())
VERBS = lexicon.words("negation", "verbs-of-actions")
Check = Callable[[Clause, Sequence[Edit]], bool]


def unfit(clause: Clause, edits: Sequence[Edit]) -> str:
    """Return why a negator does not go with what stands around it; empty if it does.

    Args:
        clause: the main clause.
        edits: those that negate its predicate, or take its negation away.
    """
    return next((reason for reason, holds in CHECKS if holds(clause, edits)), "")


def _place(clause: Clause, edits: Sequence[Edit]) -> Word | None:
    """Return the word before which a negator is put."""
    if clause.negation is not None:
        return None
    place = next((e.start for e in edits if NEGATING.search(e.new) and e.start == e.end), None)
    return None if place is None else next((w for w in clause.words if w.start >= place), None)


def _is_only_possible(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether it remains possible: 可能不是 and 可能是 can both be true."""
    start = clause.subject.last.index + 1 if clause.subject is not None else 0
    before = forms(clause.words[start : (copula_of(clause) or clause.predicate).index + 1])
    return POSSIBLE.search(before) is not None and not any("不可能" in e.new for e in edits)


def _is_in_manner(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether what is negated has a manner with 地, to which the negation would seem to belong."""
    negation = clause.negation
    if negation is not None:
        between = clause.words[negation.word.index : clause.predicate.index]
        return any(form(w) == "地" and w.tag.startswith("DEV") for w in between)
    before = clause.words[: clause.predicate.index]
    at = next((w.index for w in before if form(w) == "地" and w.tag.startswith("DEV")), 0)
    degree = at > 1 and form(before[at - 2]) in DEGREE
    manner = at > 0 and (degree or form(before[at - 1]) not in PLAIN_MANNERS)
    whole = any(e.id in ("negation-universal", "negation-existential", "negation-copula") for e in edits)
    return manner and not whole and _place(clause, edits) is not None


def _lasts(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 不 stands before a verb with how long or how often: 不出去一周."""
    place = _place(clause, edits)
    rest = clause.words[clause.predicate.index + 1 :]
    habit = place is not None and not any("没" in e.new or "是" in e.new for e in edits)
    return habit and LASTING.search(simplified(forms(rest))) is not None


def _has_bare_unit(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 个 without a number follows 不 or 别: 不想问个问题."""
    put = any(e.new in ("不", "别", "不用", "不会", "不想") for e in edits) and not clause.negation
    return (
        put and copula_of(clause) is None and COUNTED.search(forms(clause.words[clause.predicate.index :])) is not None
    )


def _is_of_one(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 都 after one person alone would lose the negation that it goes with: 他都不说话."""
    negation, subject = clause.negation, clause.subject
    if negation is None or subject is None or not any(not e.new or e.new == "有" for e in edits):
        return False
    before = clause.words[: negation.word.index]
    if "连" in forms(before):
        return False
    all_of = bool(before) and form(before[-1]) == "都"
    return all_of and (form(subject.head) in SINGULAR or subject.head.pos == "PROPN")


def _is_of_nobody(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 没有 before the subject reaches somebody's own things: 没有女孩在检查她的自行车."""
    if clause.negation is None and "某" in forms(clause.words[clause.predicate.index :]):
        return True
    if not any(e.id in ("negation-existential", "negation-many") for e in edits) or clause.negation is not None:
        return False
    after = simplified(forms(clause.words[clause.predicate.index :]))
    before = simplified(forms(clause.words[: clause.predicate.index]))
    return (
        INDEFINITE.search(after) is not None
        or THEIRS.search(before) is not None
        or INDEFINITE.search(before) is not None
    )


def _leaves_bare_verb(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether a verb of one syllable is all that 没有 leaves of a change: 没有事情变."""
    existential = any(e.id == "negation-existential" for e in edits) and clause.negation is None
    final = final_le(clause)
    return existential and final is not None and final.index == clause.predicate.index + 1


def _is_in_name(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether the place is inside a name that the segmenter has cut: 朱利叶|斯问."""
    place = _place(clause, edits)
    if place is None or not place.index:
        return False
    text, previous = form(place), clause.words[place.index - 1]
    unknown = len(text) > 1 and text not in dictionary()
    named = previous.pos in ("PROPN", "X") or (previous.pos in ("NOUN", "PART") and unknown)
    return (named and text[0] in TRANSLITERATED and (unknown or place.pos == "PROPN")) or (unknown and text[0] == "地")


def _is_before_noun(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 没 or 不 stands before a noun, as in 没有嘴里叼着, or between a verb and where it leads: 陷没进."""
    place = _place(clause, edits)
    if place is None or not place.index or any(e.id in OF_NOUNS or "是" in e.new for e in edits):
        return False
    previous = clause.words[place.index - 1]
    leads = form(place) in LEADING_TO and previous.pos == "NOUN" and len(form(previous)) == 1
    return leads or (place.pos in ("NOUN", "PROPN") and not is_time(place) and place is not clause.predicate)


def _is_of_extent(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether what follows 得 tells an extent rather than a quality: 打得屁滚尿流, 坏得惊人."""
    if not any(e.id == "negation-degree" for e in edits):
        return False
    following = [form(w) for w in clause.words[clause.predicate.index + 1 :] if w.pos != "PUNCT"]
    return clause.predicate.pos == "ADJ" or any(len(text) >= 4 for text in following)


def _keeps_negator(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether another negator stays in the same part of the sentence: 对女性来说不是很重要."""
    if _place(clause, edits) is None or any("是" in e.new for e in edits):
        return False
    segment = segment_of(clause, clause.predicate)
    start = clause.subject.last.index if clause.subject is not None else -1
    return any(
        form(w) in NEGATORS and form(w) not in FIXED and start < w.index <= clause.predicate.index + 2 for w in segment
    )


def _goes_on_after_le(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 没 leaves another event with 了 in the same part of the sentence: 没有买下股份犯了错误."""
    if clause.negation is not None or not any(e.id == "negation-event" for e in edits):
        return False
    gone = {e.start for e in edits if not e.new}
    segment = segment_of(clause, clause.predicate)
    later = [w for w in segment if w.index > clause.predicate.index and form(w) == "了" and w.tag == "AS"]
    return form(clause.predicate) not in THINKING | TELLING and any(w.start not in gone for w in later)


def _is_remote(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether a noun, an adjective or a verb stands between the subject and the negator: 他枯燥不乏味."""
    place, subject = _place(clause, edits), clause.subject
    if place is None or subject is None:
        return False
    if not subject.last.index < place.index:
        return place.index == 0 < subject.first.index and form(place) in COVERBS  # 没在瑞士他杀过
    if any(e.id in OF_NOUNS or e.id == "negation-degree" for e in edits):
        return False
    last = form(subject.last)
    if len(last) > 1 and last not in dictionary() and last[-1] in VERBS | POSTURES and subject.last.pos == "NOUN":
        return True  # 人们站|在
    between = clause.words[subject.last.index + 1 : place.index]
    if any(form(w) in COVERBS | {"得"} or w.tag.startswith("BB") or w.text[0] in "，," for w in between):
        return False
    known = SCOPE | MODALS
    return any(
        w.pos in ("NOUN", "ADJ", "VERB", "PROPN")
        and not (is_time(w) or w.tag == "NNB" or form(w) in TIMES)
        and form(w) not in known
        and form(w)[-1] not in LOCALIZING
        for w in between
    )


def _is_unknown(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether the dictionary lacks a bare verb, which the segmenter may have made of two words: 脚脏."""
    predicate, text = clause.predicate, form(clause.predicate)
    if _place(clause, edits) is not predicate or predicate.pos != "VERB" or len(text) != 2:
        return False
    return (
        text not in dictionary()
        and text[0] not in VERBS | {"忘"}
        and text[1] not in COMPLEMENTS
        and predicate.tag == "VV"
    )


def _is_set_phrase(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether the predicate is a set phrase that holds a negation: 一尘不染."""
    text = form(clause.predicate)
    return clause.negation is None and len(text) == 4 and any(c in "不无没未" for c in text)


def _is_in_modifier(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether what there is belongs to a noun before another verb: 一个手臂上有纹身的男人拉手风琴."""
    if not any(e.id in ("negation-having", "negation-removed-having") for e in edits):
        return False
    following = clause.words[clause.predicate.index + 1 :]
    de = next((i for i, w in enumerate(following) if form(w) == "的"), None)
    if de is None or not following[de + 1 :]:
        return False
    after = [w for w in following[de + 1 :] if w.pos not in ("NOUN", "PROPN", "PART", "ADJ")]
    return len(after) > 1 and after[0].pos in ("VERB", "ADV") and following[de + 1].pos == "NOUN"


def _wants_more(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 还 before a verb of action, which tells of one more, would be taken for "not yet": 还请求."""
    place = _place(clause, edits)
    if place is None or not place.index or form(clause.words[place.index - 1]) != "还":
        return False
    return any(e.id == "negation-habit" for e in edits)


def _follows_verb(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether a verb stands right before the subject, which may be its object: 带他们去看演出."""
    subject = clause.subject
    if subject is None or not subject.first.index or subject.first.index > clause.predicate.index:
        return False
    previous = clause.words[subject.first.index - 1]
    place = _place(clause, edits)
    if place is not None and place.index < subject.first.index:
        return False  # 没坐飞机去
    leads = form(previous) in GRADABLE | THINKING | TELLING | EXISTING | COVERBS
    return clause.negation is None and previous.tag == "VV" and not leads


def _is_conditional(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 没 tells what happens under a condition, or a contrast would no longer be one."""
    before = forms(clause.words[: clause.predicate.index])
    if clause.negation is not None:
        after = forms(clause.words[clause.predicate.index + 1 :])
        return (
            re.search(r".(?:但是?|可是|却|然而)", before) is not None or re.search(r"[也又][没不]", after) is not None
        )
    return re.search(r"如果|要是|一旦", before) is not None and any("没" in e.new for e in edits)


def _cuts_word(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether the place is inside a word of the dictionary, after a modal, or between a number and its unit."""
    place = _place(clause, edits)
    if place is None or not place.index:
        return False
    previous = clause.words[place.index - 1]
    counted = form(place) in CLASSIFIERS and form(previous) in ("这", "那", "每", "哪")
    if counted or (previous.pos == "NUM" and place.tag == "NNB"):
        return True
    if len(form(previous)) == 1 and form(previous) in MODALS - {"得"} and previous.tag != "NN":
        return True
    if form(place) == "在" and dictionary().get(form(previous), "").startswith("v") and previous.pos == "NOUN":
        return True  # 陈列在
    if previous.pos in ("PRON", "PUNCT") or form(previous) in "得都也还" or len(form(previous)) > 1:
        return False
    return previous.pos != "PART" and divides([form(w) for w in clause.words], place.index)


def _is_of_topic(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 是 after the predicate makes the claim a part of another one: 电力不再工作只是时间问题."""
    if form(clause.predicate) in THINKING | TELLING or copula_of(clause) is not None:
        return False
    following = clause.words[clause.predicate.index + 1 :]
    only = next((w for w in following if form(w) in ("是", "只是", "就是", "不过是") and w.tag.startswith("VC")), None)
    return only is not None and form(clause.words[only.index - 1]) in ("只", "就", "仅", "才", "也", "都")


def _is_told(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether a verb of thinking stands right before the subject, in what was taken for a name: 卡桑希望|他."""
    subject = clause.subject
    if subject is None or not subject.first.index or clause.negation is not None:
        return False
    text = form(clause.words[subject.first.index - 1])
    return len(text) > 1 and text[-2:] in THINKING - {"看来"}


def _ends_in_doubt(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 吧 at the end makes it a guess or a proposal."""
    spoken = [form(w) for w in clause.words if w.pos != "PUNCT"]
    return spoken[-1] in ("吧", "呗")


CHECKS: tuple[tuple[str, Check], ...] = (
    ("only a possibility", _is_only_possible),
    ("a manner with 地 under the negation", _is_in_manner),
    ("how long or how often under the negation", _lasts),
    ("一 that is left out under the negation", _has_bare_unit),
    ("都 that goes with the negation alone", _is_of_one),
    ("somebody's own things under 没有", _is_of_nobody),
    ("a negator or its removal leaves no predicate", _leaves_bare_verb),
    ("uncertain place of the negator: in a name", _is_in_name),
    ("uncertain place of the negator: in a word", _cuts_word),
    ("uncertain place of the negator: before a noun", _is_before_noun),
    ("an extent rather than a quality", _is_of_extent),
    ("another negator stays", _keeps_negator),
    ("another event goes on from the claim", _goes_on_after_le),
    ("uncertain place of the negator: far from the subject", _is_remote),
    ("uncertain predicate: an unknown word", _is_unknown),
    ("uncertain predicate: in a modifier", _is_in_modifier),
    ("a set phrase that holds a negation", _is_set_phrase),
    ("one more, rather than still", _wants_more),
    ("uncertain predicate: another one precedes", _follows_verb),
    ("a condition or a contrast before the claim", _is_conditional),
    ("uncertain predicate: another one follows", _is_of_topic),
    ("uncertain predicate: another one precedes", _is_told),
    ("a guess or a proposal", _ends_in_doubt),
)
