"""Marks at the end of a sentence, and quotes around it."""

from __future__ import annotations

import itertools
import re

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.rules.marks import CLOSING, QUOTES, Part, quotes_of
from sda_hf.grammar.chinese.surface import form, has_han, mark
from sda_hf.grammar.edits import Edit, Rule
from sda_hf.syntax.clause import Clause, Word

LIVELY = lexicon.words("marks", "lively")
# Up to how many Chinese characters a sentence is exclaimed: any sentence, and one with a lively word.
SHORT = 12
LONGER = 22
# Up to how many a question gets a second mark.
SHORT_QUESTION = 8
INNER = frozenset("，；、,;")
# What shows that a sentence informs: figures, terms in brackets.
FIGURES = re.compile(r"\d|[（(《]|[一二两三四五六七八九十百千万]+(?:年|月|日|公里|平方|米|英尺|岁)")
QUESTION_MARK = Rule("question-mark", "question mark appended")
FULL_STOP = Rule("full-stop", "full stop appended")
EXCLAIMED = Rule("exclamation-mark", "end mark → exclamation mark")
APPENDED = Rule("exclamation-mark", "exclamation mark appended")
DOUBLED = Rule("mark-doubled", "inner mark doubled")
AROUND_SENTENCE = Rule("sentence-quotes", "quotes around the sentence")
TELLING = lexicon.words("verbs", "saying")
AMAZED = lexicon.words("marks", "amazed")
# What asks in a text without end mark, and what makes a statement of it.
ASKING = re.compile(
    r"([能会是可要好行对想有该])不(?:能|\1)|有没有|[吗么]$|什么|怎么|怎样|如何|多少|多久|多大|哪|谁|为何|是否|能否|可否|啥|咋|第?几[个天号点岁次集年月]"
)
DENIED = re.compile(r"不知道|不管|无论|不论|(?:什么|谁|哪里|哪儿|怎么|多少|哪个)[^，]{0,4}[都也]|什么的$|那么$")
IN_BRACKETS = Rule("sentence-brackets", "brackets around the sentence")
CALLING = frozenset("多么 何等 多".split())


def characters(clause: Clause) -> int:
    """Return the number of Chinese characters."""
    return sum(len(w.text) for w in clause.words if has_han(w.text))


def asks_openly(clause: Clause) -> bool:
    """Whether a sentence is a question without its mark."""
    first, text = form(clause.words[0]), "".join(map(form, clause.words))
    asks = clause.mood == "interrogative" or (ASKING.search(text) is not None and DENIED.search(text) is None)
    return asks and clause.end_mark is None and first not in CALLING and _ends_bare(clause)


def _ends_bare(clause: Clause) -> bool:
    return clause.words[-1].pos != "PUNCT" and not clause.text[clause.words[-1].end :].strip()


def question_mark(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Append a question mark."""
    end = clause.words[-1].end
    return [QUESTION_MARK.edit(end, end, mark(clause.text, "？"))]


def is_lively(clause: Clause) -> bool:
    """Whether the sentence speaks of oneself or to somebody, commands or judges: ！ is at home there."""
    if clause.mood == "imperative":
        return True
    return any(form(w) in LIVELY for w in clause.words)


def exclaims(clause: Clause) -> bool:
    """Whether a sentence ends naturally with ！, or has no end mark yet."""
    size = characters(clause)
    if clause.end_mark is not None and any(c in "？?" for c in clause.end_mark.text):
        return size <= SHORT_QUESTION or any(form(w) in AMAZED for w in clause.words)
    return clause.end_mark is None or (size <= LONGER and is_lively(clause))


def is_short(clause: Clause) -> bool:
    """Whether a sentence is so short that ！ is not odd even if it is not lively."""
    asks = clause.end_mark is not None and any(c in "？?" for c in clause.end_mark.text)
    if any(form(w) in TELLING for w in clause.words[-2:]) or FIGURES.search(clause.text):
        return False
    return characters(clause) <= (SHORT_QUESTION if asks else SHORT)


def at_the_end(clause: Clause) -> list[Edit] | None:
    """Replace the full stop by ！, put one after another end mark, or add the mark that is missing."""
    sign = clause.end_mark
    if clause.words[-1].text in ("：", ":"):
        return None  # what it announces is cut off
    if sign is not None:
        if sign.text in ("。", ".", "．"):
            return [EXCLAIMED.edit(sign.start, sign.end, mark(clause.text, "！"))]
        return [APPENDED.edit(sign.end, sign.end, mark(clause.text, "！"))]
    last = _last(clause)
    if last.text in INNER:
        return [EXCLAIMED.edit(last.start, last.end, mark(clause.text, "！"))]
    if asks_openly(clause):
        return [QUESTION_MARK.edit(last.end, last.end, mark(clause.text, "？"))]
    told = clause.mood == "declarative" and not is_lively(clause) and characters(clause) > 4
    rule, new = (FULL_STOP, "。") if told else (APPENDED, "！")
    return [rule.edit(last.end, last.end, mark(clause.text, new))]


def _last(clause: Clause) -> Word:
    """Return the last word that an end mark can follow."""
    last = clause.words[-1]
    if last.pos == "PUNCT" and last.text in CLOSING and len(clause.words) > 1 and last.text in QUOTES:
        return clause.words[-2]
    return last


def _is_speech_with_speaker(clause: Clause) -> bool:
    """Whether the text tells who speaks, or a dash begins it as speech: quotes do not belong around both."""
    told = (
        form(word) in TELLING and (following.pos == "PUNCT" or form(following) in ("着", "了"))
        for word, following in itertools.pairwise(clause.words)
    )
    return clause.text.lstrip()[:1] in "-—" or any(told)


def around_sentence(clause: Clause) -> list[Edit] | None:
    """Put quotes around the whole sentence, as something that is cited; brackets if it has quotes."""
    text = clause.text.strip()
    start = clause.text.find(text)
    if clause.end_mark is None or "\n" in text or _is_speech_with_speaker(clause):
        return None
    rule, (opening, closing) = AROUND_SENTENCE, quotes_of(clause.text)
    if any(c in text for c in QUOTES):
        if any(c in text for c in "（）()") or text[0] in QUOTES:
            return None
        rule, opening, closing = IN_BRACKETS, mark(clause.text, "（"), mark(clause.text, "）")
    end = start + len(text)
    return [rule.edit(start, start, opening), rule.edit(end, end, closing)]


def doubled(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Double the first mark inside the sentence (2022 only)."""
    for before, word in zip(clause.words, clause.words[1:-1], strict=False):
        if word.text in INNER and before.pos != "PUNCT" and before.end == word.start:
            return [DOUBLED.edit(word.end, word.end, word.text)]
    return None
