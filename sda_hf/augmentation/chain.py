"""Augmenters one after another."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sda_hf.augmentation.base import Augmenter, Drawn, Role, register, views
from sda_hf.augmentation.chained_edits import chained, meet
from sda_hf.augmentation.compose import Composite, given_parts
from sda_hf.augmentation.protocol import Corpus
from sda_hf.augmentation.rewrite import Rewrite, outcome
from sda_hf.augmentation.sda import Negation
from sda_hf.augmentation.squares import OppositionSquares
from sda_hf.errors import InputValueError
from sda_hf.grammar.base import Parsed
from sda_hf.grammar.edits import Edit, Skip

if TYPE_CHECKING:
    from typing_extensions import Self

DENIES_ADDITION = "a negative after a positive denies what that has added"
Step = Augmenter | OppositionSquares


@register("chain")
@dataclass(frozen=True, init=False)
class Chain(Composite):
    """Several augmenters, one after another: each rewrites what those before it have made.

    Roles multiply: with one negative among the augmenters the result is a negative; with two it is a positive, as the
    negation of an antonym is. Two negatives must flip the same thing and be next to each other. They then make the
    equivalent of `OppositionSquares`: only claims of which both concern the same words are rewritten.

    Give negatives first. A negation that comes later, and would deny what a positive has added ("it must be said that")
    instead of the claim, skips the text.

    Args:
        *augmenters: `Chain(a, b)` or `Chain([a, b])`. A positive that skips a text leaves it to the next one; a text
            that a negative skips is skipped.
        language: taken from the augmenters; leave it out.
        parser: taken from the augmenters; leave it out.

    Raises:
        InputValueError: no augmenter, negatives whose roles do not multiply, or different languages or parsers.

    Example:
        >>> from sda_hf import AntonymSubstitute, ModalVerbs, Negation
        >>> chain = Chain(Negation(), ModalVerbs(phrases=["must"]))
        >>> chain.role, chain.augment(["The rooms are clean."])
        ('negative', ['The rooms must not be clean.'])
        >>> chain = Chain(AntonymSubstitute(), Negation())
        >>> chain.role, chain.augment(["The rooms are clean."])
        ('positive', ["The rooms aren't dirty."])
    """

    source = "this project; the roles as in AugCSE (AACL 2022), where an augmentation is positive, negative or neutral"
    limits = (
        "each augmenter is sure of its rewrite of the text that it gets, not of what all of them make together",
        'the equivalent of a gradable claim is weaker than the claim: "isn\'t bad" and "is good"',
    )

    augmenters: tuple[Augmenter, ...] = ()

    def __init__(self, *parts: Augmenter | Sequence[Augmenter], **common: Any) -> None:
        object.__setattr__(self, "augmenters", given_parts("Chain", parts, common))
        super().__init__(**common)

    def check_roles(self) -> None:
        """Check that the role of the chain is known: one negative, or two that cancel out."""
        negatives = [i for i, part in enumerate(self.parts) if part.role == "negative"]
        if len(negatives) < 2:
            return
        first, second, *more = negatives
        kinds = {self.parts[i].flips for i in negatives}
        given = ", ".join(f"{type(self.parts[i]).__name__} flips {self.parts[i].flips or 'nothing'}" for i in negatives)
        if more or second != first + 1 or None in kinds or len(kinds) > 1:
            raise InputValueError(
                "Chain: two negatives make a positive only if they flip the same thing and are next to each other; "
                f"more than two are not supported; given: {given}"
            )

    @property
    def parts(self) -> tuple[Augmenter, ...]:
        """The augmenters inside."""
        return self.augmenters

    @property
    def role(self) -> Role:  # type: ignore[override]  # a class attribute everywhere else
        """Negative with one negative among the parts, positive with none or two."""
        return "negative" if sum(part.role == "negative" for part in self.parts) % 2 else "positive"

    @property
    def flips(self) -> str | None:  # type: ignore[override]  # a class attribute everywhere else
        """What the only negative flips; None if there is none, or two."""
        kinds = [part.flips for part in self.parts if part.role == "negative"]
        return kinds[0] if len(kinds) == 1 else None

    def fit(self, corpus: Corpus) -> Self:
        """Return a copy with every part fitted to a corpus, which must not be a stream."""
        return dataclasses.replace(self, augmenters=tuple(part.fit(corpus) for part in self.augmenters))

    def with_epoch(self, epoch: int) -> Self:
        """Return a copy with the draws of another pass over the data, in every part as well."""
        parts = tuple(part.with_epoch(epoch) for part in self.augmenters)
        return dataclasses.replace(self, augmenters=parts, epoch=epoch)

    def rewrite_drawn(self, drawn: Sequence[Drawn]) -> list[Rewrite]:
        """Let one step after another rewrite the texts."""
        states = [_State(one.text, one.text, one.parsed) for one in drawn]
        for step in self._steps():
            active = [state for state in states if state.failed is None]
            is_negative = isinstance(step, OppositionSquares) or step.role == "negative"
            for state, rewrite in zip(active, self._rewrites(step, active), strict=True):
                state.add(rewrite, needed=is_negative)
        return [state.outcome() for state in states]

    def _steps(self) -> list[Step]:
        """Return the augmenters, with the two negatives as the square that they span."""
        negatives = [part for part in self.parts if part.role == "negative"]
        if len(negatives) < 2:
            return [*self.parts]
        # The square denies what its second augmenter makes.
        earlier, later = negatives
        denial, other = (earlier, later) if isinstance(earlier, Negation) else (later, earlier)
        square = OppositionSquares(denial, other, fallback=None)
        steps: list[Step] = [part for part in self.parts if part is not later]
        return [square if step is earlier else step for step in steps]

    def _rewrites(self, step: Step, states: Sequence[_State]) -> list[Rewrite]:
        if isinstance(step, OppositionSquares):
            return [square.equivalent for square in step.rewrite([state.now for state in states])]
        missing = [state for state in states if state.parsed is None]
        for state, (_, parsed) in zip(missing, views([state.now for state in missing], [step]), strict=True):
            state.parsed = parsed
        return step.rewrite_views([(state.now, state.parsed) for state in states])


@dataclass
class _State:
    """A text on its way through the steps."""

    text: str
    now: str
    parsed: Parsed | None
    edits: list[Edit] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    reason: str | None = None
    failed: str | None = None

    def add(self, rewrite: Rewrite, *, needed: bool) -> None:
        """Take the outcome of a step; if the step is needed and skips the text, that is the end."""
        if rewrite.skipped is not None:
            self.reason = self.reason or rewrite.skipped
            self.failed = rewrite.skipped if needed else None
            return
        if needed and meet(self.edits, rewrite.edits):
            self.failed = DENIES_ADDITION
            return
        self.edits = chained(self.text, self.edits, rewrite.edits)
        self.rules.append(str(rewrite.rule))
        self.now, self.parsed = rewrite.text, None

    def outcome(self) -> Rewrite:
        """Return what all steps made of the text."""
        reason = self.failed or (None if self.edits else self.reason)
        if reason is not None:
            return outcome(self.text, Skip(reason))
        made = outcome(self.text, self.edits)
        return made if made.skipped is not None else dataclasses.replace(made, rule=" + ".join(self.rules))
