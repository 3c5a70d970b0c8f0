"""Doubts about negation: parts of the sentence that a negation would leave out of place, and misread sentences."""

from __future__ import annotations

import re

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.doubts.common import sentence_of
from sda_hf.grammar.english.doubts.doubt import Doubt
from sda_hf.grammar.english.labels import WH
from sda_hf.grammar.english.morphology import BE, HAVE
from sda_hf.grammar.english.rules import coordination, quantifiers
from sda_hf.syntax.clause import Clause

PRONOUNS = lexicon.words("frames", "noun-pronouns")
QUOTES = frozenset("\"'“”‘’`") | {"``", "''"}  # noqa: RUF001
LISTED = ("obj", "obl", "obl:agent", "nsubj", "root")
ONE_OF_SEVERAL = frozenset({"one", "another", "other", "others"})
EXHORTING = frozenset({"should", "shall", "must"})
ALWAYS = frozenset({"always", "usually", "often", "generally", "sometimes"})
GO_AND = re.compile(r"\b(?:ahead|come|came|go|went|try|tried) and (?!then\b)[a-z]+")


def _has_gap(clause: Clause) -> bool:
    """Whether a second clause leaves out its verb: "One is black, the other white"."""
    verbal = clause.predicate.tag.startswith("VB")
    for word in clause.words[clause.predicate.index + 1 :]:
        if word.head != clause.predicate.index or clause.children(word, "nsubj", "cop", "aux"):
            continue
        if word.label == "conj" and verbal and word.tag.startswith("NN"):
            return True
        previous = clause.words[clause.tree.phrase(word).first.index - 1].text
        if word.label == "parataxis" and word.tag.startswith(("NN", "JJ")) and previous == "," and not verbal:
            return True
    return False


def _keeps_and(clause: Clause) -> bool:
    """Whether an "and" that the negation should turn into "or" stays: ", and also at Rome"."""
    verbs = clause.verbs
    if verbs is None or clause.negation is not None or clause.mood == "fragment":
        return False
    turned = {edit.end for edit in coordination.under_negation(clause)}
    for word in clause.words[verbs.first.index + 1 : -1]:
        if word.lower != "and" or word.label != "cc" or word.end in turned:
            continue
        last = clause.words[word.head]
        first = clause.words[last.head]
        inside = first is clause.predicate or (first.head == clause.predicate.index and first.label in LISTED)
        if not inside or last.tag.startswith("VB") or clause.children(last, "nsubj", "cop", "aux", "expl"):
            continue
        if clause.words[word.index + 1].tag == "RB":
            return True
        between = sum(w.text == "," for w in clause.words[first.index : word.index])
        if clause.words[word.index - 1].text == "," and between == 1:
            return True
    return False


def _is_one_of_several(clause: Clause) -> bool:
    """Whether the claim says what one or more of several are: "Other towns are Rome and Pisa", "One answer is that"."""
    subject, verbs = clause.subject, clause.verbs
    if subject is None or verbs is None or clause.negation is not None or verbs.first.lower not in BE:
        return False
    first = subject.first
    if first.lower not in ONE_OF_SEVERAL or (first is subject.head and first.lower == "one"):
        return False
    names = clause.predicate.tag.startswith(("NN", "VB")) and verbs.main is not clause.predicate
    return names or subject.head.label == "nsubj:outer"


def _denies_always(clause: Clause) -> bool:
    """Whether "nothing" would come before "always"."""
    if clause.negation is not None or clause.mood != "declarative":
        return False
    edits = quantifiers.negate_subject(clause)
    denied = bool(edits) and edits is not None and edits[0].new.split()[0] in ("no", "none", "nobody", "nothing")
    return denied and any(w.lower in ALWAYS for w in clause.children(clause.predicate, "advmod"))


def _forbids(clause: Clause) -> bool:
    """Whether the subject is negative and the verb says what should be so: "Nothing should be left"."""
    if clause.negation is None or clause.subject is None or clause.verbs is None:
        return False
    return clause.negation.word in clause.subject and clause.verbs.first.lower in EXHORTING


def _asks_twice(clause: Clause) -> bool:
    """Whether several questions are joined: "What is it, and what does it cost?"."""
    if clause.mood != "interrogative":
        return False
    asked = [w for w in clause.words if w.tag in WH]
    return any(clause.words[w.index - 1].lower in ("and", "or", "&") for w in asked[1:])


def _asks_until(clause: Clause) -> bool:
    negated = clause.negation is not None and clause.mood == "interrogative"
    return negated and any(w.lower == "until" for w in clause.words)


def _exclaims(clause: Clause) -> bool:
    """Whether the text is an exclamation, or its main verb that of a relative clause: "What a place!"."""
    first, second = clause.words[0], clause.words[1:2]
    exclaims = first.lower == "what" and bool(second) and second[0].lower in ("a", "an")
    return (exclaims and not sentence_of(clause).endswith("?")) or clause.predicate.label.startswith("acl")


def _may_lack_auxiliary(clause: Clause) -> bool:
    """Whether the verb may be a participle without its auxiliary: "Passport needed?", "Totally renewed"."""
    verbs, subject = clause.verbs, clause.subject
    if verbs is None or len(verbs.words) > 1 or clause.negation is not None or verbs.first is not clause.predicate:
        return False
    verb = verbs.first
    if verb.tag not in ("VBD", "VBN") or clause.children(verb, "obj", "xcomp", "ccomp"):
        return False
    if subject is None:
        return verb.index > 0 and clause.words[verb.index - 1].lower.endswith("ly")
    head = subject.head
    bare = head.tag in ("NN", "NNP") and head.lower not in PRONOUNS and head is subject.first and clause.opens(head)
    return bare and (clause.mood == "interrogative" or len(clause.words) < 5) and verb.lower.endswith(("ed", "made"))


def _names_as_command(clause: Clause) -> bool:
    """Whether a command goes on with a finite "is": "Show Dog is a label"."""
    if clause.mood != "imperative" or clause.verbs is None or clause.negation is not None:
        return False
    for word in clause.words[clause.verbs.words[-1].index + 1 :]:
        if (
            word.text in (",", ";", ":", "!", "--")
            or word.tag in WH
            or word.label in ("mark", "cc")
            or word.lower == "that"
        ):
            return False
        if word.lower in ("is", "are", "was", "were", "has"):
            return True
    return False


def _quotes_verb(clause: Clause) -> bool:
    """Whether the verb stands in quotation marks of its own: "He 'confessed' it"."""
    if clause.verbs is None or clause.negation is not None:
        return False
    verb = clause.verbs.words[-1]
    before, following = clause.words[verb.index - 1 : verb.index], clause.words[verb.index + 1 : verb.index + 3]
    return bool(before) and before[0].text in QUOTES and any(w.text in QUOTES for w in following)


def _has_adverb_of_claims(clause: Clause) -> bool:
    """Whether an adverb takes no negation: "I highly doubt", "has just left", "There is also"."""
    verbs = clause.verbs
    if verbs is None or clause.negation is not None:
        return False
    own = {w.lower for w in clause.children(clause.predicate, "advmod") if w.index < clause.predicate.index + 2}
    there = clause.expletive is not None and clause.expletive.lower == "there"
    if there and any(w.lower == "also" for w in clause.words[: verbs.first.index + 3]):
        return True
    active = verbs.first is clause.predicate and clause.mood == "declarative"
    recent = verbs.first.tag == "VBD" or verbs.first.lower in HAVE
    return (active and "highly" in own) or ("just" in own and recent)


def _goes_and(clause: Clause) -> bool:
    """Whether two verbs make up one: "Go ahead and call", "Come and see", "try and find"."""
    return clause.negation is None and GO_AND.search(sentence_of(clause).lower()) is not None


def _sets_apart(clause: Clause) -> bool:
    """Whether "not" after a noun sets something apart without a comma: "for the old site not for the new one"."""
    for word in clause.words[2:-1]:
        if word.lower == "not" and word not in clause.negators and clause.negation is None:
            previous, following = clause.words[word.index - 1], clause.words[word.index + 1]
            if previous.tag.startswith("NN") and following.tag in ("IN", "DT", "TO", "NNP", "PRP$"):
                return True
    return False


DOUBTS: tuple[Doubt, ...] = (
    Doubt("second clause without a verb", _has_gap),
    Doubt("list that stays as it is under a negation", _keeps_and),
    Doubt("one or more of several", _is_one_of_several),
    Doubt("quantified subject", _denies_always),
    Doubt("the words around the negation need it", _forbids),
    Doubt("several questions", _asks_twice),
    Doubt("the words around the negation need it", _asks_until),
    Doubt("exclamation", _exclaims),
    Doubt("participle", _may_lack_auxiliary),
    Doubt("not clearly a verb", _names_as_command),
    Doubt("verb in quotation marks", _quotes_verb),
    Doubt("adverb that a negation does not suit", _has_adverb_of_claims),
    Doubt("fixed expression", _goes_and),
    Doubt("contrast", _sets_apart),
)
