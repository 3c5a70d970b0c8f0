"""Segments: what stands between the marks of a sentence."""

from __future__ import annotations

from sda_hf.grammar.chinese.claims import COMMAS, is_verbal
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause

MARKS = COMMAS | frozenset((":", "：", "—", "——", "…", "、"))
# A clause that tells a time ends with one of these: 会议结束后, ...
TIMES = ("后", "以后", "之后", "时", "时候", "前", "之前", "以前", "期间")


def has_other_clause(clause: Clause) -> bool:
    """Whether there is a mark between clauses, and a verb on the other side of it."""
    marks = [w.index for w in clause.words if w.text in MARKS]
    marks = [i for i in marks if 0 < i < len(clause.words) - 1 and form(clause.words[i - 1]) not in TIMES]
    if not marks:
        return False
    start = max((i for i in marks if i < clause.predicate.index), default=-1)
    end = min((i for i in marks if i > clause.predicate.index), default=len(clause.words))
    return any(is_verbal(w) for w in clause.words if not start < w.index < end)
