"""Short sentences for squares of opposition, from the table `squares.tsv`, and the ways of denying them.

A line of the table has a kind of sentence, a word, its antonym, facts about both, and what they go with. The kinds:

- ADJ: 汤很热; with: subjects. COP: 答案是对的; with: subjects.
- ATTR: 这是个好主意; with: subjects > nouns. NOUN: 他是英雄; with: subjects.
- DE: 他跑得很快; with: subjects > verbs.
- STATE: 他喜欢冬天, and EVENT: 他接受了邀请; with: subjects > objects. INTR: 价格上涨了; with: subjects.

The facts: "很": both words take adverbs of degree; "今": what they say changes from day to day; "根本": it is denied
with this word. "@" names a list of [squares].
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from dataclasses import replace

from sda_hf.grammar.base import Corner, SquareSeed
from sda_hf.grammar.chinese import lexicon, thesaurus
from sda_hf.grammar.chinese.doubts.opposition import ON_PREDICATE
from sda_hf.grammar.chinese.rules.denial_phrases import parsed
from sda_hf.grammar.chinese.rules.double_negation import AROUND
from sda_hf.grammar.chinese.rules.negation import negate
from sda_hf.grammar.chinese.rules.statement_frames import put_around
from sda_hf.grammar.chinese.surface import form
from sda_hf.grammar.edits import Result, Skip, apply
from sda_hf.grammar.square_lines import Line, lines_of
from sda_hf.syntax.clause import Clause

PLAIN = "很"
FRAMES = lexicon.phrases("phrases statement-denial", "default")
NEGATORS = ("不", "没", "没有")


@functools.cache
def lines(split: str) -> tuple[Line, ...]:
    """Return the lines of a split."""
    return lines_of(thesaurus.rows("squares.tsv"), thesaurus.splits(), split, "；")


def draw(rng: random.Random, split: str) -> SquareSeed:
    """Draw a claim and its contrary.

    Args:
        rng: the only source of randomness.
        split: "train", "dev" or "test".
    """
    line = rng.choice(lines(split))
    words = (line.word, line.antonym) if rng.random() < 0.5 else (line.antonym, line.word)
    subjects, _, rest = rng.choice(line.goes_with).partition(">")
    subject = _one_of(rng, subjects)
    return MAKERS[line.kind](rng, line, words, (subject, rng.choice(rest.split(","))))


def _one_of(rng: random.Random, subjects: str) -> str:
    drawn = rng.choice(subjects.split(","))
    return rng.choice(lexicon.phrases("squares", drawn[1:])) if drawn.startswith("@") else drawn


# -- kinds of sentences --------------------------------------------------------------------------


def _adjective(rng: random.Random, line: Line, words: tuple[str, str], parts: tuple[str, str]) -> SquareSeed:
    subject = parts[0]
    timed = "今" in line.facts and rng.random() < 0.4
    subject = f"{subject}{rng.choice(lexicon.phrases('squares', 'times'))}" if timed else subject
    degree = rng.choice(lexicon.phrases("squares", "degrees")) if "很" in line.facts else PLAIN
    plain, graded = (tuple(f"{subject}{before}{word}。" for word in words) for before in (PLAIN, degree))
    return _seed(rng, plain, graded, "state")


def _copular(rng: random.Random, line: Line, words: tuple[str, str], parts: tuple[str, str]) -> SquareSeed:
    plain = tuple(f"{parts[0]}是{word}的。" for word in words)
    return _seed(rng, plain, plain, "event")


def _attribute(rng: random.Random, line: Line, words: tuple[str, str], parts: tuple[str, str]) -> SquareSeed:
    subject, noun = parts
    article = rng.choice(("个", "一个"))
    plain = tuple(f"{subject}是{article}{word}{'的' if len(word) > 1 else ''}{noun}。" for word in words)
    return _seed(rng, plain, plain, "event")


def _nominal(rng: random.Random, line: Line, words: tuple[str, str], parts: tuple[str, str]) -> SquareSeed:
    plain = tuple(f"{parts[0]}是{word}。" for word in words)
    return _seed(rng, plain, plain, "event")


def _complement(rng: random.Random, line: Line, words: tuple[str, str], parts: tuple[str, str]) -> SquareSeed:
    subject, verb = parts
    degree = rng.choice(lexicon.phrases("squares", "degrees"))
    plain, graded = (tuple(f"{subject}{verb}得{before}{word}。" for word in words) for before in (PLAIN, degree))
    return _seed(rng, plain, graded, "state")


def _state(rng: random.Random, line: Line, words: tuple[str, str], parts: tuple[str, str]) -> SquareSeed:
    subject, object_ = parts
    plain = tuple(f"{subject}{word}{object_}。" for word in words)
    return _seed(rng, plain, plain, "event" if line.facts else "")


def _event(rng: random.Random, line: Line, words: tuple[str, str], parts: tuple[str, str]) -> SquareSeed:
    subject, object_ = parts
    time = rng.choice(lexicon.phrases("squares", "past")) if rng.random() < 0.3 else ""
    plain = tuple(f"{subject}{time}{word}了{object_}。" for word in words)
    return _seed(rng, plain, plain, "event")


MAKERS: dict[str, Callable[[random.Random, Line, tuple[str, str], tuple[str, str]], SquareSeed]] = {
    "ADJ": _adjective,
    "COP": _copular,
    "ATTR": _attribute,
    "NOUN": _nominal,
    "DE": _complement,
    "STATE": _state,
    "EVENT": _event,
    "INTR": _event,
}


def _seed(rng: random.Random, plain: tuple[str, ...], graded: tuple[str, ...], strengthened: str) -> SquareSeed:
    denial, equivalent = (Corner(text, _way(rng, strengthened)) for text in plain)
    return SquareSeed(Corner(graded[0]), denial, Corner(graded[1]), equivalent)


def _way(rng: random.Random, strengthened: str) -> str:
    """Draw how to deny: "" for the plain negation, the word that strengthens it, or a phrase around the statement."""
    share = rng.random()
    if share < 0.2:
        return rng.choice(FRAMES)
    if share < 0.4 and strengthened:
        return rng.choice(lexicon.phrases("squares", f"strengthened-{strengthened}"))
    return ""


# -- denials -------------------------------------------------------------------------------------


def denied(clause: Clause, denial: str) -> Result:
    """Deny a claim.

    Args:
        clause: the claim.
        denial: "", a word that strengthens the negator, or a phrase around the statement.
    """
    if clause.mood != "declarative":
        return Skip("not a statement")
    if denial in FRAMES:
        return put_around(clause, parsed(denial), AROUND)
    edits = negate(clause, "syntactic", "sound")
    if isinstance(edits, Skip) or not {edit.id for edit in edits} <= ON_PREDICATE:
        return Skip("a negation of more than the predicate")
    if sum(edit.new.startswith(NEGATORS) for edit in edits) != 1:
        return Skip("no single negator")
    following = clause.words[clause.predicate.index + 1 : clause.predicate.index + 2]
    if following and form(following[0]) == "得" and all(edit.id != "negation-degree" for edit in edits):
        return Skip("a negation of more than the complement")  # 他不踢得好
    new = [replace(edit, new=f"{denial}{edit.new}") if edit.new.startswith(NEGATORS) else edit for edit in edits]
    return Skip("a degree under a negation") if f"不{PLAIN}" in apply(clause.text, new) else new
