"""What decides whether a modal phrase suits a claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.morphology import DO, FINITE_BE, HAVE, full_operator, is_operator, plain_form, tense_of
from sda_hf.grammar.english.rules import coordination
from sda_hf.grammar.english.rules.intensifiers import JUDGEMENTS
from sda_hf.grammar.english.rules.modal_phrases import is_person
from sda_hf.syntax.clause import Clause, once_per_clause

FIRST_PERSON = frozenset({"i", "me", "my", "mine", "we", "us", "our", "ours"})
YEAR = 4  # digits
OWN = lexicon.words("modality", "own")
OBLIGATION_VERBS = frozenset({"have", "need"})

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
        spread: whether other words stand between the words of the verb group.
        complemented: whether the verb has a predicative complement: "went bankrupt", or a
            particle: "went on".
        mixed: whether a coordinated verb has a tense of its own.
        experienced: whether the speaker takes part: "they called me".
        judges: whether the predicate is an adjective that expresses a judgement.
        dated: whether the claim is too precise for an inference: it names a year.
        defined: whether brackets follow the subject, as in a definition: "Ada Lovelace (1815 to 1852) was".
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
    spread: bool = False
    complemented: bool = False
    mixed: bool = False
    experienced: bool = False
    judges: bool = False
    dated: bool = False
    defined: bool = False
    others: tuple[str, ...] = ()


@once_per_clause
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
        spread=verbs.words[-1].index - first.index >= len(verbs.words),
        complemented=main is not None and bool(clause.children(main, "xcomp", "compound:prt")),
        experienced=any(w.lower in FIRST_PERSON for w in clause.words),
        judges=verb == "be" and clause.predicate.lower in JUDGEMENTS,
        dated=any(len(w.text) == YEAR and w.text.isdigit() for w in clause.words),
        defined=subject is not None and any(w.text == "(" for w in clause.words[: first.index]),
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
