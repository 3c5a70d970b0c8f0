"""Edits on the original text: what no edit covers stays byte for byte as it was."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

PLACE = operator.attrgetter("start", "end")


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `text[start:end]` by `new`.

    Attributes:
        start: character offset of the first character that is replaced.
        end: character offset behind the last one; equal to `start` for an insertion.
        new: what stands there afterwards.
        rule: the rule, in words that users read.
        id: the rule, as an identifier that programs read; several wordings may share one.
    """

    start: int
    end: int
    new: str
    rule: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """The name of a rewriting rule.

    Attributes:
        id: an identifier for programs: "do-support".
        words: a description for users: "do-support: past tense".
    """

    id: str
    words: str

    def edit(self, start: int, end: int, new: str) -> Edit:
        """An edit by this rule."""
        return Edit(start, end, new, self.words, self.id)


@dataclass(frozen=True, slots=True)
class Skip:
    """No rewrite, and why: a value, never a text that looks like a rewrite."""

    reason: str


@dataclass(frozen=True, slots=True)
class Failure(Skip):
    """A skip because something raised that nobody foresaw: one text must not end a job of millions."""

    error: Exception

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """The failure that an exception caused; its reason names the exception."""
        return cls(f"internal error: {type(error).__name__}: {str(error)[:100]}", error)


# What a rule gives: the edits, or why there are none.
Result: TypeAlias = list[Edit] | Skip


def apply(text: str, edits: Sequence[Edit]) -> str:
    """Return the text after the edits; edits at the same place apply in their order.

    Raises:
        ValueError: two edits overlap, or one lies outside the text.

    Example:
        >>> apply("He came.", [Edit(3, 7, "didn't come", "do-support: past tense")])
        "He didn't come."
    """
    parts = []
    position = 0
    for edit in sorted(edits, key=PLACE):
        if edit.start < position or edit.end < edit.start or edit.end > len(text):
            raise ValueError(f"{edit} overlaps another edit or leaves the text of {len(text)} characters")
        parts += [text[position : edit.start], edit.new]
        position = edit.end
    return "".join([*parts, text[position:]])


def overlap(edits: Sequence[Edit]) -> bool:
    """Whether two of the edits change the same characters."""
    end = 0
    for edit in sorted(edits, key=PLACE):
        if edit.start < end:
            return True
        end = edit.end
    return False
