"""The bases of augmenters: columns, seeds, batches, skips and the contract with `datasets.map`."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from sda_hf.augmentation.checks import check_choice, check_column_name, check_integer, check_share
from sda_hf.augmentation.columns import is_batch, keep_rows, text_column, texts_of, with_other_columns
from sda_hf.augmentation.docs import add_arguments, add_limits, arguments_of
from sda_hf.augmentation.hub import Pretrained
from sda_hf.augmentation.protocol import Corpus, Rows
from sda_hf.augmentation.rewrite import Rewrite, outcome, warn_of_failures
from sda_hf.augmentation.sentences import Role as Role
from sda_hf.augmentation.sentences import edits_of_several
from sda_hf.augmentation.workers import end_with_parent
from sda_hf.errors import InputError, InputTypeError, InputValueError
from sda_hf.grammar.base import LONGEST, Parsed, misread, parsed
from sda_hf.grammar.edits import Coverage, Edit, Failure, Skip
from sda_hf.registry import AUGMENTERS
from sda_hf.seeding import Stream
from sda_hf.syntax.clause import Clause as Clause
from sda_hf.syntax.parsers import ParserName, check_parser

if TYPE_CHECKING:
    from typing_extensions import Self

Needs = Literal["text", "clause", "corpus"]
# The base classes whose arguments every augmenter documents as its own.
SHARING = ("ClauseAugmenter", "Augmenter")
COVERAGES = ("sound", "full")
SENTENCES = ("first", "all", "random")
# What a class has to state.
CLASS_FACTS = ("role", "languages")
SKIP_POLICIES: dict[str, tuple[str, ...]] = {
    "positive": ("keep", "null", "drop", "raise"),
    "negative": ("null", "drop", "raise"),
}
# Texts that are rewritten together.
CHUNK = 1000
# Metadata of the fields that do not affect the draws: where rows come from and go to, and what computes them.
OUTSIDE_DRAWS = {"in_draws": False}

register = AUGMENTERS.register

# A text with its clauses; None if it was not parsed.
View = tuple[str, "Parsed | None"]


class Drawn(NamedTuple):
    """A text to rewrite, its clauses if it was parsed, and the generator of its draws."""

    text: str
    parsed: Parsed | None
    rng: random.Random


@dataclass(frozen=True, kw_only=True)
class Augmenter(Pretrained, ABC):
    """Base class of every augmenter: a frozen description of a rewrite, called on rows, batches or lists.

    An augmenter of your own is a subclass of `TextAugmenter` or `ClauseAugmenter`: a frozen, keyword-only dataclass
    with the class attributes below and the method `edit`.

    Attributes:
        role: "positive" if the meaning stays the same, "negative" if it changes.
        languages: the ISO 639-1 codes of the languages it rewrites.
        needs: "text", "clause", or "corpus" if it has to be fitted first.
        source: the paper and section.
        limits: what to know before relying on the rewrites, one line each.
        flips: what one rewrite turns round, and two turn back: "polarity", or a kind of your own; None if nothing. Two
            augmenters of one kind make the squares of `OppositionSquares`.

    Args:
        input_column: the column of the texts; None for the first of text, sentence, anchor, sentence1.
        output_column: the column of the rewrites; None for the role ("positive" or "negative").
        language: ISO 639-1 code of the texts.
        parser: None for the embedded pipeline; or the name of a spaCy package, a path, or a loaded `Language`.
        proportion: share of the texts to rewrite, from 0 to 1; the others are skipped (SDA 2024, section 6.7).
        seed: a draw depends only on the seed, the configuration, the text and the epoch.
        on_skip: what the new column, or the list that `augment` returns, holds for a skipped text: "keep" (the text
            itself; the default for positives, as in the papers), "null" (None; the default for negatives), "drop" (the
            row is left out; batches only: `augment` gives None) or "raise". Negatives do not take "keep": a sentence is
            never its own negative.
        on_error: what happens if a text raises an unexpected error: "skip" (with a warning; the reason names the
            error, and the other texts go on) or "raise".
        epoch: the pass over the data; see `with_epoch`.

    Raises:
        InputValueError: a value outside what is allowed.
        InputTypeError: a value of the wrong type.
    """

    role: ClassVar[Role]
    languages: ClassVar[tuple[str, ...]]
    needs: ClassVar[Needs]
    source: ClassVar[str] = ""
    limits: ClassVar[tuple[str, ...]] = ()
    flips: ClassVar[str | None] = None

    input_column: str | None = field(default=None, metadata=OUTSIDE_DRAWS)
    output_column: str | None = field(default=None, metadata=OUTSIDE_DRAWS)
    language: str = "en"
    parser: ParserName = field(default=None, metadata=OUTSIDE_DRAWS)
    proportion: float = 1.0
    seed: int = field(default=0, metadata=OUTSIDE_DRAWS)
    on_skip: str | None = field(default=None, metadata=OUTSIDE_DRAWS)
    # Not in the repr, which is part of the draw key of a composite.
    on_error: str = field(default="skip", repr=False, metadata=OUTSIDE_DRAWS)
    epoch: int = field(default=0, metadata=OUTSIDE_DRAWS)

    def __init_subclass__(cls) -> None:
        """Document the shared arguments and the limits in every class."""
        super().__init_subclass__()
        if cls.__dict__.get("__doc__"):
            shared = [arguments_of(base) for base in cls.__mro__[1:] if base.__name__ in SHARING]
            cls.__doc__ = add_limits(functools.reduce(add_arguments, shared, str(cls.__doc__)), cls.limits)

    def __post_init__(self) -> None:
        name = type(self).__name__
        missing = [fact for fact in CLASS_FACTS if not hasattr(self, fact)]
        if missing:
            raise TypeError(f"{name} needs the class attributes {', '.join(CLASS_FACTS)}: add {' and '.join(missing)}")
        check_choice(name, "role", self.role, ("positive", "negative"))
        check_choice(name, "language", self.language, self.languages)
        check_parser(self.parser)
        check_column_name(name, "input_column", self.input_column)
        check_column_name(name, "output_column", self.output_column)
        check_share(name, "proportion", self.proportion)
        check_integer(name, "seed", self.seed)
        check_integer(name, "epoch", self.epoch)
        check_choice(name, "on_error", self.on_error, ("skip", "raise"))
        if self.on_skip is not None:
            if self.role == "negative" and self.on_skip == "keep":
                raise InputValueError(
                    f"{name}: on_skip='keep' would make a sentence its own negative: give 'null', 'drop' or 'raise'"
                )
            check_choice(name, "on_skip", self.on_skip, SKIP_POLICIES[self.role])

    # -- lists of texts --------------------------------------------------------------------------

    def augment(self, texts: Iterable[str]) -> list[str | None]:
        """Return the rewritten texts, in order: one for each text, and what `map` would write for a skipped one.

        By default, that is the text itself for a positive and None for a negative. A list keeps its length also with
        on_skip="drop": the place of a skipped text holds None. `rewrite` returns the reasons.

        Raises:
            InputTypeError: a single string, or an element that is not a string.
            InputValueError: a text was skipped, and `on_skip` is "raise".
        """
        rewrites = self.rewrite(texts)
        warn_of_failures(type(self).__name__, rewrites)
        return [self.value(r) for r in rewrites]

    def rewrite(self, texts: Iterable[str]) -> list[Rewrite]:
        """Return the outcome for each text, with its edits and rule or the reason of its skip."""
        return list(self.stream(texts_of(texts)))

    def stream(self, texts: Sequence[str]) -> Iterator[Rewrite]:
        """Return the outcomes lazily."""
        viewed = views(texts, [self])
        while chunk := list(itertools.islice(viewed, CHUNK)):
            yield from self.rewrite_views(chunk)

    def explain(self, text: str) -> Rewrite:
        """Return the outcome for one text; print it to read its edits."""
        if not isinstance(text, str):
            raise InputTypeError(f"explain takes one text, got {type(text).__name__}: use rewrite for a list")
        return self.rewrite([text])[0]

    # -- rows ------------------------------------------------------------------------------------

    def __call__(self, rows: Rows) -> dict[str, Any]:
        """Return the new column of a row or of a batch, as `datasets` and Ray Data call it.

        With on_skip="drop" the batch comes back with all its columns, without the skipped rows. `Dataset.map` merges
        the other columns itself; for `Dataset.with_transform`, which does not, give it `transform` instead.
        """
        end_with_parent()
        column = text_column(rows, self.input_column)
        if not is_batch(rows[column]):
            if self.policy == "drop":
                raise InputValueError(f"{type(self).__name__}: on_skip='drop' needs batches: map with batched=True")
            (rewrite,) = self.rewrite(texts_of([rows[column]], column))
            warn_of_failures(type(self).__name__, [rewrite])
            return {self.column: self.value(rewrite)}
        rewrites = list(self.stream(texts_of(rows[column], column)))
        warn_of_failures(type(self).__name__, rewrites)
        if self.policy == "drop":
            kept = [i for i, r in enumerate(rewrites) if r.skipped is None]
            if keep_rows(rows, kept, self.new_columns):
                return {self.column: [rewrites[i].text for i in kept]}
            batch = {name: [rows[name][i] for i in kept] for name in rows}
            return batch | {self.column: [rewrites[i].text for i in kept]}
        return {self.column: [self.value(r) for r in rewrites]}

    def transform(self, rows: Rows) -> dict[str, Any]:
        """Return a batch with the new column beside all others: `dataset.with_transform(augmenter.transform)`.

        Raises:
            InputValueError: rows would be left out, which is not possible while they are read.
        """
        return with_other_columns(self, rows)

    def value(self, rewrite: Rewrite) -> str | None:
        """Return what the new column holds for a rewrite, by `on_skip`.

        Raises:
            InputValueError: the text was skipped, and `on_skip` is "raise".
        """
        if rewrite.skipped is None or self.policy == "keep":
            return rewrite.text
        if self.policy == "raise":
            raise InputValueError(
                f"{type(self).__name__}: no rewrite of {rewrite.original!r}: {rewrite.skipped} (on_skip='raise')"
            )
        return None

    @property
    def policy(self) -> str:
        """`on_skip`, or the default of the role."""
        return self.on_skip or SKIP_POLICIES[self.role][0]

    @property
    def column(self) -> str:
        """`output_column`, or the role."""
        return self.output_column or self.role

    @property
    def new_columns(self) -> tuple[str, ...]:
        """The column that a call returns."""
        return (self.column,)

    @property
    def keeps_other_columns(self) -> bool:
        """True: with on_skip="drop" the other columns come back too."""
        return True

    @property
    def by_column(self) -> Mapping[str, Augmenter]:
        """This augmenter, by its column."""
        return {self.column: self}

    def rewrites_by_column(self, texts: Iterable[str]) -> dict[str, list[Rewrite]]:
        """Return the outcome for each text, by column."""
        return {self.column: self.rewrite(texts)}

    # -- corpora, models and epochs --------------------------------------------------------------

    def fit(self, corpus: Corpus) -> Self:
        """Return a copy fitted on a corpus; augmenters that need no corpus return themselves."""
        return self

    @property
    def is_fitted(self) -> bool:
        """Whether it is fitted, or needs no corpus."""
        return True

    @property
    def models(self) -> tuple[str, ...]:
        """The Hub ids or folders of the models that it runs; empty for rules."""
        return ()

    @property
    def parses(self) -> bool:
        """Whether it needs a parse."""
        return self.needs == "clause"

    def with_epoch(self, epoch: int) -> Self:
        """Return a copy with the draws of another pass over the data."""
        return dataclasses.replace(self, epoch=epoch)

    # -- for subclasses and composites -----------------------------------------------------------

    @abstractmethod
    def rewrite_drawn(self, drawn: Sequence[Drawn]) -> list[Rewrite]:
        """Return the outcomes for texts that are neither blank nor left out by the proportion."""

    def rewrite_views(self, viewed: Sequence[View]) -> list[Rewrite]:
        """Return the outcomes for texts that are already parsed, so that several augmenters can share a parse."""
        skipped: dict[int, Rewrite] = {}
        drawn: list[Drawn] = []
        for i, (text, clauses) in enumerate(viewed):
            if not text.strip():
                skipped[i] = Rewrite(text, text, skipped="empty text")
                continue
            if len(text) > LONGEST:
                skipped[i] = Rewrite(text, text, skipped=f"over {LONGEST:,} characters")
                continue
            if (other := misread(text, self.language)) is not None:
                skipped[i] = Rewrite(text, text, skipped=other.reason)
                continue
            rng = self._draws.generator(text)
            if self.proportion < 1 and rng.random() >= self.proportion:
                skipped[i] = Rewrite(text, text, skipped="left out by proportion")
                continue
            drawn.append(Drawn(text, clauses, rng))
        done = iter(self.rewrite_drawn(drawn))
        return [skipped[i] if i in skipped else next(done) for i in range(len(viewed))]

    def outcome(self, text: str, attempt: Callable[[], Sequence[Edit] | Skip]) -> Rewrite:
        """Return the outcome for one text: a skip if the attempt raises, unless on_error="raise".

        Errors that the user can fix are always raised.
        """
        try:
            result = attempt()
            if isinstance(result, Failure):
                raise result.error
            return outcome(text, result)
        except (InputError, MemoryError):
            raise
        except Exception as error:
            if self.on_error == "raise":
                raise
            return outcome(text, Failure.of(error))

    @functools.cached_property
    def _draws(self) -> Stream:
        fields = [f for f in dataclasses.fields(self) if f.metadata.get("in_draws", True)]
        config = {f.name: repr(getattr(self, f.name)) for f in fields}
        return Stream(self.seed, {"name": AUGMENTERS.name_of(type(self)), **config}, self.epoch)


class TextAugmenter(Augmenter):
    """Base class of augmenters that need no parse."""

    needs: ClassVar[Needs] = "text"

    @abstractmethod
    def edit(self, text: str, rng: random.Random) -> list[Edit] | Skip:
        """Return the edits of a text, or why there are none.

        Args:
            text: the text.
            rng: the only source of randomness.
        """

    def edits(self, texts: Sequence[str], rngs: Sequence[random.Random]) -> Sequence[list[Edit] | Skip]:
        """Return the edits of several texts; override it if that is faster for many texts at once."""
        return [self.edit(text, rng) for text, rng in zip(texts, rngs, strict=True)]

    def rewrite_drawn(self, drawn: Sequence[Drawn]) -> list[Rewrite]:
        """Edit the texts."""
        texts = [text for text, _, _ in drawn]
        try:
            return list(map(outcome, texts, self.edits(texts, [rng for _, _, rng in drawn])))
        except (InputError, MemoryError):
            raise
        except Exception:
            if self.on_error == "raise":
                raise
        # One of them cannot be edited: find it, with the draws that each text would have had.
        return [self.outcome(text, functools.partial(self._edits_of_one, text)) for text in texts]

    def _edits_of_one(self, text: str) -> list[Edit] | Skip:
        rng = self._draws.generator(text)
        if self.proportion < 1:
            rng.random()
        return self.edits([text], [rng])[0]


@dataclass(frozen=True, kw_only=True)
class ClauseAugmenter(Augmenter):
    """Base class of augmenters that rewrite the parsed main clause of a sentence.

    Args:
        coverage: "sound" rewrites only where the rule is right at least 97 times in 100 by blind reading and skips the
            others with the reason; "full" rewrites those too, to reach the papers' share of changed sentences, and
            `explain` names each doubt.
        sentences: which sentences of a text to rewrite: "first", the first that makes a claim; "all" that can be, of
            those that make a claim; or "random", one of these. A negative denies one claim, with "all" the first that
            can be denied, because two denials may cancel out.
    """

    needs: ClassVar[Needs] = "clause"

    coverage: Coverage = field(default="sound", repr=False, metadata=OUTSIDE_DRAWS)
    sentences: str = field(default="first", repr=False, metadata=OUTSIDE_DRAWS)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(type(self).__name__, "coverage", self.coverage, COVERAGES)
        check_choice(type(self).__name__, "sentences", self.sentences, SENTENCES)

    @abstractmethod
    def edit(self, clause: Clause, rng: random.Random) -> list[Edit] | Skip:
        """Return the edits of a sentence, or why there are none.

        Args:
            clause: the main clause of the sentence.
            rng: the only source of randomness.
        """

    def rewrite_drawn(self, drawn: Sequence[Drawn]) -> list[Rewrite]:
        """Edit the sentences of each text."""
        return [self.outcome(text, functools.partial(self._edits, clauses, rng)) for text, clauses, rng in drawn]

    def _edits(self, clauses: Parsed | None, rng: random.Random) -> list[Edit] | Skip:
        if clauses is None or clauses.main is None:
            return Skip("no words of the language")
        if self.sentences == "first":
            return clauses.main if isinstance(clauses.main, Skip) else self.edit(clauses.main, rng)
        return edits_of_several(clauses, self.edit, rng, at_random=self.sentences == "random", role=self.role)


def views(texts: Sequence[str], augmenters: Sequence[Augmenter]) -> Iterator[View]:
    """Yield each text with its clauses, if any of the augmenters needs them; they must share language and parser."""
    if not any(augmenter.parses for augmenter in augmenters):
        yield from ((text, None) for text in texts)
        return
    clauses = parsed([text for text in texts if text.strip()], augmenters[0].language, augmenters[0].parser)
    for text in texts:
        yield text, next(clauses) if text.strip() else None
