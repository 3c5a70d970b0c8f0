"""Doubts about "must" in a statement: a guess is out of place where the text shows that the writer knows.

A comment ("It should be noted that") can precede these claims; see `ON_COMMENTS` for those that it cannot.
"""

from __future__ import annotations

import itertools
import re

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.doubts.common import lowered
from sda_hf.grammar.english.doubts.doubt import Doubt
from sda_hf.grammar.english.labels import NOUNS
from sda_hf.grammar.english.morphology import FINITE_BE, plain_form
from sda_hf.grammar.english.rules.matrix_clause import start_of_statement
from sda_hf.grammar.english.rules.modal_claims import Claim, claim_of
from sda_hf.syntax.clause import Clause, Word

REPORTING = lexicon.words("modality", "reporting")
INFERRED = lexicon.words("modality", "inferred")
NARRATED = lexicon.words("modality", "narrated")
NOTED = lexicon.words("modality", "noted")
ATTITUDES = lexicon.words("modality", "attitudes")
CONSEQUENCES = lexicon.words("modality", "consequences")
CONSEQUENCE_PHRASES = lexicon.phrases("modality", "consequence-phrases")
MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
EXACT = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{MONTHS})|(?:{MONTHS}) \d{{1,2}}|"
    r"(?:on|last|this) (?:mon|tues|wednes|thurs|fri|satur|sun)day|tonight)\b|[$£€%:]\s?\d|"
    r"\d\s?[%:]\d?|\d+\.\d|\d,\d{3}|\b\d+ (?:percent|per cent|cents|dollars|pounds|million|billion|votes|points)\b"
)
HABITS = re.compile(r"\b(?:all the time|every time|regularly|often|usually|frequently)\b")
NUMBERS = 2  # so many figures make a record
POINTING = frozenset({"this", "that", "these", "those", "you", "there"})
SUMMARIES = frozenset({"thing", "problem", "point", "difference", "reason", "question", "answer", "result"})
QUOTES = frozenset('"“”')
SHORTEST = 4
AUXILIARIES = FINITE_BE | {"do", "does", "did", "can", "will", "have"}


def _is_statement(clause: Clause, claim: Claim) -> bool:
    return clause.mood == "declarative" and claim.kind in ("be", "do", "verb", "perfect")


def _is_definition(clause: Clause, claim: Claim) -> bool:
    """Whether the claim says what something is: "Rye is a town in Sussex.", "Ada (1815 to 1852) was a writer"."""
    subject, verbs = clause.subject, clause.verbs
    if claim.kind != "be" or verbs is None or verbs.main is not None or subject is None or clause.expletive is not None:
        return False
    if subject.head.lower in SUMMARIES or (subject.first.lower == "the" and _has_only(clause)):
        return True
    if clause.predicate.tag not in NOUNS or clause.children(clause.predicate, "case"):
        return False
    if claim.past:
        modified = bool(clause.children(clause.predicate, "acl", "acl:relcl")) and subject.head.tag == "NNP"
        return modified or claim.defined or subject.head.lower == clause.predicate.lower
    if subject.head.lower in POINTING:
        return False
    named = subject.head.tag.startswith("NNP") or subject.head.lower == "it" or claim.defined
    determiner = clause.children(clause.predicate, "det")
    return named or bool(determiner and determiner[0].lower in ("a", "an"))


def _has_only(clause: Clause) -> bool:
    subject = clause.subject
    return subject is not None and any(
        w.lower == "only" for w in clause.words[subject.first.index : subject.head.index]
    )


def _is_exact(clause: Clause, claim: Claim) -> bool:
    """Whether a date, a price or several figures show that the fact is on record."""
    low = lowered(clause)
    figures = [w for w in clause.words if w.text[:1].isdigit()]
    return EXACT.search(low) is not None or len(figures) >= NUMBERS or (bool(figures) and not claim.past)


def _is_reported(clause: Clause, claim: Claim) -> bool:
    """Whether the claim is what somebody said: "he added that", "she noted"."""
    return (claim.verb in REPORTING and not claim.speaker) or any(w.text in QUOTES for w in clause.words)


def _opens_with_participle(clause: Clause, claim: Claim) -> bool:
    """Whether a participle states as a fact what goes with the claim: "Arriving in Rome, he was greeted"."""
    start = start_of_statement(clause)
    subject = clause.subject
    return start.tag in ("VBG", "VBN") and subject is not None and start.index < subject.first.index


def _goes_on(clause: Clause, claim: Claim) -> bool:
    """Whether another clause states a fact that goes with the claim: "...; he scored", "..., which makes"."""
    after = [w for w in clause.words if w.index > clause.predicate.index]
    if any(w.label in ("parataxis", "conj") and _has_subject(clause, w) for w in after):
        return True
    return any(
        w.text == ";"
        or (w.lower == "so" and clause.words[w.index - 1].text == ",")
        or (w.lower == "but" and w.label == "cc")
        or (w.lower == "which" and clause.words[w.index - 1].text == "," and _makes(clause, w))
        for w in after
    )


def _has_subject(clause: Clause, verb: Word) -> bool:
    above = clause.words[verb.head]
    own = bool(clause.children(verb, "nsubj", "nsubj:pass", "expl"))
    return own and (above is clause.predicate or above.label in ("conj", "parataxis"))


def _makes(clause: Clause, which: Word) -> bool:
    return any(w.lower in ("makes", "made", "means", "meant", "led", "leads") for w in clause.words[which.index :][:3])


def _follows_another(clause: Clause, claim: Claim) -> bool:
    return clause.predicate.label != "root"


def _rates(clause: Clause, claim: Claim) -> bool:
    """Whether an adverb rates the claim, or a time tells when it was announced for: "Luckily, he was away"."""
    return start_of_statement(clause).lower in ATTITUDES or any(
        w.lower in ATTITUDES and w.head == clause.predicate.index for w in clause.words
    )


def _is_required(clause: Clause, claim: Claim) -> bool:
    """Whether "must" would say what is required: "must include", "must be elected annually"."""
    if claim.past or claim.kind not in ("be", "verb") or claim.speaker:
        return False
    if claim.kind == "be":
        progressive = clause.verbs is not None and any(w.lower == "being" for w in clause.verbs.words)
        return claim.passive and not progressive
    return claim.verb not in INFERRED


def _presents_less(clause: Clause, claim: Claim) -> bool:
    """Whether "there must be" would set a rule: "There is no escape", "There are just so many"."""
    if clause.expletive is None or claim.past:
        return False
    return any(w.lower in ("no", "not", "just", "only", "so", "nothing") for w in clause.words)


def _comes_first(clause: Clause, claim: Claim) -> bool:
    """Whether what is said precedes the copula: "More remarkable is that"."""
    verbs = clause.verbs
    return verbs is not None and claim.kind == "be" and clause.predicate.index < verbs.first.index


def _is_too_short(clause: Clause, claim: Claim) -> bool:
    """Whether so little stands in the sentence that its verb may be a participle: "Site made!"."""
    words = sum(w.text[:1].isalnum() for w in clause.words)
    return claim.kind == "verb" and claim.past and words < SHORTEST and clause.words[0].tag != "PRP"


def _is_of_family(clause: Clause, claim: Claim) -> bool:
    """Whether the subject is the speaker's own, whose past is no guess: "Our family has trusted him"."""
    return claim.kind == "perfect" and clause.subject is not None and clause.subject.first.lower in ("my", "our")


def _sounds_required(clause: Clause, claim: Claim) -> bool:
    """Whether "must be" would demand: "is not at all based on", "This is in contrast to"."""
    if claim.kind != "be":
        return False
    if claim.negated and " at all" in lowered(clause):
        return True
    pointed = clause.subject is not None and clause.subject.head.lower in ("this", "that", "these", "those", "it")
    return pointed and not claim.past and bool(clause.children(clause.predicate, "case"))


def _is_over(clause: Clause, claim: Claim) -> bool:
    """Whether a participle says that something is over: "The days of that were done."."""
    return claim.kind == "be" and clause.predicate.lower in ("done", "over", "gone")


ON_MUST = (
    ("speakers do not infer what they know of their own", _is_of_family),
    ("must be would state a requirement", _sounds_required),
    ("must have been would be a passive", _is_over),
    ("what something is, is no inference", _is_definition),
    ("an exact fact is no inference", _is_exact),
    ("reported speech is no inference", _is_reported),
    ("a participle states the fact", _opens_with_participle),
    ("another clause states the fact", _goes_on),
    ("another claim precedes it", _follows_another),
    ("an adverb rates the fact", _rates),
    ("must would state a requirement", _is_required),
    ("there must be sets a rule", _presents_less),
    ("inverted word order", _comes_first),
    ("too short", _is_too_short),
)


def doubt_about_inference(clause: Clause) -> str:
    """Return the first doubt about "must" in a statement; empty if there is none."""
    claim = claim_of(clause)
    if not _is_statement(clause, claim):
        return ""
    return next((reason for reason, holds in ON_MUST if holds(clause, claim)), "")


def doubt_about_action(clause: Clause) -> str:
    """Return a doubt about "had to" and "was able to": the sentence goes on with an obstacle, or they open a speech."""
    after = [w for w in clause.words if w.index > clause.predicate.index]
    if len(after) > 1 and after[0].lower in ("on", "ahead") and after[1].lower == "to":
        return "what somebody goes on to do is no duty"
    if HABITS.search(lowered(clause)):
        return "a habit is no duty"
    if any(w.lower in ("but", "though", "although", "however") for w in after):
        return "the sentence goes on with an obstacle"
    told = plain_form(clause.predicate) in REPORTING and bool(clause.children(clause.predicate, "ccomp"))
    return "reported speech is no action" if told and clause.mood == "declarative" else ""


def is_narrated(clause: Clause) -> bool:
    """Whether the claim is an event of a plot: "Max wakes up", on which nobody comments."""
    verbs = clause.verbs
    if verbs is None or clause.mood != "declarative" or verbs.first is not verbs.main:
        return False
    return verbs.first.tag in ("VBZ", "VBP") and plain_form(verbs.first) in NARRATED and claim_of(clause).acts


def _connects_to_cause(clause: Clause) -> bool:
    """Whether the first words connect the claim, not the comment, to what came before: "Therefore", "Now", "Then"."""
    low = [w.lower for w in clause.words if w.text[:1].isalnum()][:4]
    if low[:1] in (["and"], ["but"], ["so"]):
        low = low[1:] if low[0] != "so" else low
    opening = " ".join(low)
    return bool(low) and (low[0] in CONSEQUENCES or any(opening.startswith(f"{p} ") for p in CONSEQUENCE_PHRASES))


def _is_reported_again(clause: Clause) -> bool:
    """Whether the claim reports speech, so that two such verbs would meet: "noted that he added that"."""
    predicate = clause.predicate
    return plain_form(predicate) in NOTED and bool(clause.children(predicate, "ccomp"))


def _is_addressed(clause: Clause) -> bool:
    """Whether a name stands before a subject that is a pronoun: "Anna, I am here", "Anna - she is here"."""
    subject = clause.subject
    return subject is not None and subject.head.tag == "PRP" and subject.first.tag.startswith("NNP")


def _is_elliptical(clause: Clause) -> bool:
    """Whether the statement ends with its auxiliary: "Yes they do."."""
    verbs = clause.verbs
    if verbs is None:
        return False
    spoken = [w for w in clause.words if w.text[:1].isalnum()]
    return bool(spoken) and spoken[-1] is verbs.words[-1] and spoken[-1].lower in AUXILIARIES


def _defines(clause: Clause) -> bool:
    """Whether the sentence says who or what something is, as a dictionary does: "Ann Lee (born 1950) is a golfer"."""
    if clause.verbs is None or clause.verbs.main is not None or clause.verbs.first.lower not in FINITE_BE:
        return False
    before = clause.words[: clause.verbs.first.index]
    bracketed = any(w.text == "(" for w in before) and any(w.lower == "born" or w.text[:1].isdigit() for w in before)
    named = any(
        a.lower in ("also", "commonly", "popularly") and b.lower == "known" for a, b in itertools.pairwise(before)
    )
    return (bracketed or named) and bool(clause.children(clause.predicate, "det"))


ON_COMMENTS: tuple[Doubt, ...] = (
    Doubt("an elliptical statement", _is_elliptical),
    Doubt("an event of a plot", is_narrated),
    Doubt("a definition", _defines),
    Doubt("reported speech takes no further comment", _is_reported_again),
    Doubt("a name before the subject", _is_addressed),
    Doubt("a comment would come between a consequence and its cause", _connects_to_cause),
)


def doubt_about_comment(clause: Clause) -> str:
    """Return the first doubt about a comment on the claim; empty if there is none."""
    return next((doubt.reason for doubt in ON_COMMENTS if doubt.holds(clause)), "")
