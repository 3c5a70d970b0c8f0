"""Build the main `Clause` from the words of an English sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sda_hf.grammar.english.claims import (
    coordinated_groups,
    negators_of,
    predicate_of,
    stray_subject,
    subject_of,
    subordinate_clauses,
    verb_group,
)
from sda_hf.grammar.english.mood import asks_politely, end_mark_of, mood_of, tag_question
from sda_hf.grammar.english.polarity import negation_of
from sda_hf.grammar.english.repair import repaired
from sda_hf.syntax.clause import Clause, Tree, Word

LATIN_END = "\u0250"


def clause_of(text: str, words: Sequence[Word]) -> Clause | None:
    """Return the main clause of a sentence, or None if it has no words or is mostly in another script."""
    if not _is_latin(words):
        return None
    words = tuple(repaired(words))
    tree = Tree(words)
    predicate = predicate_of(tree)
    verbs = verb_group(tree, predicate)
    expletive = next((w for w in tree.children(predicate) if w.label == "expl"), None)
    subject = subject_of(tree, predicate) or stray_subject(tree, predicate, verbs)
    first = verbs.first if verbs else None
    inverted = first is not None and (
        first.index < expletive.index
        if expletive and expletive.lower == "there"
        else subject is not None and first.index < subject.first.index
    )
    end_mark = end_mark_of(words)
    tag = tag_question(words, end_mark, predicate)
    if subject is not None and not inverted and asks_politely(verbs, words):
        subject = None  # a vocative: "Anna, please wait."
    mood = mood_of(verbs, subject, inverted, None if tag else end_mark, words)
    if mood == "fragment":
        verbs = None
    clause = Clause(
        text=text,
        words=words,
        predicate=predicate,
        verbs=verbs,
        subject=subject,
        expletive=expletive,
        negators=negators_of(tree, predicate, verbs) if verbs else (),
        mood=mood,
        inverted=inverted and verbs is not None,
        coordinated=tuple(g for g in coordinated_groups(tree, predicate) if g.first not in tag) if verbs else (),
        subordinate=subordinate_clauses(tree, predicate),
        end_mark=end_mark,
        tag=tag,
        tree=tree,
    )
    negation = negation_of(clause)
    return replace(clause, negation=negation) if negation is not None else clause


def _is_latin(words: Sequence[Word]) -> bool:
    """Whether most letters and digits of a sentence are Latin; False if it has none."""
    text = "".join(w.text for w in words)
    if text.isascii():  # nearly always, and quickly told
        return any(map(str.isalnum, text))
    letters = [c for c in text if c.isalnum()]
    return 2 * sum(c < LATIN_END for c in letters) > len(letters)
