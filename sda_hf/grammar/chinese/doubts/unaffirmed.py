"""Doubts of an affirmation anywhere in a statement: texts that nobody affirms with 的确 or 确实."""

from __future__ import annotations

import functools
import re

from sda_hf.grammar.chinese.claims import COMMAS
from sda_hf.grammar.chinese.doubts import common, unclaimed
from sda_hf.grammar.chinese.doubts.doubt import Doubt
from sda_hf.grammar.chinese.doubts.patterns import patterns
from sda_hf.grammar.chinese.predicates import aspect_of, copula_of, is_adjectival, is_stative
from sda_hf.grammar.chinese.rules.modal_claims import YOU
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.spans import is_time
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause

CHRONICLE = re.compile(r"^(?:次年|翌年|同年|当年|后来|[\d一二三四五六七八九十〇零]+年|[\d]+月|[\d]+日|[春夏秋冬]，)")
NOMINAL = ("NOUN", "PROPN", "PRON", "DET", "NUM", "ADJ", "X", "SYM", "PART", "CCONJ")
LOCALIZERS = "上下里中内外前后时间旁边候年月日天初末底期来方面面处晚早午晨夜春夏秋冬"
LONGEST_CALL = 2  # words that call somebody


def is_verbless_first(clause: Clause) -> bool:
    """Whether a first sentence, or what stands before the first comma, is only a name or a noun: 马车停车场. 现在 …."""
    if clause.predicate.label in ("compound", "nmod", "amod") and clause.tree.root.pos == "PART":
        return True
    marks = [w for w in clause.words[: clause.predicate.index] if w.text in "。！？!?；…"]
    if marks:
        return True
    end = next((w.index for w in clause.words if w.text in COMMAS), None)
    if end is None or end == 0 or clause.predicate.index < end:
        return False
    first = [w for w in clause.words[:end] if w.pos != "PUNCT"]
    if not first or not all(w.pos in NOMINAL for w in first) or any(is_time(w) for w in first):
        return False
    if first[0].pos in ("NUM", "DET"):
        return True  # 四个女人，两个戴着警徽
    return form(first[-1])[-1] not in LOCALIZERS and not first[-1].label.startswith(("nsubj", "obl"))


def is_called(clause: Clause) -> bool:
    """Whether somebody is called before or after what is said to him or her: 彼得，你当心; 我想你，珍妮特！."""
    spoken = [w for w in clause.words if w.pos != "PUNCT"]
    commas = [w.index for w in clause.words if w.text in COMMAS]
    if not commas or not spoken:
        return False
    first, last = clause.words[: commas[0]], clause.words[commas[-1] + 1 : spoken[-1].index + 1]
    after = clause.words[commas[0] + 1] if commas[0] + 1 < len(clause.words) else spoken[-1]
    if 0 < len(first) <= LONGEST_CALL and not is_time(first[0]) and form(after) in YOU:
        return True
    return 0 < len(last) <= LONGEST_CALL and all(w.pos in ("NOUN", "PROPN") and not is_time(w) for w in last)


def is_chronicled(clause: Clause) -> bool:
    """Whether a bare verb of an event follows a year, as in a chronicle: 次年司马炎创立西晋."""
    if CHRONICLE.search(simplified(common.sentence_of(clause))) is None:
        return False
    if copula_of(clause) is not None or is_stative(clause) or is_adjectival(clause) or clause.negation is not None:
        return False
    return aspect_of(clause).kind == "none"


def is_later(clause: Clause) -> bool:
    """Whether another sentence of the text precedes the claim: 不！不！她现在回答了自己."""
    return any(c.isalnum() for c in clause.text[: clause.words[0].start])


def is_typed(clause: Clause) -> bool:
    """Whether a text without a mark opens with a verb or a coverb, as what is typed to an assistant: 用…发消息."""
    return clause.end_mark is None and clause.words[0].pos in ("VERB", "ADP", "AUX")


def _textual() -> list[Doubt]:
    """Return a doubt for each class of texts."""
    return [Doubt(reason, functools.partial(_matches, pattern)) for reason, pattern in patterns("unaffirmed")]


def _matches(pattern: re.Pattern[str], clause: Clause) -> bool:
    return pattern.search(simplified(common.sentence_of(clause))) is not None


DOUBTS: tuple[Doubt, ...] = (
    *_textual(),
    Doubt("not a clause: the first part has no verb", is_verbless_first),
    Doubt("somebody is called", is_called),
    Doubt("no mark at the end: it may be a query or a heading", is_typed),
    Doubt("a chronicle", is_chronicled),
    Doubt("another sentence precedes the claim", is_later),
    Doubt("a quotation or a reference", unclaimed.is_cited),
    Doubt("a comparison or an answer", unclaimed.is_likened),
    Doubt("a condition alone", unclaimed.is_condition),
    Doubt("a rhetorical question, or a question of manner", unclaimed.is_rhetorical),
    Doubt("a request", unclaimed.is_request),
    Doubt("it may be a command", unclaimed.may_be_command),
    Doubt("not a clause: it may be a noun phrase", unclaimed.is_figure),
)
