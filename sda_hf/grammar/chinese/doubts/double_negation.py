"""Doubts of double negation: statements that a phrase before or after them does not suit."""

from __future__ import annotations

import re

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.doubts import common
from sda_hf.grammar.chinese.doubts.doubt import Doubt
from sda_hf.grammar.chinese.doubts.unclaimed import is_figure
from sda_hf.grammar.chinese.mood import COMMANDING, YOU
from sda_hf.grammar.chinese.predicates import aspect_of, copula_of, degree_of, modal_of
from sda_hf.grammar.chinese.rules import cancelling
from sda_hf.grammar.chinese.rules.statement_frames import is_quoted_whole, start_of_statement
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause

ANSWERING = lexicon.words("double-negation", "answering")
CONTINUING = lexicon.words("double-negation", "continuing")
TELLING = lexicon.words("double-negation", "telling")
ARGUING = lexicon.words("double-negation", "arguing")
SUBORDINATE = lexicon.words("conjunctions", "subordinate") | frozenset("除非 只有 以便 以免 免得 好让 为了 因".split())
COMMAS = "，,；;"
UNFORGETTABLE = frozenset("有 是 听 看 等 等等 来 走 说 滚 住手 站住".split())
SPOKEN = frozenset("啊 呀 嘛 啦 哦 呢 了".split())
SUGGESTING = frozenset("吧 呗 啵".split())
ASKED = re.compile(
    r"[？?]|[吗嗎咋啥哪谁誰]|怎[么樣样麼]|如何|什[么麼]|[为為]何|多[少久]|多[大长長高远遠]|几[个天时点号岁月年次种]|[是能可会會]否|有[没沒]有"
    r"|([一-鿿])[不没沒]\1|么$"
)
COMMANDED = re.compile(
    r"(?:^|[，,；;。：:“「])(?:你们?|您|大家)?(?:请|請|别|別|不要|千万|千萬|让我们|让咱们|讓我們|务必|记得|听着|聽著|瞧|求)"
)
ANSWERED = re.compile(rf"(?:{'|'.join(sorted(ANSWERING))})[，,！!。、…]")
TOLD = re.compile(rf"(?:{'|'.join(sorted(TELLING))})\W*$")
SAID_FIRST = re.compile(r"[^，,。！？]{1,10}(?:说|说道|问|问道|喊道|叫道|答道|嚷道)[，,]")
CALLED = re.compile(rf"[，,](?:{'|'.join(sorted(lexicon.words('double-negation', 'addressed')))})[。.！!]*$")
COUNTED = re.compile(r"[一二两三四五六七八九十几数][个名位只条匹群对些辆架座张头家幅棵支伙排队]")
WHETHER = frozenset("是否 能否 可否 会否".split())
SHORTEST = 3  # words
NAMED = 8  # words of a sentence whose first noun is its subject, even if the parse has none
STATED = ("很", "也", "都", "还", "已", "已经", "正在", "在", "不", "没", "没有", "不是", "曾", "就", "才", "又")


def is_later(clause: Clause) -> bool:
    """Whether another sentence of the text precedes the claim."""
    return any(c.isalnum() for c in clause.text[: clause.words[0].start])


def answers(clause: Clause) -> bool:
    """Whether the sentence begins with an answer or an interjection: 是的, 啊, 好."""
    first = start_of_statement(clause)
    following = clause.words[first.index + 1 : first.index + 2]
    alone = not following or following[0].pos == "PUNCT"
    if form(first) in ANSWERING and (alone or first.pos == "INTJ"):
        return True
    return ANSWERED.match(simplified(clause.text[first.start :])) is not None


def continues(clause: Clause) -> bool:
    """Whether the sentence begins with a word that goes on from another sentence: 于是, 例如, 那我."""
    first = start_of_statement(clause)
    following = clause.words[first.index + 1 : first.index + 2]
    if form(first) == "那":
        return bool(following) and (following[0].pos == "PRON" or form(following[0]) in ("就", "，", ","))
    return form(first) in CONTINUING


def ends_with_telling(clause: Clause) -> bool:
    """Whether the sentence tells that somebody said something, which stands before it: 他说, 他说，走出了门."""
    text = simplified(common.sentence_of(clause))
    if SAID_FIRST.match(text) is not None:
        return True
    return TOLD.search(text) is not None and not any(w.text in COMMAS for w in clause.words)


def is_bare_noun_phrase(clause: Clause) -> bool:
    """Whether the sentence may be a noun with a modifier and nothing else: 读书时穿着衣服的人."""
    words = [w for w in clause.words if w.pos != "PUNCT"]
    last = max((i for i, w in enumerate(words) if form(w) == "的"), default=-1)
    if last < 1 or last + 1 >= len(words) or any(w.text in COMMAS for w in clause.words):
        return False
    if any(w.pos not in ("NOUN", "PROPN", "PART") for w in words[last + 1 :]):
        return False
    opens = words[0].pos in ("VERB", "ADP", "ADV") and form(words[0]) not in ("有", "是")
    return opens and not _has_own_subject(clause) and copula_of(clause) is None and clause.negation is None


def is_noun_phrase(clause: Clause) -> bool:
    """Whether the verb may only modify a noun."""
    if is_bare_noun_phrase(clause) or is_figure(clause):
        return True
    stated = copula_of(clause) is not None or aspect_of(clause).kind in ("perfective", "change")
    return common.may_be_noun_phrase(clause) and not stated


def is_cut_off(clause: Clause) -> bool:
    """Whether the sentence begins with a mark: ……我们走了."""
    return clause.words[0].pos == "PUNCT" and clause.words[0].text not in '“「『"《（('


def _has_own_subject(clause: Clause) -> bool:
    return clause.subject is not None and clause.subject.last.index < clause.predicate.index


def argues(clause: Clause) -> bool:
    """Whether there is a rhetorical question, a wish or a request: 难道, 但愿, 请."""
    return any(form(w) in ARGUING and w.pos not in ("NOUN", "PROPN") for w in clause.words)


def commands(clause: Clause) -> bool:
    """Whether a part of the sentence asks for something: 请, 别, ...吧."""
    if COMMANDED.search(clause.text) is not None:
        return True
    words = clause.words
    return any(
        form(w) in SUGGESTING and (w.index + 1 == len(words) or words[w.index + 1].pos == "PUNCT") for w in words
    )


def is_asked(clause: Clause) -> bool:
    """Whether the sentence may be a question, whose mark is missing or stands inside."""
    text = common.sentence_of(clause)
    if clause.end_mark is None:
        return ASKED.search(text) is not None
    before = clause.words[: clause.predicate.index]
    place = next((w.index for w in before if form(w) in WHETHER), 0)
    whether = place > 0 and not any(w.pos == "VERB" for w in before[:place])
    if start_of_statement(clause).pos == "PRON" and form(start_of_statement(clause)) in ("谁", "什么"):
        return True
    return whether or "？" in text or "?" in text


def has_quotation(clause: Clause) -> bool:
    """Whether what somebody says is quoted, or quotes are not balanced."""
    text = common.sentence_of(clause)
    if text.count("“") != text.count("”") or text.count("「") != text.count("」") or text.count('"') % 2:
        return True
    if is_quoted_whole(clause):
        return False
    return re.search(r"[“「\"][^”」\"]*[，。！？,!?；][^”」\"]*[”」\"]", text) is not None


def is_subordinate(clause: Clause) -> bool:
    """Whether the sentence is a subordinate clause alone: 除非他来."""
    first = start_of_statement(clause)
    return form(first) in SUBORDINATE and not any(w.text in COMMAS for w in clause.words[first.index :])


def is_unmarked(clause: Clause) -> bool:
    """Whether a text without a mark at its end may be a query or a heading."""
    if clause.end_mark is not None:
        return False
    if clause.words[-1].pos == "PUNCT" and clause.words[-1].text not in "”」』）)":
        return True  # cut off: "...", ","
    text = simplified(common.sentence_of(clause))
    if clause.predicate.pos == "VERB" and (COUNTED.match(text) or clause.words[0].pos == "PRON"):
        return False
    if clause.subject is None:
        return form(clause.predicate) != "有" or clause.words[0].pos not in ("NOUN", "DET", "PROPN", "PRON")
    return not _is_stated(clause)


def lacks_subject(clause: Clause) -> bool:
    """Whether there is a bare verb without a subject, as in commands and noun phrases: 展示商品的人."""
    if clause.subject is not None or _is_stated(clause) or form(clause.predicate) in ("有", "是"):
        return False
    nominal = start_of_statement(clause).pos in ("NOUN", "PROPN", "PRON", "DET", "NUM", "ADP")
    return not nominal or len(clause.words) < NAMED


def _is_stated(clause: Clause) -> bool:
    """Whether the predicate has an aspect, a modal, a copula, an adverb or a negation, as in statements."""
    if aspect_of(clause).kind != "none" or modal_of(clause) is not None or copula_of(clause) is not None:
        return True
    if degree_of(clause) is not None or clause.negation is not None or form(clause.predicate) in ("有", "是"):
        return True
    return any(form(w) in STATED for w in clause.words[: clause.predicate.index])


def is_remark(clause: Clause) -> bool:
    """Whether the sentence has only a word or two: 不行!"""
    return sum(w.pos != "PUNCT" for w in clause.words) < SHORTEST


def is_speech_of(clause: Clause) -> bool:
    """Whether a colon introduces what is said or listed."""
    return re.search(r"[：:]", common.sentence_of(clause)) is not None


def goes_on(clause: Clause) -> bool:
    """Whether another part of the sentence follows the claim, which both negations would not reach."""
    return clause.mood == "declarative" and not cancelling.ends_with_claim(clause)


def is_odd_command(clause: Clause) -> bool:
    """Whether a command does not begin with its verb, 把, 请 and the like, and may be something else."""
    if clause.mood != "imperative":
        return False
    spoken = [w for w in clause.words if w.pos != "PUNCT"]
    if len(spoken) < 2 or any(form(w) in ("可以", "能", "会", "是", "属于") for w in spoken[1:]):
        return True  # 急！; 打扫卫生可以赚钱
    first = form(spoken[0])
    if first in ANSWERING or is_bare_noun_phrase(clause) or any(form(w) in SPOKEN for w in spoken):
        return True
    second = spoken[1] if len(spoken) > 1 else spoken[0]
    if first in YOU:
        return second is not clause.predicate or form(second) in UNFORGETTABLE
    if first == "请" and second.pos in ("PROPN", "DET", "NUM"):
        return True
    opens = spoken[0] is clause.predicate or first in COMMANDING or first[0] in "请把给向到在先每"
    return not opens or form(clause.predicate) in UNFORGETTABLE


def is_called(clause: Clause) -> bool:
    """Whether the sentence ends by addressing somebody: 马上就送，先生."""
    return CALLED.search(simplified(common.sentence_of(clause))) is not None


CLAIM_DOUBTS: tuple[Doubt, ...] = (
    Doubt("a second claim after the first", goes_on),
    Doubt("it may not be a command", is_odd_command),
)
# Those that concern a phrase around a statement as well, whose length and predicate do not matter.
TEXT_DOUBTS: tuple[Doubt, ...] = (
    *(doubt for doubt in common.DOUBTS if doubt.holds not in (common.is_long, common.is_list)),
    Doubt("not a clause: no predicate", common.is_fragment),
)
FRAME_DOUBTS: tuple[Doubt, ...] = (
    Doubt("a phrase before the first sentence is enough", is_later),
    Doubt("question", is_asked),
    Doubt("not a clause: it may be a noun phrase", is_noun_phrase),
    Doubt("greeting or wish", common.is_greeting),
    Doubt("an answer or an interjection", answers),
    Doubt("goes on from another sentence", continues),
    Doubt("a rhetorical question, a wish or a request", argues),
    Doubt("a request", commands),
    Doubt("quoted speech", has_quotation),
    Doubt("quoted speech", ends_with_telling),
    Doubt("speech or a list after a colon", is_speech_of),
    Doubt("the sentence begins with a mark", is_cut_off),
    Doubt("a subordinate clause alone", is_subordinate),
    Doubt("no mark at the end: it may be a query or a heading", is_unmarked),
    Doubt("no subject", lacks_subject),
    Doubt("a remark", is_remark),
    Doubt("somebody is addressed", is_called),
    Doubt("no subject", lambda clause: form(start_of_statement(clause)) in ("把", "将")),
)
