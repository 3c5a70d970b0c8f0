"""How Chinese is written: its two scripts, the width of its marks, and white space.

Rules read words in simplified script (`form`) and write what they insert in it; edits put it into the script of the
text.
"""

from __future__ import annotations

import functools
import re

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.script import simplified, simplified_forms
from sda_hf.grammar.edits import Edit, Rule
from sda_hf.syntax.clause import Clause, Word

HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
FULL = "，。！？；："
HALF = ",.!?;:"
FULL_MARKS = re.compile(f"[{FULL}、]")
HALF_MARKS = re.compile(r"(?<!\d)[,.!?;:]|[,.!?;:](?!\d)")
SPACED_COMMA = re.compile(r", ")
COMMA = re.compile(r",(?!\d)")
TO_HALF = str.maketrans({**dict(zip(FULL, HALF, strict=True)), "“": '"', "”": '"'})
TRADITIONAL_WORDS = lexicon.pairs("script", "words")
SHARED = lexicon.words("script", "shared")


@functools.lru_cache(maxsize=65536)
def _form(text: str) -> str:
    return simplified(text)


def form(word: Word) -> str:
    """Return a word in simplified script, in which the word lists are."""
    return _form(word.text)


def forms(words: tuple[Word, ...] | list[Word]) -> str:
    """Return the text of some words, without what is between them, in simplified script."""
    return "".join(map(form, words))


def has_han(text: str) -> bool:
    """Whether a text has a Chinese character."""
    return HAN.search(text) is not None


# -- script --------------------------------------------------------------------------------------


@functools.cache
def _traditional() -> dict[int, str]:
    """The traditional form of each character that has one alone, or one in the words that rules insert."""
    found: dict[str, list[str]] = {}
    for traditional, simple in simplified_forms().items():
        found.setdefault(simple, []).append(traditional)
    single = {simple: many[0] for simple, many in found.items() if len(many) == 1}
    return {ord(simple): many for simple, many in (single | lexicon.pairs("script", "traditional")).items()}


def is_traditional(text: str) -> bool:
    """Whether a text is in traditional script: it has a character that simplified texts have not.

    Example:
        >>> is_traditional("他沒有去。"), is_traditional("他去了。")
        (True, False)
    """
    table = simplified_forms()
    return any(c in table and c not in SHARED for c in text)


def in_script_of(text: str, new: str) -> str:
    """Return simplified characters in the script of a text.

    Example:
        >>> in_script_of("這間餐廳很貴。", "并非没说")
        '並非沒說'
    """
    return TRADITIONAL_WORDS.get(new) or new.translate(_traditional()) if is_traditional(text) else new


# -- marks and spaces ----------------------------------------------------------------------------


def half_width(text: str) -> bool:
    """Whether the marks of a text are those of ASCII.

    Example:
        >>> half_width("他来了,我走了."), half_width("他来了。"), half_width("他来了")
        (True, False, False)
    """
    return FULL_MARKS.search(text) is None and HALF_MARKS.search(text) is not None


def mark(text: str, full: str) -> str:
    """Return a mark in the width of a text, with a space after an inner one if the text puts it after its commas.

    Example:
        >>> mark("他来了, 我走了.", "。"), mark("他来了,我走了.", "。"), mark("他走了。", "。")
        ('.', '.', '。')
    """
    if not half_width(text):
        return full
    half = full.translate(TO_HALF)
    commas = len(COMMA.findall(text))
    spaced = commas > 0 and len(SPACED_COMMA.findall(text)) == commas
    return f"{half} " if spaced and half in ",;:" else half


# -- edits ---------------------------------------------------------------------------------------


def insert(clause: Clause, rule: Rule, place: int, new: str) -> Edit:
    """Insert simplified characters at an offset, in the script of the text."""
    return rule.edit(place, place, in_script_of(clause.text, new))


def before(clause: Clause, rule: Rule, word: Word, new: str) -> Edit:
    """Insert simplified characters before a word."""
    return insert(clause, rule, word.start, new)


def after(clause: Clause, rule: Rule, word: Word, new: str) -> Edit:
    """Insert simplified characters after a word."""
    return insert(clause, rule, word.end, new)


def replace(clause: Clause, rule: Rule, first: Word, new: str, last: Word | None = None) -> Edit:
    """Replace a word, or all words up to another one, by simplified characters."""
    return rule.edit(first.start, (last or first).end, in_script_of(clause.text, new))


def delete(clause: Clause, rule: Rule, first: Word, last: Word | None = None) -> Edit:
    """Delete a word, or all words up to another one, with one of the spaces around them if there are two."""
    start, end = first.start, (last or first).end
    text = clause.text
    spaced_before = start == 0 or text[start - 1].isspace()
    if spaced_before and end < len(text) and text[end] == " ":
        end += 1
    return rule.edit(start, end, "")
