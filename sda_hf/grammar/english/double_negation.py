"""Two negations that cancel.

SDA (LREC-COLING 2024), section 4.3: a negative phrase before the negated sentence; SDA 2022: two
negative transformations inside the sentence, here only where logic lets them cancel.
"""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, Skip, lead_in, swap
from sda_hf.grammar.english import affirmation, negation
from sda_hf.grammar.english.morphology import full_operator, is_operator
from sda_hf.syntax.clause import Clause, Word

# SDA 2024, section 4.3, Table 1 and Algorithm 3.
PHRASES = ("It is not true that", "It can't be that", "It is not the fact that")
CONNECTIVES = frozenset(
    "and but or so yet however moreover furthermore therefore thus also still besides meanwhile "
    "no yes well oh ok okay".split()
)
# ¬(all x: p) is (no x: p) with p negated; likewise for always, must and have to.
UNIVERSAL_SUBJECT = {"all": "no", "every": "no", "everyone": "no one", "everybody": "nobody", "everything": "nothing"}


def with_phrase(clause: Clause, phrase: str, contractions: bool = True) -> list[Edit] | Skip:
    """A negative phrase in front: "It is not true that he didn't leave"."""
    if clause.mood != "declarative":
        return Skip({"interrogative": "question", "imperative": "command"}.get(clause.mood, "no verb"))
    if clause.subject is None and clause.expletive is None:
        return Skip("no subject")
    at = _opening(clause)
    if at is None:
        return Skip("quotation")
    edits = negation.negate(clause, contractions)
    if isinstance(edits, Skip):
        return edits
    return lead_in(clause, phrase, edits, at, f"negative phrase, {edits[0].rule}")


def _opening(clause: Clause) -> Word | None:
    """The first word of the claim, behind "But" or "However,"; None if the claim is not where the text begins."""
    first = clause.words[0]
    if not first.text[:1].isalnum():
        return None
    if first.lower in CONNECTIVES and first.label in ("cc", "advmod", "discourse") and len(clause.words) > 2:
        following = clause.words[1]
        if following.text == ",":
            return clause.words[2]
        return following if first.label == "cc" else first
    return first


def inside(clause: Clause, contractions: bool = True) -> list[Edit] | Skip:
    """Both negations inside: "No one didn't come" for "Everyone came"."""
    if clause.mood != "declarative" or clause.inverted or affirmation.affirm(clause) is not None:
        return Skip("no place for two negations that cancel")
    subject = clause.subject
    verbs = clause.verbs
    assert verbs is not None
    if (
        subject is not None
        and subject.first.lower in UNIVERSAL_SUBJECT
        and subject.first.index + 2 > subject.head.index
    ):
        new = UNIVERSAL_SUBJECT[subject.first.lower]
        if new != "no" or subject.first is not subject.head:
            return _negated_behind(
                clause, contractions, swap(subject.first, new, f"{subject.first.lower} → {new} ... not")
            )
    if is_operator(verbs.first, verbs) and full_operator(verbs.first, verbs) == "must" and len(verbs.words) > 1:
        new = "can't not" if contractions else "cannot not"
        return [swap(verbs.first, new, f"must → {new}")]
    always = next((w for w in clause.children(clause.predicate, "advmod") if w.lower == "always"), None)
    if always is not None and subject is not None and always.index < clause.predicate.index:
        if is_operator(verbs.first, verbs):
            return [swap(always, "never not", "always → never not")]
        if always.index == verbs.first.index - 1:
            return _negated_behind(clause, contractions, swap(always, "never", "always → never ... not"))
    return Skip("no place for two negations that cancel")


def _negated_behind(clause: Clause, contractions: bool, first: Edit) -> list[Edit] | Skip:
    """The second negation on the verb, clear of the word that took the first."""
    second = negation.negate_verb(clause, contractions, over_adverbs=False)
    if isinstance(second, Skip):
        return second
    return [first, *second]
