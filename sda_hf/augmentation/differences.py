"""How a rewrite differs from its original: the pieces of both texts, for terminals and notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sda_hf.grammar.edits import PLACE, Edit
from sda_hf.terminal import printable

# Legible on light and dark backgrounds; what they say is also said by <del> and <ins>, without colours.
REMOVED = "background:#d73a4940;text-decoration:line-through"
ADDED = "background:#28a74540;text-decoration:none"


class Piece(NamedTuple):
    """A part of the original, and what it became: itself, if no edit covers it."""

    old: str
    new: str
    changed: bool


def pieces(original: str, edits: Iterable[Edit]) -> list[Piece]:
    """Return the parts of a text in order; together they are the original and its rewrite.

    Example:
        >>> pieces("He came.", [Edit(3, 7, "didn't come", "do-support")])
        [Piece(old='He ', new='He ', changed=False), Piece(old='came', new="didn't come", changed=True), \
Piece(old='.', new='.', changed=False)]
    """
    found: list[Piece] = []
    position = 0
    for edit in sorted(edits, key=PLACE):
        kept = original[position : edit.start]
        found += [Piece(kept, kept, False)] if kept else []
        found.append(Piece(original[edit.start : edit.end], edit.new, True))
        position = edit.end
    rest = original[position:]
    return [*found, *([Piece(rest, rest, False)] if rest else [])]


def differences_as_html(parts: Sequence[Piece]) -> str:
    """Return both texts in one, with what was removed and added marked as such; the text itself is escaped.

    Example:
        >>> differences_as_html([Piece("a<b", "a<b", False), Piece("", "!", True)])
        'a&lt;b<ins style="background:#28a74540;text-decoration:none">!</ins>'
    """
    shown = []
    for old, new, changed in parts:
        if not changed:
            shown.append(_escaped(old))
            continue
        shown += [f'<del style="{REMOVED}">{_escaped(old)}</del>'] if old else []
        shown += [f'<ins style="{ADDED}">{_escaped(new)}</ins>'] if new else []
    return "".join(shown)


def paragraph(content: str, note: str) -> str:
    """Return content that is HTML already above a note that is text.

    Example:
        >>> paragraph("It <b>rains</b>.", "a & b")
        '<div><div dir="auto">It <b>rains</b>.</div><div style="opacity:.7;font-size:90%">a &amp; b</div></div>'
    """
    return f'<div><div dir="auto">{content}</div><div style="opacity:.7;font-size:90%">{_escaped(note)}</div></div>'


def _escaped(text: str) -> str:
    return html.escape(printable(text))
