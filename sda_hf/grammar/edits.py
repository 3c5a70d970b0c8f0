"""Edits of the original text: everything that no edit covers stays byte for byte the same."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

PLACE = operator.attrgetter("start", "end")
# "sound": only rewrites that are right at least 97 times in 100; "full": also those that there is a doubt about.
Coverage: TypeAlias = Literal["sound", "full"]


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `text[start:end]` by `new`.

    Attributes:
        start: character offset of the first character that is replaced.
        end: character offset after the last one; equal to `start` for an insertion.
        new: the replacement.
        rule: a description of the rule, for users.
        id: an identifier of the rule, for programs; several descriptions may share one.
        doubt: why the rewrite is left to coverage="full"; empty if it is sound.
    """

    start: int
    end: int
    new: str
    rule: str
    id: str = ""
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """The name of a rewriting rule.

    Attributes:
        id: an identifier for programs: "do-support".
        words: a description for users: "do-support: past tense".
        doubt: why the rule is left to coverage="full"; empty if blind readers call at least 97 of 100 of its rewrites
            right.
    """

    id: str
    words: str
    doubt: str = ""

    def edit(self, start: int, end: int, new: str) -> Edit:
        """Return an edit made by this rule."""
        return Edit(start, end, new, self.words, self.id, self.doubt)


@dataclass(frozen=True, slots=True)
class Skip:
    """Why there is no rewrite: a value of its own, never a text that looks like a rewrite."""

    reason: str


# How the reason of a failure begins.
INTERNAL_ERROR = "internal error: "


@dataclass(frozen=True, slots=True)
class Failure(Skip):
    """A skip because something raised that nobody foresaw: one text must not end a job of millions."""

    error: Exception

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """The failure that an exception caused; its reason names the exception."""
        return cls(f"{INTERNAL_ERROR}{type(error).__name__}: {str(error)[:100]}", error)


# What a rule returns: the edits, or why there are none.
Result: TypeAlias = list[Edit] | Skip


def covered(result: Result, doubt: str, coverage: Coverage) -> Result:
    """Return what a coverage leaves of a result: a skip if there is a doubt about it, unless the coverage is "full".

    Args:
        result: the edits of a rule, or why there are none.
        doubt: a doubt about any rewrite of the clause; empty if there is none.
        coverage: "sound" or "full".

    Example:
        >>> edits = [Edit(0, 0, "This is ", "fragment: this is", doubt="not a clause")]
        >>> covered(edits, "", "sound")
        Skip(reason='not a clause')
        >>> covered(edits, "", "full") == edits
        True
    """
    if isinstance(result, Skip):
        return result
    doubt = doubt or next((edit.doubt for edit in result if edit.doubt), "")
    if doubt and coverage == "sound":
        return Skip(doubt)
    return [replace(edit, doubt=edit.doubt or doubt) for edit in result] if doubt else result


def apply(text: str, edits: Sequence[Edit]) -> str:
    """Return the text after the edits; edits at the same offset are applied in the order given.

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
