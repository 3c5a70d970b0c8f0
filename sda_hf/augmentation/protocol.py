"""The protocol of augmenters, composites and triplets, as recipes, datasets and engines use them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from sda_hf.augmentation.rewrite import Rewrite
from sda_hf.syntax.parsers import ParserName

if TYPE_CHECKING:
    from typing_extensions import Self

# A row, or a batch of columns, with any kind of values.
Rows = Mapping[str, Any]
# Sentences, or rows with a column of them.
Corpus = Iterable[str] | Iterable[Mapping[str, object]]


class RowAugmenter(Protocol):
    """Fills new columns of rows with rewrites: an augmenter, a composite or `Triplets`.

    Attributes:
        source: the paper and section.
        limits: what to know before relying on the rewrites, one line each.
    """

    source: ClassVar[str]
    limits: ClassVar[tuple[str, ...]]

    @property
    def input_column(self) -> str | None:
        """The column of the texts; None for the first of the usual names."""

    @property
    def language(self) -> str:
        """ISO 639-1 code of the texts."""

    @property
    def parser(self) -> ParserName:
        """The parser; None for the embedded pipeline."""

    @property
    def new_columns(self) -> tuple[str, ...]:
        """The columns that a call returns."""

    @property
    def keeps_other_columns(self) -> bool:
        """Whether the new columns can be combined with the other columns of the same batch."""

    @property
    def by_column(self) -> Mapping[str, RowAugmenter]:
        """The augmenter of each column of rewrites."""

    @property
    def is_fitted(self) -> bool:
        """Whether it is fitted, or needs no corpus."""

    @property
    def models(self) -> tuple[str, ...]:
        """The Hub ids or folders of the models that it runs."""

    def __call__(self, rows: Rows) -> dict[str, Any]:
        """Return the new columns of a row or of a batch."""

    def rewrites_by_column(self, texts: Iterable[str]) -> dict[str, list[Rewrite]]:
        """Return the outcome for each text, by column."""

    def fit(self, corpus: Corpus) -> Self:
        """Return a copy fitted on a corpus."""

    def with_epoch(self, epoch: int) -> Self:
        """Return a copy with the draws of another pass over the data."""

    def get_config_dict(self) -> dict[str, Any]:
        """Return the registered name and every field, as JSON values."""

    def save_pretrained(self, folder: str | Path) -> None:
        """Save the configuration and the vocabularies to a folder."""
