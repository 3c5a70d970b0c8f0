"""Polarity: what makes a claim negative."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.spans import NEGATORS, left_edge
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Negator, Tree, Word

KINDS = lexicon.pairs("negation", "kinds")
DOUBLE = lexicon.words("negation", "double")
FIXED = lexicon.words("negation", "fixed")
NEGATIVE_WORDS = lexicon.pairs("negation", "negative-words")
COMPLEMENTS = lexicon.words("verbs", "complements")
NOT_A_NEGATOR = ("要不", "是不是")


def negators_of(tree: Tree, predicate: Word) -> tuple[Word, ...]:
    """Return the words that negate a predicate, before it or in its place, in text order."""
    start = left_edge(tree, predicate, aspectual=True)
    return tuple(w for w in tree.words[start : predicate.index + 1] if form(w) in NEGATORS and form(w) not in FIXED)


def negation_of(tree: Tree, predicate: Word) -> Negator | None:
    """Return what makes a claim negative; its kind is the basic negator, or says where the negation is.

    Kinds: "不", "没", "没有", "未", "别", "无", "非", "double" (不得不, 非...不可), "resultative" (看不见),
    "complement" (跑得不快) and "lexical" (来不及, 不如).
    """
    found = negators_of(tree, predicate)
    frame = _frame(tree)
    if frame is not None:
        return Negator("double", frame)
    if found:
        if len(found) > 1 or form(found[0]) in DOUBLE:
            return Negator("double", found[0])
        return Negator(kind_of(found[0]), found[0])
    return _after(tree, predicate)


def kind_of(word: Word) -> str:
    """Return the basic negator of a word that negates: "未" for 尚未."""
    return "lexical" if form(word) in NEGATIVE_WORDS else KINDS.get(form(word), form(word))


def _frame(tree: Tree) -> Word | None:
    """Return 非 of 非...不可."""
    opener = next((w for w in tree.words if form(w) in ("非", "非得")), None)
    closed = opener is not None and any(form(w) in ("不可", "不行") for w in tree.words[opener.index + 2 :])
    return opener if closed else None


def _after(tree: Tree, predicate: Word) -> Negator | None:
    """Return the negation in or after the predicate: 看不见, 跑得不快, 来不及."""
    text = form(predicate)
    if text in NEGATIVE_WORDS:
        return Negator("lexical", predicate)
    if len(text) > 2 and text[1] == "不" and text not in FIXED and text[2:] in COMPLEMENTS:
        return Negator("resultative", predicate)
    following = tree.words[predicate.index + 1 : predicate.index + 5]
    for before, word in zip((predicate, *following), following, strict=False):
        if form(word) != "不":
            if form(word) in ("得", "很", "并") or word.label == "compound:vv":
                continue
            break
        if form(before) == "得":
            return Negator("complement", word)
        after = tree.words[word.index + 1] if word.index + 1 < len(tree.words) else None
        if after is None or after.pos == "AUX" or form(after)[0] == form(before)[0]:  # 去不去
            return None
        return Negator("resultative", word) if form(after) in COMPLEMENTS else None
    return None
