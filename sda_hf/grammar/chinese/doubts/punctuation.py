"""Doubts about punctuation: texts in which a mark could break something."""

from __future__ import annotations

from sda_hf.grammar.chinese.doubts import common
from sda_hf.grammar.chinese.doubts.doubt import Doubt
from sda_hf.syntax.clause import Clause


def is_bare_header(clause: Clause) -> bool:
    """Whether the sentence is a field of a form, without an end mark."""
    return clause.end_mark is None and common.is_header(clause)


def is_bare_list(clause: Clause) -> bool:
    """Whether the sentence is a list or one of its items, without an end mark."""
    return clause.end_mark is None and common.is_list(clause)


def is_foreign(clause: Clause) -> bool:
    """Whether most of the words are not Chinese, and no address is among them."""
    return common.is_foreign(clause) and not common.has_address(clause)


DOUBTS: tuple[Doubt, ...] = (
    Doubt("not a clause: Markdown or HTML", common.has_markup),
    Doubt("not a clause: a heading or a field of a form", is_bare_header),
    Doubt("not a clause: a list", is_bare_list),
    Doubt("not a clause: a heading", common.is_title),
    Doubt("mostly in another script", is_foreign),
)
