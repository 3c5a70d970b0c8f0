"""Doubts about switches of subject and object."""

from __future__ import annotations

import itertools

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.doubts import common
from sda_hf.grammar.chinese.doubts.doubt import Doubt
from sda_hf.grammar.chinese.segments import has_other_clause
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause

PERSONAL = lexicon.words("pronouns", "personal")


def _has_owner(clause: Clause) -> bool:
    """Whether the object belongs to the subject: 他爱他的家人."""
    texts = [form(w) for w in clause.words[clause.predicate.index :]]
    return any(a in PERSONAL and b == "的" for a, b in itertools.pairwise(texts))


DOUBTS: tuple[Doubt, ...] = (
    *common.DOUBTS,
    *(d for d in common.CLAIM_DOUBTS if d.holds is not common.is_fragment),
    Doubt("subject or object with a possessive", _has_owner),
    Doubt("another clause beside the claim", has_other_clause),
)
