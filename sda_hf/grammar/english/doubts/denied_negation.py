"""Doubts about the denial of a negation that has only to follow from the statement: "It is not true that he didn't go".

Where `double_negation` needs two negations that cancel out whatever their scope, here the second denies the whole of
the first, so that it is true wherever the statement is, even if it may be true elsewhere, too.
"""

from __future__ import annotations

import re

from sda_hf.grammar.english.doubts.double_negation import OF_NEGATED_CLAUSES
from sda_hf.grammar.english.doubts.doubt import Doubt
from sda_hf.grammar.english.labels import FINITE, WH
from sda_hf.grammar.english.rules.matrix_clause import opens_participle, start_of_statement
from sda_hf.syntax.clause import Clause

# What makes the denial of a negation odd, too, if it need not be equivalent to the statement.
SHARED = frozenset(
    {
        "a quantified subject under a negation",
        "a weak or double negation",
        "an adverb before a negated verb",
        "cut off",
        "promise",
        "more after a comma",
    }
)
BREAKS = frozenset({";", ":", "…", "--", "—", "–", "/"})  # noqa: RUF001
REASONS = frozenset({"because", "since", "so", "although", "though", "while", "whereas", "unless", "lest", "if"})
SETTINGS = frozenset({"obl", "advmod", "advcl", "nsubj", "cc", "punct", "mark", "aux", "cop"})
OPENING_APART = frozenset(
    {
        "despite",
        "unlike",
        "like",
        "instead",
        "as",
        "also",
        "then",
        "according",
        "because",
        "although",
        "once",
        "being",
        "due",
        "owing",
    }
)
# Words that do not go with both a negation and its denial, or that only speech has.
LOOSE = frozenset(
    {"though", "anyway", "just", "only", "may", "might", "please", "simply", "even", "ever", "oh", "yes", "well"}
)
GLUED = re.compile(r"[a-z]{2}\.[A-Z][a-z]|\(\s*[;,)]|\b(?:was|is|were|are) and\b|\.\.|[^.]['\"”]\.\.")
LONGEST = 36  # words and marks of a clause whose negation is denied


def adds_relative(clause: Clause) -> bool:
    """Whether a relative clause after a comma says more than the claim: "..., which is in Rome"."""
    after = clause.words[clause.predicate.index + 1 :]
    commas = (w.index for w in after if w.text == ",")
    return any(w.tag in ("WDT", "WP", "WP$", "WRB") for i in commas for w in clause.words[i + 1 : i + 5])


def _has_other_claims(clause: Clause) -> bool:
    """Whether the sentence makes more than one claim, or a mark sets part of it apart."""
    beside = clause.children(clause.predicate, "parataxis", "list", "discourse", "vocative")
    joined = any(clause.children(w, "nsubj", "nsubj:pass", "expl") for w in clause.children(clause.predicate, "conj"))
    finite = any(w.label == "conj" and w.tag in FINITE for w in clause.words)
    reasons = any(w.label == "mark" and w.lower in REASONS for w in clause.words)
    copulas = any(clause.children(w, "cop", "aux") for w in clause.words if w.label == "conj")
    apart = any(w.text in BREAKS or w.lower in LOOSE for w in clause.words[:-1])
    return adds_relative(clause) or bool(beside) or joined or finite or copulas or reasons or apart


def _opens_apart(clause: Clause) -> bool:
    """Whether what opens the statement does not go after "that": "Meanwhile,", "Despite this,", "Born in Rome,"."""
    start = start_of_statement(clause)
    subject = clause.expletive or (clause.subject.first if clause.subject is not None else None)
    if clause.inverted or start.lower in OPENING_APART:
        return True
    if subject is None or start.index >= subject.index:
        return False
    tops = [
        w for w in clause.children(clause.predicate) if start.index <= clause.tree.phrase(w).first.index < subject.index
    ]
    odd = any(w.label.split(":")[0] not in SETTINGS for w in tops)
    return odd or start.tag.startswith("RB") or opens_participle(clause, start)


def _is_misread(clause: Clause) -> bool:
    """Whether the text is not one sound sentence: glued sentences, a lone comma, a relative clause for the main one."""
    if clause.verbs is None or GLUED.search(clause.text) or start_of_statement(clause).lower == "that":
        return True
    if clause.children(clause.predicate, "mark") or clause.predicate.label.startswith("advcl"):
        return True
    if clause.negation is None and any(w.lower.endswith("n't") for w in clause.words):
        return True  # "havn't"
    first = clause.verbs.first
    before = clause.words[: first.index]
    if first.index and before[-1].text == "," and sum(w.text == "," for w in before) == 1:
        return True
    inside = range(clause.subject.first.index, clause.subject.last.index + 1) if clause.subject is not None else ()
    return any(w.tag in WH and w.head == clause.predicate.index and w.index not in inside for w in before)


OF_DENIED_CLAUSES: tuple[Doubt, ...] = (
    *(doubt for doubt in OF_NEGATED_CLAUSES if doubt.reason in SHARED),
    Doubt("several claims", _has_other_claims),
    Doubt("words before the subject", _opens_apart),
    Doubt("not one sound sentence", _is_misread),
    Doubt("a very long sentence", lambda clause: len(clause.words) > LONGEST),
)


def doubt_about_denied(clause: Clause) -> str:
    """Return the first doubt about denying the negation of a clause so as to follow from it; empty if there is none."""
    return next((doubt.reason for doubt in OF_DENIED_CLAUSES if doubt.holds(clause)), "")
