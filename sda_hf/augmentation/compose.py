"""Augmenters composed of other augmenters, which share one parse."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sda_hf.augmentation.base import Augmenter, Drawn, Role, register
from sda_hf.augmentation.columns import with_other_columns
from sda_hf.augmentation.hub import Pretrained
from sda_hf.augmentation.protocol import Corpus, RowAugmenter, Rows
from sda_hf.augmentation.rewrite import Rewrite
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


def given_parts(owner: str, parts: Sequence[Any], common: dict[str, Any]) -> tuple[Any, ...]:
    """Return the augmenters given one by one, as a list, or as the field `augmenters` among the others."""
    given = common.pop("augmenters", parts)
    if not isinstance(given, (list, tuple)):
        raise InputTypeError(f"{owner} takes a list of augmenters, got {type(given).__name__}: {shown(given)}")
    if len(given) == 1 and isinstance(given[0], (list, tuple)):
        given = given[0]
    return tuple(given)


class Composite(Augmenter):
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
        self.check_roles()
        super().__post_init__()

    def check_roles(self) -> None:
        """Refuse parts whose roles do not go together."""
        if len({part.role for part in self.parts}) > 1:
            raise InputValueError(
                f"{type(self).__name__} mixes positives and negatives: give augmenters of one role, or use Triplets"
            )

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
class OneOf(Composite):
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
        object.__setattr__(self, "augmenters", given_parts("OneOf", parts, common))
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
class Sometimes(Composite):
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

    @abstractmethod
    def __call__(self, rows: Rows) -> dict[str, Any]:
        """Return the new columns of a row or of a batch."""

    def transform(self: RowAugmenter, rows: Rows) -> dict[str, Any]:
        """Return a batch with the new columns beside all others: `dataset.with_transform(augmenter.transform)`.

        Raises:
            InputValueError: rows would be left out, which is not possible while they are read.
        """
        return with_other_columns(self, rows)

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
