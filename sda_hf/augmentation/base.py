"""What every augmenter is: columns, seeds, batches, skips and the `datasets.map` contract."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar

from sda_hf.augmentation.hub import Pretrained
from sda_hf.augmentation.rows import is_batch, text_column, texts_of
from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.grammar.base import clauses
from sda_hf.grammar.edits import Edit, Skip, apply, overlap
from sda_hf.registry import AUGMENTERS
from sda_hf.seeding import Stream
from sda_hf.syntax.clause import Clause
from sda_hf.syntax.parsers import check_parser

Role = Literal["positive", "negative"]
SKIP_POLICIES: dict[str, tuple[str, ...]] = {
    "positive": ("keep", "null", "drop", "raise"),
    "negative": ("null", "drop", "raise"),
}
# A text is one sentence, or a few; beyond this a parse costs more memory than an embedding model would read.
LONGEST = 20_000
# What says where rows come from and go to, how often they were seen and where they are computed has no part in a
# draw's key.
NOT_IN_DRAWS = (
    "input_column",
    "output_column",
    "on_skip",
    "parser",
    "seed",
    "epoch",
    "vocabulary",
    "batch_size",
    "device",
    "dtype",
)

# Texts that are rewritten together.
CHUNK = 1000

A = TypeVar("A", bound="Augmenter")
# A text, its clause where one is needed, and the generator of its draws.
Drawn = tuple[str, "Clause | Skip | None", random.Random]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What became of one text.

    Attributes:
        text: the rewritten text; the original where it was skipped.
        original: the text as it came.
        edits: what was changed, as spans of the original.
        rule: the main rule, in words; None where it was skipped.
        skipped: why there is no rewrite; None where there is one.
    """

    text: str
    original: str
    edits: tuple[Edit, ...] = ()
    rule: str | None = None
    skipped: str | None = None

    def __str__(self) -> str:
        if self.skipped is not None:
            return f"{self.original}\n  skipped: {self.skipped}"
        lines = [f"{self.original}", f"→ {self.text}"]
        lines += [f"  {self.original[e.start : e.end]!r} → {e.new!r}  ({e.rule})" for e in self.edits]
        return "\n".join(lines)


@dataclass(frozen=True, kw_only=True)
class Augmenter(Pretrained):
    """Base of every augmenter: a frozen description of a rewrite, called on rows, batches or lists.

    A subclass is a frozen, keyword-only dataclass with the class facts below and one method, `edit`.

    Args:
        input_column: the column of the texts; None for the first of text, sentence, anchor, sentence1.
        output_column: the column of the rewrites; None for the role ("positive" or "negative").
        language: ISO 639-1 code of the texts.
        parser: None for the embedded pipeline; or a spaCy package name, a path, a loaded `Language`.
        proportion: share of the texts that is rewritten at all, from 0 to 1; the rest is skipped
            (SDA 2024, section 6.7).
        seed: draws depend on (seed, config, text, epoch) alone.
        on_skip: what `augmenter(rows)` gives for a skipped text: "keep" (the text itself; default of
            positives, as in the papers), "null" (None; default of negatives), "drop" (no row; batches
            only), "raise". A negative is never its own anchor: "keep" is refused there.
        epoch: the pass over the data; see `with_epoch`.

    Raises:
        InputValueError: a value outside what is allowed.
        InputTypeError: a value of the wrong type.
    """

    role: ClassVar[Role]
    languages: ClassVar[tuple[str, ...]]
    needs: ClassVar[Literal["text", "clause", "corpus"]]
    source: ClassVar[str]
    limits: ClassVar[tuple[str, ...]]

    input_column: str | None = None
    output_column: str | None = None
    language: str = "en"
    parser: Any = None
    proportion: float = 1.0
    seed: int = 0
    on_skip: str | None = None
    epoch: int = 0

    def __post_init__(self) -> None:
        name = type(self).__name__
        check_choice(name, "language", self.language, self.languages)
        check_parser(self.parser)
        for field in ("input_column", "output_column"):
            value = getattr(self, field)
            if value is not None and (not isinstance(value, str) or not value):
                raise InputTypeError(f"{name}: {field}={value!r} is no column name: give a string or None")
        if isinstance(self.proportion, bool) or not isinstance(self.proportion, (int, float)):
            raise InputTypeError(f"{name}: proportion={self.proportion!r} is no number: give one from 0 to 1")
        if not 0 <= self.proportion <= 1:
            raise InputValueError(f"{name}: proportion={self.proportion!r} is outside 0 to 1")
        for field in ("seed", "epoch"):
            value = getattr(self, field)
            if isinstance(value, bool) or not isinstance(value, int):
                raise InputTypeError(f"{name}: {field}={value!r} is no integer")
        if self.on_skip is not None:
            if self.role == "negative" and self.on_skip == "keep":
                raise InputValueError(
                    f"{name}: on_skip='keep' would make a sentence its own negative: give 'null', 'drop' or 'raise'"
                )
            check_choice(name, "on_skip", self.on_skip, SKIP_POLICIES[self.role])

    # -- the one method of a subclass ------------------------------------------------------------

    def edit(self, view: Any, rng: random.Random) -> list[Edit] | Skip:
        """The edits of one text, or why there are none.

        Args:
            view: the text, or its main `Clause` if the class `needs` one.
            rng: the only source of randomness.
        """
        raise TypeError(f"{type(self).__name__} has no edit(view, rng): an augmenter is a class with that method")

    def edits(self, views: Sequence[Any], rngs: Sequence[random.Random]) -> list[list[Edit] | Skip]:
        """`edit` of several texts; a class that is faster on many at once does them here."""
        found = (self.edit(view, rng) for view, rng in zip(views, rngs, strict=True))
        return list(found)

    # -- for users -------------------------------------------------------------------------------

    def augment(self, texts: Iterable[str]) -> list[str]:
        """The rewritten texts, in order; a skipped text comes back as it was.

        Raises:
            InputTypeError: a lone string, or an element that is no string.
        """
        return [r.text for r in self.stream(texts_of(texts))]

    def rewrite(self, texts: Iterable[str]) -> list[Rewrite]:
        """What became of each text, with its edits and rule or the reason of its skip."""
        return list(self.stream(texts_of(texts)))

    def stream(self, texts: Sequence[str]) -> Iterator[Rewrite]:
        """`rewrite`, as they are done."""
        viewed = views(texts, self)
        while chunk := list(itertools.islice(viewed, CHUNK)):
            yield from self.rewrite_views(chunk)

    def explain(self, text: str) -> Rewrite:
        """What becomes of one text; print it to read its edits."""
        if not isinstance(text, str):
            raise InputTypeError(f"explain takes one text, got {type(text).__name__}: use rewrite for a list")
        return self.rewrite([text])[0]

    def __call__(self, rows: Mapping[str, Any]) -> dict[str, Any]:
        """The new column of a row or of a batch, as `datasets` and Ray Data call it.

        With on_skip="drop" the batch comes back with all its columns, without the skipped rows.
        """
        column = text_column(rows, self.input_column)
        if not is_batch(rows[column]):
            if self.policy == "drop":
                raise InputValueError(f"{type(self).__name__}: on_skip='drop' needs batches: map with batched=True")
            (rewrite,) = self.rewrite(texts_of([rows[column]], column))
            return {self.column: self.value(rewrite)}
        rewrites = list(self.stream(texts_of(rows[column], column)))
        if self.policy == "drop":
            kept = [i for i, r in enumerate(rewrites) if r.skipped is None]
            batch = {name: [rows[name][i] for i in kept] for name in rows}
            return batch | {self.column: [rewrites[i].text for i in kept]}
        return {self.column: [self.value(r) for r in rewrites]}

    def fit(self: A, corpus: Iterable[Any]) -> A:
        """The augmenter with what it needs of a corpus; most need none, and stay as they are."""
        return self

    @property
    def is_fitted(self) -> bool:
        """Whether it has what it needs of a corpus."""
        return True

    @property
    def models(self) -> tuple[str, ...]:
        """The Hub ids or folders of the models it runs; rules have none."""
        return ()

    def with_epoch(self: A, epoch: int) -> A:
        """The same augmenter with the draws of another pass over the data."""
        return dataclasses.replace(self, epoch=epoch)

    @property
    def policy(self) -> str:
        """`on_skip`, or the default of the role."""
        return self.on_skip or SKIP_POLICIES[self.role][0]

    @property
    def column(self) -> str:
        """`output_column`, or the role."""
        return self.output_column or self.role

    # -- for composites --------------------------------------------------------------------------

    def rewrite_views(self, viewed: Sequence[tuple[str, Clause | Skip | None]]) -> list[Rewrite]:
        """What becomes of texts whose clauses are known already: one parse serves several augmenters."""
        skipped: dict[int, Rewrite] = {}
        drawn: list[Drawn] = []
        for i, (text, view) in enumerate(viewed):
            if not text.strip():
                skipped[i] = Rewrite(text, text, skipped="empty text")
                continue
            rng = self._draws.generator(text)
            if self.proportion < 1 and rng.random() >= self.proportion:
                skipped[i] = Rewrite(text, text, skipped="left out by proportion")
                continue
            drawn.append((text, view, rng))
        done = iter(self.rewrite_drawn(drawn))
        return [skipped[i] if i in skipped else next(done) for i in range(len(viewed))]

    def rewrite_drawn(self, drawn: Sequence[Drawn]) -> list[Rewrite]:
        """`rewrite_views` after the draw of the proportion."""
        readings = [self._reading(text, view) for text, view, _ in drawn]
        fit = [i for i, reading in enumerate(readings) if not isinstance(reading, Skip)]
        found = iter(self.edits([readings[i] for i in fit], [drawn[i][2] for i in fit]))
        return [
            _rewritten(text, reading if isinstance(reading, Skip) else next(found))
            for (text, _, _), reading in zip(drawn, readings, strict=True)
        ]

    def _reading(self, text: str, view: Clause | Skip | None) -> Any:
        """What `edit` takes of a text, or why it takes nothing."""
        if self.needs != "clause":
            return text
        return Skip("no words of the language") if view is None else view

    @property
    def parses(self) -> bool:
        """A parse is needed."""
        return self.needs == "clause"

    @functools.cached_property
    def _draws(self) -> Stream:
        config = {f.name: repr(getattr(self, f.name)) for f in dataclasses.fields(self) if f.name not in NOT_IN_DRAWS}
        return Stream(self.seed, {"name": AUGMENTERS.name_of(type(self)), **config}, self.epoch)

    def value(self, rewrite: Rewrite) -> str | None:
        """What the new column holds for a rewrite, by `on_skip`.

        Raises:
            InputValueError: it was skipped, and `on_skip` is "raise".
        """
        if rewrite.skipped is None or self.policy == "keep":
            return rewrite.text
        if self.policy == "raise":
            raise InputValueError(
                f"{type(self).__name__}: no rewrite of {rewrite.original!r}: {rewrite.skipped} (on_skip='raise')"
            )
        return None


def _rewritten(text: str, result: list[Edit] | Skip) -> Rewrite:
    if isinstance(result, Skip):
        return Rewrite(text, text, skipped=result.reason)
    if overlap(result):
        return Rewrite(text, text, skipped="rules in conflict")
    new = apply(text, result)
    if new == text:
        return Rewrite(text, text, skipped="unchanged")
    return Rewrite(new, text, tuple(result), result[0].rule)


def views(texts: Sequence[str], augmenter: Any) -> Iterator[tuple[str, Clause | Skip | None]]:
    """Each text with its main clause, if the augmenter needs a parse at all."""
    if not augmenter.parses:
        yield from ((text, None) for text in texts)
        return
    fit = [text for text in texts if text.strip() and len(text) <= LONGEST]
    parsed = clauses(fit, augmenter.language, augmenter.parser)
    for text in texts:
        if not text.strip():
            yield text, None
        elif len(text) > LONGEST:
            yield text, Skip(f"over {LONGEST:,} characters")
        else:
            yield text, next(parsed)


def check_choice(owner: str, field: str, value: object, allowed: Sequence[str]) -> None:
    """Refuse a value that is not among the allowed ones."""
    if value not in allowed:
        raise InputValueError(f"{owner}: {field}={value!r} is not allowed: give one of {', '.join(map(repr, allowed))}")


def check_count(owner: str, field: str, value: object, lowest: int = 1) -> None:
    """Refuse what is no whole number from the lowest on."""
    message = f"{owner}: {field}={value!r}: give a whole number, {lowest} or more"
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputTypeError(message)
    if value < lowest:
        raise InputValueError(message)


def check_fraction(owner: str, field: str, value: object) -> None:
    """Refuse what is no number above 0, up to 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputTypeError(f"{owner}: {field}={value!r} is no number: give one above 0, up to 1")
    if not 0 < value <= 1:
        raise InputValueError(f"{owner}: {field}={value!r}: give a number above 0, up to 1")


def check_flag(owner: str, field: str, value: object) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(value, bool):
        raise InputTypeError(f"{owner}: {field}={value!r} is a {type(value).__name__}: give True or False")


def check_choices(owner: str, field: str, value: object, allowed: Sequence[str]) -> tuple[str, ...]:
    """A non-empty tuple of some of the allowed values, each once."""
    chosen = () if isinstance(value, str) or not isinstance(value, (list, tuple)) else tuple(value)
    if not chosen or len(set(chosen)) < len(chosen) or any(c not in allowed for c in chosen):
        raise InputValueError(
            f"{owner}: {field}={value!r} must be a list of one or more of {', '.join(map(repr, allowed))}, each once"
        )
    return chosen


def check_phrases(owner: str, value: object) -> tuple[str, ...]:
    """A non-empty tuple of non-empty phrases."""
    phrases = () if isinstance(value, str) or not isinstance(value, (list, tuple)) else tuple(value)
    if not phrases or not all(isinstance(p, str) and p.strip() for p in phrases):
        raise InputTypeError(f"{owner}: phrases={value!r} must be a list of one or more non-empty strings")
    return phrases
