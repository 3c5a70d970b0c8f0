"""Coordinated predicates with one subject: how a change of the first one affects the others."""

from __future__ import annotations

from sda_hf.grammar.edits import Edit, Rule
from sda_hf.grammar.english.labels import FINITE, LEXICAL
from sda_hf.grammar.english.morphology import HAVE, inflect, is_operator, lemma, plain_form
from sda_hf.grammar.english.polarity import in_claim
from sda_hf.grammar.english.surface import swap
from sda_hf.syntax.clause import Clause, VerbGroup, Word, once_per_clause

UNDER_NEGATION = Rule("or-under-negation", "and → or under negation")
EITHER = Rule("or-under-negation", "both ... and → either ... or under negation")
# Words that make a list one whole: "between A and B".
TOGETHER = frozenset(
    {"between", "both", "together", "each", "among", "amongst", "combined", "combines", "combine", "mix", "total"}
)
# Verbs that say something of several together: "born to John and Mary", "consists of an arm and a head".
JOINT = frozenset({"bear", "born", "marry", "consist", "compose", "comprise", "divide", "split", "merge", "join"})
RELATIVE = frozenset({"which", "who", "whose", "whom", "where", "when", "that"})
AFTER_NEGATION = Rule("but-behind-negation", "and → but after a negation")
BEFORE_CLAUSE = Rule("but-behind-negation", "and → but between a negated clause and another one")


def conjunction(clause: Clause, group: VerbGroup) -> Word | None:
    """Return the "and", "or" or "but" before a coordinated predicate."""
    heads = {w.index for w in group.words}
    heads |= {w.head for w in group.words if w.head > clause.predicate.index}
    found = [w for w in clause.words if w.label == "cc" and w.head in heads and w.index < group.first.index]
    return found[-1] if found else None


def is_joined(clause: Clause, group: VerbGroup) -> bool:
    """Whether the group is preceded by a conjunction, or by a comma in a series."""
    word = conjunction(clause, group)
    if word is not None:
        return word.lower in ("and", "or", "&")
    return any(w.text == "," for w in clause.words[clause.predicate.index : group.first.index])


def has_finite_verb(clause: Clause, group: VerbGroup) -> bool:
    """Whether a coordinated predicate has a finite verb of its own: "was born there and joined the club"."""
    verbs = clause.verbs
    assert verbs is not None
    first = group.first
    if first is not group.main:
        return first.tag in FINITE
    if not is_operator(verbs.first, verbs):
        return False
    if first.tag == "VBD" and not clause.predicate.tag.startswith("VB"):
        return True  # no participle can follow "was a member"
    if first.tag == "VBD":
        word = conjunction(clause, group)
        apart = word is not None and word.index + 1 < first.index and clause.words[first.index - 1].tag != "RB"
        active = clause.children(first, "obj") != [] and verbs.first.lower not in HAVE
        return active or apart or clause.children(first, "xcomp", "ccomp") != [] or not _may_be_participle(first)
    return first.tag == "VBZ" or (first.tag == "VBP" and verbs.first.tag != "MD")


def _may_be_participle(word: Word) -> bool:
    plain = lemma(word.lower, "VBN")
    return inflect(plain, "VBN") == word.lower or word.lower.endswith("ed")


@once_per_clause
def sharing_finite_verb(clause: Clause) -> list[VerbGroup]:
    """Return the coordinated predicates that share the finite verb of the first one, up to one that has its own."""
    groups: list[VerbGroup] = []
    for group in clause.coordinated:
        if has_finite_verb(clause, group):
            break
        groups.append(group)
    return groups


@once_per_clause
def first_with_finite_verb(clause: Clause) -> VerbGroup | None:
    """Return the first coordinated predicate that has a finite verb of its own."""
    return next((g for g in clause.coordinated if has_finite_verb(clause, g)), None)


def in_form(clause: Clause, tag: str, rule: Rule) -> list[Edit]:
    """Give the lexical verbs that share the first one's operator the same form: "didn't come or go"."""
    edits = []
    passive = clause.predicate.tag == "VBN" and clause.verbs is not None and clause.verbs.first is not clause.predicate
    for group in sharing_finite_verb(clause):
        first = group.first
        if first.tag not in LEXICAL or not is_joined(clause, group) or not _is_in_series(clause, group):
            continue
        if (first is not group.main and first.lower in HAVE) or (passive and _may_be_participle(first)):
            continue  # "is written and directed" → "has to be written and directed"
        form = inflect(plain_form(first), tag, first.lower)
        if form != first.lower:
            edits.append(swap(first, form, rule))
    return edits


def _is_in_series(clause: Clause, group: VerbGroup) -> bool:
    """Whether a group has a conjunction, or one that follows in the series has: "packed, paid and left"."""
    later = (g for g in clause.coordinated if g.first.index >= group.first.index)
    return any(conjunction(clause, g) is not None for g in later)


@once_per_clause
def under_negation(clause: Clause) -> list[Edit]:
    """Turn "and" into "or" where both sides are in the scope of the negation, into "but" where only the first is.

    "But" suits a participle that may as well be a past form, too: "It wasn't filmed but released in May."
    """
    edits: list[Edit] = []
    denied = True
    for group in sharing_finite_verb(clause):
        word = conjunction(clause, group)
        denied = denied and not _may_be_finite(clause, group)
        if word is not None and word.lower == "and" and all(edit.end != word.end for edit in edits):
            edits.append(_or(clause, word) if denied else swap(word, "but", AFTER_NEGATION))
    finite = first_with_finite_verb(clause) if denied else None
    word = conjunction(clause, finite) if finite is not None else None
    if word is not None and word.lower in ("and", "or"):
        edits.append(swap(word, "but", AFTER_NEGATION))
    either = _both(clause)
    taken = {edit.end for edit in either}
    edits = [edit for edit in edits if edit.end not in taken] + either
    taken = {edit.end for edit in edits}
    edits += [_or(clause, w) for w in _lists(clause) if w.end not in taken]
    taken = {edit.end for edit in edits}
    return edits + [edit for edit in _contrast(clause) if edit.end not in taken]


def _or(clause: Clause, word: Word) -> Edit:
    """Turn "and" into "or", without the comma before it between two predicates: "didn't come, or go"."""
    comma = clause.words[word.index - 1]
    apart = comma.text == "," and all(w.text != "," for w in clause.words[clause.predicate.index : comma.index])
    return UNDER_NEGATION.edit(comma.start if apart else word.start, word.end, " or" if apart else "or")


def _may_be_finite(clause: Clause, group: VerbGroup) -> bool:
    """Whether a coordinated participle may as well be a finite verb: "was sent to Italy and fought"."""
    verbs = clause.verbs
    assert verbs is not None
    first, operator = group.first, verbs.first
    if not is_operator(operator, verbs) or operator.tag == "MD" or first.tag not in ("VBD", "VBN"):
        return False
    word = conjunction(clause, group)
    return (word is not None and word.index + 1 < first.index) or operator.lower not in HAVE or len(verbs.words) > 2


def _both(clause: Clause) -> list[Edit]:
    """Turn "both ... and" after a negation into "either ... or"."""
    verbs = clause.verbs
    assert verbs is not None
    edits = []
    for both in clause.words[verbs.words[-1].index + 1 :]:
        if both.lower != "both" or both.label != "cc:preconj":
            continue
        joined = clause.children(clause.words[both.head], "conj")
        found = next((w for one in joined for w in clause.children(one, "cc") if w.lower == "and"), None)
        if found is not None and in_claim(clause, clause.words[both.head]):
            edits += [swap(both, "either", EITHER), swap(found, "or", EITHER)]
    return edits


def _lists(clause: Clause) -> list[Word]:
    """Return each "and" between objects, places or times of the verb: "didn't include maps or photos"."""
    assert clause.verbs is not None
    rest = clause.words[clause.verbs.first.index + 1 :]
    if any(w.lower in TOGETHER for w in rest) or plain_form(clause.predicate) in JOINT:
        return []
    aside = next((w.index for w in rest if w.lower in RELATIVE or w.text == ":"), len(clause.words))
    rest = clause.words[clause.verbs.first.index + 1 : aside]
    listed = {clause.predicate.index, *(w.index for w in clause.children(clause.predicate, "xcomp", "ccomp"))}
    found = []
    for word in rest:
        if word.lower != "and" or word.label != "cc":
            continue
        last = clause.words[word.head]
        first = clause.words[last.head]
        noun = first.tag.startswith(("NN", "JJ")) and last.tag.startswith(("NN", "JJ"))
        there = clause.expletive is not None and first.label == "nsubj"
        member = first is clause.predicate and _is_member(clause, first, last)
        of_verb = member or ((first.label in ("obj", "obl") or there) and first.head in listed)
        if last.label != "conj" or not noun or not of_verb or clause.children(last, "nsubj", "cop", "aux"):
            continue
        if any(clause.children(w, "nummod") for w in (first, last)) or word.index + 1 == len(clause.words):
            continue
        if _is_name(clause, first, last):
            continue
        found.append(word)
    return found


def _is_member(clause: Clause, first: Word, last: Word) -> bool:
    """Whether a second noun after "be" says by itself what the subject is: "a singer and an actor"."""
    if any(w.lower in ("a", "an", "the") for w in clause.children(last, "det")) or clause.children(last, "nmod:poss"):
        return True
    return (first.tag == "NNS" and last.tag == "NNS") or first.tag == "JJ"


def _is_name(clause: Clause, first: Word, last: Word) -> bool:
    """Whether two nouns may make up one name: "Simon and Garfunkel", "Arts and Sciences"."""
    proper = first.text[:1].isupper() and last.text[:1].isupper()
    return proper and not clause.children(last, "det") and last.index == first.index + 2


def _contrast(clause: Clause) -> list[Edit]:
    """Exchange the conjunction before the next clause: "he didn't go, but she stayed"."""
    edits = []
    for joined in joined_clauses(clause)[:1]:
        for word in clause.children(joined, "cc"):
            previous = clause.words[word.index - 1]
            if word.lower == "and" and previous.text not in (";", "-"):
                edits.append(swap(word, "but", BEFORE_CLAUSE))
    return edits


@once_per_clause
def joined_clauses(clause: Clause) -> list[Word]:
    """Return the predicates of coordinated clauses with a subject of their own."""
    return [w for w in clause.children(clause.predicate, "conj") if clause.children(w, "nsubj", "csubj", "expl")]
