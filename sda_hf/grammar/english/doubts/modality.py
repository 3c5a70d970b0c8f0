"""Doubts about modal phrases.

Most of them are about a modal on the predicate alone: "It should be noted that" can precede such a claim.
"""

from __future__ import annotations

import re

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.doubts.common import lowered
from sda_hf.grammar.english.doubts.doubt import Doubt
from sda_hf.grammar.english.labels import PLURAL_NOUNS, WH
from sda_hf.grammar.english.morphology import FINITE_BE, is_operator, is_third_singular, plain_form
from sda_hf.syntax.clause import Clause

HEDGES = lexicon.words("modality", "hedges")
HEDGED = lexicon.words("modality", "hedged")
REPORTED = lexicon.words("modality", "reported")
DENYING = lexicon.words("modality", "denying")
QUOTES = frozenset("'\"‘“`")  # noqa: RUF001
FLOATING = frozenset({"both", "all", "each", "then", "now", "herself", "himself", "itself", "themselves", "myself"})
CERTAIN = re.compile(
    r"\b(?:no doubt|(?:without|beyond) (?:a |any )?(?:doubt|question)|of course|in fact|according to"
    r"|no longer|any ?more|just kidding|actually|in reality)\b"
)
COMPARED = re.compile(r"^\W*the (?:more|less|fewer|better|\w+er)\b.*, the (?:more|less|fewer|better|\w+er)\b")


def _is_hedged(clause: Clause) -> bool:
    own = {clause.predicate.index}
    if clause.verbs is not None:
        own |= {w.index for w in clause.verbs.words}
    return any(w.lower in HEDGES and w.head in own for w in clause.words) or bool(CERTAIN.search(lowered(clause)))


def _reports(clause: Clause) -> bool:
    """Whether the predicate itself says how sure the claim is: "seems", "is likely", "is said to be"."""
    verbs, predicate = clause.verbs, clause.predicate
    if verbs is None:
        return False
    passive = any(w.label == "aux:pass" for w in verbs.words)
    plain = plain_form(predicate) if predicate.tag.startswith("VB") else predicate.lower
    if passive and (plain in REPORTED) and clause.children(predicate, "xcomp", "ccomp", "csubj"):
        return True
    if clause.expletive is not None and clause.expletive.lower == "it":
        return True
    infinitive = bool(clause.children(predicate, "xcomp", "csubj", "ccomp"))
    hedged = predicate.lower in HEDGED or plain in HEDGED
    return (hedged and (infinitive or verbs.main is None)) or plain in ("seem", "appear", "tend")


def _is_denied(clause: Clause) -> bool:
    subject = clause.subject
    if subject is None or clause.expletive is not None or subject.first.lower == "a":
        return False
    return any(w.lower in DENYING for w in clause.words[subject.first.index : subject.head.index + 1])


def _is_inverted(clause: Clause) -> bool:
    verbs = clause.verbs
    if verbs is None or clause.mood != "declarative":
        return False
    return clause.inverted and (clause.expletive is None or clause.expletive.lower != "there")


def _has_no_subject(clause: Clause) -> bool:
    if clause.mood != "declarative" or clause.subject is not None or clause.expletive is not None:
        return False
    verb = clause.verbs.first.index if clause.verbs is not None else 0
    return verb == 0 or clause.words[verb - 1].tag != "PRP"


def _is_presented(clause: Clause) -> bool:
    """Whether "here" opens the sentence: "Here is my number."."""
    opening = [w.lower for w in clause.words[:3] if w.text[:1].isalnum()][:1]
    return opening == ["here"] and clause.mood == "declarative"


def _is_set_phrase(clause: Clause) -> bool:
    """Whether the claim is "that's it", "that's all" or the like."""
    subject = clause.subject
    if subject is None or clause.verbs is None:
        return False
    infinitive = clause.predicate.tag == "VB" and clause.verbs.first.lower in FINITE_BE  # "This is to advise you"
    if infinitive or subject.head.lower not in ("that", "this", "it"):
        return infinitive
    named = clause.predicate.lower in ("it", "all", "ok", "okay", "fine")
    return named and clause.verbs.main is None


def _is_subordinate(clause: Clause) -> bool:
    """Whether the sentence is a subordinate clause by itself: "Because he was ill."."""
    if clause.mood != "declarative" or clause.subject is None:
        return False
    if clause.subject.head.tag in WH:
        return True  # "which was earlier"
    if any(w.tag == "WDT" for w in clause.words[:3] if w.index < clause.subject.first.index):
        return True  # "during which it rained"
    before = clause.children(clause.predicate, "mark", "advmod")
    return any(w.index < clause.subject.first.index and w.tag in ("IN", "WRB", "TO") for w in before)


def _is_interrupted(clause: Clause) -> bool:
    """Whether a word that cannot precede a verb stands between it and the subject: the verb was misread."""
    verbs, subject = clause.verbs, clause.subject
    if verbs is None or subject is None or clause.mood != "declarative" or verbs.first.index == 0:
        return False
    previous = clause.words[verbs.first.index - 1]
    while previous.tag.startswith("RB") and previous.index > 0:
        previous = clause.words[previous.index - 1]
    if previous.index <= subject.last.index or clause.expletive is not None or clause.inverted:
        return False
    return previous.text[:1].isalnum() and previous.lower not in FLOATING


def _disagrees(clause: Clause) -> bool:
    """Whether the verb does not agree with its subject, which a misread sentence shows."""
    verbs, subject = clause.verbs, clause.subject
    if verbs is None or subject is None or clause.mood != "declarative" or clause.expletive is not None:
        return False
    first = verbs.first
    if first.tag == "VBN" or (first.tag == "VB" and not is_operator(first, verbs)):
        return True
    if is_operator(first, verbs) or clause.children(subject.head, "conj"):
        return False
    singular = is_third_singular(subject)
    if first.tag == "VBZ":
        return subject.head.tag in PLURAL_NOUNS and subject.head.tag != "NNPS"
    return first.tag == "VBP" and singular is True and first.lower not in FINITE_BE and subject.head.tag == "NN"


def _is_quoted(clause: Clause) -> bool:
    """Whether quotation marks open directly before the verb: "He 'confessed' his part."."""
    verbs = clause.verbs
    if verbs is None or verbs.first.start == 0:
        return False
    return any(clause.text[w.start - 1] in QUOTES for w in (verbs.first, verbs.words[-1]) if w.start > 0)


def _describes_noun(clause: Clause) -> bool:
    """Whether a bare noun precedes a pronoun that opens a relative clause: "Dentist you can trust"."""
    opening = [w for w in clause.words[:3] if w.text[:1].isalnum() or w.text == ","][:2]
    if len(opening) < 2 or opening[0].index + 1 != opening[1].index:
        return False
    noun, pronoun = opening
    bare = noun.tag in ("NN", "NNS") and not noun.label.startswith("obl") and pronoun.tag == "PRP"
    return bare and clause.mood == "declarative"


DOUBTS: tuple[Doubt, ...] = (
    Doubt("a noun with a relative clause", _describes_noun),
    Doubt("a subordinate clause by itself", _is_subordinate),
    Doubt("verb and subject do not agree", _disagrees),
)
ON_PREDICATE: tuple[Doubt, ...] = (
    Doubt("an adverb already says how sure the claim is", _is_hedged),
    Doubt("the predicate already says how sure the claim is", _reports),
    Doubt("the subject denies or weakens the claim", _is_denied),
    Doubt("inverted word order", _is_inverted),
    Doubt("no subject", _has_no_subject),
    Doubt("what is presented is no inference", _is_presented),
    Doubt("verb and subject do not meet", _is_interrupted),
    Doubt("set phrase", _is_set_phrase),
    Doubt("quotation marks on the verb", _is_quoted),
    Doubt("comparatives with the", lambda clause: bool(COMPARED.search(lowered(clause)))),
)


def doubt_on_predicate(clause: Clause) -> str:
    """Return the first doubt about any modal on the predicate of a clause; empty if there is none."""
    return next((doubt.reason for doubt in ON_PREDICATE if doubt.holds(clause)), "")
