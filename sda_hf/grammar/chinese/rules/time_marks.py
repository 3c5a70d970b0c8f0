"""Commas after times at the beginning: 去年夏天, 毕业后."""

from __future__ import annotations

import re

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.rules.marks import Part, begins_claim, comma, first_of
from sda_hf.grammar.chinese.spans import is_time
from sda_hf.grammar.chinese.surface import form
from sda_hf.grammar.edits import Edit, Rule
from sda_hf.syntax.clause import Clause, Word

UNTIL = lexicon.words("marks", "until")
ACTORS = lexicon.words("marks", "actors")
LOCALIZERS = lexicon.words("marks", "localizers")
SAYING = lexicon.words("verbs", "saying") | lexicon.words("verbs", "thinking") | lexicon.words("marks", "telling")
PLANNING = frozenset("是 打算 想 希望 决定 要 有 计划 准备".split())
# Before these words the phrase is not a time by itself.
LIKENING = frozenset("比 被 把 将 比起 正如 如 像 如同 就像 不 没 没有".split())
# What can follow a date.
PARTS = frozenset("初 末 底 中 间 左右".split())
DATED = re.compile(r"\d+年|[年月日]|世纪|年代|早上|晚上|下午|上午|中午|夏天|冬天|春天|秋天|时期|期间|小时|分钟|星期|周")
AFTER_TIME = Rule("time-comma", "comma after the time")


def after_time(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after a time of three characters or more at the beginning: 去年夏天，我们去了海边."""
    return first_of(_after_time(part, 3) for part in parts)


def after_short_time(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after a time of two characters, before a subject: 今天，我们放假."""
    return first_of(_after_time(part, 2) for part in parts if len(part.words) > 6)


def _after_time(part: Part, least: int) -> list[Edit] | None:
    end = _end_of_time(part)
    if end == 0 or part.length(0, end) < least:
        return None
    after = part.words[end : end + 1]
    if form(part.words[-1]) in UNTIL and not (after and after[0].label == "nsubj"):
        return None
    if after and (form(after[0]) in LOCALIZERS | UNTIL or after[0].label == "case:loc"):
        return None
    modifies = bool(after) and after[0].pos == "NOUN" and after[0].label.startswith(("nmod", "compound", "clf"))
    if not after or (modifies and form(after[0]) not in ACTORS):
        return None
    if least > 2 and after[0].pos == "ADV" and part.length(0, end) < 4:
        return None
    return comma(part, end, AFTER_TIME) if begins_claim(part, end, adverbs=least > 2) else None


def _end_of_time(part: Part) -> int:
    """Return the place after the words at the beginning that tell a time; 0 if there are none."""
    end, dated = 0, False
    if part.words and form(part.words[0]) == "在":
        end = 1
    for place in range(end, len(part.words)):
        word = part.words[place]
        text = form(word)
        times = is_time(word) or word.label == "obl:tmod"
        if times and word.pos in ("NOUN", "PROPN", "NUM") and not text[0].isdigit():
            end, dated = place + 1, True
        elif not (word.pos in ("NUM", "DET") or (word.tag == "NNB" and dated) or (dated and text in PARTS)):
            break
        elif text in PARTS:
            end = place + 1
    if end < 2 and not dated:
        return 0
    dated = dated and DATED.search(part.text(0, end)) is not None
    return end if dated or all(is_time(w) for w in part.words[:end]) else 0


def after_time_clause(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after a clause or phrase that ends in 的时候, 后, 前, 时: 毕业后，她回到家乡."""
    return first_of(_after_until(part) for part in parts)


def _after_until(part: Part) -> list[Edit] | None:
    for place in range(2, len(part.words) - 1):
        word = part.words[place - 1]
        if form(word) not in UNTIL or not _closes_time(part, place):
            continue
        return comma(part, place, AFTER_TIME)
    return None


def _closes_time(part: Part, place: int) -> bool:
    word, before, text = part.words[place - 1], part.words[place - 2], form(part.words[place - 1])
    inside = part.words[: place - 1]
    if any(form(w) in SAYING | PLANNING for w in inside):
        return False
    if any(form(w)[0] in "在当等从于" and w.pos in ("ADP", "VERB", "ADV") for w in inside[1:]):
        return False
    if len(text) == 1 and word.label not in ("case:loc", "case") and word.tag != "IN":
        return False
    if text in ("起", "来", "开始", "那天", "同时", "为止") and form(inside[0]) not in ("从", "自", "自从", "到", "在"):
        return False
    if text in ("时候", "之际", "那年") and form(before) != "的" and text != "时候":
        return False
    if before.pos == "ADP" or form(inside[0]) in LIKENING:
        return False
    if text == "的话" and any(form(w) in ("没有", "没", "别", "说") for w in inside):
        return False
    timed = before.tag == "NNB" or part.has_verb(0, place - 1) or form(before) == "的"
    return timed and begins_claim(part, place, adverbs=True) and not _is_compound(part.words[place])


def _is_compound(word: Word) -> bool:
    """Whether a noun only modifies the one after it: 毕业后生活."""
    return word.pos == "NOUN" and word.label in ("compound", "compound:vv", "clf")
