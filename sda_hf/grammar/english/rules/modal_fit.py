"""Which modal phrases suit a claim: what is doubtful about each of them, and which are the best.

"must have done" infers a fact and "had to do" reports one, whereas "should have done" says that it did not happen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.morphology import DO, FINITE_BE, HAVE, full_operator, is_operator, plain_form, tense_of
from sda_hf.grammar.english.rules import coordination
from sda_hf.grammar.english.rules.commands import proposal
from sda_hf.grammar.english.rules.intensifiers import JUDGEMENTS
from sda_hf.grammar.english.rules.modal_phrases import ModalPhrase, is_person
from sda_hf.grammar.english.surface import opening_word
from sda_hf.syntax.clause import Clause

HEADING_MARKS = frozenset({":", "...", "-", "--", "(", ")", "*"})
QUOTES = frozenset('"“”«»')

DELIBERATE = lexicon.words("modality", "deliberate")
ACHIEVED = lexicon.words("modality", "achieved")
NOT_ACHIEVED = lexicon.words("modality", "not-achieved") | ACHIEVED
ADMITTED = lexicon.words("modality", "admitted")
ASKED_POLITELY = lexicon.words("modality", "asked-politely")
RECOMMENDED = lexicon.words("modality", "recommended")
PERFORMED = lexicon.words("modality", "performed")
WISHES = lexicon.words("modality", "wishes")
OWN = lexicon.words("modality", "own")
FORCED = lexicon.words("modality", "forced")
DONE_IF_NEEDED = lexicon.words("modality", "done-if-needed")
POSSIBLE = lexicon.words("modality", "possible")
OPINIONS = lexicon.words("modality", "opinions")
ACKNOWLEDGED = lexicon.words("modality", "acknowledged")
MISTAKES = lexicon.words("modality", "mistakes")
FELT = lexicon.words("modality", "felt")
IDIOMS_OF_CAN = lexicon.words("modality", "idioms-of-can")
HAPPENING = lexicon.words("modality", "happening")
STATES = lexicon.words("verbs", "states")
STANDS_FOR = lexicon.pairs("modality", "stands-for")
OBLIGATIONS = frozenset(lexicon.phrases("modality", "obligations"))
OBLIGATION_VERBS = frozenset({"have", "need"})
NOT_A_FACT = "should and ought to say what is right or likely, not what is a fact"
NOT_DELIBERATE = "necessity suits only deliberate actions"
NOT_ACHIEVEMENT = "ability suits only what someone succeeds in"
OF_SPEAKER = "speakers do not infer what they know of themselves"
NO_EXTENSION = "the phrase would change what the modal says"
ONLY_INVOLUNTARY = "the phrase suits only what people feel or do involuntarily"
NOT_SUITED = "the phrase does not suit the claim"

Kind = Literal["fragment", "command", "question", "modal", "obligation", "perfect", "be", "do", "verb"]


@dataclass(frozen=True, slots=True)
class Claim:
    """What decides whether a modal phrase suits a claim.

    Attributes:
        kind: what the finite verb is.
        verb: the base form of the main verb; "be" for a copula.
        past: whether the finite verb is past.
        negated: whether "not" belongs to the verb group.
        acts: whether the subject is a person, and the verb active.
        speaker: whether the subject is "I" or "we", or something of theirs such as "my name".
        passive: whether the verb is passive.
        never: whether an adverb before the verb negates the claim or tells when it happened: "never", "just".
        addressed: whether the subject is "you", "I" or "we".
        modified: whether an adverb precedes the verb.
        complemented: whether the verb has a predicative complement: "went bankrupt".
        mixed: whether a coordinated verb has a tense of its own.
        others: the base forms of coordinated verbs that share the finite verb.
    """

    kind: Kind
    verb: str
    past: bool
    negated: bool
    acts: bool
    speaker: bool
    passive: bool
    never: bool = False
    addressed: bool = False
    modified: bool = False
    complemented: bool = False
    mixed: bool = False
    others: tuple[str, ...] = ()


def claim_of(clause: Clause) -> Claim:
    """Return what decides which modal phrases suit a clause."""
    verbs, subject = clause.verbs, clause.subject
    if verbs is None:
        return Claim("fragment", "", False, False, False, False, False)
    first, main = verbs.first, verbs.main
    verb = plain_form(main) if main is not None else "be"
    passive = any(w.label == "aux:pass" for w in verbs.words)
    progressive = main is not None and main.tag == "VBG"
    person = subject is not None and (is_person(subject.head) or bool(clause.children(subject.head, "conj")))
    return Claim(
        kind=_kind(clause),
        verb=verb,
        past=first.lower in ("was", "were", "did", "had") or (first is main and tense_of(first, subject) == "VBD"),
        negated=bool(clause.negators),
        acts=person and main is not None and not passive and not progressive and clause.expletive is None,
        speaker=_is_of_speaker(clause),
        passive=passive,
        never=(clause.negation is not None and not clause.negators)
        or (first.index > 0 and clause.words[first.index - 1].lower in ("just", "never", "only")),
        addressed=subject is not None and subject.head.lower in ("you", "i", "we"),
        modified=first.index > 0 and clause.words[first.index - 1].tag.startswith("RB"),
        complemented=main is not None and bool(clause.children(main, "xcomp")),
        mixed=coordination.first_with_finite_verb(clause) is not None,
        others=tuple(
            plain_form(g.main) if g.main is not None else "be" for g in coordination.sharing_finite_verb(clause)
        ),
    )


def _is_of_speaker(clause: Clause) -> bool:
    subject = clause.subject
    if subject is None or clause.expletive is not None:
        return False
    if subject.head.lower in ("i", "we") or any(w.lower in ("i", "we") for w in clause.children(subject.head, "conj")):
        return True
    before = clause.words[subject.first.index : subject.head.index]
    return subject.head.lower in OWN and any(w.lower in ("my", "our") for w in before)


def _kind(clause: Clause) -> Kind:
    verbs = clause.verbs
    assert verbs is not None
    first = verbs.first
    operator = is_operator(first, verbs)
    full = full_operator(first, verbs) if operator else ""
    if clause.mood == "imperative":
        return "command"
    if clause.mood == "interrogative":
        return "question"
    if first.tag == "MD" or full in ("ought", "would"):
        return "modal"
    if first is verbs.main and not operator and plain_form(first) in OBLIGATION_VERBS and _before_to(clause):
        return "obligation"
    if first.lower in FINITE_BE and full != "has":
        return "be"
    if operator and (first.lower in HAVE or full == "has"):
        return "perfect"
    return "do" if operator and first.lower in DO else "verb"


def _before_to(clause: Clause) -> bool:
    assert clause.verbs is not None
    following = clause.words[clause.verbs.first.index + 1 : clause.verbs.first.index + 2]
    return bool(following) and following[0].lower == "to"


def doubt_of(phrase: ModalPhrase, claim: Claim, clause: Clause) -> str:
    """Return why a phrase does not suit a claim; empty if it does, or if nothing is known about the phrase."""
    words = phrase.words
    if phrase.kind == "comment":
        return _commented(words, claim, clause)
    if claim.kind == "modal":
        return _after_modal(words, claim, clause)
    if claim.kind == "command":
        return _on_command(words, clause)
    if claim.kind == "question":
        return _in_question(words, claim, clause)
    if claim.kind == "obligation":
        return "" if words in OBLIGATIONS else NOT_SUITED
    if words in ("should", "ought to"):
        return NOT_A_FACT
    if words == "must":
        return _inferred(claim)
    if words in ("have to", "need to"):
        return _necessary(words, claim)
    if words == "be able to":
        return _achieved(claim)
    if words == "would":
        softened = claim.speaker and not claim.past and claim.kind in ("verb", "do") and claim.verb in OPINIONS
        return "" if softened else NOT_SUITED
    if words == "can":
        able = claim.kind == "be" and claim.passive and not claim.past and not claim.negated
        return "" if able and claim.verb in POSSIBLE else NOT_SUITED
    if words in ("be going to", "may", "might", "be sure to", "happen to"):
        return NOT_SUITED
    if phrase.kind == "ability":
        felt = claim.acts and claim.kind == "verb" and claim.verb in FELT and not claim.others
        return "" if felt else ONLY_INVOLUNTARY
    if words.startswith("have no choice"):
        return "" if claim.acts and claim.kind == "verb" and {claim.verb, *claim.others} <= FORCED else NOT_DELIBERATE
    return ""


def _commented(words: str, claim: Claim, clause: Clause) -> str:
    """Return what is doubtful about a comment on the claim: "I must say", "It should be noted that"."""
    if not _can_be_embedded(clause):
        return NOT_SUITED
    described = claim.kind == "be" and clause.verbs is not None and clause.verbs.main is None
    described = described and clause.predicate.tag.startswith("JJ") and clause.predicate.lower in JUDGEMENTS
    if not words.startswith("I "):
        exclaims = clause.end_mark is not None and "!" in clause.end_mark.text
        return NOT_SUITED if claim.speaker or (not described if "said" in words else exclaims) else ""
    if not claim.speaker or claim.verb in PERFORMED or any(w.text in QUOTES for w in clause.words):
        return NOT_SUITED
    if words.endswith("that"):
        return ""
    if claim.kind == "modal":
        return "" if claim.verb in ("like", "love", "prefer") else NOT_SUITED
    state = claim.kind in ("verb", "do") and claim.verb in ADMITTED
    return "" if state or described else NOT_SUITED


def _can_be_embedded(clause: Clause) -> bool:
    """Whether the whole sentence can follow "that": a statement without a heading or a name before it."""
    subject = clause.subject
    if clause.mood != "declarative" or clause.tag or (clause.end_mark is not None and "?" in clause.end_mark.text):
        return False
    if subject is None or (clause.inverted and clause.expletive is None):
        return False
    if any(w.index < subject.first.index for w in clause.children(clause.predicate, "vocative", "parataxis", "list")):
        return False
    opening = opening_word(clause)
    if opening is None or not clause.opens(opening) or opening.lower == "that":
        return False
    return not any(w.text in HEADING_MARKS for w in clause.words[: subject.first.index])


def _inferred(claim: Claim) -> str:
    """Return what is doubtful about "must": "must have left"."""
    if claim.kind == "fragment":
        return "not a clause"
    if claim.speaker:
        if claim.kind == "verb" and not claim.past and claim.verb in ACKNOWLEDGED:
            return ""
        return "" if claim.past and claim.verb in MISTAKES and not claim.passive else OF_SPEAKER
    if claim.mixed:
        return "a coordinated verb keeps its tense"
    if claim.kind == "do" and not claim.past and claim.verb not in STATES:
        return "must not forbids what someone does not do"
    return ""


def _necessary(words: str, claim: Claim) -> str:
    """Return what is doubtful about "have to": "had to leave"."""
    if claim.negated or claim.never or (words == "need to" and (claim.past or not claim.addressed)):
        return NOT_DELIBERATE
    if claim.passive:
        return "" if claim.kind == "be" and claim.past and claim.verb in DONE_IF_NEEDED else NOT_DELIBERATE
    return "" if claim.kind == "verb" and _is_deliberate(claim) else NOT_DELIBERATE


def _is_deliberate(claim: Claim) -> bool:
    """Whether a person does something on purpose, alone or in a series of such actions."""
    return claim.acts and not claim.complemented and {claim.verb, *claim.others} <= DELIBERATE


def _achieved(claim: Claim) -> str:
    """Return what is doubtful about "be able to": "was able to win", "wasn't able to win"."""
    if not claim.acts:
        return NOT_ACHIEVEMENT
    if claim.others or claim.never or claim.modified:
        return NOT_ACHIEVEMENT
    if claim.negated:
        return "" if claim.kind == "do" and claim.verb in NOT_ACHIEVED else NOT_ACHIEVEMENT
    return "" if claim.kind == "verb" and claim.past and claim.verb in ACHIEVED else NOT_ACHIEVEMENT


def _after_modal(words: str, claim: Claim, clause: Clause) -> str:
    """Return what is doubtful about a phrase with a modal: "will have to go", "is going to go"."""
    verbs = clause.verbs
    assert verbs is not None
    full = full_operator(verbs.first, verbs)
    person = clause.subject is not None and clause.subject.head.lower in ("i", "we", "you")
    if words == "might" and full == "could":
        return NO_EXTENSION if claim.negated or claim.acts else ""
    if words == "may" and full == "can":
        return "" if claim.passive and not claim.negated else NO_EXTENSION
    if words == "can" and full == "would":
        return "" if claim.speaker and not claim.negated and claim.verb in RECOMMENDED else NO_EXTENSION
    if words == "be able to" and full == "can":
        return "" if not claim.passive and claim.verb != "be" and not _is_idiom_of_can(claim, clause) else NO_EXTENSION
    if words == "be able to" and full == "could":
        return "" if claim.negated and claim.acts and claim.verb in NOT_ACHIEVED - {"agree"} else NO_EXTENSION
    if words == "may" and full == "might":
        return NO_EXTENSION if person else ""
    if words == "might" and full == "may":
        return NO_EXTENSION if claim.negated or (person and claim.verb in DELIBERATE) else ""
    if STANDS_FOR.get(words) == full or (words == "should" and full == "ought"):
        return ""
    if words == "must" and full == "can":
        return "" if claim.acts and not claim.speaker else NO_EXTENSION
    if words in ("have to", "need to") and full in ("will", "would"):
        modified = verbs.words[-1].index != verbs.first.index + 1
        softened = full == "would" and words == "have to" and claim.speaker and claim.verb in OPINIONS
        meant = not claim.negated and not modified and (_is_deliberate(claim) or softened)
        return "" if meant else NO_EXTENSION
    return NO_EXTENSION


def _is_idiom_of_can(claim: Claim, clause: Clause) -> bool:
    """Whether "can" makes an idiom with its verb or the adverb after it: "can't wait", "can only"."""
    assert clause.verbs is not None
    following = clause.words[clause.verbs.first.index + 1 : clause.verbs.first.index + 3]
    return claim.verb in IDIOMS_OF_CAN or any(w.lower in IDIOMS_OF_CAN for w in following)


def _on_command(words: str, clause: Clause) -> str:
    assert clause.verbs is not None
    if proposal(clause) is not None:
        return "" if words in ("must", "should", "have to", "ought to", "need to") else NOT_SUITED
    if clause.subject is not None or clause.words[clause.verbs.first.index + 1 :][:1] == ():
        return NOT_SUITED
    if plain_form(clause.verbs.words[-1]) in WISHES:
        return "a wish or a set phrase"
    if words == "be sure to":
        return NOT_SUITED if clause.verbs.words[-1].lower == "be" else ""
    if any(w.lower in ("please", "pls", "plz", "kindly") for w in clause.words):
        return "a request stays a request"
    return "" if words in ("must", "have to", "need to", "should", "ought to") else NOT_SUITED


def _in_question(words: str, claim: Claim, clause: Clause) -> str:
    asks = clause.words[0].lower
    if words in ("have to", "need to"):
        why = asks == "why" and clause.inverted and claim.acts and claim.verb in DELIBERATE
        return "" if why and words == "have to" else "question"
    if words == "would":
        return "" if _is_asked_politely(claim, clause) else "question"
    if words == "be able to":
        modal = clause.verbs is not None and clause.verbs.first.tag == "MD"
        return "" if modal and not claim.negated and claim.verb != "be" and not claim.passive else "question"
    anyone = clause.subject is not None and clause.subject.head.lower in ("you", "anyone", "anybody")
    opened = clause.verbs is not None and clause.verbs.first.lower in DO and clause.opens(clause.verbs.first)
    return "" if words == "happen to" and anyone and opened and claim.verb in HAPPENING else "question"


def rank_of(phrase: ModalPhrase, claim: Claim) -> int:
    """Return how well a phrase without doubts suits a claim: 0 if it says more than an inference would, else 1."""
    words = phrase.words
    if phrase.kind == "comment":
        told = claim.speaker or claim.past or claim.kind in ("modal", "perfect")
        return 3 if told and words.endswith("that") else 1
    if words == "have to" and claim.kind == "verb" and not claim.past and not claim.addressed:
        return 1
    if words == "must" and not claim.past and claim.kind in ("be", "verb", "do"):
        return 1 if (claim.kind == "be" and not claim.passive) or claim.verb in STATES or claim.speaker else 2
    return 0


def _is_asked_politely(claim: Claim, clause: Clause) -> bool:
    """Whether "would" makes a question polite: "Would you have a map?", "What would the rate be?"."""
    verbs, subject = clause.verbs, clause.subject
    if verbs is None or subject is None or not clause.inverted or claim.past or claim.negated or claim.speaker:
        return False
    low = verbs.first.lower
    if low in DO:
        return clause.opens(verbs.first) and claim.verb in ASKED_POLITELY
    return low in FINITE_BE and not claim.passive and clause.words[0].lower not in ("why", "how", "who", "when")
