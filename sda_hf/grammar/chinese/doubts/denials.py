"""Which phrases of the default list of double negation suit a claim: 不得不说 suits 味道很好.

Phrases that the user chose are not restricted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.doubts.double_negation import COUNTED, is_asked
from sda_hf.grammar.chinese.mood import STATIVE
from sda_hf.grammar.chinese.predicates import (
    aspect_of,
    copula_of,
    degree_of,
    is_adjectival,
    is_dated,
    is_future,
    is_past,
    is_stative,
    modal_of,
)
from sda_hf.grammar.chinese.rules import cancelling
from sda_hf.grammar.chinese.rules.denial_phrases import DenialPhrase, parsed
from sda_hf.grammar.chinese.rules.statement_frames import CONTRARY, linking_word, start_of_statement
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.surface import form, forms
from sda_hf.syntax.clause import Clause, Word

KINDS = (
    "evaluation", "exclamation", "scene", "record", "forecast", "hedged", "own", "dialogue", "report", "statement",
    "story", "contrary", "adding", "concluding",
)  # fmt: skip
FITTING = {kind: lexicon.phrases("double-negation-fits", kind) for kind in KINDS}
ADDING = lexicon.words("double-negation", "adding")
HEDGING = lexicon.words("double-negation", "hedging")
EVALUATING = lexicon.words("double-negation", "evaluating")
OPINING = lexicon.words("double-negation", "opining")
TELLING = lexicon.words("double-negation", "telling")
COMMENTING = lexicon.words("double-negation", "commenting")
FORECAST = lexicon.words("modals", "forecast")
DEGREE = lexicon.words("adverbs", "degree")
OWN = frozenset("我 我们 咱们 咱 俺 本人".split())
YOU = lexicon.words("pronouns", "you") | {"你俩", "你们俩"}
PERSONS = frozenset("他 她 他们 她们".split())
SPOKEN = frozenset("吗 呢 吧 啊 呀 嘛 啦 哦 喔 哟 呗 么 哪 哈 咱 俺 您 咋 啥 嘅 系 唔 佢 噶 咯 嘞".split())
FORCED = lexicon.words("double-negation", "forced")
STRICT = lexicon.words("double-negation", "strict")
WISHED = frozenset("希望 要求 同意 反对 支持 建议 期待 拒绝 打算 想要".split())
OF_I = ("不瞒你说",)
PROGRESSIVE = lexicon.words("adverbs", "progressive")
SURELY = lexicon.words("double-negation", "surely")
ABSTRACT = lexicon.words("double-negation", "abstract")
VISIBLE = lexicon.words("double-negation", "visible")
INTRODUCED = re.compile(r"值得|需要|应当|要注意|令人|特别|尤其|可以举|举例|[一-鿿]{2,8}的是[，,]")
# What a date or a place of time opens stands in the order of events: 不得不提的是 breaks it.
# What nobody calls in question: a measure, a name, a place.
RECORDED = re.compile(r"\d|[站名号]为|为[一-鿿]*[站号]|位于|坐落|则|面积|人口")
DATED = re.compile(r"直至|直到|至|截至|到了?|随着|自从|从此|于是|同年|次年|翌年|当时|之后|此后|后来")
# After these, a phrase that claims that something is certain stands in the wrong place: 毋庸置疑，此后，…
OPENINGS = frozenset("此后 随后 后来 其后 接着 然后 之后 当时 同年 同时 仍然".split())
SHORT = 16  # words of a sentence with a phrase inside
LONG_AFTER = 24  # words of a statement that a phrase can follow


def suited(clause: Clause, phrases: Sequence[str]) -> list[str]:
    """Return the phrases that suit a claim, in the order given: those inside the clause first."""
    if clause.mood != "declarative":
        return list(phrases)[:1]
    inside = [phrase for phrase in phrases if suits_inside(clause, parsed(phrase))]
    around = set(suiting(clause))
    return inside + [phrase for phrase in phrases if phrase in around]


def suits_inside(clause: Clause, phrase: DenialPhrase) -> bool:
    """Whether a native writer would put a phrase into the clause."""
    if clause.negation is not None or len(clause.words) > SHORT or is_asked(clause):
        return False
    obliging = cancelling.obliging(clause)
    personal = clause.subject is not None and (clause.subject.head.pos == "PRON" or _is_visible(clause.subject.head))
    if phrase.kind == "duty":
        if obliging is None:
            return False
        if form(obliging[0]) in FORCED:
            return phrase.opening == "不得不"
        return form(obliging[0]) in STRICT and phrase.opening == "不能不" and personal
    if phrase.kind == "certain":
        return personal and any(form(w) in SURELY for w in clause.words)
    if phrase.kind == "all":
        return True
    return phrase.kind == "predicate" and _is_had(clause)


def _is_had(clause: Clause) -> bool:
    """Whether the claim is that there is something abstract: 有道理."""
    following = clause.words[clause.predicate.index + 1 :]
    thing = [w for w in following if w.pos != "PUNCT"]
    return form(clause.predicate) == "有" and len(thing) == 1 and form(thing[0]) in ABSTRACT


def suiting(clause: Clause) -> tuple[str, ...]:
    """Return the phrases around a whole statement that suit a claim."""
    found = _suiting(clause)
    if clause.subject is None or form(clause.subject.head) != "我":
        found = tuple(phrase for phrase in found if phrase not in OF_I)
    first = start_of_statement(clause)
    if clause.subject is None or DATED.match(simplified(clause.text[first.start :])) is not None:
        found = tuple(phrase for phrase in found if not phrase.endswith("提的是"))
    if RECORDED.search(simplified(clause.text)) is not None:
        found = tuple(phrase for phrase in found if not phrase.startswith("…"))
    commas = any(w.text in "，,；;：:" for w in clause.words)
    if commas or len(clause.words) > LONG_AFTER or clause.subject is None or clause.end_mark is None:
        found = tuple(phrase for phrase in found if not phrase.startswith("…"))
    return found


def _suiting(clause: Clause) -> tuple[str, ...]:
    link = linking_word(clause)
    if link is not None:
        return _linked(clause, form(link))
    first = start_of_statement(clause)
    if INTRODUCED.match(simplified(clause.text[first.start :])) is not None:
        return ()  # 没错 confirms what is known, 值得一提的是 introduces what is new
    if form(first) in COMMENTING or form(first) in OPENINGS:
        return FITTING["dialogue"]
    if COUNTED.match(forms(list(clause.words[first.index : first.index + 2]))) is not None and not is_scene(clause):
        return FITTING["dialogue"]  # what is new to the listener can hardly be denied: 一群人站在门廊上
    return FITTING[kind_of(clause)]


def _linked(clause: Clause, link: str) -> tuple[str, ...]:
    """Return the phrases that suit a claim after a word that links it to what precedes it."""
    if link in CONTRARY:
        return FITTING["contrary"] if is_evaluation(clause) or is_stative(clause) or clause.negation is not None else ()
    return FITTING["adding"] if link in ADDING else () if link == "而" else FITTING["concluding"]


def kind_of(clause: Clause) -> str:
    """Return the kind of a claim, one of `KINDS`."""
    texts = [form(w) for w in clause.words]
    lively = clause.end_mark is not None and clause.end_mark.text[0] in "！!"
    evaluates = is_evaluation(clause)
    if lively:
        return "exclamation" if evaluates else "dialogue"
    if any(t in HEDGING for t in texts):
        return "hedged"
    if is_scene(clause):
        return "scene"
    if evaluates:
        return "evaluation"
    return _kind_by_subject(clause, texts)


def _kind_by_subject(clause: Clause, texts: list[str]) -> str:
    subject = form(clause.subject.head) if clause.subject is not None else ""
    if any(t in YOU for t in texts) or any(t in SPOKEN for t in texts):
        return "dialogue"
    if subject in OWN or texts[0] in OWN:
        return "own" if len(texts) <= 20 and _is_confessed(clause) else "dialogue"
    if is_dated(clause):
        return "record"
    if is_future(clause) or any(t in FORECAST for t in texts[: clause.predicate.index + 1]):
        return "forecast"
    if form(clause.predicate) in TELLING:
        return "report"
    aspect = aspect_of(clause)
    if any(t in PROGRESSIVE for t in texts[: clause.predicate.index] if len(t) > 1):
        return "story"
    if is_past(clause) or aspect.kind in ("perfective", "change", "durative", "progressive") or subject in PERSONS:
        return "story"
    return "statement"


def _is_confessed(clause: Clause) -> bool:
    """Whether a claim of the speaker is a state or a failure, as one admits: 我想, 我没去."""
    if any(form(w) in TELLING for w in clause.words) or form(clause.predicate) in WISHED:
        return False
    return is_stative(clause) or clause.negation is not None


def is_evaluation(clause: Clause) -> bool:
    """Whether the claim is an opinion: an adjective with an adverb of degree, 觉得, 令人, 值得."""
    predicate = form(clause.predicate)
    if predicate in OPINING and clause.negation is None:
        return predicate in ("令人", "使人", "让人", "值得", "适合") or _is_own(clause)
    if is_adjectival(clause) and clause.negation is None:
        return degree_of(clause) is not None or predicate in EVALUATING
    after = clause.words[clause.predicate.index + 1 : clause.predicate.index + 4]
    return len(after) > 1 and form(after[0]) == "得" and any(form(w) in DEGREE for w in after[1:])


def _is_own(clause: Clause) -> bool:
    return clause.subject is not None and form(clause.subject.head) in OWN


def is_scene(clause: Clause) -> bool:
    """Whether the claim describes what can be seen: 一个女人走在街上, 两只狗在跑, 墙上有一幅画."""
    if is_past(clause) or clause.negation is not None or modal_of(clause) is not None:
        return False
    if any(form(w) in YOU | OWN | PERSONS or w.pos in ("PROPN", "X") for w in clause.words):
        return False
    aspect = aspect_of(clause).kind
    if aspect in ("perfective", "change", "experiential"):
        return False
    if COUNTED.match(forms(list(clause.words))) is not None:
        return copula_of(clause) is None and form(clause.predicate) not in STATIVE - {"有"}
    if form(clause.predicate) == "有" and _counted(clause, clause.predicate.index + 1):
        return True
    subject = clause.subject
    if subject is None or not _is_visible(subject.head):
        return False
    placed = any(form(w) == "在" for w in clause.words) and len(clause.words) <= SHORT
    return aspect in ("durative", "progressive") or placed


def _is_visible(head: Word) -> bool:
    text = form(head)
    return head.pos in ("NOUN", "PART") and (text[-1:] in "人孩狗猫马童员手者家师们客士" or text in VISIBLE)


def _counted(clause: Clause, at: int) -> bool:
    """Whether a noun phrase with a number and a classifier begins at a word: 一个, 两名, 几只, 一群."""
    return COUNTED.match(forms(list(clause.words[at : at + 2]))) is not None
