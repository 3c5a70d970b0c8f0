"""Adverbs before the verb: which of them a negation or a modal governs."""

from __future__ import annotations

from sda_hf.syntax.clause import Clause, Word

# Adverbs that a negation governs ("often goes" → "doesn't often go"), beside those in -ly ...
GOVERNED_ADVERBS = frozenset(
    "always often sometimes quite even ever just soon well once later last first next usually only".split()
)
# ... but for these, which speak of the whole claim: "probably knows" → "probably doesn't know".
SENTENCE_ADVERBS = frozenset(
    "probably certainly possibly surely obviously clearly apparently presumably fortunately unfortunately luckily "
    "hopefully honestly actually finally eventually initially originally previously formerly subsequently "
    "consequently accordingly additionally similarly interestingly sadly typically reportedly allegedly supposedly "
    "undoubtedly definitely early evidently essentially basically ultimately currently".split()
)
# These go in front of a negated auxiliary: "is probably right" → "probably isn't right".
OF_CERTAINTY = frozenset(
    "probably definitely certainly possibly apparently obviously clearly presumably undoubtedly surely".split()
)


def adverb_site(clause: Clause, verb: Word) -> Word:
    """Where a negation or a modal goes: before the adverbs that it governs, directly before the verb, if any."""
    site = verb
    while site.index > 0:
        word = clause.words[site.index - 1]
        if word.head != verb.index or word.label != "advmod" or not _is_governed(word.lower):
            break
        site = min([word, *clause.children(word, "advmod")], key=lambda w: w.index)  # "most recently"
    return site


def _is_governed(adverb: str) -> bool:
    return adverb in GOVERNED_ADVERBS or (adverb.endswith("ly") and adverb not in SENTENCE_ADVERBS)
