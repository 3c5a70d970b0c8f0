"""Commas between clauses that nothing separates yet."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.mood import FINAL
from sda_hf.grammar.chinese.rules.marks import NOMINAL, Part, comma, first_of, is_modifier, is_predicative
from sda_hf.grammar.chinese.surface import form, mark
from sda_hf.grammar.edits import Edit, Rule
from sda_hf.syntax.clause import Clause, Word

OPENERS = lexicon.words("marks", "opening")
ANSWERS = lexicon.words("marks", "answering")
JOINERS = lexicon.words("marks", "joining")
GOVERNING = lexicon.words("marks", "governing")
PAUSING = lexicon.words("marks", "pausing")
GREETINGS = lexicon.words("marks", "greetings")
ACTORS = lexicon.words("marks", "actors")
SEPARABLE = lexicon.words("verbs", "separable")
SUBORDINATE = frozenset("因为 虽然 尽管 即使 哪怕 除非 如果 只要".split())
# Before these it is an adverb or a phrase of its own.
ONCE = frozenset("可 且 同时 此外 接着 随后 甚至 除了".split())
ASPECT = frozenset("了 着 过".split())
INTRANSITIVE = frozenset(
    "来 去 走 到 回来 下雨 下雪 努力 失败 成功 睡 死 生病 停电 堵车 离开 醒来 结束 开始 长大 没电".split()
)
AFTER_OPENER = Rule("clause-comma", "comma after the subordinate clause")
BEFORE_JOINER = Rule("conjunction-comma", "comma before the conjunction")
AFTER_PAUSE = Rule("particle-comma", "comma after the particle")
AFTER_GREETING = Rule("interjection-comma", "comma after the interjection")
BEFORE_SECOND = Rule("parallel-comma", "comma between parallel clauses")
# The second half of a frame that begins in the same part.
FRAMES = {
    "一边": ("一边",),
    "一面": ("一面",),
    "不仅": ("还", "也", "而且", "更"),
    "不但": ("还", "也", "而且", "反而"),
    "不光": ("还", "也", "而且"),
    "不是": ("而是", "就是"),
    "与其": ("不如",),
    "宁愿": ("也",),
    "宁可": ("也",),
    "要么": ("要么",),
    "首先": ("其次", "然后"),
    "或者": ("或者",),
    "有的": ("有的",),
    "不再": ("而是",),
}


def after_interjection(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after an interjection or a greeting at the beginning: 你好，我想问一下."""
    return first_of(_after_greeting(part) for part in parts[:1])


def _after_greeting(part: Part) -> list[Edit] | None:
    for place in (1, 2):
        greeting, after = part.text(0, place), part.words[place : place + 1]
        if greeting not in GREETINGS or not after or form(after[0]) in FINAL | PAUSING | ASPECT | {"的", "地", "们"}:
            continue
        short = len(greeting) == 1
        thanks = greeting.startswith(("谢谢", "再见"))
        if (short and after[0].pos not in ("PRON", "ADV", "DET")) or (thanks and after[0].pos in NOMINAL):
            continue
        return _loose(part, place, AFTER_GREETING)
    return None


def _loose(part: Part, place: int, rule: Rule) -> list[Edit] | None:
    """Put a comma that may stand after a single character."""
    at = part.words[place].start
    edits = comma(part, place, rule)
    if edits is None and part.length(0, place) == 1 and part.words[place].pos != "PUNCT":
        return [rule.edit(at, at, mark(part.clause.text, "，"))] if part.words[place - 1].end == at else None
    return edits


def after_particle(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after a particle that ends a clause: 你回去吧，我来."""
    for part in parts:
        for place in range(2, len(part.words) - 1):
            before, word = part.words[place - 1], part.words[place]
            if form(before) in PAUSING and before.tag == "UH" and word.tag != "UH" and form(word) not in ("的", "了"):
                edits = comma(part, place, AFTER_PAUSE)
                if edits:
                    return edits
    return None


# -- clauses that a conjunction begins -----------------------------------------------------------


def after_clause(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after a clause that a conjunction begins: 如果下雨，我就不去."""
    return first_of(_after_opened(part) for part in parts)


def _after_opened(part: Part) -> list[Edit] | None:
    opener = next((i for i, w in enumerate(part.words[:4]) if form(w) in OPENERS), None)
    if opener is None or any(is_predicative(w) for w in part.words[:opener]):
        return None
    first = part.start == 0 or part.clause.words[part.start - 1].text not in ("，", ",")
    if form(part.words[opener]) in ("因为", "由于") and not first:
        return None
    if form(part.words[opener]) in ("只有", "当", "如", "若", "虽") and opener > 0:
        return None
    answers = [i for i in range(opener + 2, len(part.words) - 1) if form(part.words[i]) in ANSWERS]
    if _goes_on(part):
        answers = [i for i in answers if form(part.words[i]) in ("就", "那", "那么", "但", "但是", "所以")]
    for place in answers:
        if _is_answer(part, opener, place):
            cut = _subject_start(part, opener, place)
            if cut is not None and cut > opener + 1:
                return comma(part, cut, AFTER_OPENER)
    if form(part.words[opener]) in ("不仅", "不但", "不光", "只有"):
        return None
    return _before_pronoun(part, opener)


def _goes_on(part: Part) -> bool:
    """Whether a comma follows a part, after which the main clause may come."""
    end = part.words[-1].index + 1
    return end < len(part.clause.words) and part.clause.words[end].text in ("，", ",")


def _is_answer(part: Part, opener: int, place: int) -> bool:
    """Whether an adverb answers the conjunction: it follows something that can be a clause, and has one after it."""
    if not part.has_verb(place + 1) or form(part.words[place - 1]) in GOVERNING:
        return False
    word = part.words[place]
    if form(word) in ("还", "都", "也", "就") and form(part.words[opener + 1]) == form(word):
        return False
    # 他们都来: the adverb belongs to the clause itself if nothing but its subject precedes it.
    inside = part.words[opener + 1 : place]
    if part.text(opener + 1, place) in INTRANSITIVE:
        return True
    if form(word) in ("都", "也", "还") and form(part.words[opener]) != "除非":
        return any(w.pos in ("VERB", "AUX") for w in inside)
    return part.has_verb(opener + 1, place) or len(inside) > 2 or form(part.words[opener]) in ("由于", "因为", "为了")


def _subject_start(part: Part, opener: int, place: int) -> int | None:
    """Return the place before the subject of the main clause, which ends before an adverb."""
    before = part.words[place - 1]
    if before.pos == "PRON" and place - 2 > opener:
        return place - 1 if _ends_clause(part, place - 1) else (place if before.label == "obj" else None)
    if before.pos in ("NOUN", "PROPN", "PART") and place - 2 > opener:
        return _noun_start(part, opener, place)
    return place


def _noun_start(part: Part, opener: int, place: int) -> int | None:
    start = place - 1
    if part.words[start].tag == "SFN":
        start -= 1
    noun = part.text(start, place)
    before = part.words[start - 1]
    acts = noun in ACTORS or noun.endswith("们") or part.words[start].tag == "NNP"
    if part.words[start].label.startswith("obj") or form(before) == "的":
        return place
    if before.pos in ("NOUN", "PROPN"):
        return start if acts or before.label == "obj" else None
    if is_predicative(before) or form(before) in ASPECT:
        return start if acts and _ends_clause(part, start) else (place if not acts else None)
    return place


def _ends_clause(part: Part, place: int) -> bool:
    """Whether the words before a place can end a clause, and what follows is not their object."""
    before, word = part.words[place - 1], part.words[place]
    text = form(before)
    if before.pos in ("NOUN", "PROPN") or text in SEPARABLE | INTRANSITIVE or before.pos == "ADJ":
        return True
    if text in ASPECT or before.label == "compound:vv" or before.pos == "PRON":
        return word.label.startswith("nsubj")
    return False


def _before_pronoun(part: Part, opener: int) -> list[Edit] | None:
    """Put a comma before a pronoun that begins the main clause: 因为堵车，他迟到了."""
    for place in range(opener + 2, len(part.words) - 1):
        word = part.words[place]
        if word.tag != "PRP" or form(word) == "自己" or not part.has_verb(place + 1):
            continue
        after = part.words[place + 1]
        before = part.words[place - 1]
        if form(after) in ("的", "和", "与", "自己") or after.pos in ("NOUN", "PROPN") or is_modifier(part, place):
            continue
        if before.pos in ("DET", "NUM") or form(before) in ("一些", "什么"):
            continue
        ends = _ends_clause(part, place) and form(part.words[place - 1]) not in GOVERNING
        phrase = form(part.words[opener]) in ("由于", "因为", "为了", "自从")
        if ends and (phrase or part.has_verb(opener + 1, place)):
            return comma(part, place, AFTER_OPENER)
    return None


# -- clauses behind ------------------------------------------------------------------------------


def before_conjunction(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma before a conjunction that joins two clauses: 我想去，可是没有时间."""
    return first_of(_before_joiner(part, place) for part in parts for place in range(2, len(part.words) - 1))


def _before_joiner(part: Part, place: int) -> list[Edit] | None:
    word, before = part.words[place], part.words[place - 1]
    text = form(word)
    if text not in JOINERS or word.pos == "NOUN" or form(before) in GOVERNING or before.pos in ("ADP", "ADV"):
        return None
    if not part.has_verb(0, place) or part.length(0, place) < 4 or part.length(place + 1) < 3:
        return None
    if not part.has_verb(place + 1) and text not in ("例如", "比如", "尤其是", "特别是", "而不是", "包括"):
        return None
    if text in SUBORDINATE and any(form(w) in OPENERS for w in part.words[:place]):
        return None
    if any(form(w) == "的" for w in part.words[place + 1 :]) and not _is_whole(part, place):
        return None
    if text in ONCE and not (part.words[place + 1].pos in ("PRON", "ADV") and len(text) > 1):
        return None
    return comma(part, place, BEFORE_JOINER)


def _is_whole(part: Part, place: int) -> bool:
    """Whether the words after a conjunction are a clause, and not the end of a modifier: 聪明但是懒惰的学生."""
    before, after = part.words[:place], part.words[place:]
    last = max(i for i, w in enumerate(after) if form(w) == "的")
    rest = after[last + 1 :]
    inside = any(is_predicative(w) for w in after[1:last])
    if not inside or any(is_predicative(w) for w in rest):
        return not any(w.pos == "VERB" and w.label.startswith("acl") for w in before)
    first = next((i for i, w in enumerate(after) if is_predicative(w)), 0)
    marked = any(form(w) in ASPECT or form(w) in ("是", "有") for w in after[first : first + 2])
    return marked or after[1].pos == "PRON"


def between_parallel(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma before the second half of a frame: 一边吃饭，一边看电视; 不是我，而是他."""
    for part in parts:
        for opener, word in enumerate(part.words[:-3]):
            seconds = FRAMES.get(form(word), ())
            for place in range(opener + 2, len(part.words) - 1):
                if form(part.words[place]) in seconds and _is_second(part, opener, place):
                    edits = comma(part, place, BEFORE_SECOND)
                    if edits:
                        return edits
    return None


def _is_second(part: Part, opener: int, place: int) -> bool:
    before = part.words[place - 1]
    if form(part.words[opener]) in ("或者", "有的") and part.length(opener + 1, place) < 3:
        return False
    return part.has_verb(place) and before.pos != "PRON" and form(before) not in GOVERNING


def before_alternative(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma before 还是 between two things that a question offers."""
    if clause.mood != "interrogative":
        return None
    for part in parts:
        for place in range(2, len(part.words) - 1):
            if form(part.words[place]) == "还是" and _offers(part, place):
                return comma(part, place, BEFORE_SECOND)
    return None


def _offers(part: Part, place: int) -> bool:
    asks = any(form(w).startswith("是") for w in part.words[:place])
    return asks and part.has_verb(place + 1) and part.length(0, place) >= 4 and part.length(place + 1) >= 3


def before_new_clause(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after 了 where a pronoun begins another clause: 雨停了，我们走吧."""
    for part in parts:
        for place in range(3, len(part.words) - 1):
            before, word = part.words[place - 1], part.words[place]
            if form(before) == "了" and before.tag == "UH" and _begins(word, part.words[place + 1]):
                edits = comma(part, place, BEFORE_SECOND)
                if edits and part.has_verb(place + 1) and not is_modifier(part, place):
                    return edits
    return None


def _begins(word: Word, after: Word) -> bool:
    return word.tag == "PRP" and word.label.startswith("nsubj") and form(after) not in ("的", "和")
