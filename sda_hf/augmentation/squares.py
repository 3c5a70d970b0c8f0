"""Squares of opposition: two flips of a claim, each alone and both together, from one parse."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from sda_hf.augmentation.base import Augmenter, View, register, views
from sda_hf.augmentation.checks import check_choice
from sda_hf.augmentation.columns import is_batch, text_column, texts_of
from sda_hf.augmentation.compose import SeveralColumns, share_parse
from sda_hf.augmentation.protocol import Corpus, Rows
from sda_hf.augmentation.rewrite import Rewrite
from sda_hf.augmentation.sda import Negation, StatementDenial
from sda_hf.augmentation.substitution import AntonymSubstitute
from sda_hf.augmentation.workers import end_with_parent
from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.grammar.base import Parsed, grammar_of
from sda_hf.grammar.edits import Edit, Skip, overlap
from sda_hf.grammar.splits import SPLITS
from sda_hf.syntax.clause import Clause

if TYPE_CHECKING:
    from typing_extensions import Self

COLUMNS = ("claim", "denial", "contrary", "equivalent")
ELSEWHERE = Skip("the two flips are in different sentences")
CONFLICT = Skip("the two flips change the same words")


class Square(NamedTuple):
    """The outcomes for one text; each is skipped if one of them is.

    Attributes:
        denial: the first flip.
        contrary: the second flip.
        equivalent: both flips.
    """

    denial: Rewrite
    contrary: Rewrite
    equivalent: Rewrite

    @property
    def skipped(self) -> str | None:
        """Why there is no square; None if there is one."""
        return self.equivalent.skipped


@register("opposition-squares")
@dataclass(frozen=True)
class OppositionSquares(SeveralColumns):
    """Claim, denial, contrary and equivalent of each text, from one parse.

    Two flips of the same kind span a square: the claim "The food is good"; its denial by the first flip, "isn't good";
    its contrary by the second, "is bad"; and by both the equivalent, "isn't bad". An even number of flips keeps the
    side, an odd one changes it: {claim, equivalent} against {denial, contrary}.

    A square is made only where both flips concern the same words of the claim, so that together they cancel out.
    Otherwise the fallback takes the place of the second flip; if the two do not cancel out either, the text is skipped.

    Args:
        first: an augmenter that flips a claim, such as `Negation`.
        second: an augmenter with a flip of the same kind.
        fallback: the second flip of texts that have no square with `second`; None to skip them.
        split: "train", "dev" or "test", to take only the antonym pairs of that split: see `LexiconSquares`. It becomes
            that of `second`. None for all pairs.
        input_column: the column of the texts; None for the first of text, sentence, anchor, sentence1.
        on_skip: what happens to rows without a square: "drop" (a single row, which cannot be dropped, gets None),
            "null" (all but the claim are None) or "raise".

    Raises:
        InputValueError: a value outside what is allowed, or augmenters that do not flip the same thing.

    Example:
        >>> squares = OppositionSquares()({"text": ["The rooms are clean.", "Hello!"]})
        >>> for column, texts in squares.items():
        ...     print(column, texts)
        claim ['The rooms are clean.']
        denial ["The rooms aren't clean."]
        contrary ['The rooms are dirty.']
        equivalent ["The rooms aren't dirty."]
    """

    source: ClassVar[str] = "the square of opposition (Aristotle, On Interpretation, 6-7), with two flips of polarity"
    limits: ClassVar[tuple[str, ...]] = (
        "a text without two flips that cancel out is left out",
        'the equivalent of a gradable claim is weaker than the claim: "isn\'t bad" and "is good"',
    )

    first: Augmenter = field(default_factory=Negation)
    second: Augmenter = field(default_factory=AntonymSubstitute)
    fallback: Augmenter | None = field(default_factory=StatementDenial)
    split: str | None = None
    input_column: str | None = None
    on_skip: str = "drop"

    def __post_init__(self) -> None:
        share_parse("OppositionSquares", self.parts)
        kinds = {type(part).__name__: part.flips for part in self.parts}
        if None in kinds.values() or len(set(kinds.values())) > 1:
            given = ", ".join(f"{name} flips {kind or 'nothing'}" for name, kind in kinds.items())
            raise InputValueError(
                f"OppositionSquares: its augmenters must flip the same thing, so that two flips cancel out: {given}"
            )
        check_choice("OppositionSquares", "on_skip", self.on_skip, ("drop", "null", "raise"))
        if self.split is not None:
            check_choice("OppositionSquares", "split", self.split, SPLITS)
            if not isinstance(self.second, AntonymSubstitute):
                raise InputValueError(
                    f"OppositionSquares: split={self.split!r} is one of antonym pairs, and {type(self.second).__name__}"
                    " has none: leave it out, or give second=AntonymSubstitute()"
                )
            object.__setattr__(self, "second", dataclasses.replace(self.second, split=self.split))

    @property
    def parts(self) -> tuple[Augmenter, ...]:
        """The augmenters inside."""
        return (self.first, self.second, *([self.fallback] if self.fallback is not None else []))

    @property
    def new_columns(self) -> tuple[str, ...]:
        """The columns that a call returns."""
        return COLUMNS

    @property
    def by_column(self) -> Mapping[str, Augmenter]:
        """The augmenters of the first and of the second flip, by column."""
        return {"denial": self.first, "contrary": self.second}

    # -- lists of texts --------------------------------------------------------------------------

    def augment(self, texts: Iterable[str]) -> list[dict[str, str | None]]:
        """Return the rows claim, denial, contrary and equivalent, one row for each text.

        The list keeps its length: a text without a square is a claim whose other columns are None.

        Raises:
            InputTypeError: a single string, or an element that is not a string.
            InputValueError: a text has no square, and `on_skip` is "raise".

        Example:
            >>> OppositionSquares().augment(["The rooms are clean."])
            [{'claim': 'The rooms are clean.', 'denial': "The rooms aren't clean.",
              'contrary': 'The rooms are dirty.', 'equivalent': "The rooms aren't dirty."}]
        """
        return [self._row(square) for square in self.rewrite(texts)]

    def rewrite(self, texts: Iterable[str]) -> list[Square]:
        """Return the outcomes for each text."""
        viewed = list(views(texts_of(texts), self.parts))
        denials = self.first.rewrite_views(viewed)
        squares = self._squares(viewed, denials, self.second)
        if self.fallback is None:
            return squares
        missing = [i for i, square in enumerate(squares) if square.skipped and not denials[i].skipped]
        others = self._squares([viewed[i] for i in missing], [denials[i] for i in missing], self.fallback)
        for i, square in zip(missing, others, strict=True):
            squares[i] = square
        return squares

    def explain(self, text: str) -> Square:
        """Return the outcomes for one text."""
        if not isinstance(text, str):
            raise InputTypeError(f"explain takes one text, got {type(text).__name__}: use rewrite for a list")
        return self.rewrite([text])[0]

    # -- squares ---------------------------------------------------------------------------------

    def _squares(self, viewed: Sequence[View], denials: Sequence[Rewrite], second: Augmenter) -> list[Square]:
        contraries = second.rewrite_views(viewed)
        return [self._square(*parts) for parts in zip(viewed, denials, contraries, strict=True)]

    def _square(self, view: View, denial: Rewrite, contrary: Rewrite) -> Square:
        skipped = denial.skipped or contrary.skipped
        if skipped is not None:
            equivalent = Rewrite(view[0], view[0], skipped=skipped)
        else:
            equivalent = self.first.outcome(view[0], lambda: self._both(view, denial.edits, contrary.edits))
        if equivalent.skipped is None:
            return Square(denial, contrary, equivalent)
        return Square(*(Rewrite(view[0], view[0], skipped=equivalent.skipped) for _ in Square._fields))

    def _both(self, view: View, first: Sequence[Edit], second: Sequence[Edit]) -> list[Edit] | Skip:
        """Return the edits of both flips, or why they do not cancel out."""
        text, parsed = view
        if parsed is None:
            return CONFLICT if overlap([*first, *second]) else _around(first, second)
        clause = _clause_of(parsed, [*first, *second])
        if clause is None:
            return ELSEWHERE
        grammar = grammar_of(self.language)
        doubt = grammar.doubt_about_both(clause, first, second) if self.first.flips == "polarity" else ""
        if doubt:
            return Skip(doubt)
        if not overlap([*first, *second]):
            return _around(first, second)
        changed = grammar.clause_after(clause, second)
        if changed is None:
            return CONFLICT
        (again,) = self.first.rewrite_views([(text, Parsed(iter([changed])))])
        if again.skipped is not None:
            return Skip(again.skipped)
        return [*again.edits, *(edit for edit in second if not _is_within(edit, again.edits))]

    # -- rows ------------------------------------------------------------------------------------

    def rewrites_by_column(self, texts: Iterable[str]) -> dict[str, list[Rewrite]]:
        """Return the outcome for each text, by column."""
        squares = self.rewrite(texts)
        return {column: [square[i] for square in squares] for i, column in enumerate(COLUMNS[1:])}

    def __call__(self, rows: Rows) -> dict[str, Any]:
        """Return the columns claim, denial, contrary and equivalent of a row or of a batch."""
        end_with_parent()
        column = text_column(rows, self.input_column)
        batch = is_batch(rows[column])
        squares = self.rewrite(texts_of(rows[column] if batch else [rows[column]], column))
        if self.on_skip == "drop" and batch:
            squares = [square for square in squares if square.skipped is None]
        found = [self._row(square) for square in squares]
        return {name: [row[name] for row in found] for name in COLUMNS} if batch else found[0]

    def _row(self, square: Square) -> dict[str, str | None]:
        values = [square.denial.original, *(self._value(rewrite) for rewrite in square)]
        return dict(zip(COLUMNS, values, strict=True))

    def _value(self, rewrite: Rewrite) -> str | None:
        if rewrite.skipped is None:
            return rewrite.text
        if self.on_skip == "raise":
            raise InputValueError(
                f"OppositionSquares: no square of {rewrite.original!r}: {rewrite.skipped} (on_skip='raise')"
            )
        return None

    # -- corpora and epochs --------------------------------------------------------------

    def fit(self, corpus: Corpus) -> Self:
        """Return a copy with every augmenter fitted to a corpus, which must not be a stream."""
        return self._with([part.fit(corpus) for part in self.parts])

    def with_epoch(self, epoch: int) -> Self:
        """Return a copy with the draws of another pass over the data."""
        return self._with([part.with_epoch(epoch) for part in self.parts])

    def _with(self, parts: Sequence[Augmenter]) -> Self:
        first, second, *rest = parts
        return dataclasses.replace(self, first=first, second=second, fallback=rest[0] if rest else None)


def _clause_of(parsed: Parsed, edits: Sequence[Edit]) -> Clause | None:
    """Return the clause of the sentence that all edits are in; None if they are in several."""
    start, end = min(edit.start for edit in edits), max(edit.end for edit in edits)
    clauses = (clause for clause in parsed.clauses if isinstance(clause, Clause))
    return next((c for c in clauses if c.words[0].start <= start and end <= c.words[-1].end), None)


def _around(first: Sequence[Edit], second: Sequence[Edit]) -> list[Edit]:
    """Return the edits of both flips in an order in which a phrase of the second stands outside those of the first."""
    start = min((edit.start for edit in first), default=0)
    opening = [edit for edit in second if edit.start <= start]
    return [*opening, *first, *(edit for edit in second if edit.start > start)]


def _is_within(edit: Edit, others: Sequence[Edit]) -> bool:
    return any(other.start <= edit.start and edit.end <= other.end for other in others)
