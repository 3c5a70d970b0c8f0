"""English: the words of a sentence → its main `Clause`."""

from __future__ import annotations

from collections.abc import Sequence

from sda_hf.syntax.clause import Clause, Word
from sda_hf.syntax.english.mood import asks_politely, end_mark_of, mood_of, tag_question
from sda_hf.syntax.english.recovery import with_verb
from sda_hf.syntax.english.tree import Tree

LATIN_END = "\u0250"


def clause_of(text: str, words: Sequence[Word]) -> Clause | None:
    """The main clause of a sentence; None if it has no word, or is mostly in another script."""
    letters = [c for w in words for c in w.text if c.isalnum()]
    if 2 * sum(c < LATIN_END for c in letters) <= len(letters):
        return None
    words = with_verb(words)
    tree = Tree(words)
    root = tree.claim(next((w for w in words if w.label == "root"), words[0]))
    verbs = tree.verb_group(root)
    expletive = next((w for w in tree.children[root.index] if w.label == "expl"), None)
    subject = tree.subject(root) or tree.stray_subject(root, verbs)
    first = verbs.first if verbs else None
    inverted = first is not None and (
        first.index < expletive.index
        if expletive and expletive.lower == "there"
        else subject is not None and first.index < subject.first.index
    )
    end_mark = end_mark_of(words)
    tag = tag_question(words, end_mark, root)
    if subject is not None and not inverted and asks_politely(verbs, words):
        subject = None  # someone who is called: "Anna, please wait."
    mood = mood_of(verbs, subject, inverted, None if tag else end_mark, words)
    if mood == "fragment":
        verbs = None
    return Clause(
        text=text,
        words=tuple(words),
        predicate=root,
        verbs=verbs,
        subject=subject,
        expletive=expletive,
        negators=tree.negators(root, verbs) if verbs else (),
        mood=mood,
        inverted=inverted and verbs is not None,
        coordinated=tuple(g for g in tree.coordinated(root) if g.first not in tag) if verbs else (),
        subordinate=tree.subordinate(root),
        end_mark=end_mark,
        tag=tag,
    )
