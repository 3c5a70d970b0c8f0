"""Questions of whether: the predicate that is asked about, which 真的 directly precedes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.claims import COMMAS
from sda_hf.grammar.chinese.mood import final_particles
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.spans import is_modal, is_negator, is_time
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause, Word

MODALS = frozenset("能 能够 可以 会 可".split())
PERSONS = frozenset("你 您 我 他 她 它 你们 您们 我们 他们 她们 它们 咱们".split())
POINTING = frozenset("这 那 这个 那个 这些 那些".split())
OPENING = frozenset("那 可是 但是 但 不过 请问 所以 那么".split())
EXISTING = frozenset("是 有 没有 没 在".split())
DEGREES = lexicon.words("adverbs", "degree")
STATES = lexicon.words("modal phrases", "asked-states")
VERBS = lexicon.words("modal phrases", "asked-verbs")
NAMING = ("NOUN", "PROPN", "PRON", "NUM", "X", "PART")
LONGEST_CALL = 2  # words after the last comma that call somebody
# What is not asked plainly: alternatives, requests, questions of consent, rhetorical ones, and those with 真 already.
UNPLAIN = re.compile(
    r"还是|是不是|是否|可否|能否|什么|谁|哪|怎|为何|干[嘛吗]|几|多少|难道|才|还不|倒|竟|\s|[帮替给跟和]我|请(?!问)|[就也]不|不[就也]"
    r"|[想说问][不没我你您他她]|一下|不是|或者|[，,](?:是|对|好|行|可以|没错|懂)[吗吧么嘛]|还记得|[吧呢没不]\W*$|没有\W*$|[？?！!][^”」]*[？?]|道|…"
)


def asked_site(clause: Clause) -> Word | None:
    """Return the word before which 真的 goes in a question with 吗, or None if that is not plain."""
    if "真" in clause.text or UNPLAIN.search(simplified(clause.text[clause.words[0].start : clause.words[-1].end])):
        return None
    words = _asked_part(clause)
    if not words:
        return None
    return _after_person(words) or _modal_in(words) or _existing_in(words) or _final_state(words) or _known_verb(words)


def _asked_part(clause: Clause) -> list[Word]:
    """Return the words of the part that asks: the last one, or the one before somebody who is called."""
    particles = final_particles(clause.words)
    spoken = [w for w in clause.words if w not in particles]
    while spoken and spoken[-1].pos == "PUNCT":
        spoken.pop()
    commas = [i for i, w in enumerate(spoken) if w.text in COMMAS]
    if (
        commas
        and len(spoken) - commas[-1] - 1 <= LONGEST_CALL
        and all(w.pos in NAMING for w in spoken[commas[-1] + 1 :])
    ):
        spoken = [w for w in spoken[: commas[-1]] if w not in particles]
        commas.pop()
        while spoken and (spoken[-1].pos == "PUNCT" or form(spoken[-1]) in ("吗", "么")):
            spoken.pop()
    part = spoken[commas[-1] + 1 :] if commas else spoken
    while part and form(part[0]) in OPENING and len(part) > 1 and (form(part[0]) != "那" or part[1].pos == "PRON"):
        part = part[1:]
    return part if not any(w.pos == "PUNCT" and w.text not in "《》" for w in part) else []


def _after_person(words: Sequence[Word]) -> Word | None:
    """Return the first word of what is asked about a person or a thing pointed at: 你现在吃饭吗."""
    first = form(words[0])
    at = 1
    while at < len(words) and is_time(words[at]):
        at += 1
    if at == len(words):
        return None
    asked = words[at]
    if first in PERSONS and asked.pos in ("VERB", "ADJ", "ADV", "AUX", "ADP") and form(asked)[0] not in "一这那的说":
        return asked
    copular = form(asked) in EXISTING or asked.tag.startswith("VC") or is_modal(asked)
    return asked if first in POINTING and copular else None


def _modal_in(words: Sequence[Word]) -> Word | None:
    at = next((i for i, w in enumerate(words) if form(w) in MODALS and is_modal(w)), None)
    if at is None or any(w.pos == "PRON" and form(w) in PERSONS for w in words[:at] if w is not words[0]):
        return None
    if at + 1 == len(words):
        return words[at] if at else None
    if form(words[-2]) == "的" or form(words[at + 1]) == "的":
        return None  # 可以看电影的网站
    return _with_adverbs(words, at)


def _existing_in(words: Sequence[Word]) -> Word | None:
    at = next((i for i, w in enumerate(words) if form(w) in EXISTING and i), None)
    if at is None or at + 1 == len(words) or any(form(w) == "的" for w in words[at + 2 : -1]):
        return None
    return _with_adverbs(words, at) if words[at - 1].pos in (*NAMING, "ADV", "ADP") else None


def _final_state(words: Sequence[Word]) -> Word | None:
    """Return the state that is asked about at the end, with its adverb of degree: 这样安全吗."""
    at = len(words) - 1
    if form(words[at]) not in STATES:
        return None
    while at and (form(words[at - 1]) in STATES or form(words[at - 1]) in DEGREES or is_negator(words[at - 1])):
        at -= 1
    if not at or form(words[at - 1]) in ("得", "最", "更", "比") or words[at - 1].pos in ("DET", "ADV", "ADP"):
        return None
    return words[at]


def _known_verb(words: Sequence[Word]) -> Word | None:
    """Return a verb that is rarely anything but the predicate: 支持, 影响."""
    at = next((i for i, w in enumerate(words) if form(w) in VERBS and i), None)
    if at is None or form(words[at - 1]) == "的" or any(form(w) == "的" for w in words[at + 1 :]):
        return None
    return _with_adverbs(words, at) if words[at - 1].pos in (*NAMING, "ADV") else None


def _with_adverbs(words: Sequence[Word], at: int) -> Word:
    """Return the first of the adverbs before a word, or the word."""
    while at and words[at - 1].pos == "ADV" and not is_time(words[at - 1]):
        at -= 1
    return words[at]
