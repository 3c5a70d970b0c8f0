"""Sentences of other languages, which an English parser reads as if they were English."""

from __future__ import annotations

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.doubts.doubt import Doubt
from sda_hf.syntax.clause import Clause

ENGLISH = lexicon.words("function-words", "english")
SHARED = lexicon.words("function-words", "shared")
FEWEST = 2  # unknown words: one may be a slip or a loan


def is_foreign(clause: Clause) -> bool:
    """Whether a sentence has no function word of English, and most of its words are in no English dictionary.

    Words with a capital inside the sentence say nothing: they may be names.
    """
    import lemminflect  # slow to import

    if any(w.lower in ENGLISH for w in clause.words):
        return False
    words = [w for w in clause.words if w.text.isalpha() and (w.text.islower() or clause.opens(w))]
    content = [w.lower for w in words if w.lower not in SHARED]
    unknown = sum(not lemminflect.getAllLemmas(word) for word in content)
    return unknown >= FEWEST and 2 * unknown > len(content)


FOREIGN = Doubt("not in English", is_foreign)
