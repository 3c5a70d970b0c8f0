"""The place of the negator, and what the adverbs before it become."""

from __future__ import annotations

from sda_hf.grammar.chinese.mood import FINAL
from sda_hf.grammar.chinese.predicates import HAVING, PERFECT, STATIVE, negation_site
from sda_hf.grammar.chinese.rules.negation.words import (
    WITH_EVENT,
    WITH_STATE,
    is_intensifier,
    segment_of,
    word_after,
    word_before,
)
from sda_hf.grammar.chinese.spans import SCOPE, is_time, left_edge
from sda_hf.grammar.chinese.surface import before, delete, form, replace
from sda_hf.grammar.edits import Edit, Rule
from sda_hf.syntax.clause import Clause, Word

GOES = "-"
DROPPED = Rule("negation-adverb", "under negation: an adverb goes")
TOGETHER = ("一起", "一同", "一道", "共同")
LEADING = frozenset("为 对 向 给 由 从 以 用 按 按照 跟 随 替 在 因 因为 通过 将 与".split())
JOINING = ("和", "与", "跟", "同")
RELATIVE = ("的", "之", "时", "后", "前", "以后", "之后", "以前", "之前", "时候", "了")


def site_of(clause: Clause) -> Word:
    """Return the word before which the negator goes: before 把, 被 and the first of verbs in series, too."""
    site = negation_site(clause)
    subject = clause.subject
    if subject is not None and site.index < subject.first.index and subject.last.index < clause.predicate.index:
        site = clause.words[subject.last.index + 1]
    named = [w for w in clause.words[1 : clause.predicate.index] if w.pos == "PRON" and w.label == "nsubj"]
    if site.index == 0 and named and named[-1].index + 1 < clause.predicate.index + 1:
        site = clause.words[named[-1].index + 1]
    if form(site) == "为" and (asked := word_after(clause, site)) is not None and form(asked) == "什么":
        site = word_after(clause, asked) or site
    start = clause.subject.last.index if clause.subject and clause.subject.last.index < site.index else -1
    for word in segment_of(clause, clause.predicate):
        if word.index >= site.index:
            break
        if word.index > start and ((form(word) == "于" and word.pos == "ADP") or _is_coming(word, site)):
            return word
        led = form(word) == "随之" or _is_led(clause, word)
        if led and word.index > 0:
            return _scoped(clause, word)
        if _is_disposal(clause, word, site) or _joins(clause, word) or _is_first_in_series(clause, word, site):
            return clause.words[left_edge(clause.tree, word)] if word.pos == "VERB" else word
    return site


def _is_coming(word: Word, site: Word) -> bool:
    """Whether a word is 来 or 去 before another verb: 来上班."""
    return form(word) in ("来", "去") and word.index == site.index - 1 and word.pos in ("SCONJ", "ADV", "VERB")


def _is_led(clause: Clause, word: Word) -> bool:
    """Whether a word is the preposition of a long phrase that belongs to the predicate: 为...建立了基础."""
    after = word_after(clause, word)
    if (
        form(word) not in LEADING
        or word.pos == "NOUN"
        or (after is not None and (form(after) == "什么" or is_time(after)))
    ):
        return False
    previous = word_before(clause, word)
    if previous is None or previous.pos in ("PUNCT", "VERB"):
        return False
    if any(form(w) in PERFECT for w in clause.words[word.index : clause.predicate.index]):
        return False
    if form(word) == "以" and form(clause.predicate) in ("著称", "闻名", "见长", "出名"):
        return True
    predicate = clause.predicate
    head = clause.words[word.head]
    if word.label == "case":
        return head.head == predicate.index
    return word.head == predicate.index or (predicate.head == word.index and predicate.label in ("ccomp", "xcomp"))


def _scoped(clause: Clause, word: Word) -> Word:
    """Return the first of the adverbs of scope before a place: 一起在, 多次向."""
    previous = word_before(clause, word)
    while previous is not None and form(previous) in SCOPE and previous.pos == "ADV":
        word, previous = previous, word_before(clause, previous)
    return word


def _is_disposal(clause: Clause, word: Word, site: Word) -> bool:
    """Whether a word is 把 or 被 that the parser left outside the predicate."""
    after = word_after(clause, word)
    if not (word.tag.startswith("BB") and word.index > 0) or form(clause.words[word.index - 1]) in ("这", "那", "一"):
        return False
    if after is None or after.index >= site.index:
        return False
    between = clause.words[word.index : site.index]
    return all(form(w) not in ("的", "之") for w in between) or word.head == clause.predicate.index


def _joins(clause: Clause, word: Word) -> bool:
    """Whether a word is 和 of 和丈夫一起."""
    at = next((w for w in clause.words[word.index + 1 : word.index + 5] if form(w) in TOGETHER), None)
    if form(word) not in JOINING or at is None or word.index == 0:
        return False
    earlier = clause.words[word.index - 1]
    return earlier.pos in ("PRON", "PROPN", "NOUN", "ADV") and at.index <= clause.predicate.index


def _is_first_in_series(clause: Clause, word: Word, site: Word) -> bool:
    """Whether a word is a verb before the predicate, with the same subject: 坐飞机去."""
    if word.label != "advcl" or word.head != clause.predicate.index or word.pos != "VERB" or word.index == 0:
        return False
    between = clause.words[word.index + 1 : site.index]
    if any(form(w) in RELATIVE or w.label == "case:loc" for w in between):
        return False
    earlier = clause.words[word.index - 1]
    if earlier.pos not in ("NOUN", "PROPN", "PRON", "ADV", "PART") or any(w.pos == "PRON" for w in between):
        return False
    return len(between) <= 4


def negated_state(clause: Clause, rule: Rule, site: Word, negator: str = "不") -> list[Edit]:
    """Put a negator of states at a place: 已经 becomes 还, 还 becomes 不再, and intensifiers go."""
    return _negated(clause, rule, site, negator, WITH_STATE)


def negated_event(clause: Clause, rule: Rule, site: Word, negator: str) -> list[Edit]:
    """Put a negator of events at a place: 已经 becomes 还, 曾 becomes 未曾, and 又 goes."""
    return _negated(clause, rule, site, negator, WITH_EVENT)


def _negated(clause: Clause, rule: Rule, site: Word, negator: str, adverbs: dict[str, str]) -> list[Edit]:
    edits: list[Edit] = []
    previous = word_before(clause, site)
    if previous is not None and form(previous) == "就" and not _follows_condition(clause, previous):
        edits.append(delete(clause, DROPPED, previous))
        previous = word_before(clause, previous)
    if previous is not None and form(previous) in adverbs and not _is_other(clause, previous, adverbs):
        new = adverbs[form(previous)]
        if new.endswith("*"):
            edits.append(replace(clause, rule, previous, new[:-1]))
        else:
            edits.append(delete(clause, DROPPED, previous) if new == GOES else replace(clause, DROPPED, previous, new))
            edits += [before(clause, rule, site, negator)] if negator else []
        previous = word_before(clause, previous)
        if previous is not None and adverbs.get(form(previous)) == GOES:
            edits.append(delete(clause, DROPPED, previous))
    elif negator:
        edits.append(before(clause, rule, site, negator))
    last = clause.words[clause.predicate.index - 1]
    nominal = clause.predicate.pos in ("NOUN", "PROPN")  # 是个好老师
    if last.index >= site.index and not nominal and last is not clause.predicate and is_intensifier(last):
        edits.append(delete(clause, DROPPED, last))
    return edits


def _is_other(clause: Clause, adverb: Word, adverbs: dict[str, str]) -> bool:
    """Whether 还 before a verb of action is no "still": 还款, 还要."""
    return form(adverb) == "还" and adverbs is WITH_STATE and form(clause.predicate) not in STATIVE | HAVING


def _follows_condition(clause: Clause, adverb: Word) -> bool:
    """Whether 就 links the claim to a clause before it."""
    return any(w.text in ("，", ",") for w in clause.words[: adverb.index]) or any(
        w.pos == "VERB" for w in clause.words[: adverb.index]
    )


def spoken_end(clause: Clause) -> Word:
    """Return the last word before the particles and the mark at the end."""
    words = [w for w in clause.words if w.pos != "PUNCT" and form(w) not in FINAL]
    return words[-1] if words else clause.words[-1]
