"""Questions: tags behind a statement, and the statement inside a yes/no question."""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, after, apostrophe, like
from sda_hf.grammar.english.morphology import FULL_FORM, NEGATIVE_FORM
from sda_hf.syntax.clause import Clause
from sda_hf.syntax.english.lexicon import NEGATORS


def flip_tag(clause: Clause, contractions: bool) -> list[Edit]:
    """The tag of a statement whose polarity was changed: "isn't it" → "is it".

    Args:
        clause: the main clause.
        contractions: "isn't it" rather than "is it not".
    """
    tag = clause.tag
    if not tag or clause.mood == "imperative":
        return []
    operator = tag[0]
    rule = "tag question flipped"
    negator = next((w for w in tag if w.lower in NEGATORS), None)
    full = FULL_FORM.get(operator.lower, operator.lower)
    first_person = tag[-1].lower == "i"
    if negator is None and not contractions:
        return [after(clause, tag[-1], "not", rule)]
    if negator is None:
        negative = NEGATIVE_FORM["are" if full == "am" else full]
        return [Edit(operator.start, operator.end, like(operator, apostrophe(clause, negative)), rule)]
    if first_person and full == "are":  # "aren't I"
        full = "am"
    if negator.start == operator.end:
        return [Edit(operator.start, negator.end, like(operator, full), rule)]
    return [Edit(negator.start - 1, negator.end, "", rule)]
