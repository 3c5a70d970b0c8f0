"""Replace a word by an antonym where that contradicts the claim."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sda_hf.grammar.base import Candidate
from sda_hf.grammar.chinese import lexicon, thesaurus
from sda_hf.grammar.chinese.predicates import copula_of
from sda_hf.grammar.chinese.rules.antonym_conditions import holds, object_of
from sda_hf.grammar.chinese.rules.antonym_frames import DEFAULTS, FRAMES, after, before, frame_of
from sda_hf.grammar.chinese.rules.substitution import entries
from sda_hf.grammar.chinese.segments import has_other_clause
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause, Word

SLIGHT = lexicon.words("antonyms", "slight")
PASSIVE = lexicon.words("antonyms", "passive")
COMMANDED = lexicon.words("antonyms", "commanded")
FRAME_NAMES = frozenset(FRAMES)
# What can change whatever another clause tells.
BESIDE = ("serial", "place", "quantity")
VERBAL_FRAMES = ("predicate", "inner", "complement")


def sound_candidates(clause: Clause, parts: Collection[str]) -> list[Candidate]:
    """Return the words whose antonyms contradict the claim, with these.

    Args:
        clause: the main clause.
        parts: the parts of speech to consider: ADJ, ADV, NOUN, VERB.
    """
    found: list[Candidate] = []
    for word, known in entries(clause, "antonym"):
        fitting = tuple(dict.fromkeys(new for pos in known if pos in parts for new in _fitting(clause, word, pos)))
        if fitting:
            found.append((word, fitting))
    if found and set(parts) == {"ADJ"}:
        found += _modifiers(clause, found)
    return sorted(found, key=lambda candidate: candidate[0].start)


def _modifiers(clause: Clause, found: list[Candidate]) -> Iterator[Candidate]:
    """Yield the adjectives before the subject, which can change with the claim where every adjective does."""
    head = next((w.index for w in clause.children(clause.predicate, "nsubj", "obl:tmod")), 0)
    for word, known in entries(clause, "antonym"):
        following = after(clause, word)
        if "ADJ" in known and following is not None and form(following) == "的" and following.index == head - 1:
            others = thesaurus.related("antonym", "ADJ", form(word))
            yield word, tuple(new for new in others if _contexts("ADJ", word, new) != thesaurus.NEVER)


def focal(clause: Clause, found: list[Candidate]) -> list[Candidate]:
    """Return the candidates nearest to the claim: its predicate before its adverbs, these before its nouns."""
    ranks = [_rank(clause, word) for word, _ in found]
    return [candidate for candidate, rank in zip(found, ranks, strict=True) if rank == min(ranks)]


def _rank(clause: Clause, word: Word) -> int:
    frames = (frame_of(clause, word, pos) for pos in thesaurus.parts_of("antonym", form(word)))
    return min((FRAMES.index(frame) for frame in frames if frame is not None), default=len(FRAMES))


def _fitting(clause: Clause, word: Word, pos: str) -> Iterator[str]:
    """Yield the antonyms of a word that fit its place in the claim."""
    frame = frame_of(clause, word, pos)
    if (
        frame is None
        or (frame not in BESIDE and has_other_clause(clause))
        or (frame in VERBAL_FRAMES and _is_measured(clause, word))
    ):
        return
    others = thesaurus.related("antonym", pos, form(word))
    spoken = {form(w) for w in clause.words}
    if spoken & set(others) or (pos == "ADJ" and frame == "predicate" and _governs(clause, word)):
        return  # 从八月开始, 到十二月结束; 模糊了界限
    for antonym in others:
        if _fits(clause, word, frame, _contexts(pos, word, antonym), antonym):
            yield antonym


def _contexts(pos: str, word: Word, antonym: str) -> frozenset[str]:
    """Return the frames and conditions of an antonym; verbs and adverbs are sound only where the table says so."""
    known = thesaurus.contexts(pos, form(word), antonym)
    if known is None:
        return DEFAULTS[pos] if pos in ("ADJ", "NOUN") else thesaurus.NEVER
    return known if known & FRAME_NAMES or known == thesaurus.NEVER else known | DEFAULTS[pos]


def _fits(clause: Clause, word: Word, frame: str, allowed: frozenset[str], antonym: str) -> bool:
    """Whether a frame is allowed, and the conditions hold."""
    if frame not in allowed or not all(holds(name, clause, word) for name in allowed - FRAME_NAMES):
        return False
    if any(form(w) == "被" for w in clause.words) and frame in ("predicate", "inner"):
        return antonym in PASSIVE
    if clause.mood == "imperative":
        return frame == "predicate" and antonym in COMMANDED and holds("nominal", clause, word)
    return clause.words[word.index].pos != "ADJ" or frame != "predicate" or object_of(clause, word) is None


def _governs(clause: Clause, word: Word) -> bool:
    """Whether an adjective with 了 has an object, as a verb has: 模糊了界限."""
    following = after(clause, word)
    return following is not None and form(following) == "了" and object_of(clause, word) is not None


def _is_measured(clause: Clause, word: Word) -> bool:
    """Whether a measure, a comparison of equals or "a little" goes with an adjective: 三米高, 一样高, 有点贵."""
    previous, following = before(clause, word), after(clause, word)
    if previous is not None and (
        form(previous) in SLIGHT or previous.label in ("clf", "nummod") or previous.pos == "NUM"
    ):
        return True
    adjective = clause.words[word.index].pos == "ADJ" and copula_of(clause) is None
    return adjective and following is not None and following.pos == "NUM"
