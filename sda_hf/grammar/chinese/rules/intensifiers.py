"""Intensifiers: an adverb of degree before a gradable adjective."""

from __future__ import annotations

import random

from sda_hf.grammar.chinese import lexicon
from sda_hf.grammar.chinese.predicates import modal_of
from sda_hf.grammar.chinese.surface import before, form
from sda_hf.grammar.edits import Coverage, Result, Rule, Skip
from sda_hf.syntax.clause import Clause, Word

INTENSIFIERS = lexicon.phrases("adjectives", "intensifiers")
GRADABLE = lexicon.words("adjectives", "gradable")
NOT_AFTER = lexicon.words("adjectives", "not-after")
COMPARING = lexicon.words("prepositions", "comparing")
DEFINITE = frozenset("这 那 该 此 这些 那些 这个 那个 这种 那种 每 每个 唯一 所有 哪 什么".split())
INTENSIFIED = Rule("intensified", "adverb of degree before an adjective")
NARROWING = Rule(INTENSIFIED.id, INTENSIFIED.words, doubt="an adverb of degree would change which things are meant")
NO_ADJECTIVE = Skip("no gradable adjective")


def intensify(clause: Clause, rng: random.Random, coverage: Coverage) -> Result:
    """Put an adverb of degree before the first gradable adjective that has none.

    Args:
        clause: the main clause.
        rng: draws the adverb.
        coverage: "sound" or "full"; the caller leaves out what there is a doubt about.
    """
    intensifier = rng.choice(INTENSIFIERS)
    found = [w for w in clause.words if _is_gradable(clause, w)]
    if not found:
        return NO_ADJECTIVE
    word = next((w for w in found if not _narrows(clause, w)), found[0])
    return [before(clause, NARROWING if _narrows(clause, word) else INTENSIFIED, word, intensifier)]


def _is_gradable(clause: Clause, word: Word) -> bool:
    if form(word) not in GRADABLE or word.pos not in ("ADJ", "VERB", "NOUN") or not _is_bare(clause, word):
        return False
    following = [form(w) for w in clause.words[word.index + 1 : word.index + 3]]
    if following[:1] == ["的"]:
        noun = clause.words[word.index + 2 : word.index + 3]
        return len(form(word)) > 1 and bool(noun) and noun[0].pos == "NOUN"
    if word is not clause.predicate or word.pos == "NOUN" or clause.negation is not None or modal_of(clause):
        return False
    last = word.index + 1 == len(clause.words) or clause.words[word.index + 1].pos == "PUNCT"
    return last and clause.verbs is not None and clause.verbs.main is word


def _is_bare(clause: Clause, word: Word) -> bool:
    """Whether no degree, comparison or enumeration goes with an adjective."""
    previous = clause.words[word.index - 1] if word.index else None
    if previous is not None and (form(previous) in NOT_AFTER or previous.pos in ("ADJ", "ADV", "PART", "CCONJ")):
        return False
    return not any(form(w) in COMPARING | {"又", "越"} for w in clause.words[: word.index])


def _narrows(clause: Clause, word: Word) -> bool:
    """Whether the adjective tells which things are meant: 那本有趣的书."""
    if clause.mood == "interrogative":
        return True
    if word is clause.predicate:
        return False
    index = word.index
    led = [form(w) for w in clause.words[max(0, index - 3) : index]]
    counted = any(w.pos == "NUM" for w in clause.words[max(0, index - 3) : index])
    return not counted or any(text in DEFINITE for text in led)
