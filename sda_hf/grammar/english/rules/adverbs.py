"""Adverbs of the predicate: those in the scope of a negation or a modal, and those that have a negative of their own."""

from __future__ import annotations

from collections.abc import Collection

from sda_hf.grammar.edits import Edit, Rule
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.surface import swap
from sda_hf.syntax.clause import Clause, Word

GOVERNED = lexicon.words("adverbs", "governed")
OF_SENTENCES = lexicon.words("adverbs", "of-sentences")
IN_NEGATION = lexicon.words("adverbs", "negated")
# After "once": "once again", "once a week".
OF_FREQUENCY = ("again", "more", "every", "per", ",", "and")
PERIODS = ("day", "week", "month", "year", "hour", "minute", "decade")
DENIED = lexicon.pairs("adverbs", "denied")
OF_CERTAINTY = lexicon.words("adverbs", "of-certainty")


def adverb_site(clause: Clause, verb: Word, also: Collection[str] = ()) -> Word:
    """Return the word before which a negation or a modal goes: the first adverb in its scope, or else the verb.

    Args:
        clause: the main clause.
        verb: its finite verb.
        also: adverbs that are in the scope besides those that are in the scope of modals too.
    """
    site = verb
    while site.index > 0:
        word = clause.words[site.index - 1]
        governed = _is_governed(word.lower) or word.lower in also
        if word.head != verb.index or word.label != "advmod" or not governed:
            break
        site = min([word, *clause.children(word, "advmod")], key=lambda w: w.index)  # "most recently"
    return site


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
        if word.lower in DENIED and word.head == clause.predicate.index and word.label == "advmod" and not apart:
            new = DENIED[word.lower]
            return swap(word, new, Rule("adverb-denied", f"{word.lower} → {new}"))
    return None
