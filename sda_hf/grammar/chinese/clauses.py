"""Build the main `Clause` from the words of a Chinese sentence."""

from __future__ import annotations

from collections.abc import Sequence

from sda_hf.grammar.chinese.claims import (
    coordinated_groups,
    predicate_of,
    subject_of,
    subordinate_clauses,
    verb_group,
)
from sda_hf.grammar.chinese.mood import end_mark_of, mood_of
from sda_hf.grammar.chinese.polarity import negation_of, negators_of
from sda_hf.grammar.chinese.repair import repaired
from sda_hf.grammar.chinese.surface import has_han
from sda_hf.syntax.clause import Clause, Tree, Word


def clause_of(text: str, words: Sequence[Word]) -> Clause | None:
    """Return the main clause of a sentence, or None if it has no Chinese character."""
    if not any(has_han(w.text) for w in words):
        return None
    words = tuple(repaired(words))
    tree = Tree(words)
    predicate = predicate_of(tree)
    verbs = verb_group(tree, predicate)
    subject = subject_of(tree, predicate)
    mood = mood_of(verbs, subject, words, predicate)
    if mood == "fragment":
        verbs = None
    return Clause(
        text=text,
        words=words,
        predicate=predicate,
        verbs=verbs,
        subject=subject,
        expletive=None,
        negators=negators_of(tree, predicate) if verbs else (),
        mood=mood,
        inverted=False,
        coordinated=coordinated_groups(tree, predicate) if verbs else (),
        subordinate=subordinate_clauses(tree, predicate),
        end_mark=end_mark_of(words),
        negation=negation_of(tree, predicate) if mood != "fragment" else None,
        tree=tree,
    )
