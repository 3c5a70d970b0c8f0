"""Questions: the word that asks, and whether a sentence asks at all."""

from __future__ import annotations

import re

from sda_hf.grammar.chinese.mood import QUESTION_WORDS, final_particles
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause, Word

# A verb with its negation: 去不去, 有没有, 是否.
ALTERNATIVE = re.compile(r"(\w{1,2})[不没]\1|喜不喜欢|可不可以|应不应该|愿不愿意|需不需要|认不认识|[是能可会]否|有无")
OPEN_QUESTIONS = "怎么 如何 怎样 哪里 哪儿 什么时候 何时 为什么 为何 为啥 咋".split()
MANNER = frozenset("怎么 如何 怎样 为什么 为何 为啥 咋 怎么样 怎么办 干嘛 咋样 怎".split())
INDEFINITE = frozenset("几 多少 还是 何".split())
WHETHER = frozenset("吗 么 嘛".split())


def alternative_of(clause: Clause) -> Word | None:
    """Return the first word of a verb that is asked with its negation: 去不去."""
    text = "".join(map(form, clause.words))
    found = ALTERNATIVE.search(text)
    if found is None:
        return None
    at = 0
    for word in clause.words:
        if at + len(word.text) > found.start():
            return word if at == found.start() else None
        at += len(word.text)
    return None


def question_word(clause: Clause) -> Word | None:
    """Return the word that asks: 谁, 怎么, or a verb with its negation: 去不去; None in a question with 吗."""
    if any(form(w) in WHETHER for w in final_particles(clause.words)):
        return None
    alternative = alternative_of(clause)
    opened = clause.words[: alternative.index] if alternative is not None else ()
    if alternative is not None and not any(form(w) in MANNER for w in opened):
        return alternative
    asking = [w for w in clause.words if form(w) in QUESTION_WORDS or (form(w) == "还是" and w.label == "cc")]
    return next((w for w in asking if form(w) not in INDEFINITE), asking[0] if asking else None)


def asks_openly(clause: Clause) -> bool:
    """Whether a question is about the way, the place, the time or the cause, which a modal verb fits."""
    text = "".join(map(form, clause.words))
    return any(words in text for words in OPEN_QUESTIONS)


def is_marked(clause: Clause) -> bool:
    """Whether a question has its mark, or none at all."""
    return clause.end_mark is None or any(c in "?？" for c in clause.end_mark.text)
