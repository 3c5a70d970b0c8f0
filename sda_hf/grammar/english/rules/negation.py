"""One negation of the main claim, so that the two sentences cannot both be true.

SDA (LREC-COLING 2024), section 4.4 and Table 1: "didn't travel", with tense and agreement kept, whereas
Algorithm 3 uses "do not" throughout.
"""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, Result, Rule, Skip
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import WH
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
    tense_of,
)
from sda_hf.grammar.english.polarity import ALREADY_NEGATED, is_contracted_negator, is_negator
from sda_hf.grammar.english.rules import coordination, fragments, inversion, matrix_clause, quantifiers, tag_questions
from sda_hf.grammar.english.rules.adverbs import before_negation, deny_adverb, negation_site
from sda_hf.grammar.english.rules.affirmation import affirm
from sda_hf.grammar.english.rules.commands import proposal
from sda_hf.grammar.english.surface import after, apostrophe, before, detached, is_short, swap
from sda_hf.syntax.clause import Clause, VerbGroup, Word

DO_SUPPORT = {"VBD": ("did", "past tense"), "VBZ": ("does", "third person singular"), "VBP": ("do", "present tense")}
SUBJUNCTIVES = frozenset(lexicon.phrases("formulae", "subjunctives"))
# Modals of possibility, which deny nothing with "not"; what denies them, before "be", "have" or a verb of action.
POSSIBLE = frozenset({"may", "might"})
REQUESTING = lexicon.words("verbs", "requesting")
WANTING = lexicon.words("verbs", "wanting")
INFERRED_OF = lexicon.words("negation", "inferred-of")
REQUESTED = lexicon.words("negation", "requested")
OF_REQUESTS = lexicon.words("adverbs", "of-requests")
BE_RULE = Rule("negated-operator", "not after be")
COMMAND = Rule("command-negated", "command: don't")
NEGATIVE_PHRASE = Rule("negative-phrase", "negative phrase")


def negate(clause: Clause, contractions: bool = True) -> Result:
    """Return the edits that negate the claim of a clause, or restore the positive if it is already negated.

    Args:
        clause: the main clause.
        contractions: "didn't" rather than "did not".
    """
    edits = _main_claim(clause, contractions)
    if isinstance(edits, Skip):
        return edits
    return edits + _answer(clause) + tag_questions.flip_tag(clause, contractions)


def _answer(clause: Clause) -> list[Edit]:
    """Exchange the answer before a claim: "Yes, we did." → "No, we didn't."."""
    first = clause.words[0]
    if first.lower not in fragments.OPPOSITE or clause.mood != "declarative" or first.label == "det":
        return []
    if first.lower.startswith("n") != (clause.negation is not None):
        return []  # "No, it was raining."
    following = clause.words[1:2]
    if first.head != clause.predicate.index or not following or following[0].text not in (",", "!", "."):
        return []
    new = fragments.OPPOSITE[first.lower]
    return [swap(first, new, Rule("answer-denied", f"{first.lower} → {new}"))]


def by_matrix_clause(clause: Clause) -> Result:
    """Put "It is not true that" before a statement, or restore the positive if it is already negated.

    Args:
        clause: the main clause.
    """
    site = matrix_clause.site_of(clause)
    if isinstance(site, Skip):
        return site
    if clause.negation is not None:
        return affirm(clause)
    return [site.put(matrix_clause.NOT_TRUE, NEGATIVE_PHRASE)]


def _main_claim(clause: Clause, contractions: bool) -> Result:
    if " ".join(w.lower for w in clause.words[:2]) in SUBJUNCTIVES:
        return Skip("wish")
    inverted = inversion.negate(clause)
    if inverted is not None:
        return inverted
    if clause.negation is not None:
        return affirm(clause)
    if clause.mood == "fragment":
        return fragments.negate(clause, contractions)
    quantified = quantifiers.negate_subject(clause)
    if quantified is not None:
        return quantified
    if clause.mood == "imperative":
        return _command(clause, contractions)
    if is_request(clause):
        return _refused(clause)
    denied = deny_adverb(clause)
    if denied is not None:
        return [denied, *coordination.under_negation(clause), *quantifiers.under_negation(clause)]
    return negate_verb(clause, contractions)


def _command(clause: Clause, contractions: bool) -> Result:
    verbs = clause.verbs
    assert verbs is not None
    first = verbs.first
    proposed = proposal(clause)
    if proposed is not None:
        following = clause.words[proposed.index + 1 : proposed.index + 2]
        site = following[0] if following and following[0].lower == "just" else proposed
        return [after(clause, site, "not", Rule("proposal-negated", "proposal: let's not"))]
    negator = "don't" if contractions else "do not"
    if first.lower == "do" and first is not verbs.main:
        return [swap(first, apostrophe(clause, negator), COMMAND)]
    if is_contracted_negator(clause, first.index - 1):
        return ALREADY_NEGATED
    edits = [before(first, apostrophe(clause, negator), COMMAND)]
    return edits + coordination.under_negation(clause) + quantifiers.under_negation(clause)


def is_request(clause: Clause) -> bool:
    """Whether a question asks the listener to do something: "Could you open the window?"."""
    verbs, subject = clause.verbs, clause.subject
    if clause.mood != "interrogative" or not clause.inverted or verbs is None or subject is None:
        return False
    if verbs.first.lower not in REQUESTING or any(w.tag in WH for w in clause.words[: verbs.first.index]):
        return False
    if any(w.lower in ("please", "kindly") for w in clause.words):
        return True
    able = verbs.first.lower in ("can", "could") and subject.head.lower in ("you", "we")
    return able and verbs.main is not None and verbs.main.lower in REQUESTED


def _refused(clause: Clause) -> Result:
    """Ask for the opposite: "Could you please not open the window?"."""
    subject = clause.subject
    assert subject is not None
    after_subject = clause.words[subject.last.index + 1 :]
    site = next((w for w in after_subject if w.lower not in OF_REQUESTS and w.text != ","), None)
    if site is None or site is clause.end_mark:
        return Skip("request without a verb")
    polite = any(w.lower in ("please", "kindly") for w in clause.words)
    edit = before(site, "not" if polite else "please not", Rule("request-negated", "request: please not"))
    return [edit, *coordination.under_negation(clause), *quantifiers.under_negation(clause)]


def negate_verb(clause: Clause, contractions: bool, over_adverbs: bool = True) -> Result:
    """Negate the verb of a finite clause, whatever its subject.

    Args:
        clause: the main clause.
        contractions: "didn't" rather than "did not".
        over_adverbs: whether the negation goes before the adverbs in its scope: "didn't often go".
    """
    verbs = clause.verbs
    assert verbs is not None
    edits = _on_verb_group(clause, verbs, contractions, over_adverbs)
    if isinstance(edits, Skip):
        return edits
    return edits + coordination.under_negation(clause) + quantifiers.under_negation(clause)


def _on_verb_group(clause: Clause, verbs: VerbGroup, contractions: bool, over_adverbs: bool) -> Result:
    operator = verbs.first
    adverb = adverb_of_operator(clause, operator)
    if adverb is not None:
        return [after(clause, adverb, "not", Rule("negated-modal", "not after better or rather"))]
    if is_operator(operator, verbs) or _stands_for_verb(clause, operator):
        return _negate_operator(clause, verbs, operator, contractions)
    if is_fused(clause, operator):
        fused_be = operator.lower in ("m", "re", "s")
        return [after(clause, operator, "not", BE_RULE)] if fused_be else FUSED
    if clause.inverted and clause.mood != "interrogative":
        return Skip("inversion without an auxiliary")
    return do_support(clause, verbs, contractions, over_adverbs)


def _stands_for_verb(clause: Clause, operator: Word) -> bool:
    """Whether the operator has no verb: "did" in "Yes, we did.", or a fronted "does" whose verb the parser missed."""
    if operator.lower not in DO | HAVE:
        return False
    asks = clause.mood == "interrogative" and (clause.inverted or clause.subject is None)
    return quantifiers.is_last(clause, operator) or (asks and operator.lower in DO)


def _negate_operator(clause: Clause, verbs: VerbGroup, operator: Word, contractions: bool) -> Result:
    full = full_operator(operator, verbs)
    rule = _rule(full)
    short = is_short(operator)
    if is_negator(clause, operator.index + 1):
        return ALREADY_NEGATED
    if _asks_what_something_is(clause):
        return Skip("question asking what something is")
    if clause.inverted and clause.mood == "interrogative":
        return _negate_inverted(clause, operator, full, contractions, short)
    adverb = None if clause.inverted else before_negation(clause, operator)
    if full in POSSIBLE or (full == "must" and _is_inference(clause, verbs)):
        full = _impossible(verbs)
        rule = Rule("negated-operator", f"{operator.lower} → {full} not")
    expanded = short and not contractions
    opened = clause.expletive is not None and clause.expletive.lower == "there"
    if short and not expanded and full in ("is", "has", "are", "am") and not opened:
        return [after(clause, adverb or operator, "not", rule)]
    if adverb is not None and not expanded:
        return _around_adverb(clause, operator, adverb, full, contractions, rule)
    if contractions and full in NEGATIVE_FORM and not _is_formal(clause, full):
        return [_contracted(clause, operator, full, short), *_have_in_full(clause, operator)]
    if short:
        return [swap(operator, detached(clause, operator, f" {full} not"), rule)]
    if full != operator.lower or full == "can":
        return [swap(operator, "cannot" if full == "can" else f"{full} not", rule)]
    return [after(clause, operator, "not", rule), *_have_in_full(clause, operator)]


def _have_in_full(clause: Clause, operator: Word) -> list[Edit]:
    """Expand the "'ve" of "would've", which nothing written can precede: "wouldn't have"."""
    rule = Rule("negated-operator", "'ve → have after n't")
    following = clause.words[operator.index + 1 : operator.index + 2]
    return [swap(w, " have", rule) for w in following if w.lower == "'ve" and w.start == operator.end]


def _is_inference(clause: Clause, verbs: VerbGroup) -> bool:
    """Whether "must" draws a conclusion: "must have left"; "she must be tired", but not "must be paid"."""
    if any(w.lower in HAVE for w in verbs.words):
        return True
    following = clause.words[verbs.words[-1].index + 1 :]
    said = clause.subject is not None and clause.subject.head.lower in INFERRED_OF
    is_being = verbs.words[-1].lower == "be" and bool(following) and following[0].tag != "VBN"
    progressive = len(verbs.words) > 2 and verbs.words[-1].tag == "VBG"
    return said and (is_being or progressive)


def _impossible(verbs: VerbGroup) -> str:
    """Return the modal whose negation says that something is not possible: "may be" → "can't be"."""
    main = verbs.main
    wants = main is not None and len(verbs.words) == 2 and main.lower in WANTING
    return "will" if wants else "can"


def _is_formal(clause: Clause, full: str) -> bool:
    """Whether a contraction would be out of place: "shan't" is heard only of oneself; "Attached is not the file."."""
    if clause.inverted and clause.words[0].tag == "VBN":
        return True
    return full == "shall" and clause.subject is not None and clause.subject.head.lower not in ("i", "we")


def _around_adverb(
    clause: Clause, operator: Word, adverb: Word, full: str, contractions: bool, rule: Rule
) -> list[Edit]:
    """Negate an operator before an adverb of certainty: "is probably" → "probably isn't" or "is probably not"."""
    if (full == "can" or (contractions and full in NEGATIVE_FORM)) and not is_short(operator):
        adverbs = clause.text[clause.words[operator.index + 1].start : adverb.end]
        return [rule.edit(operator.start, adverb.end, f"{adverbs} {_negated(clause, full, contractions)}")]
    edits = [] if full == operator.lower or is_short(operator) else [swap(operator, full, rule)]
    if is_short(operator) and contractions and full in NEGATIVE_FORM:  # "I'll probably go"
        adverbs = clause.text[clause.words[operator.index + 1].start : adverb.end]
        return [rule.edit(operator.start, adverb.end, f" {adverbs} {_negated(clause, full, contractions)}")]
    return [*edits, after(clause, adverb, "not", rule)]


def _negated(clause: Clause, full: str, contractions: bool) -> str:
    """Return the operator together with its negation."""
    if contractions and full in NEGATIVE_FORM:
        return apostrophe(clause, NEGATIVE_FORM[full])
    return "cannot" if full == "can" else f"{full} not"


def _asks_what_something_is(clause: Clause) -> bool:
    """Whether the question has no sensible negation: "What is the dress code?", "Where is the station?"."""
    return clause.mood == "interrogative" and clause.inverted and clause.predicate.tag in WH


def _negate_inverted(clause: Clause, operator: Word, full: str, contractions: bool, short: bool) -> Result:
    if contractions and full in NEGATIVE_FORM:
        return [_contracted(clause, operator, full, short)]
    anchor = clause.expletive or (clause.subject.last if clause.subject else operator)
    return [after(clause, anchor, "not", Rule("negated-operator", f"{_rule(full).words}, after the subject"))]


def _rule(operator: str) -> Rule:
    for verb, forms in (("be", FINITE_BE), ("have", HAVE), ("do", DO)):
        if operator in forms:
            return Rule("negated-operator", f"not after {verb}")
    return Rule("negated-operator", "not after a modal verb")


def _contracted(clause: Clause, operator: Word, full: str, short: bool) -> Edit:
    form = apostrophe(clause, NEGATIVE_FORM[full])
    rule = _rule(full)
    return swap(operator, detached(clause, operator, f" {form}" if short else form), rule)


def do_support(clause: Clause, verbs: VerbGroup, contractions: bool, over_adverbs: bool) -> list[Edit]:
    """Rewrite "travelled" as "didn't travel", with every coordinated verb in its base form."""
    verb = verbs.first
    tag = tense_of(verb, clause.subject)
    auxiliary, name = DO_SUPPORT[tag]
    rule = Rule("do-support", f"do-support: {name}")
    negator = apostrophe(clause, f"{auxiliary}n't" if contractions else f"{auxiliary} not")
    plain = "use" if verb.lower == "used" else lemma(verb.lower, tag)
    start = negation_site(clause, verb) if over_adverbs else verb
    if start is verb:
        edits = [swap(verb, f"{negator} {plain}", rule)]
    else:
        edits = [before(start, negator, rule), swap(verb, plain, rule)]
    return edits + coordination.in_form(clause, "VB", rule)
