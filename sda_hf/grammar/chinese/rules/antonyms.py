"""Replace a word by an antonym where that contradicts the claim."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator

from sda_hf.grammar.base import Candidate
from sda_hf.grammar.chinese import lexicon, thesaurus
from sda_hf.grammar.chinese.predicates import copula_of
from sda_hf.grammar.chinese.rules.antonym_frames import DEFAULTS, FRAMES, after, before, frame_of
from sda_hf.grammar.chinese.rules.substitution import entries
from sda_hf.grammar.chinese.surface import form
from sda_hf.syntax.clause import Clause, Word

SLIGHT = lexicon.words("antonyms", "slight")
PERSONAL = lexicon.words("pronouns", "personal")
PERSONS = lexicon.words("nouns", "persons")
PERSON_ENDINGS = tuple(lexicon.words("nouns", "person-endings"))
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
    return found


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
    if frame is None or (frame in VERBAL_FRAMES and _is_measured(clause, word)):
        return
    for antonym in thesaurus.related("antonym", pos, form(word)):
        if _fits(clause, word, frame, _contexts(pos, word, antonym)):
            yield antonym


def _contexts(pos: str, word: Word, antonym: str) -> frozenset[str]:
    known = thesaurus.contexts(pos, form(word), antonym)
    if known is None:
        return DEFAULTS[pos]
    return known if known & set(FRAMES) or known == thesaurus.NEVER else known | DEFAULTS[pos]


def _fits(clause: Clause, word: Word, frame: str, allowed: frozenset[str]) -> bool:
    """Whether a frame is allowed, and the object and the noun that the word is said of are of the right kind."""
    if frame not in allowed:
        return False
    following = after(clause, word)
    takes = bool(_objects(clause, word)) or (following is not None and following.pos in ("NOUN", "PROPN", "PRON"))
    if ("object" in allowed and frame != "object" and not takes) or ("bare" in allowed and takes):
        return False
    if "clause" in allowed:
        return not any(c.label == "ccomp" for c in clause.children(word))
    return _is_of_kind(clause, word, frame, allowed)


def _objects(clause: Clause, word: Word) -> list[Word]:
    own = clause.words[word.index]
    return [w for w in clause.children(own, "obj", "ccomp", "obl:patient") if w.index > word.index or form(own) != ""]


def _is_of_kind(clause: Clause, word: Word, frame: str, allowed: frozenset[str]) -> bool:
    """Whether the word is said of a person, or of a thing, where its antonym can be said of only one of them."""
    if not allowed & {"person", "thing"}:
        return True
    noun = _said_of(clause, word, frame)
    if noun is None:
        return False
    return is_person(noun) == ("person" in allowed)


def _said_of(clause: Clause, word: Word, frame: str) -> Word | None:
    if frame == "attribute":
        return next((w for w in clause.words[word.index + 1 :] if w.pos in ("NOUN", "PROPN")), None)
    return clause.subject.head if clause.subject is not None else None


def is_person(noun: Word) -> bool:
    """Whether a noun or pronoun names a person."""
    text = form(noun)
    if noun.pos == "PRON":
        return text in PERSONAL - {"它", "它们"}
    return text in PERSONS or text.endswith(PERSON_ENDINGS)


def _is_measured(clause: Clause, word: Word) -> bool:
    """Whether a measure, a comparison of equals or "a little" goes with an adjective: 三米高, 一样高, 有点贵."""
    previous, following = before(clause, word), after(clause, word)
    if previous is not None and (form(previous) in SLIGHT or previous.label in ("clf", "nummod") or previous.pos == "NUM"):
        return True
    adjective = clause.words[word.index].pos == "ADJ" and copula_of(clause) is None
    return adjective and following is not None and following.pos == "NUM"


def shortened(word: Word, start: int) -> Word:
    """Return a word without its first characters."""
    return dataclasses.replace(word, text=word.text[start:], start=word.start + start)
