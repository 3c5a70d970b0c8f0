"""Two negations that cancel.

SDA (LREC-COLING 2024), section 4.3: a negative phrase before the negated sentence; SDA 2022: two
negative transformations inside the sentence, here only where logic lets them cancel.
"""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, Skip, after, lead_in, like, swap
from sda_hf.grammar.english import affirmation, coordination, fragments, negation
from sda_hf.grammar.english.commands import command_opening, proposal
from sda_hf.grammar.english.morphology import (
    NEGATIVE_FORM,
    full_operator,
    inflect,
    is_before_to,
    is_operator,
    plain_form,
)
from sda_hf.grammar.english.phrases import is_person
from sda_hf.grammar.english.prefix import NOT_TRUE, prefixed, unfit
from sda_hf.syntax.clause import Clause, Phrase, VerbGroup, Word

# SDA 2024, section 4.3 and Table 1. Its "It can't be that" makes an inference of a statement: who wants it names it.
PHRASES = (NOT_TRUE, "It is not the fact that")
# ¬(all x: p) is (no x: p) with p negated; likewise for always, must and have to.
UNIVERSAL_SUBJECT = {"every": "no", "everyone": "no one", "everybody": "nobody", "everything": "nothing"}
SHORT = 3  # words
PRONOUNS = frozenset("you he she it we they".split())
NO_PLACE = Skip("no place for two negations that cancel")


def with_phrase(clause: Clause, phrase: str, contractions: bool = True) -> list[Edit] | Skip:
    """A negative phrase in front: "It is not true that he didn't leave".

    Args:
        clause: the main clause.
        phrase: one that takes a statement: "It is not true that".
        contractions: "didn't" rather than "did not".
    """
    if clause.mood == "interrogative" and unfit(clause) is not None:
        return _question(clause, phrase, contractions)
    if clause.mood == "imperative":
        return _command(clause, contractions)
    if clause.mood == "fragment":
        return _fragment(clause, phrase, contractions)
    reason = unfit(clause)
    if reason is not None:
        return reason
    edits = negation.negate(clause, contractions)
    if isinstance(edits, Skip):
        return edits
    # ¬¬(p and q): the conjunction stays, and what the inner negation does not govern leaves its scope.
    edits = [e for e in edits if not e.rule.startswith("and → ")]
    apart = _set_apart(clause)
    if isinstance(apart, Skip):
        return apart
    return prefixed(clause, phrase, [*edits, *apart], f"negative phrase, {edits[0].rule}")


def _set_apart(clause: Clause) -> list[Edit] | Skip:
    """A comma, and a subject where there is none, for what follows outside of both negations."""
    rule = "coordinated clause set apart"
    edits = []
    for predicate in coordination.joined_clauses(clause)[:1]:
        word = next((w for w in clause.children(predicate, "cc") if w.index < predicate.index), None)
        edits += _comma(clause, word, rule) if word is not None else []
    group = _outside(clause)
    if group is None:
        return edits
    pronoun = _pronoun(clause)
    word = coordination.conjunction(clause, group)
    if pronoun is None or word is None:
        return Skip("coordinated predicates")
    return [*_comma(clause, word, rule), after(clause, word, pronoun, rule), *edits]


def _outside(clause: Clause) -> VerbGroup | None:
    """The first coordinated predicate that a negation of the first does not govern."""
    if affirmation.affirm(clause) is not None:
        return None
    own = coordination.own(clause)
    if own is not None:
        return own
    return next((g for g in clause.coordinated if not coordination.is_joined(clause, g)), None)


def _comma(clause: Clause, word: Word, rule: str) -> list[Edit]:
    previous = clause.words[word.index - 1]
    return [Edit(previous.end, previous.end, ",", rule)] if previous.text[-1:].isalnum() else []


def _pronoun(clause: Clause) -> str | None:
    """The pronoun that stands for the subject; None where the text does not tell."""
    subject = clause.subject
    if subject is None or clause.expletive is not None:
        return None
    head, others = subject.head, {w.lower for w in clause.children(subject.head, "conj")}
    if others & {"i", "me", "myself", "we", "us"}:
        return "we"
    if head.lower == "i":
        return "we" if others else "I"
    if others or head.tag in ("NNS", "NNPS"):
        return "you" if "you" in {head.lower, *others} else "they"
    if head.lower in PRONOUNS:
        return head.lower
    if head.tag == "NN" and not is_person(head):
        return "it"
    return _repeated(clause, subject)


def _repeated(clause: Clause, subject: Phrase) -> str | None:
    """A short subject said again, where no pronoun is known to stand for it."""
    if subject.last.index - subject.first.index >= SHORT:
        return None
    text = clause.text[subject.first.start : subject.last.end]
    small = subject.first.tag in ("DT", "PRP$") and clause.opens(subject.first)
    return text[:1].lower() + text[1:] if small else text


def _question(clause: Clause, phrase: str, contractions: bool) -> list[Edit] | Skip:
    """ "Is he coming?" → "Is it not true that he isn't coming?"; "Why is it not true that he isn't coming?"."""
    verbs, subject = clause.verbs, clause.expletive or (clause.subject.last if clause.subject else None)
    assert verbs is not None
    operator = verbs.first
    before = clause.words[: operator.index]
    opens = all(w.label in ("cc", "discourse", "punct", "advmod") for w in before)
    if not clause.inverted or subject is None or clause.tag or not opens or not phrase.lower().startswith("it is "):
        return Skip("question")
    asked_for = [w for w in before if w.tag in ("WP", "WRB", "WDT")]
    if any(w.lower != "why" for w in asked_for) or len(clause.negators) > 1:
        return Skip("question")  # only a reason can be asked of the whole claim
    full = full_operator(operator, verbs)
    rule = "negative phrase in front of a question"
    asked = like(operator, f"is it {phrase[6:]}")
    opening = [Edit(operator.start, operator.end, asked, rule)]
    if clause.negators:
        return _negative_question(clause, verbs, subject, asked, rule)
    if contractions and full in NEGATIVE_FORM:
        return [*opening, after(clause, subject, NEGATIVE_FORM[full], rule)]
    return [*opening, after(clause, subject, "cannot" if full == "can" else f"{full} not", rule)]


def _negative_question(clause: Clause, verbs: VerbGroup, subject: Word, asked: str, rule: str) -> list[Edit] | Skip:
    operator, negator, main = verbs.first, clause.negators[0], verbs.main
    full = full_operator(operator, verbs)
    fused = negator.start == operator.end
    edits = [Edit(operator.start, negator.end if fused else operator.end, asked, rule)]
    if not fused:
        edits.append(Edit(negator.start - 1, negator.end, "", rule))
    if full not in ("do", "does", "did"):
        return [*edits, after(clause, subject, full, rule)]
    if main is None or main is operator:
        return Skip("question")
    tag = {"did": "VBD", "does": "VBZ"}.get(full, "VBP")
    return [*edits, swap(main, inflect(plain_form(main), tag), rule)]


def _command(clause: Clause, contractions: bool) -> list[Edit] | Skip:
    """ "Close the door." → "Don't fail to close the door."."""
    verbs = clause.verbs
    assert verbs is not None
    if proposal(clause) is not None or verbs.first.lower == "do" or affirmation.affirm(clause) is not None:
        return Skip("command")
    phrase = "don't fail to" if contractions else "do not fail to"
    edits = lead_in(clause, phrase, [], command_opening(clause), "don't fail to, before a command")
    return negation.ALREADY_THERE if negation.doubles(clause, edits) else edits


def _fragment(clause: Clause, phrase: str, contractions: bool) -> list[Edit] | Skip:
    """ "Great food." → "It is not true that this isn't great food."."""
    first = fragments.opening_word(clause)
    if first is not None and first.lower == "not" and first.index + 1 < len(clause.words):
        following = clause.words[first.index + 1]
        if clause.predicate.tag != "JJ" or following.lower in ("only", "just", "all", "even"):
            return Skip("no verb")
        new = like(first, f"{phrase[:1].lower()}{phrase[1:]} this is")
        return [Edit(first.start, first.end, new, "negative phrase, negation removed: not")]
    if not fragments.describes(clause):
        return Skip("no verb")
    rule = "negative phrase, fragment: this isn't"
    return fragments.presented(clause, *fragments.IS_NOT[contractions], rule, f"{phrase} ")


def inside(clause: Clause, contractions: bool = True) -> list[Edit] | Skip:
    """Both negations inside: "No one didn't come" for "Everyone came".

    Args:
        clause: the main clause.
        contractions: "didn't" rather than "did not".
    """
    if clause.mood == "imperative":
        return _command(clause, contractions)
    if clause.mood != "declarative" or clause.inverted or affirmation.affirm(clause) is not None:
        return NO_PLACE
    verbs = clause.verbs
    assert verbs is not None
    for rule in (_universal, _necessity, _always):
        edits = rule(clause, verbs, contractions)
        if edits is not None:
            return edits
    return NO_PLACE


def _universal(clause: Clause, verbs: VerbGroup, contractions: bool) -> list[Edit] | Skip | None:
    subject = clause.subject
    if subject is None or subject.first.lower not in UNIVERSAL_SUBJECT:
        return None
    first = subject.first
    if first.lower == "every" and first.head != subject.head.index:
        return None
    new = UNIVERSAL_SUBJECT[first.lower]
    return _negated_behind(clause, contractions, swap(first, new, f"{first.lower} → {new} ... not"))


def _necessity(clause: Clause, verbs: VerbGroup, contractions: bool) -> list[Edit] | Skip | None:
    """ "must go", "have to go" → "can't not go"."""
    first = verbs.first
    short = first.text[:1] in ("'", "’")  # noqa: RUF001
    if is_operator(first, verbs) and full_operator(first, verbs) == "must" and len(verbs.words) > 1:
        new = "can't not" if contractions else "cannot not"
        return [swap(first, new, f"must → {new}")]
    if first is verbs.main and plain_form(first) == "have" and is_before_to(clause, first) and not short:
        to = clause.words[first.index + 1]
        past = first.lower == "had"
        full = ("couldn't" if contractions else "could not") if past else "can't" if contractions else "cannot"
        return [Edit(first.start, to.end, like(first, f"{full} not"), f"have to → {full} not")]
    return None


def _always(clause: Clause, verbs: VerbGroup, contractions: bool) -> list[Edit] | Skip | None:
    always = next((w for w in clause.children(clause.predicate, "advmod") if w.lower == "always"), None)
    if always is None or clause.subject is None or always.index > clause.predicate.index:
        return None
    if is_operator(verbs.first, verbs):
        return [swap(always, "never not", "always → never not")]
    if always.index == verbs.first.index - 1:
        return _negated_behind(clause, contractions, swap(always, "never", "always → never ... not"))
    return None


def _negated_behind(clause: Clause, contractions: bool, first: Edit) -> list[Edit] | Skip:
    """The second negation on the verb, clear of the word that took the first."""
    second = negation.negate_verb(clause, contractions, over_adverbs=False)
    if isinstance(second, Skip):
        return second
    return [first, *(e for e in second if not e.rule.startswith("and → "))]
