"""The whole claim denied: 并非 before it."""

from __future__ import annotations

from sda_hf.grammar.chinese.surface import insert
from sda_hf.grammar.edits import Result, Rule, Skip
from sda_hf.syntax.clause import Clause

WHOLE = Rule("negation-whole-claim", "the whole claim denied: 并非")


def prefixed(clause: Clause) -> Result:
    """Put 并非 before a statement."""
    if clause.mood == "imperative":
        return Skip("command")
    if clause.mood == "interrogative":
        return Skip("question")
    return [insert(clause, WHOLE, clause.start, "并非")]
