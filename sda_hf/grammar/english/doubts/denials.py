"""Which phrases of the default list of double negation suit a claim: "There is no denying that the food was good".

A denial that is denied presupposes that somebody could deny the claim. Phrases that the user chose are not restricted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.doubts.common import sentence_of
from sda_hf.grammar.english.doubts.doubt import Doubt
from sda_hf.grammar.english.doubts.frames import doubt_about_formal
from sda_hf.grammar.english.doubts.inferences import is_narrated
from sda_hf.grammar.english.labels import FINITE
from sda_hf.grammar.english.morphology import FINITE_BE, plain_form
from sda_hf.grammar.english.rules.matrix_clause import start_of_statement
from sda_hf.syntax.clause import Clause, Word

KINDS = ("once", "evaluation", "own", "feeling", "lively", "future", "personal", "report", "record", "statement")
FITTING = {kind: lexicon.phrases("denial-fits", kind) for kind in KINDS}
EVALUATIONS = lexicon.words("denial-fits", "evaluations")
FEELINGS = lexicon.words("denial-fits", "feelings")
PLOTS = lexicon.words("denial-fits", "plots")
GREETINGS = lexicon.words("denial-fits", "greetings")
UNDENIED_VERBS = lexicon.words("denial-fits", "undenied-verbs")
REPORTED = lexicon.words("denial-fits", "reported")
LEGAL = lexicon.words("denial-fits", "legal")
HEDGED = re.compile("|".join(rf"\b{words}\b" for words in lexicon.phrases("denial-fits", "hedged")))
LISTING = re.compile("|".join(rf"\b{words}\b" for words in lexicon.phrases("denial-fits", "listing")))
ADDRESS = re.compile(r"https?:|www\.|\.com\b|\w@\w")
FIGURE = re.compile(r"\d")
SHORT = 16  # words of a sentence of which one denies that it is not so
WRITERS = frozenset({"i", "we"})
PERSONAL = frozenset({"i", "we", "you", "my", "our", "your", "me", "us"})
PLOT_SUBJECTS = frozenset({"he", "she", "they", "who"})


def _text(clause: Clause) -> str:
    return " ".join(w.lower for w in clause.words)


def _subject(clause: Clause) -> Word | None:
    return clause.subject.head if clause.subject is not None and clause.expletive is None else None


def _is_plot(clause: Clause) -> bool:
    """Whether the claim is an event of a plot, which is told in the present tense: "Max wakes up and leaves"."""
    if is_narrated(clause):
        return True
    subject, verbs = _subject(clause), clause.verbs
    if subject is None or verbs is None or not (subject.lower in PLOT_SUBJECTS or subject.tag == "NNP"):
        return False
    told = (clause.predicate, *clause.children(clause.predicate, "conj"))
    return any(w.tag in ("VBZ", "VBP") and plain_form(w) in PLOTS for w in told)


def _lists(clause: Clause) -> bool:
    """Whether the sentence introduces a list or an address: "These are the rules", "The following have won"."""
    return LISTING.search(_text(clause)) is not None or ADDRESS.search(sentence_of(clause)) is not None


def _is_legal(clause: Clause) -> bool:
    """Whether the sentence is a notice or tells the reader what to do: "You should check", "is prohibited"."""
    subject, verbs = _subject(clause), clause.verbs
    told = subject is not None and subject.lower == "you" and verbs is not None
    if told and verbs is not None and verbs.first.lower in ("must", "should"):
        return True
    return any(w.lower in LEGAL for w in clause.words)


def _is_hedged(clause: Clause) -> bool:
    """Whether the writer doubts, supposes or announces in the sentence itself: "I doubt", "It is rumored"."""
    return HEDGED.search(_text(clause)) is not None


def _runs_on(clause: Clause) -> bool:
    """Whether a second sentence follows after a comma: "It was great, I loved it"."""
    for word in clause.children(clause.predicate, "parataxis", "ccomp", "conj"):
        first = clause.tree.phrase(word).first
        if first.text == "," and first.index + 1 < len(clause.words):
            first = clause.words[first.index + 1]
        own = clause.children(word, "nsubj", "nsubj:pass", "expl")
        begins = first.index > clause.predicate.index and clause.words[first.index - 1].text == ","
        if begins and own and first.tag == "PRP" and not clause.children(word, "cc", "mark"):
            return True
    return False


def _is_under_way(clause: Clause) -> bool:
    """Whether the writer says what he or she is doing or needs, or greets: "I am writing to you", "Hi, I am new"."""
    subject, verbs = _subject(clause), clause.verbs
    opening = next((w.lower for w in clause.words if w.text[:1].isalnum()), "")
    if opening in GREETINGS:
        return True
    if subject is None or verbs is None or subject.lower not in WRITERS:
        return False
    doing = (
        verbs.first.lower in FINITE_BE and verbs.first.lower not in ("was", "were") and clause.predicate.tag == "VBG"
    )
    return doing or (verbs.first is clause.predicate and plain_form(clause.predicate) in ("need", "know", "think"))


def _is_note(clause: Clause) -> bool:
    """Whether a sign opens the sentence, as in a list: "+ there is free parking"."""
    return clause.words[0].text in ("+", "*", "-", ">", "•", "=", "/", "&")


def _has_fragment_first(clause: Clause) -> bool:
    """Whether words in capitals stand before the subject: "3 TO 4 DAYS if you are lucky it takes a week"."""
    subject = clause.expletive or (clause.subject.first if clause.subject is not None else None)
    if subject is None:
        return False
    before = clause.words[start_of_statement(clause).index : subject.index]
    if any(w.text == ":" for w in before):
        return True
    return sum(w.text.isupper() and len(w.text) > 1 and w.text.isalpha() for w in before) > 1


DOUBTS: tuple[Doubt, ...] = (
    Doubt("an event of a plot", _is_plot),
    Doubt("introduces a list or an address", _lists),
    Doubt("a rule or a notice", _is_legal),
    Doubt("a guess, plan or notice of the writer", _is_hedged),
    Doubt("a second sentence after a comma", _runs_on),
    Doubt("what the writer is doing, needs or knows", _is_under_way),
    Doubt("a note", _is_note),
    Doubt("a fragment before the subject", _has_fragment_first),
)


def doubt_about_denying(clause: Clause) -> str:
    """Return the first doubt that anybody would deny the claim; empty if there is none."""
    if clause.mood == "imperative":
        return ""
    return next((doubt.reason for doubt in DOUBTS if doubt.holds(clause)), "")


def is_evaluation(clause: Clause) -> bool:
    """Whether the claim rates something, so that it can be said to be right or wrong: "The rent is low"."""
    predicate, verbs = clause.predicate, clause.verbs
    if verbs is None or verbs.main is not None or FIGURE.search(sentence_of(clause)):
        return False
    subject = _subject(clause)
    if subject is None or subject.lower in WRITERS | {"you", "it"}:
        return False
    rated = predicate.tag in ("JJ", "JJR") or any(
        w.tag in ("JJR", "JJS") or w.lower in EVALUATIONS for w in clause.children(predicate, "amod")
    )
    return rated and len(clause.words) <= SHORT


def is_disputable(clause: Clause) -> bool:
    """Whether somebody could say that the claim is not so, which a phrase with one negation answers.

    It is a past event or a rating of something definite, without exact figures, emphasis or the writer in it.
    """
    verbs, subject = clause.verbs, _subject(clause)
    if verbs is None or subject is None or len(clause.words) > SHORT:
        return False
    if subject.tag == "PRP" and subject.lower not in ("he", "she", "they"):
        return False
    if FIGURE.search(sentence_of(clause)) or any(w.tag in ("CD", "JJS", "RBS") for w in clause.words):
        return False
    if clause.negation is not None:
        return clause.negation.kind == "particle" and verbs.first.lower in ("did", "was", "were")
    if plain_form(clause.predicate) in UNDENIED_VERBS or any(
        w.text.isupper() and len(w.text) > 3 for w in clause.words
    ):
        return False
    if any(w.label in ("compound:prt", "xcomp", "ccomp") for w in clause.children(clause.predicate)):
        return False  # "turned out amazing", "set off again"
    if verbs.first.lower in FINITE_BE:
        return clause.predicate.tag in ("JJ", "VBN") and clause.predicate.text.islower()
    return verbs.first is clause.predicate and verbs.first.tag == "VBD"


def _kind(clause: Clause) -> str:
    """Return the kind of a claim, a key of `FITTING`."""
    subject, verbs = _subject(clause), clause.verbs
    low = {w.lower for w in clause.words}
    if doubt_about_formal(clause):
        return "lively"
    if verbs is not None and verbs.first.lower in ("will", "'ll", "wo", "shall"):
        return "future"
    if subject is not None and subject.lower == "i":
        feels = (
            clause.predicate.tag == "JJ" and clause.negation is None and clause.predicate.lower != "able"
        ) or plain_form(clause.predicate) in FEELINGS
        return "feeling" if feels else "own"
    if low & PERSONAL:
        return "personal"
    if is_evaluation(clause):
        return "evaluation"
    if clause.children(clause.predicate, "ccomp") or low & REPORTED:
        return "report"
    noun = clause.predicate.tag in ("NN", "NNS", "NNP", "NNPS") and verbs is not None and verbs.first.tag in FINITE
    return "record" if noun or FIGURE.search(sentence_of(clause)) else "statement"


def suited(clause: Clause, phrases: Sequence[str]) -> list[str]:
    """Return the phrases that suit a claim, in the order given; those with one negation come first."""
    fitting = FITTING[_kind(clause)]
    once = FITTING["once"] if is_disputable(clause) else ()
    return [*(p for p in phrases if p in once), *(p for p in phrases if p in fitting)]
