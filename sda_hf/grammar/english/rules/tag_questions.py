"""Tag questions after a statement: "isn't it?"."""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, Rule
from sda_hf.grammar.english.morphology import FULL_FORM, NEGATIVE_FORM
from sda_hf.grammar.english.polarity import NEGATORS
from sda_hf.grammar.english.surface import after, apostrophe
from sda_hf.syntax.clause import Clause

FLIPPED = Rule("tag-flipped", "tag question flipped")


def flip_tag(clause: Clause, contractions: bool) -> list[Edit]:
    """Flip the tag of a statement whose polarity has changed: "isn't it" → "is it".

    Args:
        clause: the main clause.
        contractions: "isn't it" rather than "is it not".
    """
    tag = clause.tag
    if not tag or clause.mood == "imperative":
        return []
    operator = tag[0]
    negator = next((w for w in tag if w.lower in NEGATORS), None)
    full = FULL_FORM.get(operator.lower, operator.lower)
    first_person = tag[-1].lower == "i"
    if negator is None and not contractions:
        return [after(clause, tag[-1], "not", FLIPPED)]
    if negator is None:
        negative = NEGATIVE_FORM["are" if full == "am" else full]
        return [FLIPPED.edit(operator.start, operator.end, apostrophe(clause, negative))]
    if first_person and full == "are":  # "aren't I"
        full = "am"
    if negator.start == operator.end:
        return [FLIPPED.edit(operator.start, negator.end, full)]
    return [FLIPPED.edit(negator.start - 1, negator.end, "")]
