"""Anchor, positive and negative of each text."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from sda_hf.augmentation.base import Augmenter, register, views
from sda_hf.augmentation.checks import check_choice
from sda_hf.augmentation.columns import in_order, is_batch, keep_rows, text_column, texts_of
from sda_hf.augmentation.compose import SeveralColumns, share_parse
from sda_hf.augmentation.protocol import Corpus, Rows
from sda_hf.augmentation.rewrite import Rewrite, warn_of_failures
from sda_hf.augmentation.workers import end_with_parent
from sda_hf.errors import InputTypeError, InputValueError

if TYPE_CHECKING:
    from typing_extensions import Self


class Triplet(NamedTuple):
    """The outcomes for one text; print it, or show it in a notebook, to read their edits.

    Attributes:
        positive: the outcome of the positive augmenter.
        negative: the outcome of the negative augmenter.
    """

    positive: Rewrite
    negative: Rewrite

    @property
    def skipped(self) -> str | None:
        """Why there is no negative; None if there is one."""
        return self.negative.skipped

    def __str__(self) -> str:
        return "\n".join(f"{role}: {rewrite}" for role, rewrite in self._asdict().items())

    def _repr_html_(self) -> str:
        """Return it for a notebook, with what was removed and added marked as such."""
        return "".join(f"<div><b>{role}</b></div>{rewrite._repr_html_()}" for role, rewrite in self._asdict().items())


@register("triplets")
@dataclass(frozen=True)
class Triplets(SeveralColumns):
    """Anchor, positive and negative of each text, from one parse.

    Source: SDA 2024, section 5.3: a positive augmentation and the negation of the same sentence.

    Args:
        positive: an augmenter of positives; a text that it skips is its own positive.
        negative: an augmenter of negatives.
        input_column: the column of the texts; None for the first of text, sentence, anchor, sentence1.
        on_skip: what happens to rows without a negative: "drop" (a single row, which cannot be dropped, gets None),
            "null" (the negative is None) or "raise".

    Example:
        >>> from sda_hf import ModalVerbs, Negation
        >>> Triplets(ModalVerbs(phrases=("must",)), Negation())({"text": ["She won.", "Hello!"]})
        {'anchor': ['She won.'], 'positive': ['She must have won.'], 'negative': ["She didn't win."]}
    """

    source: ClassVar[str] = "SDA, LREC-COLING 2024, section 5.3"
    limits: ClassVar[tuple[str, ...]] = ("a sentence without a negative is left out, whatever its positive",)

    positive: Augmenter
    negative: Augmenter
    input_column: str | None = None
    on_skip: str = "drop"

    def __post_init__(self) -> None:
        share_parse("Triplets", self.parts)
        for role in ("positive", "negative"):
            given = getattr(self, role)
            if given.role != role:
                raise InputValueError(f"Triplets: {role}= takes an augmenter of {role}s, got {type(given).__name__}")
        check_choice("Triplets", "on_skip", self.on_skip, ("drop", "null", "raise"))

    @property
    def parts(self) -> tuple[Augmenter, ...]:
        """Both augmenters."""
        return (self.positive, self.negative)

    @property
    def new_columns(self) -> tuple[str, ...]:
        """The columns that a call returns."""
        return ("anchor", "positive", "negative")

    @property
    def by_column(self) -> Mapping[str, Augmenter]:
        """Both augmenters, by column."""
        return {"positive": self.positive, "negative": self.negative}

    # -- lists of texts --------------------------------------------------------------------------

    def augment(self, texts: Iterable[str]) -> list[dict[str, str | None]]:
        """Return the rows anchor, positive and negative, one row for each text, as `Dataset.from_list` takes them.

        The list keeps its length: the negative of a text that has none is None.

        Raises:
            InputTypeError: a single string, or an element that is not a string.
            InputValueError: a text has no negative, and `on_skip` is "raise".

        Example:
            >>> from sda_hf import ModalVerbs, Negation
            >>> Triplets(ModalVerbs(phrases=("must",)), Negation()).augment(["She won."])
            [{'anchor': 'She won.', 'positive': 'She must have won.', 'negative': "She didn't win."}]
        """
        return [
            {"anchor": one.positive.original, "positive": one.positive.text, "negative": self._negative(one.negative)}
            for one in self._checked(texts)
        ]

    def rewrite(self, texts: Iterable[str]) -> list[Triplet]:
        """Return the outcomes of the positive and of the negative augmenter for each text."""
        viewed = list(views(texts_of(texts), self.parts))
        return list(map(Triplet, self.positive.rewrite_views(viewed), self.negative.rewrite_views(viewed)))

    def explain(self, text: str) -> Triplet:
        """Return the outcomes for one text; print them to read their edits."""
        if not isinstance(text, str):
            raise InputTypeError(f"explain takes one text, got {type(text).__name__}: use rewrite for a list")
        return self.rewrite([text])[0]

    def rewrites_by_column(self, texts: Iterable[str]) -> dict[str, list[Rewrite]]:
        """Return the outcome for each text, by column."""
        pairs = self.rewrite(texts)
        return {"positive": [positive for positive, _ in pairs], "negative": [negative for _, negative in pairs]}

    # -- rows ------------------------------------------------------------------------------------

    def __call__(self, rows: Rows) -> dict[str, Any]:
        """Return the columns anchor, positive and negative of a row or of a batch, in this order.

        In a batch of `Dataset.map`, rows that are left out are left out of the other columns as well. If the dataset
        has a column "positive" or "negative" but no "anchor", the three columns replace all others: `map` would put
        those that exist already first, and a trainer would take the wrong one as the anchor.
        """
        end_with_parent()
        column = text_column(rows, self.input_column)
        batch = is_batch(rows[column])
        texts = texts_of(rows[column] if batch else [rows[column]], column)
        triplets = self._checked(texts)
        if self.on_skip == "drop" and batch:
            kept = [i for i, one in enumerate(triplets) if one.skipped is None]
            keep_rows(rows, kept, self.new_columns)
            triplets = [triplets[i] for i in kept]
        columns = in_order(
            rows,
            {
                "anchor": [one.positive.original for one in triplets],
                "positive": [one.positive.text for one in triplets],
                "negative": [self._negative(one.negative) for one in triplets],
            },
        )
        return columns if batch or not isinstance(columns, dict) else {name: one[0] for name, one in columns.items()}

    def _checked(self, texts: Iterable[str]) -> list[Triplet]:
        """Return the outcomes, with a warning about unexpected errors, which no column tells."""
        triplets = self.rewrite(texts)
        warn_of_failures("Triplets", [rewrite for triplet in triplets for rewrite in triplet])
        return triplets

    def _negative(self, rewrite: Rewrite) -> str | None:
        if rewrite.skipped is None:
            return rewrite.text
        if self.on_skip == "raise":
            raise InputValueError(f"Triplets: no negative of {rewrite.original!r}: {rewrite.skipped} (on_skip='raise')")
        return None

    def fit(self, corpus: Corpus) -> Self:
        """Return a copy with both augmenters fitted to a corpus, which must not be a stream."""
        return dataclasses.replace(self, positive=self.positive.fit(corpus), negative=self.negative.fit(corpus))

    def with_epoch(self, epoch: int) -> Self:
        """Return a copy with the draws of another pass over the data."""
        return dataclasses.replace(
            self, positive=self.positive.with_epoch(epoch), negative=self.negative.with_epoch(epoch)
        )
