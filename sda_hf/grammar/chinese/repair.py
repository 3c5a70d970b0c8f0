"""Repairs of a parse where words and tags tell what the parser or the segmenter missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.dictionary import dictionary
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Word

NEGATORS = lexicon.words("negation", "negators") | lexicon.words("negation", "double")
FIXED = lexicon.words("negation", "fixed") | lexicon.words("pronouns", "alternatives")
COMPLEMENTS = lexicon.words("verbs", "complements")
# Adverbs and negations that the segmenter sometimes leaves on the word after them: 很贵, 没去.
PREFIXES = {"很": "RB", "太": "RB", "挺": "RB", "没": "RB", "不": "RB"}
VERBAL_TAGS = ("VV", "JJ", "MD", "NN", "RB")


def repaired(words: Sequence[Word]) -> list[Word]:
    """Return the words of a sentence, with what can be told to be wrong put right."""
    words = _split(words)
    return [_retagged(word, words) for word in words]


def _split(words: Sequence[Word]) -> list[Word]:
    """Split an adverb from the word after it, where the two are not a word of the dictionary."""
    at = [w.index for w in words if _is_fused(w)]
    if not at:
        return list(words)
    moved = {w.index: w.index + sum(i <= w.index for i in at) for w in words}
    found: list[Word] = []
    for word in words:
        head, index = moved[word.head], moved[word.index]
        if word.index in at:
            first = word.text[0]
            feats = "Polarity=Neg" if form(word)[0] in "没不" else ""
            found.append(Word(index - 1, first, "RB", "advmod", index, word.start, word.start + 1, "ADV", feats))
            rest = word.text[1:]
            tag, pos = ("JJ", "ADJ") if form(word)[0] in "很太挺" and word.tag != "VV" else (word.tag, word.pos)
            found.append(Word(index, rest, tag, word.label, head, word.start + 1, word.end, pos, word.feats))
        else:
            found.append(replace(word, index=index, head=head))
    return found


def _is_fused(word: Word) -> bool:
    text = form(word)
    if len(text) < 2 or text[0] not in PREFIXES or word.tag not in VERBAL_TAGS:
        return False
    if text in NEGATORS or text in FIXED or text in dictionary():
        return False
    return text[0] not in "没不" or word.tag in ("VV", "MD", "JJ")


def _retagged(word: Word, words: Sequence[Word]) -> Word:
    text = form(word)
    before = words[word.index - 1] if word.index else None
    after = words[word.index + 1] if word.index + 1 < len(words) else None
    if _is_modal_after_noun(word, before, after) or _is_duty(word, before, after):
        return _as_modal(word, words)
    if word.label == "xcomp" and text in COMPLEMENTS and before and before.index == word.head and before.pos == "VERB":
        return replace(word, label="compound:vv")
    return word


def _is_modal_after_noun(word: Word, before: Word | None, after: Word | None) -> bool:
    """Whether 会 was read as the end of a noun: 天气会越来越冷."""
    if form(word) != "会" or word.pos not in ("PART", "NOUN") or before is None or after is None:
        return False
    nominal = before.pos in ("NOUN", "PROPN", "PRON") and form(before) + "会" not in dictionary()
    return nominal and after.pos in ("ADV", "VERB", "ADJ")


def _is_duty(word: Word, before: Word | None, after: Word | None) -> bool:
    """Whether 得 is the modal that says "must", and not the particle after a verb: 我得找他."""
    if form(word) != "得" or word.tag == "MD" or before is None or after is None:
        return False
    return before.pos in ("PRON", "PROPN", "NOUN") and after.pos in ("VERB", "ADP")


def _as_modal(word: Word, words: Sequence[Word]) -> Word:
    """Return a word as the modal of the verb after it, unless that depends on the word: the tree stays a tree."""
    verb = next((w for w in words[word.index + 1 :] if w.pos in ("VERB", "ADJ")), None)
    modal = replace(word, tag="MD", pos="AUX")
    at = verb
    while at is not None and at.head not in (at.index, word.index):
        at = words[at.head]
    if verb is None or at is None or at.head == word.index or word.head == word.index:
        return modal
    return replace(modal, label="aux", head=verb.index)
