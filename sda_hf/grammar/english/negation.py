"""One negation of the main claim, so that the pair cannot both be true.

SDA (LREC-COLING 2024), section 4.4 and Table 1: "didn't travel", with tense and agreement kept, where
Algorithm 3 prints "do not".
"""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, Skip, after, before, swap
from sda_hf.grammar.english import affirmation, quantifiers
from sda_hf.grammar.english.morphology import (
    DO,
    FINITE_BE,
    FUSED,
    HAVE,
    NEGATIVE_FORM,
    adverb_of_operator,
    full_operator,
    is_fused,
    is_operator,
    lemma,
    plain_form,
    tense_of,
)
from sda_hf.syntax.clause import Clause, VerbGroup, Word

NO_CLAIM = Skip("no claim to negate")
DO_SUPPORT = {"VBD": ("did", "past tense"), "VBZ": ("does", "third person singular"), "VBP": ("do", "present tense")}
# Adverbs that a negation governs ("often goes" → "doesn't often go"), beside those in -ly ...
GOVERNED_ADVERBS = frozenset("always often sometimes quite even ever just soon well once".split())
# ... but for these, which speak of the whole claim: "probably knows" → "probably doesn't know".
SENTENCE_ADVERBS = frozenset(
    "probably certainly possibly surely obviously clearly apparently presumably fortunately unfortunately luckily "
    "hopefully honestly actually finally eventually initially originally previously formerly subsequently "
    "consequently accordingly additionally similarly interestingly sadly typically reportedly allegedly supposedly "
    "undoubtedly definitely only early evidently essentially basically ultimately currently".split()
)
SET_PHRASES = frozenset("thanks thank yes no ok okay hello hi hey please sorry congratulations wow welcome bye".split())


def negate(clause: Clause, contractions: bool = True) -> list[Edit] | Skip:
    """The edits that negate the claim of a clause, or restore the positive of a negated one.

    Args:
        clause: the main clause.
        contractions: "didn't" rather than "did not".
    """
    restored = affirmation.affirm(clause)
    if restored is not None:
        return restored
    if clause.mood == "fragment":
        return _fragment(clause)
    quantified = quantifiers.negate_subject(clause)
    if quantified is not None:
        return quantified
    if clause.mood == "imperative":
        return _command(clause, contractions)
    return negate_verb(clause, contractions)


def _fragment(clause: Clause) -> list[Edit] | Skip:
    first = next((w for w in clause.words if w.text[:1].isalnum()), None)
    if first is None or clause.predicate.lower in SET_PHRASES or first.lower in SET_PHRASES:
        return NO_CLAIM
    if clause.end_mark is not None and "?" in clause.end_mark.text and first.tag in ("WP", "WRB", "WDT"):
        return Skip("question without a verb")
    following = clause.words[first.index + 1 : first.index + 2]
    if first.lower == "what" and following and following[0].lower in ("a", "an"):
        return [swap(first, "not", "exclamation: what a → not a")]
    if not any(w.text.isalpha() and w.tag not in ("LS", "SYM") for w in clause.words):
        return Skip("numbers, marks or addresses only")
    return before(clause, first, "not", "fragment: not in front")


def _command(clause: Clause, contractions: bool) -> list[Edit] | Skip:
    verbs = clause.verbs
    assert verbs is not None
    first = verbs.first
    if first.lower == "let":
        return _proposal(clause, first, contractions)
    negator = "don't" if contractions else "do not"
    if first.lower == "do" and first is not verbs.main:
        return [swap(first, _apostrophe(clause, negator), "command: don't")]
    edits = before(clause, first, _apostrophe(clause, negator), "command: don't")
    return edits + _join_with_or(clause)


def _proposal(clause: Clause, let: Word, contractions: bool) -> list[Edit] | Skip:
    """ "Let's go" → "Let's not go"; "Let me go" → "Don't let me go"."""
    following = clause.words[let.index + 1] if let.index + 1 < len(clause.words) else None
    if following is not None and following.lower == "'s":
        return [after(clause, following, "not", "proposal: let's not")]
    return before(clause, let, _apostrophe(clause, "don't" if contractions else "do not"), "command: don't")


def negate_verb(clause: Clause, contractions: bool, over_adverbs: bool = True) -> list[Edit] | Skip:
    """The negation on the verb of a finite clause, whatever its subject is.

    Args:
        clause: the main clause.
        contractions: "didn't" rather than "did not".
        over_adverbs: it may stand in front of the adverbs that it governs: "didn't often go".
    """
    verbs = clause.verbs
    assert verbs is not None
    operator = verbs.first
    adverb = adverb_of_operator(clause, operator)
    if adverb is not None:
        return [after(clause, adverb, "not", "not after better or rather")]
    if is_operator(operator, verbs):
        return _negate_operator(clause, verbs, operator, contractions)
    if clause.inverted and clause.mood != "interrogative":
        return Skip("inversion without an auxiliary")
    if is_fused(clause, operator):
        return FUSED
    return do_support(clause, verbs, contractions, over_adverbs)


def _negate_operator(clause: Clause, verbs: VerbGroup, operator: Word, contractions: bool) -> list[Edit] | Skip:
    full = full_operator(operator, verbs)
    rule = _rule(full)
    short = operator.text[:1] in ("'", "’")  # noqa: RUF001
    if clause.inverted and clause.mood == "interrogative":
        return _negate_inverted(clause, operator, full, contractions, short)
    if short and full in ("is", "has", "are", "am"):
        return [after(clause, operator, "not", rule)]
    if contractions and full in NEGATIVE_FORM:
        return [_contracted(clause, operator, full, short)]
    if short:
        return [Edit(operator.start, operator.end, f" {full} not", rule)]
    if full == "can":
        return [swap(operator, "cannot", rule)]
    return [after(clause, operator, "not", rule)]


def _negate_inverted(clause: Clause, operator: Word, full: str, contractions: bool, short: bool) -> list[Edit] | Skip:
    if contractions and full in NEGATIVE_FORM:
        if operator.lower == "'d" and full == "would" and not clause.subject:
            return NO_CLAIM
        return [_contracted(clause, operator, full, short)]
    anchor = clause.expletive or (clause.subject.last if clause.subject else operator)
    return [after(clause, anchor, "not", f"{_rule(full)}, after the subject")]


def _rule(operator: str) -> str:
    for verb, forms in (("be", FINITE_BE), ("have", HAVE), ("do", DO)):
        if operator in forms:
            return f"not on {verb}"
    return "not on a modal"


def _contracted(clause: Clause, operator: Word, full: str, short: bool) -> Edit:
    form = _apostrophe(clause, NEGATIVE_FORM[full])
    rule = _rule(full)
    return Edit(operator.start, operator.end, f" {form}", rule) if short else swap(operator, form, rule)


def do_support(clause: Clause, verbs: VerbGroup, contractions: bool, over_adverbs: bool) -> list[Edit]:
    """ "travelled" → "didn't travel", with every coordinated verb in its plain form."""
    verb = verbs.first
    tag = tense_of(verb, clause.subject)
    auxiliary, name = DO_SUPPORT[tag]
    rule = f"do-support: {name}"
    negator = _apostrophe(clause, f"{auxiliary}n't" if contractions else f"{auxiliary} not")
    plain = "use" if verb.lower == "used" else lemma(verb.lower, tag)
    start = _negation_site(clause, verb) if over_adverbs else verb
    if start is verb:
        edits = [swap(verb, f"{negator} {plain}", rule)]
    else:
        edits = [*before(clause, start, negator, rule), Edit(verb.start, verb.end, plain, rule)]
    return edits + _plain_conjuncts(clause, rule) + _join_with_or(clause)


def _negation_site(clause: Clause, verb: Word) -> Word:
    """The first of the adverbs directly before the verb that the negation governs, else the verb."""
    site = verb
    while site.index > 0:
        word = clause.words[site.index - 1]
        if word.head != verb.index or word.label != "advmod" or not _is_governed(word.lower):
            break
        site = word
    return site


def _is_governed(adverb: str) -> bool:
    return adverb in GOVERNED_ADVERBS or (adverb.endswith("ly") and adverb not in SENTENCE_ADVERBS)


def _plain_conjuncts(clause: Clause, rule: str) -> list[Edit]:
    edits = []
    for group in clause.coordinated:
        first = group.first
        finite = ("VBD", "VBZ", "VBP", "VBN")  # a participle here is a past form that was read wrongly
        if first.tag in finite and _conjunction(clause, group) in ("and", "or", ","):
            plain = plain_form(first)
            if plain != first.lower:
                edits.append(swap(first, plain, rule))
    return edits


def _join_with_or(clause: Clause) -> list[Edit]:
    """Under negation "and" between predicates becomes "or": "doesn't hate or love"."""
    edits = []
    for group in clause.coordinated:
        for word in clause.children(group.main or group.first, "cc"):
            if word.lower == "and" and group.first.tag in ("VB", "VBD", "VBZ", "VBP", "VBN"):
                edits.append(swap(word, "or", "and → or under negation"))
    return edits


def _conjunction(clause: Clause, group: VerbGroup) -> str:
    """The conjunction of a coordinated predicate; "," in a series; "" where nothing joins it."""
    words = clause.children(group.main or group.first, "cc")
    if words:
        return words[0].lower
    between = clause.words[clause.predicate.index : group.first.index]
    return "," if any(w.text == "," for w in between) else ""


def _apostrophe(clause: Clause, form: str) -> str:
    """The apostrophe that the text uses."""
    curly = "’"  # noqa: RUF001
    return form.replace("'", curly) if curly in clause.text and "'" not in clause.text else form
