"""Adverbs before the verb: which of them are in the scope of a negation or a modal."""

from __future__ import annotations

from sda_hf.grammar.english import lexicon
from sda_hf.syntax.clause import Clause, Word

GOVERNED = lexicon.words("adverbs", "governed")
OF_SENTENCES = lexicon.words("adverbs", "of-sentences")
OF_CERTAINTY = lexicon.words("adverbs", "of-certainty")


def adverb_site(clause: Clause, verb: Word) -> Word:
    """Return the word before which a negation or a modal goes: the first adverb in its scope, or else the verb."""
    site = verb
    while site.index > 0:
        word = clause.words[site.index - 1]
        if word.head != verb.index or word.label != "advmod" or not _is_governed(word.lower):
            break
        site = min([word, *clause.children(word, "advmod")], key=lambda w: w.index)  # "most recently"
    return site


def _is_governed(adverb: str) -> bool:
    return adverb in GOVERNED or (adverb.endswith("ly") and adverb not in OF_SENTENCES)
