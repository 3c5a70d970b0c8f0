"""Commas after long subjects."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.dictionary import dictionary
from sda_hf.grammar.chinese.rules.marks import ENDINGS, Part, comma, first_of, is_predicative
from sda_hf.grammar.chinese.spans import is_modal, is_negator, is_time
from sda_hf.grammar.chinese.surface import form
from sda_hf.grammar.edits import Edit, Rule
from sda_hf.syntax.clause import Clause, Word

UNTIL = lexicon.words("marks", "until")
SPEAKER = lexicon.words("adverbs", "speaker") | lexicon.words("adverbs", "scope")
SAYING = lexicon.words("verbs", "saying") | lexicon.words("verbs", "thinking") | lexicon.words("marks", "telling")
CAUSING = lexicon.words("verbs", "causing")
OPENERS = lexicon.words("marks", "opening") | lexicon.words("conjunctions", "coordinate")
COVERBS = lexicon.words("prepositions", "coverbs") | lexicon.words("prepositions", "topical")
COPULAS = frozenset("是 为 就是 都是 正是 便是 也是 乃是 均为 则是 不是 并非".split())
NOT_ENDING = frozenset("的 地 得 和 与 及 以及 之 一 第 或 或者 、 ·".split())
LONG = 6
SHORTEST = 8  # characters of a predicate that a subject without 的 or 和 is set apart from
# What ends in 会 is an assembly or a society: 村委会, 奥运会.
NOT_SUBJECTS = frozenset("限度 同时 程度 时 时候 左右 期间 起来 一样 方面 情况下".split())
# Verbs that the tagger takes for the end of a noun before 在: 一个女人站在门口.
POSTURES = frozenset("站坐躺走跑住放写停蹲趴睡")
# After a noun these begin the predicate: what follows is no relative clause of a subject.
BEGUN = frozenset("已 已经 也 都 还 就 仍 将 曾 又 才 却 便 一定 必须 应该".split())
LEADING_VERB = frozenset("被 把 将 在 对 从 向 由 以 用 给 于 与 为".split())
ASSEMBLIES = frozenset("委协大工事议聚运学商晚公年宴集展机社国员").union("联").union("教")
ADVERBS = lexicon.words("marks", "predicating")
AFTER_SUBJECT = Rule("subject-comma", "comma after the long subject")
AFTER_VERB_PHRASE = Rule("verb-subject-comma", "comma after the verb phrase that is the subject")


def after_subject(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after a subject with 的 or 和, or of six characters or more: 住在河边的居民，昨晚被疏散."""
    return first_of(_after_subject(part, LONG) for part in parts)


def after_medium_subject(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after a subject of four characters or more."""
    return first_of(_after_subject(part, 4) for part in parts)


def _after_subject(part: Part, least: int) -> list[Edit] | None:
    if form(part.words[-1]) in UNTIL:
        return None
    end = end_of_subject(part) or _parsed_end(part)
    if end is None or part.length(end) < (3 if least == LONG else 5):
        return None
    joined = any(form(w) in ("的", "和", "与") or w.text == "、" for w in part.words[:end])
    if not joined and (part.start > 0 or part.length(end) < SHORTEST):
        return None  # 1946年11月，国立中央大学迁回南京。
    counted = part.words[0].pos in ("NUM", "DET")
    long = part.length(0, end) >= (min(5, least) if joined else least)
    if least < LONG and not (counted or joined) and (end == 1 or part.length(0, end) < 5):
        return None
    return comma(part, end, AFTER_SUBJECT) if long else None


def _parsed_end(part: Part) -> int | None:
    """Return the place after the subject of the claim, if it begins the part and its predicate follows at once."""
    subject = part.clause.subject
    if subject is None or subject.first.index != part.start or part.clause.predicate.index <= subject.last.index:
        return None
    end = subject.last.index - part.start + 1
    if end >= len(part.words) or not subject.head.label.startswith("nsubj") or subject.head is not subject.last:
        return None
    words = part.words[:end]
    plain = form(words[0]) not in COVERBS | OPENERS and words[0].pos not in ("ADP", "SCONJ", "CCONJ")
    told = any(form(w) in SAYING | CAUSING | COPULAS for w in words)
    relative = max((i for i, w in enumerate(words) if form(w) == "的"), default=-1)
    follows = starts_predicate(part, end) or (
        part.words[end] is part.clause.predicate and part.words[end].pos == "VERB"
    )
    return (
        end if plain and not told and not is_time(words[0]) and follows and _is_nominal(part, relative, end) else None
    )


def end_of_subject(part: Part) -> int | None:
    """Return the place after the noun phrase that begins a part, if a predicate follows; None if that is not clear."""
    words = part.words
    if form(words[0]) in COVERBS | OPENERS or words[0].pos in ("ADP", "SCONJ", "CCONJ"):
        return None
    if any(form(w) in ("用", "把", "将", "被") for w in words[1:3]):
        return None
    if words[0].pos == "PRON" and len(words) > 1 and words[1].tag == "MD":
        return None
    if is_time(words[0]) and (len(words) < 3 or words[1].pos != "VERB"):
        return None
    relatives = [i for i, w in enumerate(words) if form(w) == "的" and _is_inside(part, i)]
    return next((end for i in [*reversed(relatives), -1] if (end := _end_after(part, i)) is not None), None)


def _end_after(part: Part, relative: int) -> int | None:
    """Return the place after a noun phrase whose last 的 is at a place; -1 for one without 的."""
    words = part.words
    for place in range(max(relative + 2, 1), len(words)):
        word, before = words[place], words[place - 1]
        if form(before) == "的" and form(word) in COPULAS and any(is_predicative(w) for w in words[: place - 1]):
            return place
        if before.pos not in ENDINGS or form(before) in NOT_ENDING:
            if is_predicative(word) and not (before.pos == "ADJ" or before.pos == "ADV"):
                return None
            continue
        if starts_predicate(part, place):
            return place if _is_nominal(part, relative, place) else None
    return None


def _is_inside(part: Part, place: int) -> bool:
    """Whether 的 at a place belongs to the noun phrase at the beginning, with a predicate after it."""
    words = part.words
    if place == 0 or place + 2 >= len(words) or words[place + 1].pos == "PUNCT":
        return False
    before = words[:place]
    blocked = any(form(w) in SAYING | CAUSING | COPULAS and not w.label.startswith("acl") for w in before)
    verbs = [i for i, w in enumerate(before) if w.pos == "VERB" or w.tag in ("MD", "VC-AUX")]
    begun = any(form(w) in BEGUN and i > 0 and before[i - 1].pos in ENDINGS for i, w in enumerate(before))
    blocked = blocked or begun
    if blocked or not verbs:
        return not blocked and not any(w.pos in ("ADP", "SCONJ") or form(w) in COVERBS - {"和", "与"} for w in before)
    # 他买了三本新的书: a relative clause has its subject right before its verb, and no aspect but at its end.
    first = verbs[0]
    aspect = any(form(w) == "了" for w in before[first + 1 :]) and not before[first].label.startswith("acl")
    leads = first == 0 or (first == 1 and is_time(before[0]))
    tagged = words[place].tag == "DEC-SCONJ" or words[place].label == "mark:rel" or leads
    return tagged and (leads or not aspect) and (leads or _is_relative(part, first, place))


def _is_relative(part: Part, first: int, place: int) -> bool:
    """Whether the verb at `first` is in the clause before 的, by its label, or the part begins with it."""
    verb = part.words[first]
    return first == 0 or verb.label.startswith("acl") or verb.head in range(part.start, part.start + place)


def _is_nominal(part: Part, relative: int, place: int) -> bool:
    """Whether the words before a place are one noun phrase."""
    tail = part.words[relative + 1 : place]
    if any(is_predicative(w) and w.pos != "ADJ" for w in tail) or any(w.pos in ("ADP", "ADV", "SCONJ") for w in tail):
        return False
    if part.words[place - 1].pos == "PRON" or any(w.tag == "PRP" for w in tail[1:]) or is_time(part.words[place - 1]):
        return False
    last = part.words[place - 1]
    if any(_hides_coverb(form(w)) for w in tail):
        return False
    if (last.tag == "NNB" and form(last) not in ("人", "家")) or form(last) in SPEAKER | NOT_SUBJECTS:
        return False
    return not any(is_time(w) for w in tail)


def _hides_coverb(text: str) -> bool:
    """Whether 把 or 被 was read as part of a noun."""
    return len(text) > 1 and (text[0] in "把被" or text[-1] == "把") and text not in dictionary()


def starts_predicate(part: Part, place: int) -> bool:
    """Whether a predicate clearly begins at a place."""
    word = part.words[place]
    text = form(word)
    after = part.words[place + 1 : place + 2]
    if not after or text[0] in "的之地得时":
        return False
    if any(form(w) == "的" for w in after) and word.pos in ("VERB", "ADJ"):
        return False
    if text.startswith("在") and form(part.words[place - 1])[-1] in POSTURES:
        return False
    if text in COPULAS and (word.pos != "NOUN"):
        return True
    if text == "会" and form(part.words[place - 1])[-1] in ASSEMBLIES:
        return False
    if is_modal(word) or is_negator(word):
        return True
    if text in ADVERBS and part.has_verb(place + 1):
        return True
    if text in LEADING_VERB and word.pos in ("ADP", "AUX", "VERB"):
        joins = text == "与" and any(form(w) == "的" for w in part.words[place:])
        return not joins and any(w.pos == "VERB" for w in part.words[place + 2 :])
    return _is_verb_start(part, place, word, after[0])


def _is_verb_start(part: Part, place: int, word: Word, after: Word) -> bool:
    before = part.words[place - 1]
    if word.pos != "VERB" or after.pos == "PART":
        return False
    marked = form(after) in ("了", "着", "过") or after.pos in ("NOUN", "NUM", "DET", "PRON", "PROPN", "ADP", "VERB")
    heads = before.label.startswith("nsubj") and before.head == word.index
    return marked and (heads or word.label == "root") and word.tag == "VV"


def after_verb_subject(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after a verb phrase that is the subject of 是, 需要 and the like: 学习一门外语，需要长期坚持."""
    return first_of(_after_verb_phrase(part) for part in parts)


def _after_verb_phrase(part: Part) -> list[Edit] | None:
    words = part.words
    if (
        words[0].pos != "VERB"
        or form(words[0]) in OPENERS
        or form(words[0]) in SAYING | CAUSING | COPULAS
        or form(words[0]) in ("有", "请", "想")
    ):
        return None
    for place in range(2, len(words) - 1):
        word, before = words[place], words[place - 1]
        if is_predicative(word) or form(word) in ADVERBS:
            fits = form(word) in (
                "是",
                "需要",
                "不是",
                "可以",
                "能够",
                "应该",
                "必须",
                "会",
                "能",
                "有助于",
                "意味着",
                "对",
            )
            whole = before.pos in ("NOUN", "PROPN", "PART") and form(before) not in NOT_ENDING
            return comma(part, place, AFTER_VERB_PHRASE) if fits and whole and part.length(0, place) >= 4 else None
    return None
