"""Double negation: two negations that cancel out.

SDA (LREC-COLING 2024), section 4.3: a negative phrase before the negated sentence. SDA 2022: two
negative transformations inside the sentence, here only where they are logically equivalent to the original.
"""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, Result, Rule, Skip
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import PLURAL_NOUNS, WH
from sda_hf.grammar.english.morphology import (
    DO,
    NEGATIVE_FORM,
    full_operator,
    inflect,
    is_before_to,
    is_operator,
    plain_form,
)
from sda_hf.grammar.english.polarity import ALREADY_NEGATED, is_contracted_negator
from sda_hf.grammar.english.rules import coordination, fragments, matrix_clause, negation, negative_phrases
from sda_hf.grammar.english.rules.commands import command_opening, proposal
from sda_hf.grammar.english.rules.modal_phrases import is_person
from sda_hf.grammar.english.surface import after, before, is_short, opening_word, swap
from sda_hf.syntax.clause import Clause, Phrase, VerbGroup, Word

# (all x: p) is (no x: not p); likewise for always, must and have to.
UNIVERSAL_SUBJECT = lexicon.pairs("quantifiers", "without-exception")
PERSONS = lexicon.words("pronouns", "persons")
PRONOUNS = lexicon.words("pronouns", "repeatable")
AFTER_NOT = lexicon.words("adverbs", "after-not")
SHORT = 3  # words
AWKWARD = "two negations that sound awkward"
INFERENCE = "an inference, not an obligation"
NATURAL = 12  # words of a sentence in which "can't not" sounds natural
NO_PLACE = Skip("no place for two negations that cancel out")
QUESTION = Skip("question")
SET_APART = Rule("conjunct-set-apart", "coordinated clause set apart")
QUESTION_RULE = Rule("negative-phrase", "negative phrase before a question")
# Edits of a denial that a double negation does without.
OF_DENIALS = (coordination.UNDER_NEGATION.id, coordination.AFTER_NEGATION.id, "answer-denied", "weakening-dropped")


def with_phrase(clause: Clause, phrase: str, contractions: bool = True, doubt: str = "") -> Result:
    """Negate the claim and put a negative phrase before it: "It is not true that he didn't leave".

    Args:
        clause: the main clause.
        phrase: a phrase that a statement can follow: "It is not true that". After one that holds two negations ("It is
            not untrue that"), the statement stays as it is.
        contractions: "didn't" rather than "did not".
        doubt: why it is not sure that a phrase with one negation denies the negated statement; empty if it is.
    """
    if clause.mood == "imperative":
        return _command(clause, contractions)
    if negative_phrases.denies_twice(phrase):
        return negative_phrases.put_before(clause, phrase)
    site = matrix_clause.site_of(clause)
    if clause.mood == "interrogative" and isinstance(site, Skip):
        return _question(clause, phrase, contractions)
    if clause.mood == "fragment":
        return _fragment(clause, phrase, contractions)
    if isinstance(site, Skip):
        return site
    negated = clause.negation is not None
    edits = negative_phrases.affirmed(clause) if negated else negation.negate(clause, contractions)
    if isinstance(edits, Skip):
        return edits
    edits = _outside_conjunctions(edits)
    apart = _set_apart(clause)
    if isinstance(apart, Skip):
        return apart
    rule = Rule("negative-phrase", f"negative phrase, {edits[0].rule}", doubt=doubt)
    if not doubt:  # the statement begins with its subject
        site = matrix_clause.Site(matrix_clause.start_of_statement(clause), site.pronoun)
    return [site.put(phrase, rule), *edits, *apart]


def suits_any(clause: Clause, phrase: str) -> bool:
    """Whether no negation of the clause is needed: the clause is a command, or the phrase holds two negations."""
    return clause.mood == "imperative" or negative_phrases.denies_twice(phrase)


def _outside_conjunctions(edits: list[Edit]) -> list[Edit]:
    """Return the edits that leave conjunctions alone: in not not (p and q), "and" stays."""
    return [edit for edit in edits if edit.id not in OF_DENIALS]


def _set_apart(clause: Clause) -> Result:
    """Add a comma, and a subject if there is none, before a predicate that is outside the scope of both negations."""
    edits = []
    for predicate in coordination.joined_clauses(clause)[:1]:
        word = next((w for w in clause.children(predicate, "cc") if w.index < predicate.index), None)
        edits += _comma(clause, word) if word is not None else []
    group = _outside(clause)
    if group is None:
        return edits
    pronoun = _pronoun(clause)
    word = coordination.conjunction(clause, group)
    if pronoun is None or word is None:
        return Skip("coordinated predicates")
    return [*_comma(clause, word), after(clause, word, pronoun, SET_APART), *edits]


def _outside(clause: Clause) -> VerbGroup | None:
    """Return the first coordinated predicate that is outside the scope of a negation of the main one."""
    if clause.negation is not None:
        return None
    group = coordination.first_with_finite_verb(clause)
    if group is not None:
        return group
    return next((g for g in clause.coordinated if not coordination.is_joined(clause, g)), None)


def _comma(clause: Clause, word: Word) -> list[Edit]:
    previous = clause.words[word.index - 1]
    return [SET_APART.edit(previous.end, previous.end, ",")] if previous.text[-1:].isalnum() else []


def _pronoun(clause: Clause) -> str | None:
    """Return the pronoun that refers to the subject; None if it is unclear."""
    subject = clause.subject
    if subject is None or clause.expletive is not None:
        return None
    head, others = subject.head, {w.lower for w in clause.children(subject.head, "conj")}
    if others & {"i", "me", "myself", "we", "us"}:
        return "we"
    if head.lower == "i":
        return "we" if others else "I"
    if others or head.tag in PLURAL_NOUNS:
        return "you" if "you" in {head.lower, *others} else "they"
    if head.lower in PRONOUNS:
        return head.lower
    if head.tag == "NN" and not is_person(head):
        return "it"
    return _repeated(clause, subject)


def _repeated(clause: Clause, subject: Phrase) -> str | None:
    """Return a short subject itself, to repeat it where its pronoun is unknown."""
    if subject.last.index - subject.first.index >= SHORT:
        return None
    text = clause.text[subject.first.start : subject.last.end]
    small = subject.first.tag in ("DT", "PRP$") and clause.opens(subject.first)
    return text[:1].lower() + text[1:] if small else text


def _question(clause: Clause, phrase: str, contractions: bool) -> Result:
    """Rewrite "Is he coming?" as "Is it not true that he isn't coming?"; "Why is he coming?" likewise."""
    verbs, subject = clause.verbs, clause.expletive or (clause.subject.last if clause.subject else None)
    assert verbs is not None
    operator = verbs.first
    leading = clause.words[: operator.index]
    opens = all(w.label in ("cc", "discourse", "punct", "advmod") for w in leading)
    if not clause.inverted or subject is None or clause.tag or not opens or not phrase.lower().startswith("it is "):
        return QUESTION
    asked_for = [w for w in leading if w.tag in WH]
    if any(w.lower != "why" for w in asked_for) or len(clause.negators) > 1:
        return QUESTION  # only a reason can be asked of the whole claim
    full = full_operator(operator, verbs)
    rule = QUESTION_RULE
    asked = f"is it {phrase[6:]}"
    if clause.negators:
        return _negative_question(clause, verbs, subject, asked)
    opening = swap(operator, asked, rule)
    if contractions and full in NEGATIVE_FORM:
        return [opening, after(clause, subject, NEGATIVE_FORM[full], rule)]
    return [opening, after(clause, subject, "cannot" if full == "can" else f"{full} not", rule)]


def _negative_question(clause: Clause, verbs: VerbGroup, subject: Word, asked: str) -> Result:
    rule = QUESTION_RULE
    operator, negator, main = verbs.first, clause.negators[0], verbs.main
    full = full_operator(operator, verbs)
    fused = negator.start == operator.end
    edits = [rule.edit(operator.start, negator.end if fused else operator.end, asked)]
    if not fused:
        edits.append(rule.edit(negator.start - 1, negator.end, ""))
    if full not in DO:
        return [*edits, after(clause, subject, full, rule)]
    if main is None or main is operator:
        return QUESTION
    tag = {"did": "VBD", "does": "VBZ"}.get(full, "VBP")
    return [*edits, swap(main, inflect(plain_form(main), tag), rule)]


def _command(clause: Clause, contractions: bool) -> Result:
    """Rewrite "Close the door." as "Don't fail to close the door."."""
    verbs = clause.verbs
    assert verbs is not None
    if proposal(clause) is not None or verbs.first.lower == "do" or clause.negation is not None:
        return Skip("command")
    phrase = "don't fail to" if contractions else "do not fail to"
    opening = command_opening(clause, ("always",))
    if is_contracted_negator(clause, opening.index - 1):
        return ALREADY_NEGATED
    return [before(opening, phrase, Rule("negated-failure", "command: don't fail to"))]


def _fragment(clause: Clause, phrase: str, contractions: bool) -> Result:
    """Rewrite "Great food." as "It is not true that this isn't great food."."""
    first = opening_word(clause)
    if first is not None and first.lower == "not" and first.index + 1 < len(clause.words):
        following = clause.words[first.index + 1]
        if clause.predicate.tag != "JJ" or following.lower in AFTER_NOT:
            return Skip("no verb")
        new = f"{phrase[:1].lower()}{phrase[1:]} this is"
        return [swap(first, new, Rule("negative-phrase", "negative phrase, negation removed: not"))]
    if not fragments.describes(clause):
        return Skip("no verb")
    rule = Rule("negative-phrase", "negative phrase, fragment: this isn't")
    return fragments.presented(clause, *fragments.IS_NOT[contractions], rule, f"{phrase} ")


def inside(clause: Clause, contractions: bool = True) -> Result:
    """Put both negations inside the sentence: "No one didn't come" for "Everyone came".

    Args:
        clause: the main clause.
        contractions: "didn't" rather than "did not".
    """
    if clause.mood == "imperative":
        return _command(clause, contractions)
    if clause.mood != "declarative" or clause.inverted or clause.negation is not None:
        return NO_PLACE
    verbs = clause.verbs
    assert verbs is not None
    for rule in (_universal, _necessity, _always):
        edits = rule(clause, verbs, contractions)
        if edits is not None:
            return edits
    return NO_PLACE


def _cancelled(old: str, new: str, doubt: str = "") -> Rule:
    return Rule("inner-negations", f"{old} → {new}", doubt)


def _universal(clause: Clause, verbs: VerbGroup, contractions: bool) -> Result | None:
    subject = clause.subject
    if subject is None or subject.first.lower not in UNIVERSAL_SUBJECT:
        return None
    first = subject.first
    if first.lower == "every" and first.head != subject.head.index:
        return None
    new = UNIVERSAL_SUBJECT[first.lower]
    return _negated_after(clause, contractions, swap(first, new, _cancelled(first.lower, f"{new} ... not", AWKWARD)))


def _necessity(clause: Clause, verbs: VerbGroup, contractions: bool) -> Result | None:
    """Rewrite "must go" and "have to go" as "can't not go"."""
    first = verbs.first
    if is_operator(first, verbs) and full_operator(first, verbs) == "must" and len(verbs.words) > 1:
        new = "can't not" if contractions else "cannot not"
        inferred = plain_form(verbs.words[1]) in ("be", "have")  # "must be tired"
        doubt = INFERENCE if inferred else "" if _is_personal(clause) else AWKWARD
        return [swap(first, new, _cancelled("must", new, doubt))]
    if first is verbs.main and plain_form(first) == "have" and is_before_to(clause, first) and not is_short(first):
        to = clause.words[first.index + 1]
        past = first.lower == "had"
        full = ("couldn't" if contractions else "could not") if past else "can't" if contractions else "cannot"
        doubt = AWKWARD if past or not _is_personal(clause) else ""  # "couldn't not" says that one wanted to
        return [_cancelled("have to", f"{full} not", doubt).edit(first.start, to.end, f"{full} not")]
    return None


def _is_personal(clause: Clause) -> bool:
    """Whether the sentence is short and speaks of "I", "you" and the like."""
    personal = clause.subject is not None and clause.subject.head.lower in PERSONS
    return personal and len(clause.words) <= NATURAL and not clause.coordinated


def _always(clause: Clause, verbs: VerbGroup, contractions: bool) -> Result | None:
    always = next((w for w in clause.children(clause.predicate, "advmod") if w.lower == "always"), None)
    if always is None or clause.subject is None or always.index > clause.predicate.index:
        return None
    if is_operator(verbs.first, verbs):
        return [swap(always, "never not", _cancelled("always", "never not"))]
    if always.index == verbs.first.index - 1:
        return _negated_after(
            clause, contractions, swap(always, "never", _cancelled("always", "never ... not", AWKWARD))
        )
    return None


def _negated_after(clause: Clause, contractions: bool, first: Edit) -> Result:
    """Add the second negation to the verb, after the word that holds the first one."""
    second = negation.negate_verb(clause, contractions, over_adverbs=False)
    if isinstance(second, Skip):
        return second
    return [first, *_outside_conjunctions(second)]
