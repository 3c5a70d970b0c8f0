"""Where a phrase of modality goes: before the predicate with its coverbs, and on which side of 都, 就 and question words."""

from __future__ import annotations

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.predicates import modal_site
from sda_hf.grammar.chinese.rules.modal_claims import question_word
from sda_hf.grammar.chinese.spans import is_time
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause, Word

# A comment on the claim stands before these adverbs, a modal verb after them: 确实都来, 都会来.
QUANTIFYING = frozenset("都 还 才 又 均 皆 仍 仍然 依然 还是 几乎 就".split())
LINKING = lexicon.words("conjunctions", "subordinate")
CAUSE = frozenset("为什么 为何 为啥 干嘛 干吗 咋".split())
TIME_OR_PLACE = frozenset("于 在".split())
LOCALIZERS = frozenset("前 后 之前 以前 之后 以后 左右 初 末 底 期间 间 中 时".split())


def site_of(clause: Clause, *, comment: bool) -> Word:
    """Return the word before which a phrase goes.

    Args:
        clause: the main clause.
        comment: whether the phrase comments on the whole claim, as 确实 does, rather than on the verb, as 会 does.
    """
    at = _before_date(clause, modal_site(clause).index)
    if comment:
        at = _before_quantifier(clause, at)
    return clause.words[at]


def _before_quantifier(clause: Clause, at: int) -> int:
    conditional = any(form(w) in LINKING or form(w) == "一" for w in clause.words[:at])
    while at > 0 and form(clause.words[at - 1]) in QUANTIFYING and clause.words[at - 1].pos in ("ADV", "SCONJ"):
        if form(clause.words[at - 1]) == "就" and (conditional or at == 1 or clause.words[at - 2].pos == "PUNCT"):
            break
        at -= 1
    return at


def _before_date(clause: Clause, at: int) -> int:
    """Return the index of 于 or 在 before a date that ends there: 于1988年."""
    for place in range(at - 1, max(at - 7, -1), -1):
        word = clause.words[place]
        if form(word) in TIME_OR_PLACE and word.pos in ("ADP", "VERB") and place > 0 and place < at - 1:
            return place if clause.words[place - 1].pos != "PUNCT" else at
        if not (is_time(word) or word.pos == "NUM" or form(word) in LOCALIZERS):
            return at
    return at


def inquiry_site(clause: Clause) -> Word | None:
    """Return the word before which 到底 goes in a question: the verb, or the words that ask if they come first."""
    asking = question_word(clause)
    if asking is None:
        return None
    site = site_of(clause, comment=True)
    if asking.index >= site.index:
        return site
    before = clause.words[asking.index - 1] if asking.index else None
    if before is not None and before.pos == "ADP" and before.label == "case":
        return before
    return asking


def question_site(clause: Clause) -> Word:
    """Return the word before which a modal verb goes in a question: after 为什么, before 怎么."""
    site = modal_site(clause)
    causes = [w for w in clause.words[site.index : clause.predicate.index] if form(w) in CAUSE]
    return clause.words[causes[-1].index + 1] if causes else site
