"""Which words before a predicate belong to it: adverbs of its scope, coverbs with their objects, modals, negators.

What stays before them are topics, times, the subject, and adverbs that comment on the claim.
"""

from __future__ import annotations

import re

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Tree, Word

NEGATORS = lexicon.words("negation", "negators") | lexicon.words("negation", "double")
MODALS = lexicon.words("modals", "all")
ASPECTUAL = lexicon.words("adverbs", "aspectual")
PROGRESSIVE = lexicon.words("adverbs", "progressive")
SPEAKER = lexicon.words("adverbs", "speaker")
SCOPE = lexicon.words("adverbs", "scope") | lexicon.words("adverbs", "degree")
COVERBS = lexicon.words("prepositions", "coverbs")
STRONG = lexicon.words("prepositions", "disposal") | lexicon.words("prepositions", "passive")
TOPICAL = lexicon.words("prepositions", "topical")
JOINING = frozenset("和 与 同 跟 以".split())
TIMES = (
    lexicon.words("time", "past") | lexicon.words("time", "future") | lexicon.words("time", "present")
) - lexicon.words("adverbs", "scope")
DATE = re.compile(
    r"[\d一二三四五六七八九十零〇两]+(?:年|月|日|号|点|世纪|年代|时|点钟|点半|月份)|年|月|日|号|世纪|年代|点钟|时候|时"
)
NOMINAL = ("NOUN", "PROPN", "PRON", "NUM", "X", "PART", "DET", "SYM")
VERBAL = ("VERB", "ADJ", "AUX")
OPENING_VERBS = ("来", "去")


def is_time(word: Word) -> bool:
    """Whether a word tells a time: 昨天, 1998年, 年."""
    text = form(word)
    return text in TIMES or (word.pos in ("NOUN", "NUM", "PROPN") and DATE.fullmatch(text) is not None)


def is_negator(word: Word) -> bool:
    """Whether a word negates what follows it, by its form."""
    return form(word) in NEGATORS


def is_modal(word: Word) -> bool:
    """Whether a word is a modal verb, by its form and tag."""
    return form(word) in MODALS and word.pos in ("AUX", "VERB", "ADV", "ADP")


def is_progressive(tree: Tree, word: Word) -> bool:
    """Whether a word is 在 or 正在 before a verb, and not a preposition before a place."""
    if form(word) not in PROGRESSIVE:
        return False
    if word.pos == "ADV" or len(form(word)) > 1:
        return True
    following = tree.words[word.index + 1 : word.index + 8]
    end = next((i for i, w in enumerate(following) if w.pos == "PUNCT"), len(following))
    if word.label == "root" or not end or following[0].pos != "VERB" or form(following[0]) in MODALS:
        return False
    return not any(w.label == "case:loc" or form(w) in ("时", "后", "前", "中") for w in following[:end])


def left_edge(tree: Tree, predicate: Word, *, aspectual: bool = False) -> int:
    """Return the index of the first word that belongs to a predicate: where a negator or a modal goes.

    Args:
        tree: the tree of the sentence.
        predicate: the predicate.
        aspectual: whether adverbs such as 已经 belong to it, too, as they do for a modal: 应该已经.
    """
    copulas = [w.index for w in tree.children(predicate, "cop") if w.index < predicate.index]
    at = min(copulas, default=predicate.index)
    while at > 0:
        step = _before(tree, at, aspectual)
        if step is None:
            break
        at = step
    return at


def _before(tree: Tree, at: int, aspectual: bool) -> int | None:
    """Return the index of the word or phrase before `at` if it belongs to the predicate."""
    word = tree.words[at - 1]
    text = form(word)
    if word.pos == "PUNCT":
        return None
    if is_negator(word) or is_modal(word) or word.tag == "VC-AUX" or is_progressive(tree, word):
        return at - 1
    if text in ASPECTUAL:
        return at - 1 if aspectual and word.pos != "ADP" else None
    if text in SPEAKER or is_time(word):
        return None
    if text in SCOPE:
        return at - 1
    if text == "地" and at > 1:
        return _manner(tree, at - 2)
    if word.pos == "ADV" or (text in STRONG and word.tag.startswith("BB")) or text in ("给", "所"):
        return at - 1
    if text in OPENING_VERBS and word.pos == "VERB" and at > 1:
        return at - 1
    if word.pos in NOMINAL or word.label.startswith("case"):
        return _coverb(tree, at)
    return None


def _manner(tree: Tree, at: int) -> int:
    """Return the beginning of the phrase before 地: 非常认真."""
    while at > 0 and (form(tree.words[at - 1]) in SCOPE or tree.words[at - 1].label == "advmod"):
        if tree.words[at - 1].pos not in ("ADV", "ADJ"):
            break
        at -= 1
    return at


def _coverb(tree: Tree, at: int) -> int | None:
    """Return the index of the preposition whose phrase ends before `at`, if there is one and it is not a topic."""
    words = tree.words
    for place in range(at - 2, -1, -1):
        word = words[place]
        text = form(word)
        if word.pos == "PUNCT" or text in SPEAKER - COVERBS - PROGRESSIVE:
            return None
        if text in TOPICAL and word.pos == "ADP":
            return None
        if text in COVERBS and word.pos in ("ADP", "VERB", "AUX", "CCONJ") and _governs(tree, word, at):
            inside = words[place + 1 : at]
            dated = any(is_time(w) for w in inside) and not any(w.pos in ("PRON", "PROPN") for w in inside)
            return None if dated else place
        if word.label == "root" and word.pos in VERBAL:
            return None
    return None


def _governs(tree: Tree, coverb: Word, at: int) -> bool:
    """Whether the words between a coverb and `at` are its object."""
    text = form(coverb)
    inside = tree.words[coverb.index + 1 : at]
    if text in JOINING and coverb.label == "cc":
        return False
    if coverb.tag.startswith("BB") or (text in ("把", "被") and coverb.pos != "NOUN"):
        return True
    if coverb.label == "case" and coverb.index < coverb.head < at:
        noun = tree.words[coverb.head]
        last = max((w.index for w in inside if w.pos in ("NOUN", "PROPN", "PRON", "PART", "X")), default=-1)
        return noun.pos not in VERBAL and last - noun.index <= 1
    plain = all(w.pos not in VERBAL and form(w) not in ("的", "之") for w in inside)
    return plain and len(inside) <= 3
