"""Augmenters composed of other augmenters, which share one parse."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from sda_hf.augmentation.base import Augmenter, Drawn, Role, register, views
from sda_hf.augmentation.checks import check_choice
from sda_hf.augmentation.columns import is_batch, text_column, texts_of
from sda_hf.augmentation.hub import Pretrained
from sda_hf.augmentation.protocol import Corpus, Rows
from sda_hf.augmentation.rewrite import Rewrite
from sda_hf.augmentation.workers import end_with_parent
from sda_hf.errors import InputTypeError, InputValueError, shown
from sda_hf.grammar.base import known_languages
from sda_hf.syntax.parsers import ParserName

if TYPE_CHECKING:
    from typing_extensions import Self


def share_parse(owner: str, augmenters: Sequence[Augmenter]) -> tuple[str, ParserName]:
    """Return the language and the parser that all augmenters of a composite share."""
    for augmenter in augmenters:
        if getattr(augmenter, "role", None) is None:
            raise InputTypeError(f"{owner} takes augmenters, got {type(augmenter).__name__}: {shown(augmenter)}")
    shared = {(augmenter.language, augmenter.parser) for augmenter in augmenters}
    if not shared:
        raise InputValueError(f"{owner} needs at least one augmenter")
    if len(shared) > 1:
        raise InputValueError(
            f"{owner}: the augmenters share one parse, so all need the same language and parser; given: "
            + ", ".join(f"{language!r} with parser={parser!r}" for language, parser in sorted(shared, key=repr))
        )
    return shared.pop()


class _Composite(Augmenter):
    """Base class of the composites: role, language and parser are those of the parts."""

    languages = known_languages()
    needs = "text"

    @property
    @abstractmethod
    def parts(self) -> tuple[Augmenter, ...]:
        """The augmenters inside."""

    def __post_init__(self) -> None:
        name = type(self).__name__
        language, parser = share_parse(name, self.parts)
        object.__setattr__(self, "language", language)
        object.__setattr__(self, "parser", parser)
        if len({part.role for part in self.parts}) > 1:
            raise InputValueError(f"{name} mixes positives and negatives: give augmenters of one role, or use Triplets")
        super().__post_init__()

    @property
    def role(self) -> Role:  # type: ignore[override]  # a class attribute everywhere else
        """The role of the parts."""
        return self.parts[0].role

    @property
    def flips(self) -> str | None:  # type: ignore[override]  # a class attribute everywhere else
        """What all parts flip; None if they differ."""
        kinds = {part.flips for part in self.parts}
        return kinds.pop() if len(kinds) == 1 else None

    @property
    def is_fitted(self) -> bool:
        """Whether every part is fitted, or needs no corpus."""
        return all(part.is_fitted for part in self.parts)

    @property
    def models(self) -> tuple[str, ...]:
        """The models of all parts."""
        return tuple(dict.fromkeys(model for part in self.parts for model in part.models))

    @property
    def parses(self) -> bool:
        """Whether any part needs a parse."""
        return any(part.parses for part in self.parts)

    def rewrite_drawn(self, drawn: Sequence[Drawn]) -> list[Rewrite]:
        """Draw a part for each text; each part rewrites its texts together, with its own draws."""
        choices = [rng.choice(range(len(self.parts))) for _, _, rng in drawn]
        done = {
            number: iter(part.rewrite_views([drawn[i][:2] for i, choice in enumerate(choices) if choice == number]))
            for number, part in enumerate(self.parts)
        }
        return [next(done[choice]) for choice in choices]


@register("one-of")
@dataclass(frozen=True, init=False)
class OneOf(_Composite):
    """One of several augmenters of the same role, drawn for each text: the papers' ensemble.

    Source: SDA 2024, section 6.1: one augmentation is drawn at random for each training sentence.

    Args:
        *augmenters: `OneOf(a, b)` or `OneOf([a, b])`.
        language: taken from the augmenters; leave it out.
        parser: taken from the augmenters; leave it out.

    Example:
        >>> from sda_hf import ModalVerbs, Negation, PunctuationInsertion
        >>> OneOf(PunctuationInsertion(), ModalVerbs()).role
        'positive'
        >>> OneOf(ModalVerbs(), Negation())
        Traceback (most recent call last):
        ...
        sda_hf.errors.InputValueError: OneOf mixes positives and negatives: ...
    """

    source = "SDA, LREC-COLING 2024, section 6.1 (Ensemble)"
    limits = ("a text that the drawn augmenter skips is skipped, as in the paper",)

    augmenters: tuple[Augmenter, ...] = ()

    def __init__(self, *parts: Augmenter | Sequence[Augmenter], **common: Any) -> None:
        given: Sequence[Any] = common.pop("augmenters", parts)
        if not isinstance(given, (list, tuple)):
            raise InputTypeError(f"OneOf takes a list of augmenters, got {type(given).__name__}: {shown(given)}")
        if len(given) == 1 and isinstance(given[0], (list, tuple)):
            given = given[0]
        object.__setattr__(self, "augmenters", tuple(given))
        super().__init__(**common)

    @property
    def parts(self) -> tuple[Augmenter, ...]:
        """The augmenters inside."""
        return self.augmenters

    def fit(self, corpus: Corpus) -> Self:
        """Return a copy with every part fitted to a corpus, which must not be a stream."""
        return dataclasses.replace(self, augmenters=tuple(part.fit(corpus) for part in self.augmenters))

    def with_epoch(self, epoch: int) -> Self:
        """Return a copy with the draws of another pass over the data, in every part as well."""
        parts = tuple(part.with_epoch(epoch) for part in self.augmenters)
        return dataclasses.replace(self, augmenters=parts, epoch=epoch)


@register("sometimes")
@dataclass(frozen=True, init=False)
class Sometimes(_Composite):
    """An augmenter applied to a share of the texts; the others are skipped, so that a positive is its own anchor.

    Source: SDA 2024, section 6.7 and Figure 5 (a): the augmentation proportion.

    Args:
        augmenter: the augmenter to apply.
        proportion: share of the texts, from 0 to 1.
        language: taken from the augmenter; leave it out.
        parser: taken from the augmenter; leave it out.

    Example:
        >>> from sda_hf import PunctuationInsertion
        >>> rows = [f"Train {i} was late." for i in range(100)]
        >>> 30 < sum(r.skipped is None for r in Sometimes(PunctuationInsertion(), 0.5).rewrite(rows)) < 70
        True
    """

    source = "SDA, LREC-COLING 2024, section 6.7, Figure 5 (a)"
    limits = ("the share is met on average, not exactly",)

    augmenter: Augmenter

    def __init__(self, augmenter: Augmenter, proportion: float = 0.5, **common: Any) -> None:
        object.__setattr__(self, "augmenter", augmenter)
        super().__init__(proportion=proportion, **common)

    @property
    def parts(self) -> tuple[Augmenter, ...]:
        """The augmenter inside."""
        return (self.augmenter,)

    def fit(self, corpus: Corpus) -> Self:
        """Return a copy with its part fitted to a corpus."""
        return dataclasses.replace(self, augmenter=self.augmenter.fit(corpus))

    def with_epoch(self, epoch: int) -> Self:
        """Return a copy with the draws of another pass over the data, in the part as well."""
        return dataclasses.replace(self, augmenter=self.augmenter.with_epoch(epoch), epoch=epoch)


class SeveralColumns(Pretrained):
    """Base class of composites that fill several columns from one parse."""

    on_skip: str

    @property
    @abstractmethod
    def parts(self) -> tuple[Augmenter, ...]:
        """The augmenters inside."""

    @property
    def language(self) -> str:
        """The language of all parts."""
        return self.parts[0].language

    @property
    def parser(self) -> ParserName:
        """The parser of all parts."""
        return self.parts[0].parser

    @property
    def keeps_other_columns(self) -> bool:
        """Whether the new columns can be combined with the others of the same batch: not if rows are dropped."""
        return self.on_skip != "drop"

    @property
    def is_fitted(self) -> bool:
        """Whether every part is fitted, or needs no corpus."""
        return all(part.is_fitted for part in self.parts)

    @property
    def models(self) -> tuple[str, ...]:
        """The models of all parts."""
        return tuple(dict.fromkeys(model for part in self.parts for model in part.models))


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

    def rewrite(self, texts: Iterable[str]) -> list[tuple[Rewrite, Rewrite]]:
        """Return the outcomes of the positive and of the negative augmenter for each text."""
        viewed = list(views(texts_of(texts), self.parts))
        return list(zip(self.positive.rewrite_views(viewed), self.negative.rewrite_views(viewed), strict=True))

    def rewrites_by_column(self, texts: Iterable[str]) -> dict[str, list[Rewrite]]:
        """Return the outcome for each text, by column."""
        pairs = self.rewrite(texts)
        return {"positive": [positive for positive, _ in pairs], "negative": [negative for _, negative in pairs]}

    def __call__(self, rows: Rows) -> dict[str, Any]:
        """Return the columns anchor, positive and negative of a row or of a batch."""
        end_with_parent()
        column = text_column(rows, self.input_column)
        batch = is_batch(rows[column])
        texts = texts_of(rows[column] if batch else [rows[column]], column)
        pairs = self.rewrite(texts)
        if self.on_skip == "drop" and batch:
            pairs = [(p, n) for p, n in pairs if n.skipped is None]
        columns: dict[str, list[str | None]] = {
            "anchor": [p.original for p, _ in pairs],
            "positive": [p.text for p, _ in pairs],
            "negative": [self._negative(n) for _, n in pairs],
        }
        return columns if batch else {name: values[0] for name, values in columns.items()}

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
