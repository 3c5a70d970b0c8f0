"""Augmenters of augmenters: one parse serves all of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from sda_hf.augmentation.base import Augmenter, Drawn, Rewrite, check_choice, views
from sda_hf.augmentation.hub import Pretrained
from sda_hf.augmentation.rows import is_batch, text_column, texts_of
from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.grammar.base import known_languages
from sda_hf.registry import AUGMENTERS


def _share_parse(owner: str, augmenters: Iterable[object]) -> tuple[str, Any]:
    """The language and parser that all the augmenters of a composite have in common."""
    shared: set[tuple[str, Any]] = set()
    for augmenter in augmenters:
        if not isinstance(augmenter, Augmenter):
            raise InputTypeError(f"{owner} takes augmenters, got {type(augmenter).__name__}: {augmenter!r}")
        shared.add((augmenter.language, augmenter.parser))
    if not shared:
        raise InputValueError(f"{owner} needs at least one augmenter")
    if len(shared) > 1:
        raise InputValueError(
            f"{owner}: one parse serves every augmenter, so all need the same language and parser; given: "
            + ", ".join(f"{language!r} with parser={parser!r}" for language, parser in sorted(shared, key=repr))
        )
    return shared.pop()


class _Composite(Augmenter):
    """What composites share: language, parser and columns' role come from the parts."""

    languages = known_languages()
    needs = "text"

    @property
    def parts(self) -> tuple[Augmenter, ...]:
        """The augmenters inside."""
        raise TypeError(f"{type(self).__name__} names no parts")

    def __post_init__(self) -> None:
        name = type(self).__name__
        language, parser = _share_parse(name, self.parts)
        object.__setattr__(self, "language", language)
        object.__setattr__(self, "parser", parser)
        roles = {part.role for part in self.parts}
        if len(roles) > 1:
            raise InputValueError(f"{name} mixes positives and negatives: give augmenters of one role, or use Triplets")
        super().__post_init__()

    @property
    def role(self) -> Any:  # type: ignore[override]
        """The role of the parts."""
        return self.parts[0].role

    @property
    def is_fitted(self) -> bool:
        """Whether every part has what it needs of a corpus."""
        return all(part.is_fitted for part in self.parts)

    @property
    def models(self) -> tuple[str, ...]:
        """The models of all parts."""
        return tuple(dict.fromkeys(model for part in self.parts for model in part.models))

    @property
    def parses(self) -> bool:
        """Any part needs a parse."""
        return any(part.parses for part in self.parts)

    def rewrite_drawn(self, drawn: Sequence[Drawn]) -> list[Rewrite]:
        """What the drawn part makes of each text, by its own seed; each part takes its texts together."""
        choices = [rng.choice(range(len(self.parts))) for _, _, rng in drawn]
        done = {
            number: iter(part.rewrite_views([drawn[i][:2] for i, choice in enumerate(choices) if choice == number]))
            for number, part in enumerate(self.parts)
        }
        return [next(done[choice]) for choice in choices]


@AUGMENTERS.register("one-of")
@dataclass(frozen=True, init=False)
class OneOf(_Composite):
    """One of several augmenters of the same role, drawn for each text: the papers' Ensemble.

    Source: SDA 2024, section 6.1: one augmentation is drawn at random for each training sentence.

    Args:
        augmenters: `OneOf(a, b)` or `OneOf([a, b])`.
        **common: the common fields of `Augmenter` (columns, proportion, seed, on_skip, epoch).

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

    def __init__(self, *augmenters: Any, **common: Any) -> None:
        given = common.pop("augmenters", None)
        if given is None:
            given = augmenters[0] if len(augmenters) == 1 and isinstance(augmenters[0], (list, tuple)) else augmenters
        _set_fields(self, {"augmenters": tuple(given)} | common)

    @property
    def parts(self) -> tuple[Augmenter, ...]:
        """The augmenters inside."""
        return self.augmenters

    def fit(self, corpus: Iterable[Any]) -> OneOf:
        """The same composite with every part fitted to a corpus, which must not be a stream."""
        return dataclasses.replace(self, augmenters=tuple(part.fit(corpus) for part in self.augmenters))

    def with_epoch(self, epoch: int) -> OneOf:
        """The same composite with the draws of another pass, in every part."""
        parts = tuple(part.with_epoch(epoch) for part in self.augmenters)
        return dataclasses.replace(self, augmenters=parts, epoch=epoch)


@AUGMENTERS.register("sometimes")
@dataclass(frozen=True, init=False)
class Sometimes(_Composite):
    """An augmenter for a share of the texts; the rest is skipped, so that a positive is its own anchor.

    Source: SDA 2024, section 6.7 and Figure 5 (a): the augmentation proportion.

    Args:
        augmenter: what rewrites.
        proportion: share of the texts, from 0 to 1.
        **common: the other common fields of `Augmenter`.

    Example:
        >>> from sda_hf import PunctuationInsertion
        >>> rows = [f"Train {i} was late." for i in range(100)]
        >>> 30 < sum(r.skipped is None for r in Sometimes(PunctuationInsertion(), 0.5).rewrite(rows)) < 70
        True
    """

    source = "SDA, LREC-COLING 2024, section 6.7, Figure 5 (a)"
    limits = ("the share holds on average over texts, not exactly",)

    augmenter: Augmenter | None = None

    def __init__(self, augmenter: Any, proportion: float = 0.5, **common: Any) -> None:
        _set_fields(self, {"augmenter": augmenter, "proportion": proportion} | common)

    @property
    def parts(self) -> tuple[Augmenter, ...]:
        """The augmenter inside."""
        return () if self.augmenter is None else (self.augmenter,)

    def fit(self, corpus: Iterable[Any]) -> Sometimes:
        """The same composite with its part fitted to a corpus."""
        assert self.augmenter is not None
        return dataclasses.replace(self, augmenter=self.augmenter.fit(corpus))

    def with_epoch(self, epoch: int) -> Sometimes:
        """The same composite with the draws of another pass, inside too."""
        assert self.augmenter is not None
        return dataclasses.replace(self, augmenter=self.augmenter.with_epoch(epoch), epoch=epoch)


def _set_fields(composite: Any, values: Mapping[str, Any]) -> None:
    """What a generated `__init__` would do, for one with positional augmenters."""
    fields = {f.name: f.default for f in dataclasses.fields(composite)}
    for name in values:
        if name not in fields:
            raise TypeError(f"{type(composite).__name__}() got an unexpected keyword argument {name!r}")
    for name, default in fields.items():
        object.__setattr__(composite, name, values.get(name, default))
    composite.__post_init__()


@AUGMENTERS.register("triplets")
@dataclass(frozen=True)
class Triplets(Pretrained):
    """Anchor, positive and negative of each text, from one parse.

    Source: SDA 2024, section 5.3: a positive augmentation and the negation of the same sentence.

    Args:
        positive: an augmenter of positives; a text that it skips is its own positive.
        negative: an augmenter of negatives.
        input_column: the column of the texts; None for the first of text, sentence, anchor, sentence1.
        on_skip: rows without a negative: "drop" (default; a single row, which cannot be dropped, gets
            None), "null" or "raise".

    Example:
        >>> from sda_hf import ModalVerbs, Negation
        >>> Triplets(ModalVerbs(phrases=("must",)), Negation())({"text": ["She won.", "Hello!"]})
        {'anchor': ['She won.'], 'positive': ['She must have won.'], 'negative': ["She didn't win."]}
    """

    source: ClassVar[str] = "SDA, LREC-COLING 2024, section 5.3"

    positive: Augmenter
    negative: Augmenter
    input_column: str | None = None
    on_skip: str = "drop"

    def __post_init__(self) -> None:
        _share_parse("Triplets", (self.positive, self.negative))
        for role in ("positive", "negative"):
            given = getattr(self, role)
            if given.role != role:
                raise InputValueError(f"Triplets: {role}= takes an augmenter of {role}s, got {type(given).__name__}")
        check_choice("Triplets", "on_skip", self.on_skip, ("drop", "null", "raise"))

    @property
    def language(self) -> str:
        """The language of both augmenters."""
        return self.positive.language

    @property
    def parser(self) -> Any:
        """The parser of both augmenters."""
        return self.positive.parser

    @property
    def parses(self) -> bool:
        """Either augmenter needs a parse."""
        return self.positive.parses or self.negative.parses

    def rewrite(self, texts: Iterable[str]) -> list[tuple[Rewrite, Rewrite]]:
        """The positive and the negative of each text."""
        viewed = list(views(texts_of(texts), self))
        return list(zip(self.positive.rewrite_views(viewed), self.negative.rewrite_views(viewed), strict=True))

    def __call__(self, rows: Mapping[str, Any]) -> dict[str, Any]:
        """The columns anchor, positive and negative of a row or of a batch."""
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

    def fit(self, corpus: Iterable[Any]) -> Triplets:
        """The same triplets with both augmenters fitted to a corpus, which must not be a stream."""
        return dataclasses.replace(self, positive=self.positive.fit(corpus), negative=self.negative.fit(corpus))

    @property
    def is_fitted(self) -> bool:
        """Whether both augmenters have what they need of a corpus."""
        return self.positive.is_fitted and self.negative.is_fitted

    def with_epoch(self, epoch: int) -> Triplets:
        """The same triplets with the draws of another pass over the data."""
        return dataclasses.replace(
            self, positive=self.positive.with_epoch(epoch), negative=self.negative.with_epoch(epoch)
        )
