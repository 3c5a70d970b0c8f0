"""Aspect under negation: 了 goes, with the indefinite number of the object; 过 and 着 stay."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.predicates import final_le
from sda_hf.grammar.chinese.rules.negation.words import CLASSIFIERS, segment_of, word_after, word_before
from sda_hf.grammar.chinese.spans import is_time
from sda_hf.grammar.chinese.surface import delete, form
from sda_hf.grammar.edits import Edit, Rule
from sda_hf.syntax.clause import Clause, Word

RULE = Rule("negation-aspect", "aspect under negation: 了 goes")
INDEFINITE = Rule("negation-indefinite", "under negation: one, an indefinite number, goes")
SAYING = lexicon.words("verbs", "saying")
THINKING = lexicon.words("verbs", "thinking")
EMBEDDING = ("acl", "acl:relcl", "ccomp", "csubj")


def unmarked(clause: Clause) -> list[Edit]:
    """Return the edits that take 了 from the predicate, from verbs in series with it, and from the end."""
    found: list[Edit] = []
    final = final_le(clause)
    says = form(clause.predicate) in SAYING and final is not None and final.index > clause.predicate.index + 2
    if says or (form(clause.predicate) in THINKING and clause.children(clause.predicate, "ccomp")):
        after = word_after(clause, clause.predicate)
        return [_without(clause, after)] if after is not None and form(after) == "了" else []
    segment = segment_of(clause, clause.predicate)
    for word in segment[clause.predicate.index - segment[0].index + 1 :]:
        if form(word) != "了" or word.tag not in ("AS", "UH", "VV"):
            continue
        if word is final or _is_in_series(clause, word):
            found.append(_without(clause, word))
    return found


def _is_in_series(clause: Clause, le: Word) -> bool:
    """Whether 了 belongs to the predicate or to a verb in series with it."""
    before = word_before(clause, le)
    owners = [w for w in (before, clause.words[le.head]) if w is not None and w.index >= clause.predicate.index]
    if before is not None and before.index == clause.predicate.index:
        return True
    chain = [w for owner in owners for w in (owner, *clause.tree.above(owner)) if w.index > clause.predicate.index]
    return not any(w.label in EMBEDDING and not _is_pivotal(clause, w) for w in chain)


def _is_pivotal(clause: Clause, verb: Word) -> bool:
    """Whether the subject of a clause stands right after the predicate, whose object it is."""
    subjects = clause.children(verb, "nsubj")
    return verb.label == "ccomp" and any(s.index == clause.predicate.index + 1 and s.pos == "PRON" for s in subjects)


def _without(clause: Clause, le: Word) -> Edit:
    """Delete 了, with the verb repeated after it: 笑了笑."""
    before, after = word_before(clause, le), word_after(clause, le)
    if before is not None and after is not None and form(after) == form(before):
        return delete(clause, RULE, le, after)
    return delete(clause, RULE, le)


def indefinite(clause: Clause, verb: Word) -> list[Edit]:
    """Return the edit that takes 一 and its classifier from the object of a verb: 买了一辆车 → 没买车."""
    at = verb.index + 1
    while at < len(clause.words) and (
        form(clause.words[at]) in ("了", "着", "过") or clause.words[at].label == "compound:vv"
    ):
        at += 1
    if at + 1 >= len(clause.words):
        return []
    first, second = clause.words[at], clause.words[at + 1]
    if _is_fused(first):
        return [delete(clause, INDEFINITE, first)] if _is_counted(clause, second) else []
    last = second if form(first) in ("一", "几") else first
    if form(last) not in CLASSIFIERS or (last is first and first.tag != "NNB"):
        return []
    after = word_after(clause, last)
    noun = last
    while noun.label in ("clf", "nummod", "det") and noun.head > first.index and noun.head != noun.index:
        noun = clause.words[noun.head]
    if noun is last and first.head > last.index:
        noun = clause.words[first.head]
    if noun is last:
        return []
    following = word_after(clause, noun)
    if following is not None and form(following) == "的" and following.index + 2 < len(clause.words):
        following = clause.words[following.index + 2]
    if following is not None and following.pos not in ("PUNCT",) and form(following) not in ("了", "里", "中", "上"):
        return []
    return [delete(clause, INDEFINITE, first, last)] if after is not None and _is_counted(clause, after) else []


def _is_fused(word: Word) -> bool:
    text = form(word)
    return len(text) == 2 and text[0] in "一几" and text[1] in CLASSIFIERS


def _is_counted(clause: Clause, after: Word) -> bool:
    """Whether a number before a word counts things, rather than measuring how long or how often."""
    return after.pos in ("NOUN", "PROPN", "ADJ", "VERB", "X", "PART", "ADP", "ADV", "PRON") and not (
        is_time(after) or form(after) in ("的", "了", "半", "多") or form(after) in ("小时", "分钟", "钟头", "月")
    )
