"""Doubts of negation inside the clause: where a negator, put in or taken out, may be wrong or sound odd.

Such a statement is denied as a whole instead: see `rules/negation/statement.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.dictionary import dictionary
from sda_hf.grammar.chinese.doubts import common
from sda_hf.grammar.chinese.doubts.double_negation import ASKED, COUNTED, SUGGESTING, is_odd_command, is_unmarked
from sda_hf.grammar.chinese.doubts.negation_fit import unfit
from sda_hf.grammar.chinese.doubts.negation_senses import missed
from sda_hf.grammar.chinese.doubts.patterns import class_of
from sda_hf.grammar.chinese.predicates import STATIVE, aspect_of, copula_of, final_le, is_future, is_habitual
from sda_hf.grammar.chinese.rules.negation.events import HABITS
from sda_hf.grammar.chinese.rules.negation.words import CLASSIFIERS, is_intensifier, segment_of
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.spans import is_time
from sda_hf.grammar.chinese.surface import form, forms
from sda_hf.grammar.edits import Edit, apply
from sda_hf.syntax.clause import Clause, Word

# What denies that those who are new did something: 一只狗没在跑; that none of them did is another rule.
OF_VERBS = frozenset(
    "negation-event negation-habit negation-state negation-progress negation-duration negation-place".split()
)
BREAKS = frozenset("，,；;：:—─…？?！!。")
HOW = re.compile(r"怎么[一-鿿]{1,3}。$")
# Manner and degree that stand for what is seen or felt: 这么苍白, 情况如此, 可尖着哪; and a doubled verb: 摇摇头.
EMPHATIC = re.compile(r"[这那]么|如此|可(?![以能])[一-鿿]+(?:着[哪呢]|啊|啦)[。！!]*$|毫无|([摇点拍笑看想说走])\1")
QUOTED = re.compile(r"[“”「」\"]")
NEGATING = re.compile(r"[不没沒未无無别別非]")
UNSUITED = lexicon.words("negation-inside", "unsuited")
OPINING = lexicon.words("negation-inside", "opining")
TELLING = lexicon.words("double-negation", "telling")
COVERBS = lexicon.words("negation-inside", "coverbs")
SETTING = ("虽然", "由于")
QUERYING = re.compile("[哪咋啥谁]|怎么|什么")
ALONE = frozenset("除非 因为 因此 否则".split())
PARTICLES = frozenset("啦 嘛 呀 呗 嘞 喽".split())
ODD_COMMAND = re.compile(r"([一-鿿])\1|了[。！!]*$|…|^(?:快些|好|急)")
TAGGED = re.compile(r"[，,](?:(?:是|对|好|行|可以|不是)[吧吗么]|好不好|是不是|对不对|行不行)\W*$")
ORDERED = re.compile(r"(?:请|請|[你您]们?|千万|大家)*")
UNFORBIDDEN = re.compile(r"问[我他她你]个|先|[令使让]人|敢|很|真|太|非常|可以|会|能|属于|是|急|再坐")
UNASKED = re.compile(
    r"^(?:请|[你您]们?)?(?:别|不要|不用|甭)?(?:担心|害怕|难过|紧张|生气|着急|介意|误会|见怪|哭|慌|客气|灰心|绝望|后悔|伤心)"
)
UNSUITED_IN_LONG = lexicon.words("negation-inside", "unsuited-in-long")
UNSUITED_FOR_EVENTS = lexicon.words("negation-inside", "unsuited-for-events")
CONDITIONS = lexicon.words("negation-inside", "conditions")
TIMES_BEFORE = frozenset("后 时 时候 之后 以后 看来 报道".split())
FEELING = frozenset("对 对于 跟 比 为".split())
SHORT = 9  # words
NEW = re.compile(rf"一[大小]?[{''.join(w for w in sorted(CLASSIFIERS) if len(w) == 1)}]")
NOBODY = ("没人", "无人")
REMARK = 4  # words and marks: 下雨了。
LONGEST_WITH_SETTING = 16
LONGEST_OPINION = 12
LONGEST = 14  # words, without marks
LONGEST_COMMAND = 10
NOMINAL = ("NOUN", "PROPN", "PRON", "NUM")


def doubt_inside(clause: Clause, edits: Sequence[Edit]) -> str:
    """Return why a negation inside the clause may be wrong; empty if it is safe.

    Args:
        clause: the main clause.
        edits: those that negate its predicate, or take its negation away.
    """
    spoken = [w for w in clause.words if w.pos != "PUNCT"]
    if asks(clause):
        return "a question: negated, it asks the same"
    if has_more_sentences(clause):
        return "another sentence goes on from the claim"
    if clause.mood == "imperative" or any(e.new in ("别", "別") for e in edits):
        added = any(e.new in ("别", "別") for e in edits)
        return "" if _is_clear_command(clause, spoken, added) else "it may not be a command"
    if is_new(clause) and any(e.id in OF_VERBS | {"negation-having"} for e in edits):
        return "an indefinite subject"
    if EMPHATIC.search(simplified(clause.text)) is not None and not _has_quality(edits):
        return "an exclamation or an emphasis"
    return _doubt_of_statement(clause, edits, spoken)


def _doubt_of_statement(clause: Clause, edits: Sequence[Edit], spoken: Sequence[Word]) -> str:
    if is_unmarked(clause) and not _is_of_subject(clause):
        return "no mark at the end: it may be a query or a heading"
    if len(spoken) > LONGEST:
        return "a long sentence"
    if has_other_claim(clause):
        return "a second claim"
    if odd := _oddity(clause, edits):
        return odd
    state = clause.negation is not None or copula_of(clause) is not None
    alone = ALONE | {"由于"} if state else ALONE
    if any(form(w) in alone for w in clause.words[: clause.predicate.index]):
        return "a reason, a result or a rhetorical question"
    if lacks_own_subject(clause):
        return "no subject"
    if _has_unsuited(clause, edits):
        return "an adverb or verb that a negator does not suit"
    if clause.negation is None and _is_misplaced(clause, edits):
        return "uncertain place of the negator"
    if any(e.id == "negation-habit" for e in edits) and not _is_of_habit(clause):
        return "a scene rather than a habit or a plan"
    unsuited = missed(clause, edits) or unfit(clause, edits)
    return unsuited or ("a particle that no longer fits" if form(spoken[-1]) in PARTICLES else "")


def asks(clause: Clause) -> bool:
    """Whether the sentence is a question, or may be one whose mark is missing: 能降级吗, 在哪个国家举行."""
    if clause.mood == "interrogative":
        return True
    text = simplified(clause.text)
    unmarked = clause.end_mark is None or clause.end_mark.text[0] in "！!"
    return (unmarked and ASKED.search(text) is not None) or HOW.search(text) is not None


def has_more_sentences(clause: Clause) -> bool:
    """Whether the text has another sentence, other than one that tells who says what is quoted."""
    rest = clause.text[: clause.words[0].start] + clause.text[clause.words[-1].end :]
    return QUOTED.search(clause.text) is None and any(c.isalnum() for c in rest)


def is_new(clause: Clause) -> bool:
    """Whether the sentence begins with one who is new: 一只灰色的狗, 一群人."""
    text = simplified(common.sentence_of(clause))
    if clause.subject is not None and form(clause.subject.first) == "一":
        text = simplified(clause.text[clause.subject.first.start :])
    return NEW.match(text) is not None or (text.startswith("一") and COUNTED.match(text) is not None)


def has_other_claim(clause: Clause) -> bool:
    """Whether there is a part of the sentence after the claim, or one with a verb before it."""
    if TAGGED.search(simplified(clause.text)) is not None:
        return False
    place = clause.predicate.index
    breaks = [w.index for w in clause.words if w.text[0] in BREAKS]
    later = [at for at in breaks if at > place and any(w.pos != "PUNCT" for w in clause.words[at:])]
    if later:
        opined = form(clause.predicate) in OPINING and later == [place + 1]
        return not opined
    before = max((at for at in breaks if at < place), default=0)
    verbs = ("VERB", "AUX") if form(clause.words[0]) in SETTING else ("VERB", "AUX", "ADJ")
    if not any(w.pos in verbs for w in clause.words[:before]):
        return False
    setting = form(clause.words[0]) in CONDITIONS or form(clause.words[before - 1]) in TIMES_BEFORE
    return not setting or len(clause.words) > LONGEST_WITH_SETTING


def _is_clear_command(clause: Clause, spoken: Sequence[Word], added: bool) -> bool:
    """Whether a short sentence begins with its verb, or with 请, 把 and the like."""
    text = simplified(common.sentence_of(clause))
    parts = any(w.text[0] in BREAKS for w in clause.words[1 : spoken[-1].index])
    if ODD_COMMAND.search(text) is not None or (parts and form(clause.words[0]) not in CONDITIONS):
        return False
    plain = not added or (clause.end_mark is not None and NEGATING.search(text) is None)
    if added and form(spoken[-1]) not in SUGGESTING and is_odd_command(clause):
        return False
    if UNASKED.search(text) is not None:
        return False
    return plain and 2 <= len(spoken) <= LONGEST_COMMAND and not UNFORBIDDEN.search(ORDERED.sub("", text, count=1))


def _is_of_subject(clause: Clause) -> bool:
    """Whether a pronoun is the subject, or a short clause has a subject, a verb of a state and an object."""
    subject, after = clause.subject, clause.words[clause.predicate.index + 1 :]
    if subject is None or subject.last.index > clause.predicate.index:
        return False
    if subject.head.pos == "PRON":
        return True
    return bool(after) and len(clause.words) <= SHORT and form(clause.predicate) in STATIVE


def lacks_own_subject(clause: Clause) -> bool:
    """Whether no subject precedes the predicate of a statement that is not short, or of an exclamation."""
    if clause.mood != "declarative" or copula_of(clause) is not None or form(clause.predicate) in ("有", "没有", "是"):
        return False
    if clause.subject is not None and clause.subject.first.index < clause.predicate.index:
        return False
    first, end = clause.words[0], clause.end_mark
    if is_time(first) and end is None:
        return True  # 九点半叫我
    if form(first) in CONDITIONS or is_intensifier(first) or forms(clause.words[:2])[:2] in NOBODY:
        return False
    weather = first is clause.predicate and aspect_of(clause).kind != "none" and len(clause.words) <= REMARK
    if end is None or len(clause.words) > SHORT or end.text[0] in "！!":
        return True
    return not (weather or is_time(first) or first.pos in NOMINAL)


def _has_quality(edits: Sequence[Edit]) -> bool:
    return any(e.id in ("negation-comparison", "negation-copula") or e.id.startswith("negation-removed") for e in edits)


def _oddity(clause: Clause, edits: Sequence[Edit]) -> str:
    """Return why the sentence or the result may sound odd; empty if neither does."""
    odd = class_of("odd sentence", simplified(clause.text))
    if not odd and form(clause.predicate) != "在":
        odd = class_of("odd result", simplified(apply(clause.text, edits)))
    return odd or ("the result may sound odd" if _is_odd(clause, edits) else "")


def _is_odd(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether the negator clashes with the words around it, or 要 may be taken in another sense."""
    before = clause.words[: clause.predicate.index]
    if _clashes(clause, edits):
        return True
    subject = clause.subject
    personal = subject is not None and subject.head.pos == "PRON" and len(clause.words) <= SHORT
    if any(e.new == "不用" for e in edits):
        return not personal
    comma = any(w.text[0] in BREAKS for w in before)
    restored = any(e.id == "negation-removed-potential" for e in edits)
    stale = ("就", "又", "才", "连") if restored else ("就", "又", "才")
    return clause.negation is not None and not comma and any(form(w) in stale for w in before)


def _clashes(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether the negator does not go with the verb or with what follows: 不在卖, 不忘记, 没变暖已经造成."""
    predicate = clause.predicate
    following = [w for w in clause.words[predicate.index + 1 :] if w.pos != "PUNCT"]
    if clause.negation is not None:
        if any(form(w) in ("任何", "多少") for w in following) or "无意中" in simplified(clause.text):
            return True
        emptied = [clause.text[e.start : e.end] for e in edits if not e.new and e.start > clause.words[0].start]
        if "不是" in emptied:
            return True
        dropped = clause.end_mark is None and final_le(clause) is not None
        return dropped or (bool(following) and form(following[-1]) == "呢")
    asked = clause.end_mark is None and QUERYING.search(simplified(clause.text)) is not None
    if asked or any(form(w) in ("不", "没", "没有", "已", "已经") for w in following):
        return True
    put = {e.start for e in edits if e.new in ("不", "不是") and e.start == e.end}
    manner = any(form(w) == "地" and w.pos == "PART" for w in clause.words[: predicate.index])
    action = predicate.pos == "VERB" and form(predicate) not in STATIVE
    changed = (
        action
        and final_le(clause) is not None
        and not any(e.id in ("negation-modal", "negation-quality") for e in edits)
    )
    if put and (manner or changed):
        return True
    if form(predicate) in ("忘记", "忘") and (put or is_new(clause)):
        return True
    if form(predicate) == "在" and following and form(following[-1]) not in HABITS:
        return following[0].tag == "VV" or dictionary().get(form(following[-1]), "n").startswith("v")
    places = [w for w in clause.words[: predicate.index] if form(w) == "在" and w.start in put]
    personal = clause.subject is not None and clause.subject.head.pos == "PRON"
    if any(w.pos == "ADV" or not personal for w in places):
        return True
    nominal = predicate.tag in ("NNB", "CD") and copula_of(clause) is None
    return nominal and not any("是" in e.new for e in edits)


def _has_unsuited(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether an adverb, a verb of opinion or saying, or a rhetorical 谁 stands in the claim."""
    copula, short = copula_of(clause), len(clause.words) <= SHORT
    last = copula or clause.predicate
    modal = next((e.start for e in edits if e.id == "negation-modal"), last.end)
    segment = [w for w in segment_of(clause, clause.predicate) if w.index < last.index and w.start <= modal]
    before = [form(w) for w in segment]
    unsuited = UNSUITED if short else UNSUITED | UNSUITED_IN_LONG
    if any("没" in e.new or "沒" in e.new for e in edits):
        unsuited |= UNSUITED_FOR_EVENTS
    if clause.negation is None and any(text in unsuited for text in before):
        return True
    opens, text = form(clause.words[0]), form(clause.predicate)
    if opens in ("谁", "什么") and form(clause.words[1]) not in ("都", "也"):
        return True
    if text in OPINING:
        thought = text == "想" and clause.negation is None
        return thought or final_le(clause) is not None or len(clause.words) > LONGEST_OPINION
    following = clause.words[clause.predicate.index + 1 : clause.predicate.index + 2]
    alone = not following or following[0].pos == "PUNCT"
    return text in TELLING and (alone or not short)


def _is_misplaced(clause: Clause, edits: Sequence[Edit]) -> bool:
    """Whether the negator may stand inside a name or a noun phrase, or after a coverb."""
    place = next((e.start for e in edits if NEGATING.search(e.new)), None)
    if place is None:
        return False  # 只: 不只 and the like are found above; a comparison
    words, predicate = clause.words, clause.predicate
    at = next((w.index for w in words if w.end > place), predicate.index)
    subject = clause.subject
    if any(e.id == "negation-having" for e in edits) and clause.predicate.start - place in (0, 1):
        return False
    joining = form(words[at]) in ("和", "与", "跟")
    inside = subject is not None and subject.first.index < at <= subject.last.index and not joining
    if inside and copula_of(clause) is None and not is_intensifier(words[at]):
        return True
    previous = words[at - 1] if at else None
    joined = form(previous)[-1] + form(words[at]) if previous is not None else ""
    if dictionary().get(joined, "").startswith("n") or (joined[:1] in ("的", "之") and copula_of(clause) is None):
        return True  # 车站
    if subject is None and any(w.tag.startswith("BB") for w in words[:at]):
        return True
    return _follows_phrase(clause, edits, at)


def _follows_phrase(clause: Clause, edits: Sequence[Edit], at: int) -> bool:
    """Whether the negator may stand between a verb or coverb with its object and the verb that it belongs to."""
    words, predicate, subject = clause.words, clause.predicate, clause.subject
    previous = words[at - 1] if at else None
    after_de = form(words[at]) == "得" or (previous is not None and form(previous) == "得")
    after_subject = words[subject.last.index + 1 : at] if subject is not None else ()
    if not after_de and any(w.tag == "VV" and form(w) not in COVERBS for w in after_subject):
        return True  # 学会没放风筝
    of_event = copula_of(clause) is None and any(e.id.startswith("negation-event") for e in edits)
    if subject is not None and of_event and any(_is_action(w) for w in words[subject.last.index + 1 : at]):
        return True  # 出城没有迎接
    if len(words) <= SHORT and (subject is not None or copula_of(clause) is not None):
        return _splits_place(clause, words[:at])
    start = subject.last.index + 1 if subject is not None and subject.last.index < at else 0
    between = words[start:at]
    asked = any(form(w) == "什么" for w in between)
    if not asked and any(form(w) in COVERBS and w.pos in ("ADP", "VERB", "SCONJ") for w in between):
        return True
    named = previous is not None and previous.pos in NOMINAL and not is_time(previous)
    if named and between and subject is not None:
        return True
    known = dictionary().get(form(predicate), "")
    bare = predicate.tag == "VV" and aspect_of(clause).kind == "none"
    return bare and known.startswith(("n", "q", "m")) and len(form(predicate)) > 1


def _is_of_habit(clause: Clause) -> bool:
    """Whether a time or an adverb makes it a habit or a plan, or a person that is spoken of acts: 他明天不去."""
    if len(clause.words) <= SHORT and clause.end_mark is not None:
        return True
    personal = clause.subject is not None and clause.subject.head.pos == "PRON"
    return personal or is_habitual(clause) or is_future(clause)


def _is_action(word: Word) -> bool:
    """Whether the dictionary has a word as a verb, other than one that leads a phrase: 出城, but not 在."""
    return dictionary().get(form(word), "").startswith("v") and form(word) not in COVERBS and word.pos != "ADV"


def _splits_place(clause: Clause, before: Sequence[Word]) -> bool:
    """Whether a place or company stands before the negator of a short claim: 和他的猫没玩, 在家不睡."""
    led = (w.index for w in before if form(w) in COVERBS - FEELING and w.pos in ("ADP", "VERB"))
    start = next(led, None)
    subject = clause.subject
    return start is not None and subject is not None and start > subject.last.index and before[-1].pos in NOMINAL
