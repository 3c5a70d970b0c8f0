"""Whether two denials of a claim cancel out: its negation, and an antonym or a phrase around the statement."""

from __future__ import annotations

from collections.abc import Sequence, Set

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.predicates import copula_of
from sda_hf.grammar.chinese.rules.antonym_frames import frame_of
from sda_hf.grammar.chinese.rules.double_negation import AROUND
from sda_hf.grammar.chinese.segments import has_other_clause
from sda_hf.grammar.chinese.surface import form
from sda_hf.grammar.edits import Edit, overlap
from sda_hf.syntax.clause import Clause

# Negations that leave the rest of the claim as it is.
ON_PREDICATE = frozenset(
    "negation-quality negation-adverb negation-copula negation-degree negation-event negation-aspect "
    "negation-state negation-modal".split()
)
ON_CLAIM = ON_PREDICATE | {
    "negation-having",
    "negation-experience",
    "negation-progress",
    "negation-removed",
    "negation-removed-event",
    "negation-removed-having",
}
VERBS = lexicon.words("opposition", "verbs")
OUTSIDE = "an antonym outside the negated predicate"
OPEN = lexicon.words("opposition", "open")
ADVERBS = lexicon.words("opposition", "adverbs")
LOOSE = lexicon.words("opposition", "loose")
LONGEST = 20  # words
LE = "了"


def doubt_about_both(clause: Clause, first: Sequence[Edit], second: Sequence[Edit]) -> str:
    """Return why a negation and another denial may not cancel out; empty if they do.

    Args:
        clause: the main clause.
        first: the edits of the negation.
        second: the edits of an antonym, or of a phrase around the statement.
    """
    if clause.mood != "declarative" or clause.subject is None:
        return "not a statement with a subject"
    framed = any(edit.id == AROUND.id for edit in second)
    kinds = {edit.id for edit in first}
    if not kinds <= (ON_CLAIM if framed else ON_PREDICATE):
        return "a negation of more than the predicate"
    if overlap([*first, *second]):
        return "an antonym of a word that the negation changes"
    doubt = _doubt_about_claim(clause, kinds)
    return doubt or ("" if framed else _doubt_about_antonym(clause, second))


def _doubt_about_claim(clause: Clause, kinds: Set[str]) -> str:
    """Return why the scope of a negation of a claim is not clear; empty if it is."""
    if len(clause.words) > LONGEST or has_other_clause(clause):
        return "more in the claim than one predicate"
    if clause.subject is not None and clause.subject.first.pos == "NUM":
        return "some of several"
    if any(form(w) in LOOSE for w in clause.words) or clause.words[-1].text in ("！", "!"):
        return "an exclamation, or a word that does not go with both"
    spoken = [w for w in clause.words if w.pos != "PUNCT"]
    if any(w.pos == "ADV" and form(w) not in ADVERBS for w in spoken) or spoken[0].pos == "INTJ":
        return "an adverb that a negation affects"
    if any(w.pos == "PUNCT" for w in clause.words[:-1]):
        return "more in the claim than one predicate"
    event = any(form(w) == LE for w in clause.words)
    if event and kinds & {"negation-state", "negation-quality"}:
        return "a change negated as a state"
    return ""


def _doubt_about_antonym(clause: Clause, second: Sequence[Edit]) -> str:
    word = next((w for w in clause.words if any(e.start <= w.start < e.end for e in second)), None)
    if word is None or form(word) in OPEN or len(second) > 1:
        return OUTSIDE
    if clause.text[second[0].start : second[0].end] in VERBS:
        return "" if frame_of(clause, word, "VERB") == "predicate" else OUTSIDE
    frame = frame_of(clause, word, "ADJ")
    previous = clause.words[word.index - 1] if word.index else None
    if previous is not None and previous.pos == "ADJ" and form(previous) not in ADVERBS:
        return OUTSIDE  # 枯燥乏味
    if frame == "complement" or (frame == "predicate" and word.pos == "ADJ"):
        return ""
    return "" if frame == "attribute" and copula_of(clause) is not None else OUTSIDE
