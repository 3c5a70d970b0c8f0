"""The augmenters of the command line, from their names and options."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from sda_hf.augmentation.base import Augmenter, ClauseAugmenter
from sda_hf.errors import InputValueError


def augmenters_of(
    names: Iterable[str],
    *,
    seed: int = 0,
    language: str = "en",
    parser: str | None = None,
    coverage: str | None = None,
    sentences: str | None = None,
) -> dict[str, Augmenter]:
    """Return an augmenter for each name, with the fields that were given.

    Args:
        names: their registered names.
        seed: as in `Augmenter`.
        language: as in `Augmenter`.
        parser: as in `Augmenter`; the user typed it, and may name any.
        coverage: as in `ClauseAugmenter`; augmenters that rewrite no clauses ignore it.
        sentences: as in `ClauseAugmenter`; augmenters that rewrite no clauses ignore it.

    Raises:
        InputValueError: an unknown name or value, or an option that none of the augmenters takes.
    """
    fields: dict[str, Any] = {} if parser is None else {"parser": parser}
    of_clauses = {"coverage": coverage, "sentences": sentences}
    given: dict[str, Any] = {name: value for name, value in of_clauses.items() if value is not None}
    built: dict[str, Augmenter] = {}
    for name in names:
        augmenter: Augmenter = Augmenter.from_config({"name": name, "seed": seed, "language": language})
        by_clause = isinstance(augmenter, ClauseAugmenter)
        built[name] = dataclasses.replace(augmenter, **fields, **(given if by_clause else {}))
    if given and not any(isinstance(augmenter, ClauseAugmenter) for augmenter in built.values()):
        raise InputValueError(
            f"--{next(iter(given))} has no effect on {', '.join(built)}: leave it out, or add an augmenter that "
            "rewrites clauses, such as negation"
        )
    return built
