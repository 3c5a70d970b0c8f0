"""Marks in series: a semicolon or a dash for a comma, a comma before the end of a list."""

from __future__ import annotations

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
LEADING = lexicon.words("marks", "leading")
EXPLAINING = frozenset("即 也就是 也就是说 尤其是 特别是 比如 例如 譬如 包括 其中".split())
SEMICOLON = Rule("semicolon", "semicolon for the comma between two clauses")
DASH = Rule("dash", "dash for the comma before an explanation")
BEFORE_LAST = Rule("list-comma", "comma before the last item of the list")
LEAST = 5


def semicolon(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a semicolon for the comma between two clauses with subjects of their own."""
    if any(w.text in (";", "；", ":", "：", "?", "？") for w in clause.words[:-1]):
        return None
    for i in range(len(parts) - 1, 0, -1):
        part, following = parts[i - 1], parts[i]
        sign = comma_between(clause, part, following)
        if sign is None or any(leads(other) for other in parts[:i]) or leads(following):
            continue
        if is_finished(part) and is_whole(part) and is_whole(following) and is_named(following):
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
    if any(form(w) in ASKING for w in part.words) or form(part.words[-1]) in TELLING:
        return False
    subject = next((w for w in part.words if w.label.startswith("nsubj")), None)
    if subject is None or part.length() < LEAST or form(part.words[-1]) == "的":
        return False
    return any(w.pos in ("VERB", "ADJ") or w.label == "cop" for w in part.words[subject.index - part.start + 1 :])


def is_named(part: Part) -> bool:
    """Whether a part begins with its subject."""
    first = part.words[0]
    linked = form(first) in JOINERS | OPENERS
    return first.pos in ("PRON", "NOUN", "PROPN", "DET", "NUM") and not is_time(first) and not linked


def is_finished(part: Part) -> bool:
    """Whether a part can be the end of a clause: no time, verb of saying or bare verb ends it."""
    last = part.words[-1]
    if form(last) in UNTIL | TELLING or last.pos in ("VERB", "ADP") or (last.tag == "UH" and form(last) != "了"):
        return False
    return not any(form(w) in TELLING for w in part.words[:5])


def leads(part: Part) -> bool:
    """Whether a conjunction near the beginning of a part ties it to another one."""
    return any(form(w) in OPENERS for w in part.words[:3]) or form(part.words[0]) in LEADING


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
