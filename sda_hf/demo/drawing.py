"""A clause as HTML: what was found, and its dependency tree."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

from spacy.displacy.render import DependencyRenderer

from sda_hf.grammar.base import misread, parsed
from sda_hf.syntax.clause import Clause
from sda_hf.terminal import printable

NO_ROLE = "\N{NO-BREAK SPACE}"  # keeps its line
LONGEST_WORD = 20  # characters that are drawn
LONGEST_TREE = 60  # words; a longer one is too wide to read
MOST_CLAUSES = 5  # that are drawn
# Pixels between two words: what fits most of them, and what a long one needs.
NARROWEST, PER_CHARACTER, PER_WIDE_CHARACTER = 116, 10, 20
# Widths of the arcs, in the terms of displaCy; the colours are those of the page, light or dark.
STYLE: Mapping[str, Any] = {
    "add_lemma": True,
    "arrow_spacing": 12,
    "arrow_stroke": 1.5,
    "arrow_width": 6,
    "bg": "transparent",
    "color": "inherit",
    "font": "inherit",
    "word_spacing": 34,
}


def draw_clauses(text: str, language: str = "en", parser: str | None = None) -> str:
    """Return the main clause of each sentence of a text, drawn as HTML; all that comes from the text is escaped.

    Args:
        text: a sentence or a few.
        language: its ISO 639-1 code.
        parser: the spaCy pipeline to read it with; None for the embedded one.

    Raises:
        InputValueError: the language is not known.

    Example:
        >>> "She" in draw_clauses("She can't swim.")
        True
    """
    if not text.strip():
        return ""
    other = misread(text, language)
    if other is not None:
        return note(f"Not read: {other.reason}.")
    (found,) = parsed([text], language, parser)
    clauses = list(found.clauses)
    drawn = [
        draw_clause(clause) if isinstance(clause, Clause) else note(f"Not read: {clause.reason}.")
        for clause in clauses[:MOST_CLAUSES]
    ]
    if len(clauses) > MOST_CLAUSES:
        drawn.append(note(f"{len(clauses) - MOST_CLAUSES:,} more sentences are not drawn."))
    return "".join(drawn) or note("Nothing to read: the text has no words.")


def draw_clause(clause: Clause) -> str:
    """Return what was found in a sentence, above its dependency tree.

    Example:
        >>> (text,) = parsed(["It rains."])
        >>> drawn = draw_clause(text.main)
        >>> drawn.count('class="displacy-token '), drawn.count('class="displacy-arrow"')
        (2, 1)
    """
    return f'<section class="sda-clause">{_facts(clause)}{_tree(clause)}</section>'


def note(text: str) -> str:
    """Return a remark as HTML; the text is escaped.

    Example:
        >>> note("a < b")
        '<p class="sda-note">a &lt; b</p>'
    """
    return f'<p class="sda-note">{escaped(text)}</p>'


def failure(text: str) -> str:
    """Return an error as HTML; the text is escaped.

    Example:
        >>> failure("no such file")
        '<p class="sda-error" role="alert" dir="auto">no such file</p>'
    """
    return f'<p class="sda-error" role="alert" dir="auto">{escaped(text)}</p>'


def escaped(text: str) -> str:
    r"""Return text as HTML that shows it, its control characters included.

    Example:
        >>> escaped("<b>\x1b")
        '&lt;b&gt;\\x1b'
    """
    return html.escape(printable(text))


def _facts(clause: Clause) -> str:
    subject, negation = clause.subject, clause.negation
    facts = {
        "predicate": clause.predicate.text,
        "subject": None if subject is None else clause.text[subject.first.start : subject.last.end],
        "mood": clause.mood,
        "negation": None if negation is None else negation.word.text,
    }
    pairs = (
        f'<div><dt>{name}</dt><dd dir="auto" class="sda-{name if value else "none"}">'
        f"{escaped(value or 'none')}</dd></div>"
        for name, value in facts.items()
    )
    return f'<dl class="sda-facts">{"".join(pairs)}</dl>'


def _tree(clause: Clause) -> str:
    """Return the tree as SVG; punctuation marks on which nothing depends are left out."""
    words = [word for word in clause.words if word.pos != "PUNCT" or clause.children(word)]
    if len(words) > LONGEST_TREE:
        return note(f"The tree is not drawn: the sentence has {len(words):,} words, more than {LONGEST_TREE}.")
    roles = _roles(clause)
    place = {word.index: number for number, word in enumerate(words)}
    drawn = [
        {"text": _short(word.text), "lemma": roles.get(word.index, NO_ROLE), "tag": word.pos or word.tag}
        for word in words
    ]
    arcs = [
        {
            "start": min(place[word.index], place[word.head]),
            "end": max(place[word.index], place[word.head]),
            "label": word.label,
            "dir": "left" if word.index < word.head else "right",
        }
        for word in words
        if word.head in place and word.head != word.index
    ]
    svg = DependencyRenderer({**STYLE, "distance": _distance(words)}).render([{"words": drawn, "arcs": arcs}])
    classes = iter(roles.get(word.index, "other") for word in words)
    return (
        f'<div class="sda-tree" role="img" tabindex="0" aria-label="Dependency tree: {_spoken(clause)}">'
        f"{_with_classes(svg, classes)}</div>"
    )


def _roles(clause: Clause) -> dict[int, str]:
    """Return what the words are, by their index; a negation inside the subject is shown as a negation."""
    subject = clause.subject
    roles = {} if subject is None else {word.index: "subject" for word in clause.words if word in subject}
    roles[clause.predicate.index] = "predicate"
    if clause.negation is not None:
        roles[clause.negation.word.index] = "negation"
    return roles


def _with_classes(svg: str, classes: Iterator[str]) -> str:
    """Name the role of each word for the style sheet. A text cannot look like the pattern: its quotes are escaped."""
    return re.sub('class="displacy-token"', lambda found: f'class="displacy-token sda-{next(classes)}"', svg)


def _distance(words: list[Any]) -> int:
    """Return the pixels between two words."""
    longest = max(_width(_short(word.text)) for word in words) if words else 0
    return max(NARROWEST, longest + 24)


def _short(word: str) -> str:
    shown = printable(word)
    return shown if len(shown) <= LONGEST_WORD else f"{shown[: LONGEST_WORD - 1]}…"


def _width(text: str) -> int:
    return sum(PER_CHARACTER if ord(character) < 0x2E80 else PER_WIDE_CHARACTER for character in text)


def _spoken(clause: Clause) -> str:
    """Return the tree in words, for those who do not see it."""
    parts = [
        f"{word.text}: {word.label}" + ("" if word.head == word.index else f" of {clause.words[word.head].text}")
        for word in clause.words
        if word.pos != "PUNCT"
    ]
    return escaped("; ".join(parts))
