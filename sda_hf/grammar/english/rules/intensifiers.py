"""Intensifiers on gradable adjectives.

The code published with SDA (LREC-COLING 2024) intensifies any adjective; here, only gradable ones are:
"a very old house", but not "very public transport".
"""

from __future__ import annotations

import random

from sda_hf.grammar.edits import Result, Rule, Skip
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import CLAUSAL
from sda_hf.grammar.english.polarity import NEGATORS
from sda_hf.grammar.english.surface import before, swap
from sda_hf.syntax.clause import Clause, Word

INTENSIFIERS = lexicon.phrases("adjectives", "intensifiers")
EVALUATIVE = lexicon.words("adjectives", "evaluative")
PREDICATIVE = lexicon.words("adjectives", "predicative")
JUDGEMENTS = EVALUATIVE | PREDICATIVE | lexicon.words("adjectives", "extreme")
NOT_INTENSIFIED_AFTER = lexicon.words("adjectives", "not-intensified-after")
GREETING_NOUNS = lexicon.words("nouns", "greetings")
NO_ADJECTIVE = Skip("no gradable adjective")
INTENSIFIED = Rule("intensified", "intensifier on an adjective")
NARROWING = Rule(INTENSIFIED.id, INTENSIFIED.words, doubt="an intensifier would change which things are meant")
DEFINITE = frozenset({"the", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our", "their"})


def intensify(clause: Clause, rng: random.Random) -> Result:
    """Put an intensifier before the first gradable adjective of the main claim.

    Args:
        clause: the main clause.
        rng: draws the intensifier.
    """
    word = next((w for w in clause.words if _is_gradable(clause, w)), None)
    if word is None:
        return NO_ADJECTIVE
    rule = NARROWING if clause.mood == "interrogative" or _narrows(clause, word) else INTENSIFIED
    edits = [before(word, rng.choice(INTENSIFIERS), rule)]
    previous = clause.words[word.index - 1] if word.index > 0 else None
    if previous is not None and previous.lower == "an":  # "very" and "really" begin with a consonant
        edits.append(swap(previous, "a", rule))
    return edits


def _is_gradable(clause: Clause, word: Word) -> bool:
    if word.tag != "JJ" or not _in_main_claim(clause, word) or _is_modified(clause, word):
        return False
    if word.label == "amod":
        noun = clause.words[word.head]
        common = word.lower in EVALUATIVE and noun.tag in ("NN", "NNS") and noun.lower not in GREETING_NOUNS
        return common and word.index < noun.index and not clause.words[word.index - 1].tag.startswith("JJ")
    predicate = word.index == clause.predicate.index or word.label in ("xcomp", "conj")
    return predicate and word.lower in EVALUATIVE | PREDICATIVE


def _narrows(clause: Clause, word: Word) -> bool:
    """Whether the adjective tells which things are meant: "Fresh bread is cheap.", "She likes the old house."."""
    if word.label != "amod":
        return False
    noun = clause.words[word.head]
    definite = any(w.lower in DEFINITE for w in clause.children(noun, "det", "nmod:poss"))
    return definite or noun.label not in ("root", "obj", "xcomp")


def _is_modified(clause: Clause, word: Word) -> bool:
    """Whether the adjective has a degree, a negation or a comparison, or is part of a compound."""
    previous = clause.words[word.index - 1] if word.index > 0 else None
    if previous is not None and (previous.tag.startswith("RB") or previous.lower in NOT_INTENSIFIED_AFTER):
        return True
    if any(w.index < word.index for w in clause.children(word, "advmod", "compound", "obl")):
        return True
    glued = clause.text[word.end : word.end + 1] in ("-", "'", "’") or (previous and previous.end == word.start)  # noqa: RUF001
    return bool(glued)


def _in_main_claim(clause: Clause, word: Word) -> bool:
    """Whether the adjective is not negated and no clause is between it and the predicate."""
    if clause.negators or any(w.lower in (*NEGATORS, "no", "never", "without") for w in clause.words[: word.index]):
        return False
    while word.index != clause.predicate.index:
        if word.label in CLAUSAL - {"conj"} or word.head == word.index:
            return False
        word = clause.words[word.head]
    return True
