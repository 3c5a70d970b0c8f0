"""The place of the negator, and what the adverbs before it become."""

from __future__ import annotations

from sda_hf.grammar.chinese.mood import FINAL
from sda_hf.grammar.chinese.predicates import negation_site
from sda_hf.grammar.chinese.rules.negation.words import WITH_EVENT, WITH_STATE, is_intensifier, word_before
from sda_hf.grammar.chinese.surface import before, delete, form, replace
from sda_hf.grammar.edits import Edit, Rule
from sda_hf.syntax.clause import Clause, Word

GOES = "-"
DROPPED = Rule("negation-adverb", "under negation: an adverb goes")


def site_of(clause: Clause) -> Word:
    """Return the word before which the negator goes."""
    return negation_site(clause)


def negated_state(clause: Clause, rule: Rule, site: Word, negator: str = "不") -> list[Edit]:
    """Put a negator of states at a place: 已经 becomes 还, 还 becomes 不再, and intensifiers go."""
    return _negated(clause, rule, site, negator, WITH_STATE)


def negated_event(clause: Clause, rule: Rule, site: Word, negator: str) -> list[Edit]:
    """Put a negator of events at a place: 已经 becomes 还, 曾 becomes 未曾, and 又 goes."""
    return _negated(clause, rule, site, negator, WITH_EVENT)


def _negated(clause: Clause, rule: Rule, site: Word, negator: str, adverbs: dict[str, str]) -> list[Edit]:
    edits: list[Edit] = []
    previous = word_before(clause, site)
    combined = previous is not None and form(previous) in adverbs
    if combined and previous is not None:
        new = adverbs[form(previous)]
        if new.endswith("*"):
            edits.append(replace(clause, rule, previous, new[:-1]))
        else:
            edits.append(delete(clause, DROPPED, previous) if new == GOES else replace(clause, DROPPED, previous, new))
            edits.append(before(clause, rule, site, negator))
        previous = word_before(clause, previous)
        if previous is not None and form(previous) in adverbs and adverbs[form(previous)] == GOES:
            edits.append(delete(clause, DROPPED, previous))
    else:
        edits.append(before(clause, rule, site, negator))
    inside = clause.words[site.index : clause.predicate.index]
    edits += [delete(clause, DROPPED, w) for w in inside if is_intensifier(w) and w.index + 1 == clause.predicate.index]
    return edits


def spoken_end(clause: Clause) -> Word:
    """Return the last word before the particles and the mark at the end."""
    words = [w for w in clause.words if w.pos != "PUNCT" and form(w) not in FINAL]
    return words[-1] if words else clause.words[-1]
