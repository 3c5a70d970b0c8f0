"""Quantified subjects negated: 不是每, 没有人, 没有多少."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.predicates import copula_of, is_dated, is_stative, modal_of
from sda_hf.grammar.chinese.rules.negation.aspect import indefinite, unmarked
from sda_hf.grammar.chinese.rules.negation.words import CLASSIFIERS, word_after, word_before
from sda_hf.grammar.chinese.spans import is_time
from sda_hf.grammar.chinese.surface import before, delete, form, replace
from sda_hf.grammar.edits import Edit, Result, Rule
from sda_hf.syntax.clause import Clause, Word

UNIVERSAL = Rule("negation-universal", "a claim about all negated: 不是每, 并非所有")
EXISTENTIAL = Rule("negation-existential", "a claim about some negated: 没有人")
MANY = Rule("negation-many", "a claim about many negated: 没有多少")
ONLY_IF = Rule("negation-condition", "a condition negated: 并非只有, 不是一...就")
ALL = lexicon.words("quantifiers", "universal") - {"大家", "各", "凡", "凡是"}
SOME = lexicon.words("quantifiers", "existential") - {"某", "几", "有人"}
MUCH = frozenset("很多 许多 不少 众多 大量 好多".split())
GROUPS = frozenset("群 些 种 对 双 排 堆 系列".split())
SHORT = 12  # words


def quantified(clause: Clause) -> Result | None:
    """Negate a claim about all, some or many; None if its subject is a definite one."""
    return _conditional(clause) or _of_somebody(clause) or _of_subject(clause)


def _not(clause: Clause) -> str:
    return "不是" if len(clause.words) <= SHORT else "并非"


def _conditional(clause: Clause) -> Result | None:
    """只有...才: 并非只有; 一...就: 不是一."""
    texts = [form(w) for w in clause.words]
    first = clause.words[0]
    if texts[0] in ("只有", "惟有", "唯有") and "才" in texts:
        return [before(clause, ONLY_IF, first, "并非")]
    for word in clause.words[: clause.predicate.index]:
        verbal = form(word) == "一" and word.pos in ("ADV", "SCONJ")
        fused = form(word).startswith("一") and word.pos == "VERB" and len(form(word)) == 2
        if (verbal or fused) and "就" in texts[word.index :]:
            return [before(clause, ONLY_IF, word, "不是")]
    return None


def _of_somebody(clause: Clause) -> Result | None:
    """有人敲门: 没有人敲门."""
    for word in clause.words[: clause.predicate.index]:
        if form(word) in ("无人", "没人") and word.pos == "NOUN" and word.head == clause.predicate.index:
            return [replace(clause, EXISTENTIAL, word, "有人")]
    for word in clause.words[: clause.predicate.index + 2]:
        after = word_after(clause, word)
        if (
            word.index > 0
            and form(clause.words[word.index - 1]) not in ("，", ",")
            and not is_time(clause.words[word.index - 1])
        ):
            continue
        if form(word) == "有人":
            return [before(clause, EXISTENTIAL, word, "没"), *_plain(clause)]
        if form(word) == "有" and after is not None and form(after) == "人":
            return [before(clause, EXISTENTIAL, word, "没"), *_plain(clause)]
        if form(word) in ("有些", "有的") and word.pos == "VERB":
            return [replace(clause, EXISTENTIAL, word, "没有"), *_plain(clause)]
    return None


def _plain(clause: Clause) -> list[Edit]:
    """Take 了 from the claim, and 正 from 正在."""
    edits = unmarked(clause)
    following = clause.words[clause.predicate.index + 1 :]
    if not any(form(w) in GROUPS or form(w)[1:] in GROUPS for w in following):
        edits += indefinite(clause, clause.predicate)
    for word in clause.words[: clause.predicate.index]:
        if form(word) == "正在":
            edits.append(replace(clause, EXISTENTIAL, word, "在"))
        elif form(word) in ("正", "都"):
            edits.append(delete(clause, EXISTENTIAL, word))
    return edits


def _of_subject(clause: Clause) -> Result | None:
    subject = clause.subject
    if subject is None or subject.last.index >= clause.predicate.index:
        return None
    first = subject.first
    previous = word_before(clause, first)
    if previous is not None and (form(previous) in ("连", "除了", "几乎", "其中") or previous.pos in ("VERB", "ADP")):
        return None
    text = form(first)
    if text in ALL or text.startswith(("每", "所有")) or (text == "谁" and _has_all(clause)):
        return None if is_time(subject.head) else [before(clause, UNIVERSAL, first, _not(clause))]
    if text in MUCH or (text == "很" and form(clause.words[first.index + 1]) == "多"):
        last = first if text in MUCH else clause.words[first.index + 1]
        return [replace(clause, MANY, first, "没有多少", last), *_plain(clause)] if not _is_odd(clause) else None
    if _is_odd(clause) and text not in SOME:
        return None
    return _of_some(clause, first, subject.head)


def _has_all(clause: Clause) -> bool:
    return any(form(w) in ("都", "也") for w in clause.words[: clause.predicate.index])


def _is_odd(clause: Clause) -> bool:
    """Whether a claim about one thing or many may be about any of its kind."""
    return copula_of(clause) is not None or is_stative(clause) or modal_of(clause) is not None


def _of_some(clause: Clause, first: Word, head: Word) -> Result | None:
    """一个男人, 几位老人, 有些人: 没有."""
    named = any(form(w) in ("名为", "叫", "叫做", "名叫") for w in clause.words[first.index : head.index])
    if named or is_dated(clause):
        return None
    text = form(first)
    second = word_after(clause, first)
    if text in SOME:
        twice = sum(form(w) == text for w in clause.words) > 1
        last = second if second is not None and form(second) == "的" and text != "有的" else first
        return None if twice else [replace(clause, EXISTENTIAL, first, "没有", last), *_plain(clause)]
    if len(text) == 2 and text[0] in "一几" and text[1] in CLASSIFIERS:
        last = first
    elif text in ("一", "几") and second is not None and form(second) in CLASSIFIERS:
        last = second
    else:
        return None
    if any(form(w) in ("和", "与", "及", "以及", "、") for w in clause.words[last.index : clause.predicate.index]):
        return None
    after = word_after(clause, last)
    if after is None or last.index >= head.index or is_time(after) or form(after) in ("月", "小时", "的"):
        return None
    inside = clause.words[last.index : head.index]
    possessive = any(form(w) == "的" and w.tag == "DEC" for w in inside) and not any(w.pos == "VERB" for w in inside)
    return None if possessive else [replace(clause, EXISTENTIAL, first, "没有", last), *_plain(clause)]
