"""Events negated: 没(有) where something happened, 不 for habits and plans."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.dictionary import dictionary
from sda_hf.grammar.chinese.predicates import aspect_of, complement_of, is_future, is_habitual, is_past
from sda_hf.grammar.chinese.rules.negation.aspect import indefinite, unmarked
from sda_hf.grammar.chinese.rules.negation.sites import negated_event, negated_state, site_of
from sda_hf.grammar.chinese.rules.negation.words import word_after, word_before
from sda_hf.grammar.chinese.surface import delete, form, forms, replace
from sda_hf.grammar.edits import Result, Rule, Skip
from sda_hf.syntax.clause import Clause

EVENT = Rule("negation-event", "an event negated with 没(有)")
EXPERIENCE = Rule("negation-experience", "an experience negated: 没(有)...过")
PROGRESS = Rule("negation-progress", "an action in progress negated: 没在")
DURATION = Rule("negation-duration", "a lasting state negated: 没...着")
HABIT = Rule("negation-habit", "a habit, a plan or a general truth negated with 不")

HABITS = lexicon.words("verbs", "habits")
RESULTS = tuple(lexicon.phrases("verbs", "results"))
SAYING = lexicon.words("verbs", "saying")
PASSIVE = lexicon.words("prepositions", "passive") - {"受", "叫", "让", "给"}
IDLE = ("正", "差不多", "不禁", "不由得", "不由")
TELIC = lexicon.words("verbs", "telic")
PERSONAL = frozenset("我 你 您 我们 你们 咱们 咱".split())
WORN = frozenset("穿 戴 拿 带 提 背 穿戴".split())  # without 着 under negation: 没戴帽子
LONGEST_ACTION = 4  # characters
SITES = tuple("室校台廊场道店馆房厅院区间楼处库位站路山")
PIVOTAL = frozenset("叫 派 逼 劝 命令 请 邀请 让".split())
POSTURES = frozenset("坐 站 躺 蹲 跪 趴 靠 睡 倚".split())
LASTING = lexicon.words("negation", "lasting-at-a-place")
ACTING = lexicon.words("negation", "verbs-of-actions")
PLACES = lexicon.words("antonyms", "place-endings") | frozenset("家 这里 那里 这儿 那儿 外面 里面 场 室内".split())
LOCALIZERS = frozenset(
    "上 下 里 内 外 中 前 后 旁 旁边 边 里面 外面 上面 下面 前面 后面 附近 之间 之中 那里 这里 之上 之下".split()
)
SHORT = 7  # words


def happening(clause: Clause) -> Result | None:
    """Negate an event, by its aspect; None never."""
    aspect = aspect_of(clause)
    site = site_of(clause)
    if aspect.kind == "progressive" or form(site) in ("正在", "正"):
        return _progressive(clause)
    kind = aspect.kind
    marked = unmarked(clause)
    if kind == "none" and marked:
        kind = "perfective"
    if kind == "none" and not _has_happened(clause):
        reason = _reason(clause)
        if reason:
            return Skip(reason)
        return negated_state(clause, HABIT, site)
    rule = {"experiential": EXPERIENCE, "durative": DURATION}.get(kind, EVENT)
    counted = indefinite(clause, clause.predicate)
    if _is_bare_disposal(clause):
        marked = []
    dropped = [delete(clause, rule, w) for w in clause.words[site.index : clause.predicate.index] if form(w) in IDLE]
    if aspect.kind == "durative" and aspect.marker is not None and form(clause.predicate) in WORN:
        dropped.append(delete(clause, rule, aspect.marker))
    return [*negated_event(clause, rule, site, no_event(clause)), *dropped, *marked, *counted]


def is_under_way(clause: Clause) -> bool:
    """Whether 在, which the parser has as the predicate, stands before a verb rather than a place: 在卖花."""
    words = clause.words
    following = [w for w in words[clause.predicate.index + 1 :] if w.pos != "PUNCT"]
    if following and following[-1].pos == "VERB" and form(following[-1]) not in HABITS and len(following) > 1:
        return not (is_habitual(clause) or form(following[-1]) in LASTING)  # 在公园里哭
    if not following or any(w.label == "case:loc" or form(w) in LOCALIZERS for w in following):
        return False
    first, text = following[0], form(following[0])
    if form(following[-1]) in HABITS or is_habitual(clause) or text in PLACES:
        return False
    known = dictionary().get(text, "")
    if known.startswith("v") or (first.tag == "VV" and not known.startswith(("n", "s"))):
        return True
    spoken = forms(following)
    acts = spoken[0] in ACTING and (first.pos in ("VERB", "ADJ") or len(text) == 2)
    return acts and len(spoken) <= LONGEST_ACTION and not spoken.endswith(SITES)  # 卖花, 耍把戏


def _reason(clause: Clause) -> str:
    """Return why a claim without aspect, of a habit or a plan, is not negated; empty if it is."""
    text = form(clause.predicate)
    if clause.subject is None and not is_future(clause) and not is_habitual(clause) and clause.mood == "declarative":
        return "a command or a statement without its subject"
    if len(text) == 2 and text[0] == text[1]:
        return "a request"
    previous = word_before(clause, clause.predicate)
    if text in ("说", "讲", "看") and previous is not None and form(previous) == "来":
        return "uncertain predicate: a comment"
    return ""


def _is_bare_disposal(clause: Clause) -> bool:
    """Whether 了 has to stay, as the only thing after the verb of a 把 sentence: 没把车卖了."""
    disposed = any(form(w) == "把" for w in clause.words[: clause.predicate.index])
    le = word_after(clause, clause.predicate)
    final = word_after(clause, le) if le is not None and form(le) == "了" else None
    return disposed and len(form(clause.predicate)) == 1 and final is not None and final.pos == "PUNCT"


def no_event(clause: Clause) -> str:
    """Return 没, or 没有 before a verb of two syllables and in long sentences."""
    first = site_of(clause)
    short = len(form(first)) == 1 and len(clause.words) <= 2 * SHORT and form(first) not in ("没", "令", "使", "于")
    return "没" if short else "没有"


def _progressive(clause: Clause) -> Result:
    """在, 正在: 没在. 正 goes."""
    site = site_of(clause)
    edits = negated_event(clause, PROGRESS, site, "没")
    for word in clause.words[site.index : clause.predicate.index]:
        if form(word) == "正在":
            return [*edits, replace(clause, PROGRESS, word, "在")]
        if form(word) == "正":
            return [*edits, delete(clause, PROGRESS, word)]
    return edits


def is_pivotal(clause: Clause) -> bool:
    """Whether the claim is that somebody tells or asks another one to do something: 叫我离开."""
    following = clause.words[clause.predicate.index + 1 :]
    named = bool(following) and following[0].pos in ("PRON", "PROPN")
    if form(clause.predicate) not in PIVOTAL or not named:
        return False
    return (form(clause.predicate) == "叫" and following[0].pos == "PRON") or any(
        w.pos == "VERB" for w in following[1:4]
    )


def _is_placed(clause: Clause, verb: str) -> bool:
    """Whether somebody is in a posture or acts at a place: 躺在床上, 在外面走来走去."""
    after = word_after(clause, clause.predicate)
    if form(clause.predicate) in POSTURES and after is not None and form(after) == "在":
        return True
    return form(site_of(clause)) == "在" and verb not in LASTING and clause.mood == "declarative"


def _has_happened(clause: Clause) -> bool:
    """Whether a claim without aspect tells of an event rather than of a habit, a plan or a general truth."""
    verb = forms([clause.predicate, *complement_of(clause)])
    if verb in SAYING and any(w.label == "ccomp" and w.head == clause.predicate.index for w in clause.words):
        return True  # what time is meant is told of what was said
    if is_future(clause) or is_habitual(clause):
        return False
    if is_past(clause) or is_pivotal(clause) or form(site_of(clause)) in TELIC:
        return True
    if _is_placed(clause, verb) or verb in TELIC:
        return True
    before = clause.words[site_of(clause).index : clause.predicate.index]
    if any(form(w) in PASSIVE for w in before):
        return True
    if clause.subject is not None and clause.subject.first.tag == "CD" and clause.mood == "declarative":
        return True
    if verb in HABITS or clause.mood == "interrogative":
        return False
    if (verb.endswith(RESULTS) and len(verb) > 1) or verb in SAYING or form(site_of(clause)).startswith("不"):
        return True
    subject = clause.subject
    if subject is None or form(subject.head) in PERSONAL:
        return False
    return len(clause.words) > SHORT or (len(verb) > 1 and clause.end_mark is not None)
