"""Inversion outside questions: "So do I.", "Only then did he leave.", "Had she known, ..."."""

from __future__ import annotations

from sda_hf.grammar.edits import Result, Rule, Skip
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.rules.quantifiers import is_last
from sda_hf.grammar.english.surface import opening_word, swap
from sda_hf.syntax.clause import Clause

# Words that invert a statement, and operators that open a condition.
INVERTING = lexicon.words("negation", "inverting")
CONDITIONS = lexicon.words("negation", "conditions")
# "So do I." and its negatives.
SHORT_REPLIES = {"so": "neither", "neither": "so", "nor": "so"}


def negate(clause: Clause) -> Result | None:
    """Exchange "So do I." and "Neither do I."; skip other inversions; None if the clause has normal word order.

    Args:
        clause: the main clause.
    """
    first, verbs = opening_word(clause), clause.verbs
    if first is None or verbs is None or first.index + 2 >= len(clause.words):
        return None
    operator, subject = verbs.first, clause.words[first.index + 2 :]
    if (
        first.lower in SHORT_REPLIES
        and operator.index == first.index + 1
        and any(is_last(clause, w) for w in subject[:2])
    ):
        new = SHORT_REPLIES[first.lower]
        return [swap(first, new, Rule("reply-denied", f"{first.lower} → {new}"))]
    if clause.mood == "interrogative" and clause.end_mark is not None and "?" in clause.end_mark.text:
        return None
    if clause.inverted and first.lower in INVERTING:
        return Skip("inverted word order")
    if first is operator and first.lower in CONDITIONS and clause.mood != "imperative" and _goes_on(clause):
        return Skip("condition without if")
    return None


def _goes_on(clause: Clause) -> bool:
    """Whether a comma follows, after which the claim of a condition stands."""
    return any(w.text == "," for w in clause.words)
