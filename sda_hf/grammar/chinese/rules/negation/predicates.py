"""The predicate negated: the negator that it takes, and its place."""

from __future__ import annotations

from collections.abc import Callable

from sda_hf.grammar.chinese.mood import STATIVE
from sda_hf.grammar.chinese.predicates import (
    aspect_of,
    de_of,
    is_having,
    is_stative,
    modal_of,
    negation_site,
)
from sda_hf.grammar.chinese.rules.negation import copula, events, quality
from sda_hf.grammar.chinese.rules.negation.aspect import indefinite, unmarked
from sda_hf.grammar.chinese.rules.negation.sites import has_negator, negated_state, site_of
from sda_hf.grammar.chinese.rules.negation.words import MODALS, RESTRICTIVE, WHOLE
from sda_hf.grammar.chinese.surface import before, form, replace
from sda_hf.grammar.edits import Result, Rule, Skip
from sda_hf.syntax.clause import Clause, Word

MODAL = Rule("negation-modal", "a modal negated")
RESTRICTED = Rule("negation-restriction", "a restriction negated: not only")
WHOLE_ADVERB = Rule("negation-adverb", "an adverb negated: not always")
STATE = Rule("negation-state", "a state negated with 不")
HAVING = Rule("negation-having", "having negated with 没有")
PLACE = Rule("negation-place", "being in a place negated with 不")
POTENTIAL = Rule("negation-potential", "a potential form negated: 看得见 → 看不见")


def denied(clause: Clause) -> Result:
    """Negate the predicate of an affirmative claim with 不, 没(有) or 不是."""
    if has_negator(clause):
        return Skip("another negation before the predicate")
    for rule in RULES:
        edits = rule(clause)
        if edits is not None:
            return edits
    return Skip("no predicate to negate")


def _restricted(clause: Clause) -> Result | None:
    """只, 仅: 不只; nothing else changes."""
    site = negation_site(clause)
    inside = clause.words[site.index : clause.predicate.index]
    word = next((w for w in inside if form(w) in RESTRICTIVE), None)
    return [before(clause, RESTRICTED, word, "不")] if word is not None else None


def _adverbial(clause: Clause) -> Result | None:
    """总是, 一直, 天天: 不总是, 并非一直; nothing else changes."""
    site = clause.words[max(0, negation_site(clause).index - 2) : clause.predicate.index]
    word = next((w for w in site if form(w) in WHOLE and w.pos in ("ADV", "NOUN")), None)
    if word is None or clause.children(word, "case"):
        return None
    return [before(clause, WHOLE_ADVERB, word, WHOLE[form(word)])]


def _modal(clause: Clause) -> Result | None:
    """会, 必须, 要, 将: 不会, 不必, 不会."""
    modal = modal_of(clause)
    if modal is None:
        return None
    text = form(modal)
    kept = [e for e in unmarked(clause) if e.end > clause.predicate.start]
    if text in MODALS:
        new = MODALS[text]
        after = clause.words[modal.index + 1]
        last = after if form(after) in ("会", "要") and text in ("将", "必", "必将") else modal
        return [replace(clause, MODAL, modal, new, last), *kept]
    site = clause.words[negation_site(clause).index]
    place = modal if site.index > modal.index else _first_modal(clause, site, modal)
    return [*negated_state(clause, MODAL, place), *kept]


def _first_modal(clause: Clause, site: Word, modal: Word) -> Word:
    """Return the modal, or the place before the coverb phrase in front of it."""
    return modal if modal.index - site.index <= 2 else site


def _potential(clause: Clause) -> Result | None:
    """看得见: 看不见; 跑得很快: 跑得不快."""
    de = de_of(clause)
    return quality.degree_complement(clause, de) if de is not None else None


def _having(clause: Clause) -> Result | None:
    """有: 没有, without 一个 of what there is."""
    if not is_having(clause):
        return None
    verb = clause.predicate
    aspect = aspect_of(clause)
    if form(verb) in ("有", "拥有", "享有") or aspect.marker is not None:
        site = site_of(clause)
        counted = indefinite(clause, verb)
        if form(verb) == "有" and (site is verb or form(site) in RESTRICTIVE):
            return [*negated_state(clause, HAVING, verb, "没"), *unmarked(clause), *counted]
        return [*negated_state(clause, HAVING, site, "没有"), *unmarked(clause), *counted]
    return [*negated_state(clause, STATE, site_of(clause)), *unmarked(clause), *indefinite(clause, verb)]


def _stative(clause: Clause) -> Result | None:
    """喜欢, 位于, 在: 不."""
    aspect = aspect_of(clause)
    if not (is_stative(clause) or form(clause.predicate) in STATIVE) or aspect.kind == "experiential":
        return None
    if aspect.marker is not None and form(aspect.marker) == "了" and aspect.marker is not aspect.final:
        return None
    rule = PLACE if form(clause.predicate) == "在" else STATE
    return [*negated_state(clause, rule, site_of(clause)), *unmarked(clause)]


RULES: tuple[Callable[[Clause], Result | None], ...] = (
    copula.nominal,
    copula.timed,
    copula.copular,
    _restricted,
    _adverbial,
    _potential,
    quality.compared,
    _modal,
    _having,
    quality.adjectival,
    _stative,
    events.happening,
)
