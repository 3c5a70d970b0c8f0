"""Commas after what is fronted: comments, times, places, topics."""

from __future__ import annotations

import re

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.rules.marks import Part, comma, first_of, is_modifier, is_predicative
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
LOCALIZERS = frozenset("上 下 里 内 外 中 前 后 间 旁 边 底 处 方面 之间 之上 之下 之中 之内 之外 以上 以下 以外 时 期间 附近 过程中 情况下".split())
# What a prepositional phrase ends with, by its preposition.
FRAMES = {
    "对": ("来说", "而言", "来讲"),
    "对于": ("来说", "而言", "来讲"),
    "就": ("而言", "来说", "来看"),
    "从": ("来看", "来说", "起", "开始", "以来", "以后", "之后", "看", "上看", "角度"),
    "除了": ("以外", "之外", "外"),
    "除": ("以外", "之外", "外"),
    "自": ("以来", "起", "之后", "后", "以后"),
    "自从": ("以来", "之后", "后", "以后"),
    "随着": (),
    "据": ("说", "称", "报道", "估计", "统计", "介绍", "透露", "记载"),
    "根据": ("说", "报道", "规定", "记载"),
    "到": ("为止", "止", "时"),
    "像": ("一样", "那样"),
    "和": ("一样",),
    "跟": ("一样",),
    "与": ("相比", "不同", "一样", "相反"),
    "比起": (),
    "当": ("时", "时候", "之后"),
    "在": ("上", "下", "里", "内", "外", "中", "前", "后", "间", "之间", "之上", "之下", "之中", "之内", "以外", "时", "期间", "附近", "方面", "过程中",
          "之后", "之前", "以后", "以前", "旁", "旁边", "里面", "外面", "上面", "下面", "时候", "情况下", "看来", "时代", "时期", "当时", "那里", "这里", "同时", "基础上"),
    "经过": ("后", "之后", "以后"),
    "通过": (),
    "作为": (),
    "为了": (),
    "关于": (),
    "至于": (),
    "由于": (),
    "鉴于": (),
    "按照": (),
    "针对": (),
}
LINKS = frozenset("但是 可是 所以 而且 因此 不过 然而 于是 否则 况且 何况 然后 同时 最后 特别是 尤其是 例如 比如 结果 当然".split())
NOW = frozenset("目前 现在 如今 最近 当时 后来 此时 这时 通常 不过 然而 因此 但是 最终".split())
STARTING_ADVERBS = frozenset("都 就 也 还 才 便 却 已经 已 曾 曾经 将 正在 一直 仍 仍然 几乎 只 总是 常常 经常 甚至 可能 一定 不 没有 没 必须 应该 可以 会 能 要 是 有".split())
TIME_TAGS = ("CD", "NNB", "DT", "RB")
DATED = re.compile(r"\d+年|[年月日]|世纪|年代|[年月日]初|[年月]底|早上|晚上|下午|上午|中午|夏天|冬天|春天|秋天|时期|期间|小时|分钟|星期|周")
AFTER_COMMENT = Rule("comment-comma", "comma after the comment or link")
AFTER_TIME = Rule("time-comma", "comma after the time")
AFTER_PHRASE = Rule("phrase-comma", "comma after the fronted phrase")
AFTER_TOPIC = Rule("topic-comma", "comma after the topic")
AFTER_SUMMING = Rule("summary-comma", "comma before the clause after 是")


def begins_claim(part: Part, place: int, *, adverbs: bool = False) -> bool:
    """Whether a subject begins at a place, by the tags; with `adverbs`, whether a predicate does, too."""
    if place >= len(part.words) - 1 or not part.has_verb(place):
        return False
    word, before = part.words[place], part.words[place - 1] if place else None
    if word.tag in ("DEC", "DEC-SCONJ", "DEV", "DEV-SCONJ", "UH", "AS", "CC", "SFN") or form(word) in ("的", "和", "及", "之"):
        return False
    if before is not None and form(before) in ("的", "地", "和", "与", "一"):
        return False
    if is_modifier(part, place) and word.pos != "PRON":
        return False
    if word.pos in ("PRON", "DET", "NOUN", "PROPN", "NUM", "X"):
        return True
    if word.pos == "VERB" and word.label.startswith("acl"):
        return False
    return adverbs and (form(word) in STARTING_ADVERBS or word.pos in ("ADV", "AUX", "ADJ", "ADP", "VERB"))


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
        if text in LINKS and not _begins_sentence(part):
            continue
        if text in ("最后", "首先", "最终", "结果", "同样", "有时", "通常") and after.pos in ("NUM", "NOUN"):
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
    return place == 3 and part.text(1, 3) == "的是" and part.words[0].pos in ("ADJ", "VERB", "ADV") and place < len(part.words)


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


# -- times ---------------------------------------------------------------------------------------


def after_time(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after a time of three characters or more at the beginning: 去年夏天，我们去了海边."""
    return first_of(_after_time(part, 3) for part in parts)


def after_short_time(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after a time of two characters, before a subject: 今天，我们放假."""
    return first_of(_after_time(part, 2) for part in parts if len(part.words) > 6)


def _after_time(part: Part, least: int) -> list[Edit] | None:
    end = _end_of_time(part)
    if end == 0 or part.length(0, end) < least:
        return None
    after = part.words[end : end + 1]
    if after and (form(after[0]) in LOCALIZERS | UNTIL or after[0].label == "case:loc"):
        return None
    if not after or (after[0].pos == "NOUN" and after[0].label.startswith(("nmod", "compound", "clf"))):
        if not after or form(after[0]) not in ACTORS:
            return None
    if least > 2 and after[0].pos == "ADV" and part.length(0, end) < 4:
        return None
    return comma(part, end, AFTER_TIME) if begins_claim(part, end, adverbs=least > 2) else None


def _end_of_time(part: Part) -> int:
    """Return the place after the words at the beginning that tell a time; 0 if there are none."""
    end, dated = 0, False
    if part.words and form(part.words[0]) == "在":
        end = 1
    for place in range(end, len(part.words)):
        word = part.words[place]
        text = form(word)
        times = is_time(word) or word.label == "obl:tmod"
        if times and word.pos in ("NOUN", "PROPN", "NUM") and not text[0].isdigit():
            end, dated = place + 1, True
        elif not (word.pos in ("NUM", "DET") or (word.tag == "NNB" and dated) or (dated and text in ("初", "末", "底", "中", "间", "左右"))):
            break
        elif text in ("初", "末", "底", "中", "间", "左右"):
            end = place + 1
    if end < 2 and not dated:
        return 0
    return end if dated and DATED.search(part.text(0, end)) or all(is_time(w) for w in part.words[:end]) else 0


def after_time_clause(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after a clause or phrase that ends in 的时候, 后, 前, 时: 毕业后，她回到家乡."""
    return first_of(_after_until(part) for part in parts)


def _after_until(part: Part) -> list[Edit] | None:
    for place in range(2, len(part.words) - 1):
        word = part.words[place - 1]
        if form(word) not in UNTIL or not _closes_time(part, place):
            continue
        return comma(part, place, AFTER_TIME)
    return None


def _closes_time(part: Part, place: int) -> bool:
    word, before, text = part.words[place - 1], part.words[place - 2], form(part.words[place - 1])
    inside = part.words[: place - 1]
    if any(form(w) in SAYING or form(w) in ("是", "打算", "想", "希望", "决定", "要", "有", "计划", "准备") for w in inside):
        return False
    if any(form(w) in ("在", "当", "等", "从", "于") for w in inside[1:]):
        return False
    if len(text) == 1 and word.label not in ("case:loc", "case") and word.tag != "IN":
        return False
    if text in ("起", "来", "开始", "那天", "同时", "为止") and form(inside[0]) not in ("从", "自", "自从", "到", "在"):
        return False
    if text in ("时候", "之际", "那年") and form(before) != "的" and text != "时候":
        return False
    if before.pos == "ADP" or form(inside[0]) in ("比", "被", "把", "将", "比起", "正如", "如", "像", "如同", "就像", "不", "没", "没有"):
        return False
    timed = before.tag == "NNB" or part.has_verb(0, place - 1) or form(before) == "的"
    return timed and begins_claim(part, place, adverbs=True) and not _is_compound(part.words[place])


def _is_compound(word: Word) -> bool:
    """Whether a noun only modifies the one after it: 毕业后生活."""
    return word.pos == "NOUN" and word.label in ("compound", "compound:vv", "clf")


# -- phrases -------------------------------------------------------------------------------------


def after_phrase(clause: Clause, parts: tuple[Part, ...]) -> list[Edit] | None:
    """Put a comma after a prepositional phrase at the beginning: 在中国，春节最重要."""
    return first_of(_after_fronted(part) for part in parts)


def _after_fronted(part: Part) -> list[Edit] | None:
    opener = _opener(part)
    if opener is None:
        return None
    text, start = opener
    for place in range(start + 1, len(part.words) - 1):
        before = part.words[place - 1]
        closed = any(part.text(start, place).endswith(end) for end in FRAMES[text]) and place > start + 1
        aligned = form(before) in FRAMES[text] or (form(before) in LOCALIZERS and text == "在")
        if closed and aligned and not _goes_on(part, place):
            return comma(part, place, AFTER_PHRASE) if begins_claim(part, place, adverbs=len(part.text(0, place)) > 4) else None
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
    return form(word) in ("的", "和", "与", "、", "之", "及", "以及", "或") or word.pos == "PART" or word.label == "case:loc"


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
            begins = not is_modifier(part, place) and word.tag == "PRP" and word.label == "nsubj" and begins_claim(part, place)
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
