"""Qualities negated: adjectives, comparisons, and what is said after 得."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.predicates import (
    COMPLEMENTS,
    aspect_of,
    copula_of,
    degree_of,
    final_le,
    is_adjectival,
    is_excessive,
    modal_of,
    negation_site,
)
from sda_hf.grammar.chinese.rules.negation.aspect import unmarked
from sda_hf.grammar.chinese.rules.negation.sites import negated_event, negated_state
from sda_hf.grammar.chinese.rules.negation.words import is_intensifier, segment_of, word_after, word_before
from sda_hf.grammar.chinese.spans import SCOPE
from sda_hf.grammar.chinese.surface import before, delete, form, replace
from sda_hf.grammar.edits import Edit, Result, Rule
from sda_hf.syntax.clause import Clause, Word

QUALITY = Rule("negation-quality", "a quality negated with 不; 很 goes")
CHANGE = Rule("negation-change", "a change negated with 没")
MOST = Rule("negation-most", "a superlative negated: 不是最")
GROWING = Rule("negation-growth", "a growth negated: 没有越来越")
COMPARED = Rule("negation-comparison", "a comparison negated: 没有, 不比")
DEGREE = Rule("negation-degree", "a quality after 得 negated")
POTENTIAL = Rule("negation-potential", "a potential form negated: 看得见 → 看不见")
EXTENT = Rule("negation-extent", "an extent negated: 没有...得")
CHANGES = lexicon.words("adjectives", "changes")
DEGREE_WORDS = ("最", "更", "更加", "这么", "那么", "越来越")
ALIKE = ("一样", "同样", "这么", "那么")
GOOD = lexicon.pairs("adjectives", "opposites")


def adjectival(clause: Clause) -> Result | None:
    """很高: 不高; 最高: 不是最高; 红了: 没红; 越来越冷: 没有越来越冷."""
    if not is_adjectival(clause) or modal_of(clause) is not None or clause.verbs is None:
        return None
    adjective = clause.predicate
    if any(w.tag.startswith("BB") and w.head == adjective.index for w in clause.words[: adjective.index]):
        return None  # 被逗乐了
    first = first_adverb(clause)
    texts = [form(w) for w in clause.words[first.index : adjective.index]]
    if "最" in texts or form(adjective).startswith("最"):
        return [before(clause, MOST, first, "不是")]
    if "越来越" in texts or "越" in texts:
        return [*negated_event(clause, GROWING, first, "没有"), *unmarked(clause)]
    previous = word_before(clause, adjective)
    lexical = _of_two(clause, adjective, previous)
    if lexical is not None:
        return lexical
    if form(adjective) in ("极", "透") and previous is not None and previous.pos in ("ADJ", "VERB", "NOUN", "PROPN"):
        le = word_after(clause, adjective)
        last = le if le is not None and form(le) == "了" else adjective
        return [before(clause, QUALITY, previous, "不"), delete(clause, QUALITY, adjective, last)]
    if form(adjective) in GOOD:
        dropped = [delete(clause, QUALITY, w) for w in clause.words[first.index : adjective.index] if is_intensifier(w)]
        return [replace(clause, QUALITY, adjective, GOOD[form(adjective)]), *dropped]
    aspect = aspect_of(clause)
    if aspect.marker is not None and form(aspect.marker) == "过":
        return negated_event(clause, QUALITY, first, "没")
    if final_le(clause) is not None and degree_of(clause) is None:
        return _changed(clause, first)
    return [*negated_state(clause, QUALITY, first), *unmarked(clause), *_final_de(clause)]


def _of_two(clause: Clause, adjective: Word, previous: Word | None) -> Result | None:
    """很少: 并不少; 很多 as one word: 不多; 太贵了: 不太贵; 好用: 不好用."""
    text = form(adjective)
    if is_excessive(clause):
        return [before(clause, QUALITY, adjective, "不"), *unmarked(clause)]
    if len(text) == 2 and text[0] == "很":
        return [replace(clause, QUALITY, adjective, ("并不" if text == "很少" else "不") + text[1])]
    if text == "少" and previous is not None and form(previous) == "很":
        return [replace(clause, QUALITY, previous, "并不")]
    if previous is None or form(previous) != "好" or adjective.pos != "VERB" or len(text) > 1:
        return None
    degree = word_before(clause, previous)
    dropped = [delete(clause, QUALITY, degree)] if degree is not None and is_intensifier(degree) else []
    return [*dropped, before(clause, QUALITY, previous, "不")]


def _changed(clause: Clause, first: Word) -> Result:
    """红了: 没红; 累了: 不累."""
    if form(clause.predicate) in CHANGES:
        return [*negated_event(clause, CHANGE, first, "没"), *unmarked(clause)]
    return [*negated_state(clause, QUALITY, first), *unmarked(clause)]


def first_adverb(clause: Clause) -> Word:
    """Return the first adverb right before the adjective, after any coverb phrase."""
    at = clause.predicate.index
    site = negation_site(clause).index
    while at > site and (form(clause.words[at - 1]) in SCOPE or is_intensifier(clause.words[at - 1])):
        at -= 1
    return clause.words[at]


def _final_de(clause: Clause) -> list[Edit]:
    """Take 的 from the end of 挺好的."""
    degree = degree_of(clause)
    after = word_after(clause, clause.predicate)
    if degree is None or form(degree) not in ("挺", "蛮") or after is None or form(after) != "的":
        return []
    return [delete(clause, QUALITY, after)]


def compared(clause: Clause) -> Result | None:
    """比我高: 没有我高; 比我大三岁: 不比我大三岁; 比去年上涨了: 没有比去年上涨."""
    if modal_of(clause) is not None or copula_of(clause) is not None:
        return None
    words = [w for w in segment_of(clause, clause.predicate) if w.index < clause.predicate.index]
    previous = word_before(clause, clause.predicate)
    if previous is not None and form(previous) in ALIKE:
        like = next((w for w in words if form(w) == "像"), previous if form(previous) in ("一样", "同样") else None)
        return [before(clause, COMPARED, like, "不")] if like is not None else None
    word = next((w for w in words if form(w) in ("比", "较") and w.tag == "IN"), None)
    if word is None:
        return None
    after = word_after(clause, clause.predicate)
    ends = after is None or after.pos == "PUNCT" or form(after) in ("的", "吗", "啊")
    adverb = previous if previous is not None and form(previous) in ("更", "更加", "还", "还要") else None
    if clause.predicate.pos == "ADJ" and ends:
        dropped = [delete(clause, COMPARED, adverb)] if adverb is not None else []
        return [replace(clause, COMPARED, word, "没有"), *dropped]
    if adverb is not None or (clause.predicate.pos == "ADJ" and not unmarked(clause)):
        return negated_state(clause, COMPARED, word)
    return [*negated_event(clause, COMPARED, word, "没有"), *unmarked(clause)]


def degree_complement(clause: Clause, de: Word) -> Result | None:
    """跑得很快: 跑得不快; 看得见: 看不见; 高兴得跳起来: 没高兴得跳起来."""
    at = de.index + 1
    adverbs = []
    while at < len(clause.words) and (form(clause.words[at]) in DEGREE_WORDS or is_intensifier(clause.words[at])):
        if at + 1 < len(clause.words) and clause.words[at + 1].pos == "PUNCT":
            break
        adverbs.append(clause.words[at])
        at += 1
    if at >= len(clause.words) or clause.words[at].pos == "PUNCT":
        return None
    complement = clause.words[at]
    if len(form(complement)) == 2 and form(complement)[0] == "很":  # 到得很早, where 很早 is one word
        return [replace(clause, DEGREE, complement, "不" + form(complement)[1]), *unmarked(clause)]
    judged = form(complement) in ("对", "错", "多")
    if judged and not adverbs:
        return [before(clause, DEGREE, complement, "不"), *unmarked(clause)]
    beyond = word_after(clause, complement)
    if complement.pos == "ADJ" and beyond is not None and form(beyond) == "起来":
        return [*negated_event(clause, EXTENT, negation_site(clause), "没有"), *unmarked(clause)]
    potential = len(form(clause.predicate)) == 1 or beyond is None or beyond.pos != "VERB"
    if not adverbs and form(complement) in COMPLEMENTS and complement.pos != "ADJ" and potential:
        return [replace(clause, POTENTIAL, de, "不")]
    if (adverbs and form(adverbs[0]) == "最") or form(complement).startswith("最"):
        return [before(clause, MOST, adverbs[0] if adverbs else complement, "不是")]
    if complement.pos == "ADJ" or adverbs:
        dropped = [delete(clause, DEGREE, w) for w in adverbs if is_intensifier(w)]
        return [before(clause, DEGREE, adverbs[0] if adverbs else complement, "不"), *dropped, *unmarked(clause)]
    return [*negated_event(clause, EXTENT, negation_site(clause), "没有"), *unmarked(clause)]
