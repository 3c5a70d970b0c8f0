"""What is said around a square of opposition: phrases about a statement, and clauses before and after it."""

from __future__ import annotations

import functools
import random

from sda_hf.grammar.base import Corner
from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.square_parts import be, lines, subject_of
from sda_hf.grammar.square_lines import Line

FRAMES = lexicon.phrases("square-contexts", "denying")
AFFIRMING = lexicon.phrases("square-contexts", "affirming")
NAMES = frozenset(name.split()[0] for name in lexicon.phrases("square-subjects", "names"))
# How many claims and contraries, and how many denials and equivalents, are said by denying what contradicts them.
DENIED, FRAMED = 0.06, 0.14
# What a claim may be said by denying: "It is not true that nobody came" is weaker than "Everybody came".
NEGATED, UNCHANGED = ("n't", "not"), (None,)
# How many corners have a phrase before them that affirms them.
AFFIRMED = 0.08
KINDS = {"none": 34, "adjunct": 14, "report": 14, "opening": 16, "closing": 16, "both": 6}
NONE = ("", "")
Corners = tuple[Corner, Corner, Corner, Corner]


def framed(rng: random.Random, corners: Corners) -> Corners:
    """Return the corners, some of them with a phrase before them that denies or affirms a statement.

    Args:
        rng: the only source of randomness.
        corners: claim, denial, contrary and equivalent.
    """
    if _after_that_odd(corners):
        return corners
    claim, denial, contrary, equivalent = corners
    found = []
    for corner, other, share, kinds in (
        (claim, denial, DENIED, NEGATED),
        (denial, claim, FRAMED, UNCHANGED),
        (contrary, equivalent, DENIED, NEGATED),
        (equivalent, contrary, FRAMED, UNCHANGED),
    ):
        draw = rng.random()
        if draw < share and other.denial in kinds:
            found.append(other._replace(frame=rng.choice(FRAMES)))
        elif draw > 1 - AFFIRMED:
            found.append(corner._replace(frame=rng.choice(AFFIRMING)))
        else:
            found.append(corner)
    return found[0], found[1], found[2], found[3]


def draw(rng: random.Random, split: str, tense: str, corners: Corners) -> tuple[str, str]:
    """Draw what stands before and after all corners of a square.

    Args:
        rng: the only source of randomness.
        split: "train", "dev" or "test", whose words it may have.
        tense: that of the square.
        corners: the corners.
    """
    kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
    framed = any(corner.frame for corner in corners)
    if kind == "adjunct" and not framed:  # "To my surprise, I'm sure that ..."
        return f"{_one(rng, 'adjuncts')},", ""
    if kind == "report" and not framed and not _after_that_odd(corners):
        return _one(rng, "reports"), ""
    clauses = _clauses(rng, split, tense) if kind in ("opening", "closing", "both") else None
    if clauses is None:
        return NONE
    opening = f"{_one(rng, 'conjunctions')} {clauses[0]},"
    remark = f", {_one(rng, 'closings')}"
    closing = remark if rng.random() < 0.5 else f", {_one(rng, 'linkers')} {clauses[1]}"
    return {"opening": (opening, ""), "closing": ("", closing), "both": (opening, remark)}[kind]


def _after_that_odd(corners: Corners) -> bool:
    """Whether a corner reads badly after "that": "It is not true that that ..."."""
    return any(corner.text.startswith("That ") for corner in corners)


def _clauses(rng: random.Random, split: str, tense: str) -> tuple[str, str] | None:
    """Draw two clauses that go with a tense; None if there are none for it."""
    if tense not in ("present", "past"):
        return None
    first, second = (
        _of_lexicon(rng, split, tense) if rng.random() < 0.5 else _one(rng, f"clauses-{tense}") for _ in range(2)
    )
    return first, second


@functools.cache
def _adjectives(split: str) -> list[Line]:
    return [line for line in lines(split) if line.kind == "ADJ"]


def _of_lexicon(rng: random.Random, split: str, tense: str) -> str:
    """Draw a short clause with another adjective of the lexicon, half of them negated."""
    line = rng.choice(_adjectives(split))
    subject = subject_of(rng, rng.choice(line.goes_with))
    verb = be(rng, tense, subject)
    negated = " not" if rng.random() < 0.5 else ""
    return f"{subject.words} {verb}{negated} {rng.choice((line.word, line.antonym))}".replace(" '", "'")


def placed(text: str, frame: str, context: tuple[str, str]) -> str:
    """Return a sentence in its frame and its context.

    Args:
        text: the sentence.
        frame: a phrase before the statement, or "".
        context: what stands before and after it, each perhaps "".

    Example:
        >>> placed("The soup was hot.", "it is not true that", ("Although we waited,", ", as usual"))
        'Although we waited, it is not true that the soup was hot, as usual.'
    """
    opening, closing = context
    for start in (frame, opening):
        text = f"{start} {_lowered(text)}" if start else f"{text[:1].upper()}{text[1:]}"
    return f"{text.removesuffix('.')}{closing}." if closing else text


def _lowered(text: str) -> str:
    """Return a text that no longer begins a sentence."""
    first = text.split()[0].split("'")[0]
    return text if first == "I" or first in NAMES else f"{text[:1].lower()}{text[1:]}"


def _one(rng: random.Random, name: str) -> str:
    return rng.choice(lexicon.phrases("square-contexts", name))
