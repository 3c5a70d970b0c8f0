"""Doubts of a negator put in or taken out: words that have another sense, or another scope, with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.dictionary import dictionary
from sda_hf.grammar.chinese.mood import YOU
from sda_hf.grammar.chinese.predicates import final_le
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.surface import form, forms
from sda_hf.grammar.edits import Edit, apply
from sda_hf.syntax.clause import Clause, Word

PUTTING = re.compile(r"[不没沒未无無非]")
TOLD = re.compile(r"(?:[说想看听发觉认知感][出到见现得为道觉识]|知道|明白|发现|意识到|以为|说|想|懂|注意到|相信|承认)$")
KNOWN = frozenset("知道 记得 明白 清楚 懂得 希望".split())
POSTURES = frozenset("坐 站 躺 蹲 跪 趴 靠 睡 挂 停 放 摆 住 立".split())
PLACES = frozenset("家 场 校 内 外 里 此 岗 座 京 这 那 上 下 左 右 前 后".split())
DONE = frozenset("拒绝 要求 允许 答应 保持".split())
QUALITIES = lexicon.words("adjectives", "gradable") | {"乏味"}
DIRECTIONS = frozenset("进 到 入 出 回 过 向 成".split())
PLACED = frozenset("在 是 有 到 去 来".split())
TYPED_VERBS = 2
TYPED_WORDS = 7  # with more verbs than that
LONGEST_TYPED = 12
SPEAKERS = frozenset("我 我们 咱们".split())
CONDITION = re.compile(r"^(?:如果|要是|假如|倘若|若是|既然|只要|除非)")
# A thing that is new in the text: 没在一家餐馆. 不是 goes with one, and so does a habit: 不在一家银行工作.
INDEFINITE = re.compile(
    r"(?:没有?|不(?!是|仅|只|光|但|亚于|如|像))(?:[^，。是]*[^，。是第同每这那哪某唯统之单几])?一[个家座顶间位名所只条件把辆张块根种场本双对副幅匹头栋棵朵瓶杯碗盘篮堆排台架艘部片群些支份项套]"
    r"(?!人[住过睡在来去做生吃走待呆]|个|条心|位数)(?![^，。]*[也都][没不])"
)
MANNER = re.compile(r"不(?!是)[一-鿿]{0,2}([一-鿿])\1地")
BARE_RESULT = re.compile(r"不[出到见了起]")
NAMING = frozenset("negation-habit negation-copula negation-missing-copula".split())
Check = Callable[[Clause, Sequence[Edit]], bool]


def missed(clause: Clause, edits: Sequence[Edit]) -> str:
    """Return which word has another sense or scope under the negation; empty if none has.

    Args:
        clause: the main clause.
        edits: those that negate its predicate, or take its negation away.
    """
    return next((reason for reason, holds in CHECKS if holds(clause, edits)), "")


def _place(clause: Clause, edits: Sequence[Edit]) -> Word | None:
    """Return the word before which a negator is put."""
    place = next((e.start for e in edits if PUTTING.search(e.new) and e.start == e.end), None)
    return None if place is None else next((w for w in clause.words if w.start >= place), None)


def _is_planned(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 要 may tell of a plan rather than a duty, and became 不用: 这对夫妇要在太空结婚."""
    subject = form(clause.subject.head) if clause.subject is not None else ""
    return subject not in YOU and any(e.new == "不用" and clause.text[e.start : e.end] == "要" for e in edits)


def _follows_wearing(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether the negator follows a verb with 着 and its object: 穿着牛仔裤没有走在街上."""
    place = _place(clause, edits)
    if place is None or clause.negation is not None:
        return False
    held = [w.index for w in clause.words[: place.index] if form(w)[-1] in "着著" and len(form(w)) < 4]
    between = clause.words[held[-1] + 1 : place.index] if held else ()
    of_subject = clause.subject is None or not held or held[-1] < clause.subject.last.index
    ends = "的时，," if of_subject else "时，,"
    return bool(between) and not any(form(w) in ends for w in between)


def _cuts_verb(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether the negator stands inside a verb of the dictionary, or before a noun of one syllable: 装|扮成, 她|姐."""
    place = _place(clause, edits)
    if place is None or not place.index:
        return False
    previous, text = form(clause.words[place.index - 1]), form(place)
    joined = previous[-1:] + text[0]
    if len(previous) == 1 and dictionary().get(joined, "").startswith("v") and previous not in "人家者员":
        return clause.words[place.index - 1].pos in ("PART", "NOUN", "PROPN")
    if len(previous) == len(text) == 2 and (previous[0] == text[0] or {previous, text} <= QUALITIES):
        return True  # 自娱自乐, 枯燥乏味
    if text in DIRECTIONS and previous not in dictionary() and clause.words[place.index - 1].pos == "NOUN":
        return True  # 脚陷|进
    return len(text) == 1 and place.pos == "VERB" and dictionary().get(text, "v").startswith("n") and text not in "在有"


def _follows_verbal_noun(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether a verb right before the negator was read as the second of two nouns: 女人学会|放风筝."""
    place = _place(clause, edits)
    if place is None or place.index < 2 or clause.negation is not None or place.pos != "VERB":
        return False
    first, second = clause.words[place.index - 2 : place.index]
    known = dictionary().get(form(second), "")
    return first.pos in ("NOUN", "PROPN") and second.pos == "NOUN" and len(form(second)) > 1 and known == "v"


def _is_typed(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether a text without its mark is long, or has several verbs, as two sentences or a query have."""
    words = [w for w in clause.words if w.pos != "PUNCT"]
    verbs = sum(w.pos == "VERB" and form(w) not in PLACED for w in words)
    return clause.end_mark is None and len(words) > (TYPED_WORDS if verbs > TYPED_VERBS else LONGEST_TYPED)


def _wants_noun(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 要 of a wish stands before what is wanted rather than what is to be done: 我要锡纸烫."""
    changed = any(e.id == "negation-modal" and clause.text[e.start : e.end] == "要" for e in edits)
    known = dictionary().get(form(clause.predicate), "")
    unknown = not known and len(form(clause.predicate)) > 1
    return changed and clause.predicate.pos == "VERB" and (unknown or known.startswith("n"))


def _takes_other_le(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 了 of what is thought or seen goes with the negation of thinking: 看出他想错了."""
    final = final_le(clause)
    if final is None or TOLD.search(form(clause.predicate)) is None:
        return False
    gone = any(e.start == final.start and not e.new for e in edits)
    between = clause.words[clause.predicate.index + 1 : final.index]
    return gone and any(w.pos in ("VERB", "ADJ") for w in between)


def _restores_event_of_any(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 了 comes back after 任何: 任何地方都出售了."""
    any_of = "任何" in forms(clause.words[: clause.predicate.index])
    return any_of and any(e.id == "negation-removed-event" for e in edits)


def _knows_own(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether the speaker would not know what the speaker says: 我不知道我听说过."""
    subject = form(clause.subject.head) if clause.subject is not None else ""
    after = clause.words[clause.predicate.index + 1 :]
    claimed = form(clause.predicate) in KNOWN and bool(after) and form(after[0]) in SPEAKERS
    return subject in SPEAKERS and claimed and clause.negation is None


def _is_conditional(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether the claim holds under a condition: negated, it holds under the same one."""
    lasting = any(e.id in ("negation-copula", "negation-state", "negation-removed-having") for e in edits)
    return lasting and CONDITION.search(simplified(clause.text)) is not None


def _opens_twice(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether the negator is put before 在 and a subject follows, within what was read as one verb: 在瑞士|他杀过."""
    place = _place(clause, edits)
    if place is None or place.index or clause.subject is not None:
        return False
    return form(place) in "在从于" and form(clause.predicate)[0] in "我你他她它"


def _is_existence(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 是 after a place or time and a comma tells what there is: 他之后，是节目."""
    place = next((e.start for e in edits if e.id == "negation-copula"), None)
    before = None if place is None else next((w for w in reversed(clause.words) if w.end <= place), None)
    opened = before is not None and before.text in ("，", ",")
    return opened and re.search(r"[后前上下里外中旁边时]，", clause.text) is not None


def _is_indefinite(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether something that is new in the text stands under 没 or 不: 那人不在一家餐馆外面."""
    if any(e.id in NAMING for e in edits) or clause.negation is not None:
        return False
    return INDEFINITE.search(simplified(apply(clause.text, edits))) is not None


def _stretches_verb(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether a verb of two syllables takes 得 and its result, or loses 不 before it: 登陆得上, 分别出."""
    at = next((e.start for e in edits if e.id == "negation-removed-potential" and e.new == "得"), None)
    verb = next((w for w in clause.words if w.end == at), None)
    if verb is not None and len(form(verb)) > 1:
        return True
    return any(not e.new and BARE_RESULT.match(clause.text, e.start) for e in edits if e.start > 0) and any(
        w.end == e.start and w.pos == "VERB" for w in clause.words for e in edits
    )


def _is_of_manner(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 不 stands before how something is done, in whatever words it was cut: 不孤零零地躺着."""
    return clause.negation is None and MANNER.search(simplified(apply(clause.text, edits))) is not None


def _is_verb(word: Word) -> bool:
    return word.pos == "VERB" or dictionary().get(form(word), "").startswith("v")


def _is_posed(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 在 after the negator belongs to a verb before it, or leads one: 挂|在悬崖上, 在|磨."""
    place = _place(clause, edits)
    if place is None or form(place) != "在" or clause.negation is not None or not place.index:
        return False
    after = [w for w in clause.words[place.index + 1 :] if w.pos != "PUNCT"]
    led = len(after) == 1 and form(after[0]) not in PLACES and (len(form(after[0])) == 1 or _is_verb(after[0]))
    state = any(e.id == "negation-place" and e.new == "不" for e in edits)
    previous = form(clause.words[place.index - 1])
    verbal = len(previous) > 1 and dictionary().get(previous, "").startswith("v")
    return previous[-1] in POSTURES or (state and (verbal or led))


def _is_refused(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 不 denies what was done once: 拒绝了."""
    gone = final_le(clause) is not None and any(e.id == "negation-state" for e in edits)
    return gone and clause.negation is None and form(clause.predicate) in DONE


def _hides_aspect(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 不 stands before a verb whose 过 may have been cut off with the next word: 吃|过火|锅."""
    place = _place(clause, edits)
    if place is None or place.index + 1 >= len(clause.words) or len(form(place)) > 2:
        return False
    after = form(clause.words[place.index + 1])
    return len(after) > 1 and after[0] in "过過" and any(e.new == "不" for e in edits)


def _has_lasted(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 没 stands before how long something has lasted: 结婚三年了."""
    after = [w for w in clause.words[clause.predicate.index + 1 :] if w.pos != "PUNCT"]
    timed = any(w.pos == "NUM" for w in after) and any(form(w)[-1] in "年月天周时" for w in after)
    return timed and final_le(clause) is not None and any(e.id == "negation-event" for e in edits)


def _asks_what(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether 什么 under the negator turns from what into anything: 没在看什么."""
    place = _place(clause, edits)
    after = forms(clause.words[place.index :]) if place is not None else ""
    return clause.negation is None and after.endswith(("什么", "什么。"))


CHECKS: tuple[tuple[str, Check], ...] = (
    ("an indefinite thing under a negation", _is_indefinite),
    ("要 that may tell of a plan", _is_planned),
    ("uncertain place of the negator: after what is worn or held", _follows_wearing),
    ("uncertain place of the negator: in a word", _cuts_verb),
    ("no mark at the end: it may be two sentences", _is_typed),
    ("uncertain predicate: another one precedes", _follows_verbal_noun),
    ("要 before what is wanted", _wants_noun),
    ("了 that belongs to what is thought", _takes_other_le),
    ("任何 without its negation", _restores_event_of_any),
    ("what the speaker knows", _knows_own),
    ("a potential that is not said", _stretches_verb),
    ("uncertain place of the negator: before 在", _is_posed),
    ("done once, rather than a state", _is_refused),
    ("uncertain place of the negator: before the subject", _opens_twice),
    ("a manner with 地 under the negation", _is_of_manner),
    ("a length of time under a negation", _has_lasted),
    ("过 that may mark the aspect", _hides_aspect),
    ("什么 under a negation", _asks_what),
    ("a condition before the claim", _is_conditional),
    ("uncertain predicate: what there is after a place", _is_existence),
)
