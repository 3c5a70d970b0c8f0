"""What the rules of punctuation share: the parts between marks, and the edits that put a mark into one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from sda_hf.grammar.chinese.surface import form, has_han, mark
from sda_hf.grammar.edits import Edit, Rule
from sda_hf.syntax.clause import Clause, Word

BREAKS = frozenset("，。；：！？…—,.;:!?～~\n")
OPENING = frozenset("“「『《〈（([【‘")
CLOSING = frozenset("”」』》〉）)]】’")
QUOTES = frozenset('“”「」『』"')
# Quotations and brackets with fewer words are part of a phrase.
LONG_QUOTATION = 6
VERBAL = ("VERB", "ADJ")
NOMINAL = ("NOUN", "PROPN", "PRON", "NUM", "DET")
DEPENDENT = ("DEC", "DEC-SCONJ", "DEV", "DEV-SCONJ", "UH", "AS", "CC", "SFN")
LINKING = frozenset("的 和 及 之".split())
ENDINGS = ("NOUN", "PROPN", "PRON", "PART", "NUM", "X", "SYM")


@dataclass(frozen=True, slots=True)
class Part:
    """The words between two marks that separate clauses or phrases.

    Attributes:
        clause: the clause.
        words: the words, including short quotations and titles.
        locked: the indices of the words that have a quotation or a title around the place before them.
    """

    clause: Clause
    words: tuple[Word, ...]
    locked: frozenset[int]

    @property
    def start(self) -> int:
        """The index of the first word in the sentence."""
        return self.words[0].index

    def text(self, start: int = 0, end: int | None = None) -> str:
        """Return the characters of some of the words, in simplified script; positions count from the first word."""
        return "".join(map(form, self.words[start:end]))

    def length(self, start: int = 0, end: int | None = None) -> int:
        """Return the number of characters of some of the words; a Latin word or a number counts as two."""
        return sum(len(w.text) if has_han(w.text) else 2 for w in self.words[start:end])

    def has_verb(self, start: int = 0, end: int | None = None) -> bool:
        """Whether there is a verb or an adjective among some of the words."""
        return any(is_predicative(w) for w in self.words[start:end])


Insertion: TypeAlias = Callable[[Clause, tuple[Part, ...]], list[Edit] | None]


def is_predicative(word: Word) -> bool:
    """Whether a word can be a predicate, or part of one, by its tag."""
    return word.pos in VERBAL or word.tag in ("VC-AUX", "VC", "MD")


def is_modifier(part: Part, place: int) -> bool:
    """Whether the words from a place on modify a noun, with 的: in 你没有做过的事, no clause of its own begins."""
    ends = [i for i in range(place + 1, len(part.words) - 1) if form(part.words[i]) == "的"]
    if not ends:
        return False
    last = ends[-1]
    first = next((i for i in range(place, last) if part.words[i].pos == "VERB"), None)
    if first is None or part.has_verb(last + 1):
        return first is not None and part.words[place].pos in VERBAL and part.words[place].label.startswith("acl")
    verb, after = part.words[first], form(part.words[first + 1])
    return form(verb) not in ("是", "有") and verb.label != "root" and after not in ("了", "着")


def begins_claim(part: Part, place: int, *, adverbs: bool = False) -> bool:
    """Whether a subject begins at a place, by the tags; with `adverbs`, whether a predicate does, too."""
    if place >= len(part.words) - 1 or not part.has_verb(place):
        return False
    word, before = part.words[place], part.words[place - 1] if place else None
    if word.tag in DEPENDENT or form(word) in LINKING:
        return False
    if before is not None and form(before) in ("的", "地", "和", "与", "一"):
        return False
    if is_modifier(part, place) and word.pos != "PRON":
        return False
    if word.pos in ("PRON", "DET", "NOUN", "PROPN", "NUM", "X"):
        return True
    if word.pos == "VERB" and (word.label.startswith("acl") or _ends_in_noun(part)):
        return False
    return adverbs and word.pos in ("ADV", "AUX", "ADJ", "ADP", "VERB")


def _ends_in_noun(part: Part) -> bool:
    """Whether a part is a noun phrase: its last noun, after 的, is the root or a subject."""
    last = part.words[-1]
    return len(part.words) > 2 and form(part.words[-2]) == "的" and last.label in ("root", "nsubj", "nmod")


def is_open(clause: Clause, index: int) -> bool:
    """Whether neither mark nor white space stands between the word at an index and the one before it."""
    if not 0 < index < len(clause.words):
        return False
    before, word = clause.words[index - 1], clause.words[index]
    if (before.pos == "PUNCT" and before.text not in CLOSING) or (word.pos == "PUNCT" and word.text not in OPENING):
        return False
    return before.end == word.start and _apart(before, word)


def _apart(before: Word, word: Word) -> bool:
    """Whether the two words do not belong to one run of Latin letters or digits."""
    return has_han(before.text[-1]) or has_han(word.text[0])


def parts_of(clause: Clause) -> tuple[Part, ...]:
    """Return the parts of a sentence between its marks, without empty ones."""
    locked = _locked(clause.words)
    found: list[Part] = []
    current: list[Word] = []
    for word in clause.words:
        breaks = word.text[0] in BREAKS or (word.text[0] in QUOTES and word.index not in locked)
        if (breaks or _spaced(clause, word)) and word.index not in locked:
            if current:
                found.append(Part(clause, tuple(current), locked))
            current = [] if breaks else [word]
        else:
            current.append(word)
    if current:
        found.append(Part(clause, tuple(current), locked))
    return tuple(part for part in found if any(w.pos != "PUNCT" for w in part.words))


def _spaced(clause: Clause, word: Word) -> bool:
    """Whether a word follows white space that separates Chinese characters."""
    if word.index == 0:
        return False
    before = clause.words[word.index - 1]
    return before.end < word.start and has_han(before.text) and has_han(word.text)


def _locked(words: tuple[Word, ...]) -> frozenset[int]:
    """Return the indices of words in short quotations, titles and brackets, with the marks around them."""
    found: set[int] = set()
    opened: list[int] = []
    for word in words:
        if word.text[0] in OPENING:
            opened.append(word.index)
        elif word.text[0] in CLOSING and opened:
            first = opened.pop()
            short = word.index - first - 1 < LONG_QUOTATION
            if short or word.text[0] not in QUOTES:
                found.update(range(first, word.index + 1))
    return frozenset(found)


def comma(part: Part, place: int, rule: Rule) -> list[Edit] | None:
    """Put a comma before the word at a position of a part, if no mark is there and both sides have two characters."""
    return put(part, place, "，", rule)


def put(part: Part, place: int, sign: str, rule: Rule) -> list[Edit] | None:
    """Put a mark before the word at a position of a part, if no mark is there and both sides have two characters."""
    if not 0 < place < len(part.words):
        return None
    index = part.words[place].index
    if not is_open(part.clause, index) or {index - 1, index} <= part.locked:
        return None
    if part.length(0, place) < 2 or part.length(place) < 2:
        return None
    at = part.words[place].start
    return [rule.edit(at, at, mark(part.clause.text, sign))]


def around(clause: Clause, first: Word, last: Word, rule: Rule) -> list[Edit]:
    """Put quotation marks around some words, of the kind that the text has."""
    opening, closing = quotes_of(clause.text)
    return [rule.edit(first.start, first.start, opening), rule.edit(last.end, last.end, closing)]


def quotes_of(text: str) -> tuple[str, str]:
    """Return the quotation marks in the width and script of a text."""
    if "「" in text:
        return "「", "」"
    return mark(text, "“"), mark(text, "”")


def first_of(edits: Iterable[list[Edit] | None]) -> list[Edit] | None:
    """Return the first edits of some that are any."""
    return next((found for found in edits if found), None)
