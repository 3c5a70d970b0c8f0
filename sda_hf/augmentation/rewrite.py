"""The outcome of rewriting one text."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from sda_hf.augmentation.differences import differences_as_html, paragraph, pieces
from sda_hf.errors import InputTypeError, shown
from sda_hf.grammar.edits import INTERNAL_ERROR, apply, overlap
from sda_hf.grammar.edits import Edit as Edit
from sda_hf.grammar.edits import Skip as Skip
from sda_hf.terminal import printable


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The outcome for one text: its rewrite, or the reason why there is none.

    Attributes:
        text: the rewritten text; the original if it was skipped.
        original: the text as it was given.
        edits: the changes, as spans of the original.
        rule: the rule of the first edit; None if the text was skipped.
        skipped: why there is no rewrite; None if there is one.

    Example:
        >>> print(outcome("He came.", [Edit(3, 7, "didn't come", "do-support")]))
        He came.
        → He didn't come.
          'came' → "didn't come"  (do-support)
    """

    text: str
    original: str
    edits: tuple[Edit, ...] = ()
    rule: str | None = None
    skipped: str | None = None

    def __str__(self) -> str:
        """Return it for a terminal: control characters in the text are shown, not obeyed."""
        if self.skipped is not None:
            lines = [self.original, f"  skipped: {self.skipped}"]
        else:
            lines = [self.original, f"→ {self.text}"]
            lines += [f"  {self.original[e.start : e.end]!r} → {e.new!r}  ({described(e)})" for e in self.edits]
        return "\n".join(printable(line) for line in lines)

    def _repr_html_(self) -> str:
        """Return it for a notebook, with what was removed and added marked as such."""
        parts = pieces(self.original, self.edits)
        if self.skipped is not None:
            return paragraph(differences_as_html(parts), f"skipped: {self.skipped}")
        return paragraph(differences_as_html(parts), "; ".join(dict.fromkeys(described(edit) for edit in self.edits)))


def described(edit: Edit) -> str:
    """Return the rule of an edit, and the doubt about it if there is one."""
    return f"{edit.rule}; only with coverage='full': {edit.doubt}" if edit.doubt else edit.rule


def outcome(text: str, result: Sequence[Edit] | Skip) -> Rewrite:
    """Apply the edits of an augmenter, or report why there are none."""
    if isinstance(result, Skip):
        return Rewrite(text, text, skipped=result.reason)
    if not isinstance(result, list | tuple) or not all(isinstance(edit, Edit) for edit in result):
        raise InputTypeError(f"edit returns a list of Edit, or a Skip with the reason; got {shown(result)}")
    if overlap(result):
        return Rewrite(text, text, skipped="rules in conflict")
    new = apply(text, result)
    if new == text:
        return Rewrite(text, text, skipped="unchanged")
    return Rewrite(new, text, tuple(result), result[0].rule)


def warn_of_failures(name: str, rewrites: Sequence[Rewrite]) -> None:
    """Warn if texts were skipped because of unexpected errors: a column of rewrites does not tell why.

    Args:
        name: what made the rewrites.
        rewrites: the outcomes.
    """
    reasons = [rewrite.skipped for rewrite in rewrites if (rewrite.skipped or "").startswith(INTERNAL_ERROR)]
    if reasons:
        warnings.warn(
            f"{name} skipped a text because of an unexpected error, {str(reasons[0]).removeprefix(INTERNAL_ERROR)}: "
            "see rewrite() for all of them, or give on_error='raise' to stop at the first one",
            RuntimeWarning,
            stacklevel=3,
        )
