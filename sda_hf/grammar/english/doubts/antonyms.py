"""Doubts about antonyms and about switches of subject and object."""

from __future__ import annotations

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.doubts import common
from sda_hf.grammar.english.doubts.doubt import Doubt
from sda_hf.grammar.english.rules.modal_phrases import PERSONS
from sda_hf.grammar.english.rules.substitution import base_form
from sda_hf.syntax.clause import Clause, Word

# Antonyms are sound by their contexts: see `sda_hf.grammar.english.rules.antonyms`. Those of a fragment are, too.
DOUBTS: tuple[Doubt, ...] = (*common.DOUBTS, *(d for d in common.CLAIM_DOUBTS if d.holds is not common.is_fragment))

PRONOUNS = frozenset("i you he she we they me him her us them".split())
ACTING = PERSONS | lexicon.words("switch", "acting")
SYMMETRIC = lexicon.words("switch", "symmetric")
UNEQUAL = lexicon.words("switch", "unequal")


def _object(clause: Clause) -> Word | None:
    main = clause.verbs.main if clause.verbs else None
    return next(iter(clause.children(main, "obj")), None) if main else None


def _acts(word: Word | None) -> bool:
    """Whether a noun names someone who can do things, as "the woman", "her" or "Ann"."""
    return word is not None and (word.tag == "NNP" or word.lower in PRONOUNS or word.lower in ACTING)


def _is_unequal(clause: Clause) -> bool:
    """Whether subject and object are not both people, animals or groups: "She opened the door"."""
    return not (clause.subject is not None and _acts(clause.subject.head) and _acts(_object(clause)))


def _verb_in(clause: Clause, listed: frozenset[str]) -> bool:
    main = clause.verbs.main if clause.verbs else None
    return main is not None and base_form(main, "VERB") in listed


def _has_more(clause: Clause) -> bool:
    """Whether more is said with the verb: "She asked him to come", "She met him and left"."""
    main = clause.verbs.main if clause.verbs else None
    if main is None:
        return False
    labels = {child.label.split(":")[0] for child in clause.children(main)}
    passive = any(child.label.endswith(":pass") for child in clause.children(main))
    return passive or bool(labels & {"xcomp", "ccomp", "advcl", "conj", "iobj", "parataxis", "compound"})


def _refers_back(clause: Clause) -> bool:
    """Whether one of the two names what belongs to the other: "He loves his family"."""
    nouns = (_object(clause), clause.subject.head if clause.subject else None)
    return any(clause.words[i].tag == "PRP$" for noun in nouns if noun for i in clause.tree.subtree(noun))


def _is_negative(clause: Clause) -> bool:
    return clause.negation is not None


SWITCH_DOUBTS: tuple[Doubt, ...] = (
    Doubt("negated: both may be true", _is_negative),
    Doubt("subject and object of different kinds", _is_unequal),
    Doubt("subject or object with a possessive", _refers_back),
    Doubt("symmetric verb", lambda clause: _verb_in(clause, SYMMETRIC)),
    Doubt("a verb whose subject and object have roles of their own", lambda clause: _verb_in(clause, UNEQUAL)),
    Doubt("more clauses or objects with the verb", _has_more),
)
