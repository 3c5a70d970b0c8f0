"""The claim that is negated, where the clause names another one: before a tag, or with a negator that it missed."""

from __future__ import annotations

import re
from dataclasses import replace

from sda_hf.grammar.chinese.claims import is_verbal, subject_of, verb_group
from sda_hf.grammar.chinese.polarity import COMPLEMENTS, FIXED, kind_of, negation_of, negators_of
from sda_hf.grammar.chinese.predicates import copula_of
from sda_hf.grammar.chinese.rules.negation.words import segment_of, word_after
from sda_hf.grammar.chinese.spans import NEGATORS
from sda_hf.grammar.chinese.surface import form, forms
from sda_hf.grammar.edits import Edit, Rule
from sda_hf.syntax.clause import Clause, Negator, Word

TAG = Rule("negation-tag", "a tag question changes with its claim: 不是吗 → 是吗")
TAGS = re.compile("(?:不?是|对|行|好|可以)(?:吗|吧|么|嘛)|是不是|对不对|好不好|行不行")


def tag_of(clause: Clause) -> tuple[Word, ...]:
    """Return the words of a tag question at the end: 对吗, 是不是."""
    commas = [w.index for w in clause.words if w.text in ("，", ",")]
    if not commas or clause.mood != "interrogative":
        return ()
    rest = tuple(w for w in clause.words[commas[-1] + 1 :] if w.pos != "PUNCT")
    return rest if TAGS.fullmatch(forms(rest)) else ()


def focused(clause: Clause) -> Clause:
    """Return the clause with the claim that is negated."""
    tag = tag_of(clause)
    if tag and clause.predicate.index >= tag[0].index:
        clause = _untagged(clause, tag[0].index)
    return replace(clause, negation=_negation(clause))


def _untagged(clause: Clause, end: int) -> Clause:
    """Return the clause of the claim before a tag."""
    tree = clause.tree
    found = [w for w in tree.words[:end] if is_verbal(w) and (w.head >= end or w.head == w.index)]
    found = found or [w for w in tree.words[:end] if w.head >= end and w.pos not in ("PUNCT", "PART", "ADV")]
    if not found:
        return clause
    predicate = found[-1]
    return replace(
        clause,
        predicate=predicate,
        verbs=verb_group(tree, predicate),
        subject=subject_of(tree, predicate),
        negators=negators_of(tree, predicate),
        negation=negation_of(tree, predicate),
    )


def _negation(clause: Clause) -> Negator | None:
    """Return what makes the claim negative: not what negates a modifier of its noun."""
    negation, copula = clause.negation, copula_of(clause)
    if negation is not None:
        nominal = clause.predicate.pos in ("NOUN", "PROPN", "PRON", "NUM", "PART", "X")
        inside = copula is not None and negation.kind != "double" and negation.word.index > copula.index and nominal
        return None if inside and clause.predicate is not copula else negation
    after = word_after(clause, clause.predicate)
    resultative = after is not None and len(form(after)) == 2 and form(after)[0] == "不" and form(after) not in FIXED
    if after is not None and resultative and form(after)[1] in COMPLEMENTS:
        return Negator("resultative", after)
    if (word := _before_subject(clause)) is not None:
        return Negator(kind_of(word), word)
    start = clause.subject.first.index if clause.subject else -1
    for word in segment_of(clause, clause.predicate):
        if start < word.index < clause.predicate.index and _negates(clause, word, copula):
            return Negator(kind_of(word), word)
    return None


def _before_subject(clause: Clause) -> Word | None:
    """Return 没有 that opens the sentence, before its subject: 没有东西被运走."""
    subject = clause.subject
    word = clause.words[0]
    if subject is None or not 0 < subject.first.index < clause.predicate.index or form(word) not in ("没有", "没"):
        return None
    return word if word.head >= subject.first.index else None


def _negates(clause: Clause, word: Word, copula: Word | None) -> bool:
    """Whether a word negates the predicate, from farther before it than the clause looks."""
    if form(word) not in NEGATORS or form(word) in FIXED or (copula is not None and word.index > copula.index):
        return False
    between = clause.words[word.index + 1 : clause.predicate.index]
    return word.head == clause.predicate.index or all(form(w) not in ("的", "之") for w in between)


def tag_changed(clause: Clause) -> list[Edit]:
    """Take 不 from the tag of a claim that was not negative: 不是吗 → 是吗."""
    tag = tag_of(clause)
    if not tag or not form(tag[0]).startswith("不"):
        return []
    return [TAG.edit(tag[0].start, tag[0].start + 1, "")]
