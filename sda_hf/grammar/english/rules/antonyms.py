"""Replace a word by an antonym where that contradicts the sentence: the contexts of `antonym_contexts.tsv`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sda_hf.grammar.base import Candidate
from sda_hf.grammar.edits import Edit, Rule
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import POS_OF_TAG
from sda_hf.grammar.english.rules import antonym_adpositions, antonym_frames, antonym_scope, substitution
from sda_hf.grammar.english.rules.antonym_context import contexts, is_time, key, prepositions_after
from sda_hf.grammar.english.surface import swap
from sda_hf.syntax.clause import Clause, Word

MASS = lexicon.words("nouns", "mass")
# The preposition of an object that the antonym takes without one: "returned to Rome" > "left Rome".
NONE = "Ø"
# What an auxiliary and a participle become together.
WITH_AUXILIARY = {("born", "die"): "died", ("killed", "survive"): "survived"}
# After these, "closed" is a state.
PRESENT = ("is", "are", "'s", "'re")
BIRTH = "was born"


def sound_candidates(clause: Clause, parts: Collection[str]) -> list[Candidate]:
    """Return the words whose antonyms contradict the sentence, with these.

    Args:
        clause: the main clause.
        parts: the parts of speech to consider: ADJ, ADP, ADV, DET, NOUN, VERB.
    """
    found = []
    for word in clause.words:
        pos = _part(word)
        if pos is None or pos not in parts:
            continue
        fitting = tuple(dict.fromkeys(_fitting(clause, word, pos)))
        if fitting:
            found.append((word, fitting))
    return found


def _part(word: Word) -> str | None:
    """Return the part of speech of a word: ADP for prepositions and conjunctions, DET for determiners."""
    if word.label == "det":
        return "DET"
    return "ADP" if word.label in ("case", "mark") else POS_OF_TAG.get(word.tag[:2])


def focal(clause: Clause, found: list[Candidate]) -> list[Candidate]:
    """Return the candidates nearest to the claim: its predicate before its objects, these before other clauses."""
    ranks = [antonym_scope.rank(clause, word) for word, _ in found]
    return [candidate for candidate, rank in zip(found, ranks, strict=True) if rank == min(ranks)]


def _fitting(clause: Clause, word: Word, pos: str) -> Iterator[str]:
    """Yield the antonyms of a word that fit its context."""
    known = contexts().get((pos, key(word, pos)), ())
    if not known or not _is_claimed(clause, word, pos):
        return
    for context in known:
        fits = antonym_frames.fits(clause, word, pos, context)
        if fits and antonym_scope.is_coherent(clause, word, context.antonym):
            yield context.antonym


def _is_claimed(clause: Clause, word: Word, pos: str) -> bool:
    if not antonym_scope.is_central(clause, word):
        return False
    if pos == "DET":
        return antonym_scope.is_claimed(clause, clause.words[clause.words[word.head].head], quantified=True)
    if pos != "ADP":
        return _is_free(clause, word) and antonym_scope.is_claimed(clause, word)
    inner = clause.words[word.head]
    return word.text.isalpha() and antonym_scope.is_claimed(
        clause, clause.words[inner.head] if word.label == "mark" else inner
    )


def _is_free(clause: Clause, word: Word) -> bool:
    return substitution.is_free(clause, word) or antonym_frames.is_partitive(clause, word)


def replaced(clause: Clause, word: Word, base: str, rule: Rule) -> list[Edit]:
    """Return the edits that replace a word by another base form, with its article, auxiliary and prepositions.

    Args:
        clause: the main clause.
        word: the word to replace.
        base: the base form of the new word.
        rule: the rule that the edits name.
    """
    before = clause.words[word.index - 1] if word.index else word
    change = (word.lower, base)
    if _part(word) == "DET":
        return [swap(word, base, rule)]
    if _part(word) == "ADP":
        return [rule.edit(word.start, antonym_adpositions.end(clause, word), base)]
    if change in WITH_AUXILIARY:
        return [rule.edit(before.start, word.end, WITH_AUXILIARY[change]), *_prepositions(clause, word, base, rule)]
    if change == ("closed", "open") and before.lower in PRESENT:
        return [rule.edit(word.start, word.end, base)]
    if change == ("died", "bear"):
        return [rule.edit(word.start, word.end, BIRTH)]
    if change == ("same", "different"):
        noun = clause.words[word.head]
        plain = noun.tag == "NNS" or noun.lower in MASS
        return [rule.edit(before.start, word.end, base if plain else f"a {base}")]
    return [*substitution.replaced(clause, word, base, rule), *_prepositions(clause, word, base, rule)]


def _prepositions(clause: Clause, word: Word, antonym: str, rule: Rule) -> Iterator[Edit]:
    """Yield the edits of the prepositions that change with an antonym: "similar to", "different from"."""
    pos = POS_OF_TAG[word.tag[:2]]
    known = contexts().get((pos, key(word, pos)), ())
    same = [context for context in known if context.antonym == antonym]
    if not same:
        return
    context = next((context for context in same if antonym_frames.fits(clause, word, pos, context)), same[0])
    for case in prepositions_after(clause, word):
        new = context.prepositions.get(case.lower, case.lower)
        if new == case.lower or is_time(clause.words[case.head]):
            continue
        if new == NONE:
            yield rule.edit(case.start, clause.words[case.index + 1].start, "")
        else:
            yield swap(case, new, rule)
