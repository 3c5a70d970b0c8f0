"""Marks of speech and names: a comma after 他说, a colon before a quotation, quotes around what something is called."""

from __future__ import annotations

import itertools

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.rules.marks import (
    CLOSING,
    NOMINAL,
    OPENING,
    QUOTES,
    Part,
    around,
    comma,
    is_predicative,
)
from sda_hf.grammar.chinese.surface import form, mark
from sda_hf.grammar.edits import Edit, Rule
from sda_hf.syntax.clause import Clause, Word

TELLING = lexicon.words("marks", "telling")
OPENERS = lexicon.words("marks", "opening")
NAMING = lexicon.words("marks", "naming")
SPEAKING = frozenset("说 道 说道 问 问道 答道 喊 喊道 叫道 写道 表示 称 回答 笑道 指出 补充道".split())
INDIRECT = frozenset(
    "表示 指出 认为 称 报道 透露 强调 声称 宣称 证实 显示 表明 宣布 发现 证明 相信 坚称 警告 说".split()
)
AFTER_SAYING = Rule("saying-comma", "comma before what is said")
BEFORE_QUOTATION = Rule("quotation-colon", "colon before the quotation")
AFTER_QUOTATION = Rule("quotation-comma", "comma at the end of the quotation")
COLON_FOR_COMMA = Rule("saying-colon", "colon for the comma before what is said")
AROUND_NAME = Rule("name-quotes", "quotes around what it is called")


def before_quotation(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a colon between a verb of saying and the quotation after it."""
    for before, word in itertools.pairwise(clause.words):
        quoted = word.text in ("“", "「") and before.end == word.start
        if quoted and form(before) in SPEAKING and before.index > 0:
            return [BEFORE_QUOTATION.edit(word.start, word.start, mark(clause.text, "："))]
    return None


def after_quotation(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma at the end of a quotation that its speaker follows: “我不去，”他说."""
    for before, word, after in zip(clause.words, clause.words[1:], clause.words[2:], strict=False):
        ends = word.text in ("”", "」") and before.pos != "PUNCT" and clause.words[0].text in ("“", "「")
        told = any(form(w) in SPEAKING for w in clause.words[word.index + 1 : word.index + 8])
        if ends and told and word.index > 4 and after.pos in ("PRON", "NOUN", "PROPN", "DET"):
            return [AFTER_QUOTATION.edit(word.start, word.start, mark(clause.text, "，"))]
    return None


def after_saying(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after a verb of saying, before a clause with a subject of its own: 他表示，这项计划没有问题."""
    for part in parts:
        for place in range(2, len(part.words) - 3):
            if form(part.words[place - 1]) in INDIRECT and _is_reported(part, place):
                return comma(part, place, AFTER_SAYING)
    return None


def _is_reported(part: Part, place: int) -> bool:
    verb, before, word, after = (part.words[i] for i in (place - 1, place - 2, place, place + 1))
    if (
        verb.pos != "VERB"
        or part.length(place) < 8
        or any(form(w) in ("的", "为") for w in part.words[place - 2 : place])
    ):
        return False
    if any(form(w) in OPENERS for w in part.words[:place]):
        return False
    if before.pos == "AUX" or form(before) in (
        "被",
        "没",
        "没有",
        "不",
        "所",
        "据",
        "来",
        "来说",
        "要",
        "和",
        "跟",
        "对",
    ):
        return False
    if not _has_speaker(part, place - 1):
        return False
    subject = word.pos in ("PRON", "DET", "NOUN", "PROPN", "NUM") and word.label != "obj" and form(word) != "自己"
    if not subject or form(part.words[-1]) == "的":
        return False
    rest = part.words[place + 1 :]
    verbs = [w for w in rest if is_predicative(w) and w.label in ("ccomp", "root", "parataxis", "conj", "cop")]
    last = max((w.index for w in rest if form(w) == "的"), default=-1)
    pronoun = word.tag == "PRP" and (is_predicative(after) or after.pos in ("ADV", "AUX"))
    return bool(verbs) and (pronoun or verbs[-1].index > last)


def _has_speaker(part: Part, verb: int) -> bool:
    """Whether nothing but a speaker, a time and adverbs stand before the verb."""
    before = part.words[:verb]
    return not any(is_predicative(w) for w in before) and any(w.pos in NOMINAL for w in before)


def colon_for_comma(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a colon for the comma after a verb of saying: 他表示：这项计划没有问题."""
    for part, following in itertools.pairwise(parts):
        verb = part.words[-1]
        at = verb.index + 1
        comma_follows = at < len(clause.words) and clause.words[at].text == "，"
        if comma_follows and form(verb) in INDIRECT and len(part.words) <= 8 and following.has_verb():
            begun = any(w.index < part.start and w.pos == "VERB" for w in clause.words)
            if begun or part.words[0].pos == "ADP" or form(part.words[-2:][0]) in ("来", "来说", "所", "听"):
                continue
            if _has_speaker(part, len(part.words) - 1) and not form(part.words[0]).startswith(("据", "根据", "按")):
                word = clause.words[at]
                return [COLON_FOR_COMMA.edit(word.start, word.end, mark(clause.text, "："))]
    return None


# -- names ---------------------------------------------------------------------------------------


def around_name(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put quotes around what something is called: 被称为“水城”."""
    if any(c in clause.text for c in QUOTES):
        return None
    for part in parts:
        for place in range(1, len(part.words)):
            found = _name(part, place)
            if found is not None:
                return around(clause, *found, AROUND_NAME)
    return None


def _name(part: Part, place: int) -> tuple[Word, Word] | None:
    """Return the first and last word of a name after a verb of naming."""
    verb = form(part.words[place - 1])
    if verb not in NAMING and part.text(max(place - 2, 0), place) not in NAMING:
        return None
    end = place
    while end < len(part.words) and _is_in_name(part.words[end]):
        end += 1
    names = part.words[place:end]
    if not names or end - place > 4 or any(w.text in OPENING | CLOSING for w in names) or part.length(place, end) < 2:
        return None
    after = part.words[end : end + 1]
    closed = not after or form(after[0]) in ("的", "之", "是", "和", "并")
    named = verb not in ("称为", "被称为", "叫做", "叫作", "称作", "简称") or part.length(place, end) <= 6
    return (names[0], names[-1]) if closed and named else None


def _is_in_name(word: Word) -> bool:
    nominal = word.pos in ("NOUN", "PROPN", "ADJ", "X", "PART") and word.tag not in ("UH", "DEC", "AS", "DEV")
    return nominal and form(word) not in ("的", "等", "了")
