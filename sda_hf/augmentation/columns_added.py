"""The columns that several augmenters add to rows, from one parse of each text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sda_hf.augmentation.base import Augmenter, views
from sda_hf.augmentation.rewrite import Rewrite
from sda_hf.errors import InputValueError

# New column → the outcome for one text.
Outcomes = dict[str, Rewrite]


@dataclass(frozen=True)
class AddedColumns:
    """Augmenters that add a column each to the same rows.

    Args:
        augmenters: new column → augmenter. Those that parse must share language and parser.

    Raises:
        InputValueError: there is none, or they cannot share a parse.
    """

    augmenters: Mapping[str, Augmenter]

    def __post_init__(self) -> None:
        first = self.shared
        for other in self.augmenters.values():
            if other.parses and (other.language, other.parser) != (first.language, first.parser):
                raise InputValueError(
                    f"{type(first).__name__} and {type(other).__name__} differ in language or parser: the augmenters "
                    "of a file share one parse: write a file for each, or give them the same"
                )

    @property
    def shared(self) -> Augmenter:
        """An augmenter whose language and parser all those that parse share."""
        if not self.augmenters:
            raise InputValueError("no augmenter: give at least one")
        return min(self.augmenters.values(), key=lambda augmenter: not augmenter.parses)

    def outcomes(self, texts: Sequence[str]) -> list[Outcomes]:
        """Return the outcomes for each text."""
        viewed = list(views(texts, [self.shared]))
        columns = {new: augmenter.rewrite_views(viewed) for new, augmenter in self.augmenters.items()}
        return [{new: rewrites[i] for new, rewrites in columns.items()} for i in range(len(texts))]

    def with_epoch(self, epoch: int) -> AddedColumns:
        """Return the same columns with the draws of another pass over the data."""
        return AddedColumns({new: augmenter.with_epoch(epoch) for new, augmenter in self.augmenters.items()})

    def values(self, outcomes: Outcomes) -> dict[str, str | None] | None:
        """Return what the new columns of a row hold, by the augmenters' `on_skip`; None if the row is dropped.

        Raises:
            InputValueError: a text was skipped, and `on_skip` is "raise".
        """
        values = {new: augmenter.value(outcomes[new]) for new, augmenter in self.augmenters.items()}
        dropped = (value is None and self.augmenters[new].policy == "drop" for new, value in values.items())
        return None if any(dropped) else values
