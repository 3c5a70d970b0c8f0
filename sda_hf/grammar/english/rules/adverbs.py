"""Adverbs of the predicate: those in the scope of a negation or a modal, and those with a negative of their own."""

from __future__ import annotations

from collections.abc import Callable

from sda_hf.grammar.edits import Edit, Rule
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.surface import swap
from sda_hf.syntax.clause import Clause, Word

GOVERNED = lexicon.words("adverbs", "governed")
OF_SENTENCES = lexicon.words("adverbs", "of-sentences")
IN_NEGATION = lexicon.words("adverbs", "negated")
# Quantifiers that may stand before the verb: "We all know".
FLOATING = ("all", "both")
# After "once": "once again", "once a week".
OF_FREQUENCY = ("again", "more", "every", "per", ",", "and")
STARTING = ("becom", "became", "begin", "beg", "start", "try", "goi", "know", "realiz", "turn")
PERIODS = ("day", "week", "month", "year", "hour", "minute", "decade")
DENIED = lexicon.pairs("adverbs", "denied")
OF_CERTAINTY = lexicon.words("adverbs", "of-certainty")


def adverb_site(clause: Clause, verb: Word, is_governed: Callable[[str], bool] | None = None) -> Word:
    """Return the word before which a negation or a modal goes: the first adverb in its scope, or else the verb.

    Args:
        clause: the main clause.
        verb: its finite verb.
        is_governed: whether an adverb is in the scope; by default, of a modal.
    """
    is_governed = is_governed or _is_governed
    site = verb
    while site.index > 0:
        word = clause.words[site.index - 1]
        if word.head != verb.index or word.label != "advmod" or not is_governed(word.lower):
            break
        site = min([word, *clause.children(word, "advmod")], key=lambda w: w.index)  # "most recently"
    return site


def negation_site(clause: Clause, verb: Word) -> Word:
    """Return the word before which "didn't" goes: the first word in its scope: "didn't often go", "didn't all go"."""
    site = adverb_site(clause, verb, _is_negated)
    previous = clause.words[site.index - 1] if site.index else None
    subject = clause.subject
    floats = previous is not None and subject is not None and previous.lower in FLOATING
    if previous is not None and floats and subject is not None and subject.first.index < previous.index:
        return previous
    return site


def _is_negated(adverb: str) -> bool:
    return adverb in IN_NEGATION or (_is_governed(adverb) and adverb not in OF_CERTAINTY)


def _is_governed(adverb: str) -> bool:
    return adverb in GOVERNED or (adverb.endswith("ly") and adverb not in OF_SENTENCES)


def before_negation(clause: Clause, operator: Word) -> Word | None:
    """Return the last of the adverbs directly after an operator that a negation follows: "is probably not right"."""
    last = None
    for word in clause.words[operator.index + 1 :]:
        if word.lower not in OF_CERTAINTY or word.label != "advmod" or word is clause.predicate:
            break
        last = word
    return last


def deny_adverb(clause: Clause) -> Edit | None:
    """Exchange an adverb for its negative: "still works" → "no longer works"; None if the claim has no such adverb."""
    verbs = clause.verbs
    if verbs is None or clause.inverted or clause.mood != "declarative" or clause.subject is None:
        return None
    start = (clause.expletive or clause.subject.last).index
    end = max(clause.predicate.index, verbs.words[-1].index)
    if clause.predicate is not verbs.main:  # "is still a member": between the copula and what is said
        end = min([end, *(w.index for w in clause.children(clause.predicate, "det", "amod", "case", "nmod:poss"))])
    for word in clause.words[start + 1 : end]:
        following = [w.lower for w in clause.words[word.index + 1 : word.index + 3]]
        apart = following[0] in OF_FREQUENCY or following[-1] in PERIODS or clause.words[word.index - 1].text == ","
        if word.lower == "now" and (verbs.first.tag == "MD" or clause.predicate.lower.startswith(STARTING)):
            continue
        if word.lower in DENIED and word.head == clause.predicate.index and word.label == "advmod" and not apart:
            new = DENIED[word.lower]
            return swap(word, new, Rule("adverb-denied", f"{word.lower} → {new}"))
    return None
