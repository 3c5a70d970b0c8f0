"""The whole of a statement denied, where a negation of its verb would not hang together with the rest.

"She left, winning the race" → "It isn't true that she left, winning the race".
"""

from __future__ import annotations

import re

from sda_hf.grammar.edits import Result, Rule, Skip
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import FINITE, WH
from sda_hf.grammar.english.morphology import BE
from sda_hf.grammar.english.rules import coordination, matrix_clause, quantifiers
from sda_hf.grammar.english.surface import before
from sda_hf.syntax.clause import Clause, Word, once_per_clause

NO_PLACE = Skip("no place for a denial of the whole claim")
CLASH = "what follows would not fit a negation"
RULE = Rule("claim-denied", "it isn't true that")
APART = lexicon.words("negation", "apart")
PHRASES_APART = re.compile(rf"\b(?:{'|'.join(lexicon.phrases('negation', 'phrases-apart'))})\b")
OF_EVENTS = lexicon.words("negation", "of-events")
OF_OUTCOMES = lexicon.words("negation", "of-outcomes")
OF_POSSIBILITY = lexicon.words("negation", "of-possibility")
OPENING = frozenset(
    {"also", "so", "true", "instead", "rather", "otherwise", "additionally", "moreover", "therefore", "hence"}
)
ADDING = re.compile(r"\band (?:also|then|later|subsequently|thus|still|now)\b")
ESTIMATING = frozenset({"about", "around", "approximately", "roughly", "nearly", "almost"})
PRONOUNS = lexicon.words("pronouns", "subjects")
MARKS = frozenset(",;:-–—")  # noqa: RUF001


def deny(clause: Clause, contractions: bool = True) -> Result:
    """Put "It isn't true that" before a positive statement.

    Args:
        clause: the main clause.
        contractions: "isn't" rather than "is not".
    """
    site = matrix_clause.site_of(clause)
    if isinstance(site, Skip):
        return site
    word = matrix_clause.start_of_statement(clause)
    colon = any(w.text == ":" for w in clause.words[: clause.predicate.index])
    if site.pronoun is not None or clause.negation is not None or colon or clause.mood != "declarative":
        return NO_PLACE
    if word.tag in ("VBN", "VBG") or word.lower in OPENING:
        return NO_PLACE  # "Born in Rome, he lived there."
    if _contrasts(clause) or _splices(clause) or _goes_on(clause):
        return NO_PLACE  # of two claims with subjects of their own, nobody could tell which is denied
    return [before(word, "It isn't true that" if contractions else matrix_clause.NOT_TRUE, RULE)]


@once_per_clause
def is_needed(clause: Clause) -> bool:
    """Whether something in a positive statement does not fit a negation of its verb."""
    if clause.mood != "declarative" or clause.verbs is None or clause.negation is not None:
        return False
    tests = (
        _has_word_apart,
        _tells_more,
        _goes_on,
        _shares_predicates,
        _is_indefinite,
        _is_possible,
        _disagrees,
        _adds,
        _estimates,
    )
    return any(test(clause) for test in tests)


def clashes(clause: Clause) -> bool:
    """Whether neither a denial of the whole claim nor a negation of its verb hangs together with the rest."""
    if clause.mood != "declarative" or clause.verbs is None or clause.negation is not None:
        return False
    if _splices(clause):
        return True
    if not is_needed(clause):
        return False
    if matrix_clause.start_of_statement(clause).lower in OPENING:
        return True
    tests = (_contrasts, _splices, _shares_predicates, _adds, _goes_on, _is_indefinite, _estimates)
    return any(test(clause) for test in tests)


def _contrasts(clause: Clause) -> bool:
    """Whether the claim stands in contrast to what follows: "He tried it, but it broke", "..., although it rained"."""
    for word in clause.words[clause.predicate.index + 1 : -1]:
        if word.lower == "but" and word.label == "cc":
            return True
        if word.lower in ("although", "though") and clause.words[word.index - 1].text == ",":
            return True
        if word.lower == "or" and clause.words[word.index + 1].lower in ("maybe", "perhaps"):
            return True
    return False


def _splices(clause: Clause) -> bool:
    """Whether a comma joins another sentence: "It was great, they did a good job."."""
    for word in clause.words[clause.predicate.index + 1 :]:
        if word.label not in ("parataxis", "ccomp", "conj") or not clause.children(word, "nsubj", "nsubj:pass", "expl"):
            continue
        if word in clause.tag:
            continue
        opening = clause.tree.phrase(word).first
        joined = clause.children(word, "cc", "mark")
        if not joined and "," in (opening.text, clause.words[opening.index - 1].text) and opening.tag not in WH:
            return True
    return False


def _adds(clause: Clause) -> bool:
    """Whether "and also" or "and then" goes on: "took my name and then called"."""
    return ADDING.search(clause.text[clause.predicate.end : clause.words[-1].end]) is not None


def _estimates(clause: Clause) -> bool:
    """Whether a number is only an estimate: "takes about six days"."""
    return any(
        word.lower in ESTIMATING and clause.words[word.index + 1].tag in ("CD", "$", "#") for word in _rest(clause)[:-1]
    )


def _rest(clause: Clause) -> tuple[Word, ...]:
    assert clause.verbs is not None
    return clause.words[clause.verbs.first.index + 1 :]


def _has_word_apart(clause: Clause) -> bool:
    """Whether there is an adverb that a negation does not take into its scope: "eventually", "by far", "twice"."""
    start = clause.subject.head.index if clause.subject is not None else 0
    own = clause.children(clause.predicate, "advmod", "mark", "case")
    if any(w.lower in APART for w in own if w.index > start):
        return True
    rest = clause.text[clause.words[start].end : clause.words[-1].end].lower()
    return PHRASES_APART.search(rest) is not None or ", with " in rest


def _tells_more(clause: Clause) -> bool:
    """Whether a participle, a clause of time or place or a comment takes the claim for granted: ", winning two"."""
    for word in _rest(clause):
        previous = clause.words[word.index - 1]
        if word.label == "advcl" and word.head == clause.predicate.index:
            marks = [w.lower for w in clause.children(word, "mark", "advmod")]
            if word.tag in ("VBG", "VBN") and not clause.children(word, "nsubj", "nsubj:pass", "aux"):
                opening = clause.words[clause.tree.phrase(word).first.index - 1]
                if opening.text in MARKS:
                    return True
            past = clause.verbs is not None and clause.verbs.first is clause.predicate and clause.predicate.tag == "VBD"
            if any(mark in OF_EVENTS for mark in marks) and (past or marks[0] not in ("when", "where", "once")):
                return True
        following = clause.words[word.index + 1 : word.index + 2]
        if previous.text in MARKS and word.lower in ("having", "being", "where", "when"):
            return True
        if word.lower == "which" and previous.text != "," and previous.tag == "CD":
            return True
        if word.lower == "which" and following and following[0].lower in OF_OUTCOMES:
            return True
    return False


@once_per_clause
def _goes_on(clause: Clause) -> bool:
    """Whether a second clause goes on from the first: "and he asks her out"."""
    for joined in coordination.joined_clauses(clause):
        if joined in clause.tag:
            continue
        first = clause.tree.phrase(joined).first.index
        between = clause.words[max(first - 2, 0) : joined.index]
        if any(w.text in (";", ":") for w in between):
            continue
        subjects = clause.children(joined, "nsubj", "nsubj:pass", "csubj", "expl")
        if any(w.lower in PRONOUNS for w in subjects) or any(w.lower == "but" for w in clause.children(joined, "cc")):
            return True
        later = (g for g in clause.coordinated if g.first.index > joined.index)
        if any(True for _ in later):
            return True
        words = clause.words[first : joined.index]
        if any(w.lower in ("their", "his", "her", "its", "also", "then", "so", "still") for w in words):
            return True
    return False


@once_per_clause
def _shares_predicates(clause: Clause) -> bool:
    """Whether the subject has another predicate, which a negation of the first one leaves as it is."""
    if coordination.first_with_finite_verb(clause) is not None:
        return True
    if any(edit.rule == coordination.AFTER_NEGATION.words for edit in coordination.under_negation(clause)):
        return True
    if _has_stray_verb(clause):
        return True
    heads = {clause.predicate.index, *(w.index for g in clause.coordinated for w in g.words)}
    return any(w.label == "cc" and w.lower == "but" and clause.words[w.head].head in heads for w in _rest(clause))


def _has_stray_verb(clause: Clause) -> bool:
    """Whether a conjunction precedes a finite verb that the parser attached elsewhere: "says that ... and leaves"."""
    assert clause.verbs is not None
    known = {w.index for g in coordination.sharing_finite_verb(clause) for w in g.words}
    for word in _rest(clause):
        if word.tag in ("WDT", "WP", "WRB") or word.lower == "that":
            return False
        following = clause.words[word.index + 1 : word.index + 2]
        finite = [w for w in following if w.tag in ("VBZ", "VBD", "MD") and w.index not in known]
        if word.lower in ("and", "but") and finite:
            return True
    return False


def _is_indefinite(clause: Clause) -> bool:
    """Whether "be" says what one or more of several are: "One reason is that", "Two of them are teachers"."""
    subject, verbs = clause.subject, clause.verbs
    if subject is None or verbs is None:
        return False
    first, second = clause.words[subject.first.index : subject.first.index + 2]
    if first.lower == "a" and second.lower == "total":
        return quantifiers.negate_subject(clause) is None
    if verbs.main is not None and verbs.main.lower not in BE and subject.head.label != "nsubj:outer":
        return False
    return first.tag == "CD" or (first.lower in ("one", "another", "all") and first is not subject.head)


def _is_possible(clause: Clause) -> bool:
    """Whether "may" tells what is sometimes so: "These may range from ..."."""
    verbs = clause.verbs
    assert verbs is not None
    return verbs.first.lower in ("may", "might") and any(
        w.lower in OF_POSSIBILITY for w in (*verbs.words, clause.predicate)
    )


def _disagrees(clause: Clause) -> bool:
    """Whether a verb in -s has a coordinated subject: "Thor and Loki arrives"."""
    subject, verbs = clause.subject, clause.verbs
    if subject is None or verbs is None or verbs.first.tag != "VBZ" or verbs.first is not verbs.main:
        return False
    return any(w.lower == "and" for w in clause.children(subject.head, "cc")) or any(
        w.lower == "and" and w.tag not in FINITE
        for c in clause.children(subject.head, "conj")
        for w in clause.children(c, "cc")
    )
