"""The copula negated: 不是, also where it is missing: 今天星期一, 他昨天来的, 八点才到."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.predicates import copula_of
from sda_hf.grammar.chinese.rules.negation.aspect import unmarked
from sda_hf.grammar.chinese.rules.negation.sites import negated_state, spoken_end
from sda_hf.grammar.chinese.rules.negation.words import RESTRICTIVE, segment_of, word_before
from sda_hf.grammar.chinese.spans import is_time
from sda_hf.grammar.chinese.surface import before, form, replace
from sda_hf.grammar.edits import Result, Rule
from sda_hf.syntax.clause import Clause, Word

COPULA = Rule("negation-copula", "the copula negated: 不是")
MISSING = Rule("negation-missing-copula", "不是 where there is no copula")
CLEFT = Rule("negation-cleft", "what is in focus negated: 不是...的")
THEN_ONLY = Rule("negation-only-then", "the time negated: 不是...才")
EMPHATIC = lexicon.pairs("negation", "emphatic-copulas")


def copular(clause: Clause) -> Result | None:
    """是: 不是; 为: 不是; 就是: 不是."""
    copula = copula_of(clause)
    if copula is None:
        return None
    text = form(copula)
    previous = word_before(clause, copula)
    kept = [] if form(spoken_end(clause)) == "的" else unmarked(clause)
    if text in EMPHATIC:
        return [replace(clause, COPULA, copula, EMPHATIC[text]), *kept]
    if text == "为":
        taken = next((w for w in segment_of(clause, copula) if form(w) == "以" and w.index < copula.index), None)
        if taken is not None:
            return [before(clause, COPULA, taken, "不")]
        return [replace(clause, COPULA, copula, "不是"), *kept]
    if previous is not None and form(previous) in ("就", "便", "才", "即", "正", "真"):
        return [replace(clause, COPULA, previous, "不"), *kept]
    if text == "是" and previous is not None and form(previous) in ("总", "老"):
        return [before(clause, COPULA, previous, "并不")]
    if previous is not None and form(previous) in RESTRICTIVE:
        return [before(clause, COPULA, previous, "不"), *kept]
    return [*negated_state(clause, COPULA, copula), *kept]


def nominal(clause: Clause) -> Result | None:
    """今天星期一, 他二十岁: 不是 before the noun."""
    if clause.verbs is not None or clause.predicate.pos not in ("NOUN", "NUM", "PROPN", "PART"):
        return None
    first = clause.predicate
    start = clause.subject.last.index + 1 if clause.subject is not None else 1
    while first.index > start and not is_time(clause.words[first.index - 1]):
        first = clause.words[first.index - 1]
    return [before(clause, MISSING, first, "不是")]


def timed(clause: Clause) -> Result | None:
    """他昨天来的: 不是 before the time; 八点才到: 不是 before the time."""
    last = spoken_end(clause)
    if copula_of(clause) is not None:
        return None
    first = _first_time(clause)
    if first is not None and form(first).startswith("刚"):
        return None
    if first is None or clause.subject is None or first.index < clause.subject.last.index:
        return None
    previous = [form(w) for w in clause.words[first.index : clause.predicate.index]]
    if form(last) == "的" and last.index == clause.predicate.index + 1:
        return [before(clause, CLEFT, first, "不是")]
    if "才" in previous:
        return [before(clause, THEN_ONLY, first, "不是")]
    return None


def _first_time(clause: Clause) -> Word | None:
    """Return the first word of the time right before the predicate."""
    times = [w for w in clause.words[: clause.predicate.index] if is_time(w)]
    if not times:
        return None
    first = times[0]
    previous = word_before(clause, first)
    while previous is not None and (previous.pos == "NUM" or form(previous) in ("在", "于", "到", "直到", "早在")):
        first, previous = previous, word_before(clause, previous)
    return first
