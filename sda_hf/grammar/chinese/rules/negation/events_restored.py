"""Events restored: 没去 → 去了, 还没来 → 已经来了, 没去过 → 去过."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.predicates import EXPERIENCED, STATIVE, complement_of, final_le
from sda_hf.grammar.chinese.rules.negation.words import COMMAS, word_after, word_before
from sda_hf.grammar.chinese.surface import after as put_after
from sda_hf.grammar.chinese.surface import delete, form, replace
from sda_hf.grammar.edits import Edit, Result, Rule, Skip
from sda_hf.syntax.clause import Clause, Word

EVENT = Rule("negation-removed-event", "the negation of an event removed: 没去 → 去了")
DROPPED = lexicon.words("negation", "dropped-in-affirmation")
PERFECT = lexicon.pairs("negation", "events-restored")
VERBAL = ("VERB", "ADJ", "AUX")
ENDS = ("吗", "吧", "呢", "啊", "么", "嘛", "呀", "的", "了")
JOINED = ("在", "于", "给", "为", "成", "到", "向", "入", "至", "进", "出", "上", "下", "回", "作", "得", "过", "起")
MOVING = ("去", "来", "到")


def happened(clause: Clause, word: Word) -> Result:
    """Remove 没, 没有 or 未, and say that it happened: with 了, unless there is 过, 着 or 在."""
    text = form(word)
    if text in PERFECT:
        new = PERFECT[text]
        edits = [delete(clause, EVENT, word)] if new == "-" else [replace(clause, EVENT, word, new)]
        marked = new in ("-", "已经")
    else:
        edits, marked = [delete(clause, EVENT, word)], True
    edits += _without_adverbs(clause, word)
    verb = _verb_of(clause, word)
    if verb is None:
        return Skip("no verb after the negation")
    if verb.pos == "ADJ" and verb.index > word.index + 1:
        extent = clause.words[verb.index - 1]
        return [*edits, replace(clause, EVENT, extent, "很")] if form(extent) in ("那么", "这么") else edits
    if not marked or _is_marked(clause, word, verb):
        return edits
    return [*edits, *_le(clause, verb)]


def _without_adverbs(clause: Clause, word: Word) -> list[Edit]:
    """Put 已经 for 还 before the negator, and take away 从来, 并, 一直."""
    edits: list[Edit] = []
    previous = word_before(clause, word)
    while previous is not None:
        text = form(previous)
        if text in ("还", "尚"):
            asked = clause.mood == "interrogative"
            edits.append(delete(clause, EVENT, previous) if asked else replace(clause, EVENT, previous, "已经"))
        elif text in DROPPED:
            edits.append(delete(clause, EVENT, previous))
        elif text in ("也", "都"):
            edits += _counted(clause, previous)
            break
        else:
            break
        previous = word_before(clause, previous)
    return edits


def _counted(clause: Clause, adverb: Word) -> list[Edit]:
    """Put 都 for 一本也, and 谁都 for 谁也."""
    unit = word_before(clause, adverb)
    number = word_before(clause, unit) if unit is not None else None
    if unit is not None and number is not None and form(number) == "一":
        return [replace(clause, EVENT, number, "都", adverb)]
    asking = unit is not None and form(unit) in ("谁", "什么", "哪儿", "哪里")
    return [replace(clause, EVENT, adverb, "都")] if asking and form(adverb) == "也" else []


def _verb_of(clause: Clause, word: Word) -> Word | None:
    if clause.predicate.index > word.index:
        return clause.predicate
    return next((w for w in clause.words[word.index + 1 :] if w.pos in VERBAL), None)


def _is_marked(clause: Clause, word: Word, verb: Word) -> bool:
    """Whether the claim has an aspect already, or is about a state."""
    if form(verb) in STATIVE | EXPERIENCED or final_le(clause) is not None:
        return True
    between = clause.words[word.index + 1 : verb.index]
    if any(form(w) in ("在", "正在") and w.pos == "ADV" for w in between):
        return True
    following = clause.words[verb.index + 1 : verb.index + 3]
    return any(
        form(w) in ("过", "着", "了") and (w.pos in ("AUX", "PART") or form(w) == "过") and not _ends(clause, w)
        for w in following
    )


def _ends(clause: Clause, word: Word) -> bool:
    """Whether 着 at the end is the result of 睡着."""
    following = word_after(clause, word)
    result = form(word) == "着" and form(clause.words[word.index - 1]) == "睡"
    return result and (following is None or following.pos == "PUNCT")


def _le(clause: Clause, verb: Word) -> list[Edit]:
    """Put 了 after the verb and its complement if an object follows, else at the end of its part of the sentence."""
    last = verb
    for word in complement_of(clause) if verb is clause.predicate else ():
        last = word
    following = word_after(clause, last)
    if following is not None and form(following) in JOINED and following.pos in ("VERB", "ADP") and last is verb:
        last, following = following, word_after(clause, following)
    if following is not None and form(following) == "着":
        last, following = following, word_after(clause, following)
    disposed = any(form(w) == "把" for w in clause.words[: verb.index])
    serial = form(verb) in MOVING and any(w.pos == "VERB" for w in clause.words[last.index + 2 : last.index + 6])
    if following is None or following.pos == "PUNCT" or form(following) in ENDS:
        return [put_after(clause, EVENT, last, "了")]
    if disposed or serial:
        return [put_after(clause, EVENT, _end(clause, last), "了")]
    return [put_after(clause, EVENT, last, "了")]


def _end(clause: Clause, word: Word) -> Word:
    """Return the last word before the next comma, without particles and marks."""
    at = word.index
    while at + 1 < len(clause.words):
        following = clause.words[at + 1]
        if following.text in COMMAS or following.pos == "PUNCT" or form(following) in ENDS:
            break
        at += 1
    return clause.words[at]
