"""Marks in series: a semicolon or a dash for a comma, a comma before the end of a list."""

from __future__ import annotations

import itertools

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.rules.marks import Part, comma
from sda_hf.grammar.chinese.spans import is_time
from sda_hf.grammar.chinese.surface import form, mark
from sda_hf.grammar.edits import Edit, Rule
from sda_hf.syntax.clause import Clause, Word

OPENERS = lexicon.words("marks", "opening")
JOINERS = lexicon.words("marks", "joining")
UNTIL = lexicon.words("marks", "until")
TELLING = lexicon.words("verbs", "saying") | lexicon.words("verbs", "thinking") | lexicon.words("marks", "telling")
ASKING = lexicon.words("pronouns", "asking")
EXPLAINING = frozenset("即 也就是 也就是说 尤其是 特别是 比如 例如 譬如 包括 其中".split())
SEMICOLON = Rule("semicolon", "semicolon for the comma between two clauses")
DASH = Rule("dash", "dash for the comma before an explanation")
BEFORE_LAST = Rule("list-comma", "comma before the last item of the list")
LEAST = 5


def semicolon(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a semicolon for the comma between two clauses with subjects of their own."""
    if any(w.text in (";", "；", ":", "：", "?", "？") for w in clause.words[:-1]):
        return None
    for i, (part, following) in enumerate(itertools.pairwise(parts)):
        sign = comma_between(clause, part, following)
        if sign is None or not (is_whole(part) and is_whole(following)) or form(following.words[-1]) in TELLING:
            continue
        if not any(is_bound(other) for other in parts[: i + 1]) and part.words[-1].pos != "VERB":
            return [SEMICOLON.edit(sign.start, sign.end, mark(clause.text, "；").rstrip())]
    return None


def comma_between(clause: Clause, part: Part, following: Part) -> Word | None:
    """Return the comma that alone stands between two parts."""
    at = part.words[-1].index + 1
    if at + 1 != following.start or clause.words[at].text not in ("，", ","):
        return None
    return clause.words[at]


def is_whole(part: Part) -> bool:
    """Whether a part is a clause with a subject of its own."""
    first = part.words[0]
    named = (
        first.pos in ("PRON", "NOUN", "PROPN", "DET", "NUM")
        and not is_time(first)
        and form(first) not in JOINERS | OPENERS
    )
    if any(form(w) in ASKING for w in part.words):
        return False
    subject = any(w.label.startswith("nsubj") for w in part.words)
    return named and subject and part.has_verb(1) and part.length() >= LEAST and form(part.words[-1]) != "的"


def is_bound(part: Part) -> bool:
    """Whether a part leads to another one: a conjunction begins it, or it ends in a time or a verb of saying."""
    first, last = form(part.words[0]), form(part.words[-1])
    opens = any(form(w) in OPENERS for w in part.words[:3])
    return (
        opens or last in UNTIL | TELLING or (part.words[-1].tag == "UH" and last != "了") or first in ("每", "一", "先")
    )


def dash(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a dash for the comma before an explanation: ——尤其是."""
    for part, following in zip(parts[-2:], parts[-1:], strict=False):
        sign = comma_between(clause, part, following)
        if sign is not None and any(following.text(0, n) in EXPLAINING for n in (1, 2)) and part.length() >= LEAST:
            return [DASH.edit(sign.start, sign.end, "——")]
    return None


def before_last(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma before 以及 at the end of a list."""
    for part in parts:
        for place in range(3, len(part.words) - 1):
            listed = any(w.text == "、" for w in part.words[:place])
            if listed and form(part.words[place]) == "以及" and part.words[place - 1].pos in ("NOUN", "PROPN", "PART"):
                return comma(part, place, BEFORE_LAST)
    return None
