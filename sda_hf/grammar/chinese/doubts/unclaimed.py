"""Doubts of negation in every form: texts that make no claim that could be negated or denied."""

from __future__ import annotations

import re

from sda_hf.grammar.chinese.claims import COMMAS
from sda_hf.grammar.chinese.doubts import common
from sda_hf.grammar.chinese.doubts.doubt import Doubt
from sda_hf.grammar.chinese.predicates import (
    STATIVE,
    aspect_of,
    copula_of,
    degree_of,
    final_le,
    is_having,
    is_past,
    modal_of,
)
from sda_hf.grammar.chinese.rules.negation.words import segment_of
from sda_hf.grammar.chinese.rules.statement_frames import OPENING_QUOTES
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.surface import form, forms
from sda_hf.syntax.clause import Clause, Word

CITED = re.compile(
    r"^(?:参?见|参阅|参看|详见)《|[上下][一半]?[句联]|(?:原文|全文|歌词|台词|近义词|反义词|什么意思)\W*$|，第[\d一二三四五六七八九十百]+[章节段条页款]\W*$"
)
CONDITIONAL = re.compile(
    r"^(?:如果|要是|假如|若|[我你他她]要|[^，,]*[不没])[^，,]*的话$|^[^，,]{0,5}当[你我他她它][^，,]*$"
)
LIKENED = re.compile(r"^(?:就|正)?(?:像|如同|犹如|好比)[^，,]*$|^那?(?:好办|好|行|好吧|行吧)[，,]")
WORN = re.compile(r"^(?:头|身|手|脸|背|脖子|肩)[上里]")
RHETORICAL = re.compile(
    r"怎么(?:能|会|可能|知道|敢|好|舍得|忍心|可以)|^(?:请问)?(?:如何|怎么|怎样|为什么|为何|为啥|咋)|都有(?:什么|哪)|有什么[^，。]*好"
)
ASSISTED = re.compile(
    r"^帮忙|^(?![^，。]*[他她它])(?:求(?!婚)|.{0,5}(?:帮我|替我|给我)(?!们?的))[^，。]*[^。]$|^[^，。他她它你您我]{0,8}(?:叫我|提醒我)[^，。]*$"
)
FIGURES = re.compile(r"[人男女孩们者员手家师狗猫马客众族辈士]$")
ADDRESSED = frozenset("你 您 你们 您们".split())
ADVISED = re.compile(r"算了\W*$|^[你您][^，。]{0,3}(?:继续|去|来|先|快|再|把|给我)")
DEPICTED = re.compile(r"^[^，。是有看拍画见]{4,}的(?:轮廓|剪影|背影|特写|身影)\W*$")
COUNTING = ("NUM", "DET")


def is_cited(clause: Clause) -> bool:
    """Whether a text is quoted, with a question for what follows it or a reference: 下一句, 第81段."""
    return CITED.search(simplified(clause.text)) is not None


def is_likened(clause: Clause) -> bool:
    """Whether the sentence only compares what was said before, or answers it: 就像棒球队; 那好办，."""
    return LIKENED.search(simplified(common.sentence_of(clause))) is not None


def is_condition(clause: Clause) -> bool:
    """Whether the sentence is a condition alone: 我要听的话, 当你走了."""
    return CONDITIONAL.search(simplified(common.sentence_of(clause))) is not None


def is_rhetorical(clause: Clause) -> bool:
    """Whether the sentence asks how, with any mark, or says so that something is not the case: 我怎么能躲开."""
    return RHETORICAL.search(simplified(common.sentence_of(clause))) is not None


def is_request(clause: Clause) -> bool:
    """Whether somebody, or an assistant, is asked to do something: 小布帮我打开."""
    return ASSISTED.search(simplified(clause.text)) is not None


def may_be_command(clause: Clause) -> bool:
    """Whether who is addressed is said to do something, which can be a command: 你去找他."""
    opening = segment_of(clause, clause.predicate)[0]
    start = 1 if clause.words[0].text in OPENING_QUOTES and len(clause.words) > 1 else 0
    first = opening if form(opening) in ADDRESSED else clause.words[start]
    if clause.mood != "declarative" or clause.negation is not None or form(first) not in ADDRESSED:
        return False
    text = simplified(clause.text[first.start : clause.words[-1].end])
    if ADVISED.search(text) is not None:
        return True
    second = clause.words[first.index + 1].pos if first.index + 1 < len(clause.words) else "PUNCT"
    if second in ("PART", "NOUN", "PUNCT", "PROPN", "PRON") or copula_of(clause) is not None or is_having(clause):
        return False
    if modal_of(clause) is not None or degree_of(clause) is not None or clause.predicate.pos != "VERB":
        return False
    plain = aspect_of(clause).kind == "none" and final_le(clause) is None and not is_past(clause)
    return plain and form(clause.predicate) not in STATIVE - {"叫"} and "了" not in forms(clause.words)


def is_figure(clause: Clause) -> bool:
    """Whether the text names people or animals by what they do, and says nothing of them: 拿着圣经的人."""
    words = [w for w in clause.words if w.pos != "PUNCT"]
    if DEPICTED.search(simplified(common.sentence_of(clause))) is not None:
        return True
    place = max((i for i, w in enumerate(words) if form(w) == "的"), default=-1)
    if place < 1 or place + 1 >= len(words) or copula_of(clause) is not None:
        return False
    if any(w.pos not in ("NOUN", "PROPN", "PART", "ADJ", "CCONJ") for w in words[place + 1 :]):
        return False
    at, figure = 0, FIGURES.search(form(words[-1])) is not None
    while at + 1 < len(words) and (words[at].pos in COUNTING or words[at].tag == "NNB"):
        at += 1
    if _goes_on_after_noun(words, place) or (not figure and not at):
        return False
    if figure and WORN.match(forms(words)) is not None:
        return True
    opens = words[at].pos in ("VERB", "ADP", "ADV", "AUX") and form(words[at]) not in ("没有", "没", "不是", "是")
    commas = [w.index for w in clause.words if w.text in COMMAS]
    starts = (next((w for w in words if w.index > at), words[-1]) for at in commas)
    if any(w.pos not in ("VERB", "ADP", "ADV") for w in starts):
        return False  # 当他走近的时候，他看了看那个人
    existing = form(clause.predicate) == "有" and clause.predicate is not words[0]
    return opens and not existing


def _goes_on_after_noun(words: list[Word], last: int) -> bool:
    """Whether a verb, a coverb or an adverb follows a noun that a modifier precedes: 穿红衣的女人看着 ... 的盒子."""
    places = [i for i, w in enumerate(words[:last]) if form(w) == "的"]
    for at in places:
        end = at + 1
        while end < last and words[end].pos in ("NOUN", "PROPN", "PART", "ADJ") and form(words[end]) != "的":
            end += 1
        if end > at + 1 and words[end].pos in ("VERB", "ADP", "ADV", "AUX"):
            return True
    return False


DOUBTS: tuple[Doubt, ...] = (
    Doubt("a quotation or a reference", is_cited),
    Doubt("a comparison or an answer", is_likened),
    Doubt("a condition alone", is_condition),
    Doubt("a rhetorical question, or a question of manner", is_rhetorical),
    Doubt("a request", is_request),
    Doubt("it may be a command", may_be_command),
    Doubt("not a clause: it may be a noun phrase", is_figure),
)
