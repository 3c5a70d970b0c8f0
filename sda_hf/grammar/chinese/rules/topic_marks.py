"""Commas after what is fronted: comments, places, topics."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.rules.marks import Part, begins_claim, comma, first_of, is_modifier, is_predicative
from sda_hf.grammar.chinese.spans import is_time
from sda_hf.grammar.chinese.surface import form
from sda_hf.grammar.edits import Edit, Rule
from sda_hf.syntax.clause import Clause, Word

COMMENTS = lexicon.words("marks", "comments")
FREE = lexicon.words("marks", "free")
UNTIL = lexicon.words("marks", "until")
FRONTING = lexicon.words("marks", "fronting")
ACTORS = lexicon.words("marks", "actors")
SUMMING = lexicon.words("marks", "summing")
SAYING = lexicon.words("verbs", "saying") | lexicon.words("verbs", "thinking") | lexicon.words("marks", "telling")
LOCALIZERS = lexicon.words("marks", "localizers")
# What a prepositional phrase ends with, by its preposition.
# From how many characters on a clause can have a comma after the link before it: ，所以，….
LONG_CLAUSE = 9
FRAMES = lexicon.phrase_lists("frames")
LINKS = lexicon.words("marks", "links")
NOW = lexicon.words("marks", "now")
AFTER_COMMENT = Rule("comment-comma", "comma after the comment or link")
AFTER_PHRASE = Rule("phrase-comma", "comma after the fronted phrase")
AFTER_TOPIC = Rule("topic-comma", "comma after the topic")
AFTER_SUMMING = Rule("summary-comma", "comma before the clause after 是")


# -- comments ------------------------------------------------------------------------------------


def after_comment(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after a comment or a link at the beginning: 其实，我早就知道了."""
    return first_of(_after_comment(part) for part in parts)


def _after_comment(part: Part) -> list[Edit] | None:
    for place in (4, 3, 2, 1):
        text = part.text(0, place)
        if place >= len(part.words) or not (text in COMMENTS or _is_valued(part, place)):
            continue
        after = part.words[place]
        if text in LINKS and not _begins_sentence(part) and part.length(place) < LONG_CLAUSE:
            continue
        if text in ("最后", "另外", "首先", "最终", "结果", "同样", "有时", "通常") and after.pos in ("NUM", "NOUN"):
            continue
        loose = text in FREE or text.endswith("的是") or (text in NOW and part.length(place) > 9)
        if begins_claim(part, place, adverbs=loose and after.pos != "ADJ"):
            return comma(part, place, AFTER_COMMENT)
    return None


def _begins_sentence(part: Part) -> bool:
    """Whether nothing but a semicolon or an opening quotation mark stands before a part."""
    return part.start == 0 or part.clause.words[part.start - 1].text not in ("，", ",", "、")


def _is_valued(part: Part, place: int) -> bool:
    """Whether the words before a place judge what follows: 遗憾的是."""
    return (
        place == 3
        and part.text(1, 3) == "的是"
        and part.words[0].pos in ("ADJ", "VERB", "ADV")
        and place < len(part.words)
    )


def after_summary(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after 是 before a clause: 问题是，我没有时间."""
    for part in parts:
        for place in range(2, len(part.words) - 2):
            if form(part.words[place - 1]) == "是" and form(part.words[place - 2]) in SUMMING and _sums(part, place):
                edits = comma(part, place, AFTER_SUMMING)
                if edits:
                    return edits
    return None


def _sums(part: Part, place: int) -> bool:
    """Whether a whole clause with a subject of its own follows 是, and nothing but a noun phrase stands before it."""
    word, after = part.words[place], part.words[place + 1]
    if word.tag != "PRP" or not part.has_verb(place + 1) or form(part.words[-1]) == "的":
        return False
    if form(part.words[place - 2]) == "的" and part.words[place - 3].pos == "PRON":
        return False
    return form(after) not in ("的", "和", "与", "自己") and after.pos in ("ADV", "AUX", "VERB", "ADJ", "SCONJ")


# -- phrases -------------------------------------------------------------------------------------


def after_phrase(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after a prepositional phrase at the beginning: 在中国，春节最重要."""
    return first_of(_after_fronted(part) for part in parts)


def _after_fronted(part: Part) -> list[Edit] | None:
    opener = _opener(part)
    if opener is None or form(part.words[-1]) in UNTIL:
        return None
    text, start = opener
    for place in range(start + 1, len(part.words) - 1):
        before = part.words[place - 1]
        closed = any(part.text(start, place).endswith(end) for end in FRAMES[text]) and place > start + 1
        aligned = form(before) in FRAMES[text] or (form(before) in LOCALIZERS and text == "在")
        if any(form(w) in ("把", "将", "从", "有") for w in part.words[start : place - 1]):
            return None
        if closed and aligned and not _goes_on(part, place):
            return (
                comma(part, place, AFTER_PHRASE)
                if begins_claim(part, place, adverbs=len(part.text(0, place)) > 4)
                else None
            )
    return _open_phrase(part, text, start)


def _opener(part: Part) -> tuple[str, int] | None:
    for size in (1, 2):
        text = part.text(0, size)
        if text in FRAMES and (part.words[0].pos != "NOUN" or size == 2) and len(part.words) > size + 2:
            return text, size
    return None


def _goes_on(part: Part, place: int) -> bool:
    """Whether the phrase goes on after its seeming end: 在桌子上的书, 在这之后的."""
    word = part.words[place]
    return (
        form(word) in ("的", "和", "与", "、", "之", "及", "以及", "或")
        or word.pos == "PART"
        or word.label == "case:loc"
    )


def _open_phrase(part: Part, text: str, start: int) -> list[Edit] | None:
    """Put a comma after a phrase without an end of its own, where a subject clearly begins."""
    if text not in FRONTING:
        return None
    for place in range(start + 1, len(part.words) - 1):
        word, before = part.words[place], part.words[place - 1]
        if is_predicative(before) and text not in ("为了", "由于", "因为", "通过", "鉴于"):
            return None
        if before.pos not in ("NOUN", "PROPN", "PART", "VERB", "PRON") and before.text not in ("》", "”"):
            continue
        if form(before) in ("的", "地", "和", "与", "及"):
            continue
        if _is_subject_start(part, place, word):
            return comma(part, place, AFTER_PHRASE)
    return None


def _is_subject_start(part: Part, place: int, word: Word) -> bool:
    if not begins_claim(part, place):
        return False
    after = part.words[place + 1]
    if word.tag == "PRP":
        return form(word) != "自己" and not (form(after) == "的" and not part.has_verb(place + 2))
    if form(word) in ACTORS or form(word) + form(after) in ACTORS:
        return form(after) != "的" or form(word) in ("人们", "大家") or part.words[place - 1].pos == "PROPN"
    if after.tag == "SFN" and form(after) == "们":
        return True
    before = part.words[place - 1]
    if is_time(word) and before.pos == "NOUN" and form(after) not in ("的",):
        return True
    owns = before.pos == "PROPN" and word.pos == "NOUN" and word.label == "nsubj" and before.label != "nmod:x"
    return owns and is_predicative(after) and form(part.words[0]) == "在"


def after_object_topic(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after a noun phrase with 的 that a pronoun follows: 你推荐的那本书，我看完了."""
    for part in parts:
        for place in range(3, len(part.words) - 1):
            before, word = part.words[place - 1], part.words[place]
            if not any(form(w) == "的" for w in part.words[: place - 1]) or before.pos not in ("NOUN", "PROPN"):
                continue
            begins = (
                not is_modifier(part, place)
                and word.tag == "PRP"
                and word.label == "nsubj"
                and begins_claim(part, place)
            )
            if begins and _is_topic(part, place) and form(part.words[place + 1]) not in ("的", "和", "与", "自己"):
                return comma(part, place, AFTER_TOPIC)
    return None


def _is_topic(part: Part, place: int) -> bool:
    """Whether the verbs before a place are all in a clause before 的."""
    last = max(i for i, w in enumerate(part.words[:place]) if form(w) == "的")
    ends = not any(is_predicative(w) for w in part.words[last:place])
    first = part.words[0]
    governed = any(form(w) in SAYING or form(w) in ("是", "有", "让", "给") for w in part.words[:last])
    return ends and not governed and first.pos not in ("ADP", "ADV") and part.words[place - 2].pos != "ADP"
