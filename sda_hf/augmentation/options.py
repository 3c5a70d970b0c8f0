"""The augmenters of the command line, from their names, configurations and options."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from sda_hf.augmentation.base import Augmenter
from sda_hf.augmentation.config import unchecked
from sda_hf.augmentation.protocol import RowAugmenter
from sda_hf.augmentation.triplets import Triplets
from sda_hf.augmentation.trust import check_parsers
from sda_hf.errors import InputValueError
from sda_hf.files import check_plain
from sda_hf.registry import AUGMENTERS

Config = dict[str, Any]


def augmenters_of(
    names: Iterable[str],
    *,
    seed: int = 0,
    language: str = "en",
    parser: str | None = None,
    coverage: str | None = None,
    sentences: str | None = None,
    on_skip: str | None = None,
) -> dict[str, Augmenter]:
    """Return an augmenter for each name, with the fields that were given; see `augmenters_from`."""
    fields = {"seed": seed, "language": language, "parser": parser, "coverage": coverage, "sentences": sentences}
    return augmenters_from({name: {"name": name} for name in names}, fields, on_skip)


def augmenters_from(
    configs: Mapping[str, Config], fields: Mapping[str, Any], on_skip: str | None = None
) -> dict[str, Augmenter]:
    """Return the augmenters of several columns.

    Args:
        configs: new column → configuration of an augmenter. One of `Triplets` has columns of its own: positive and
            negative.
        fields: seed, language, parser, coverage and sentences of all augmenters whose configuration does not say
            otherwise; None for their defaults. Those that rewrite no clauses ignore the last two. The parser is one
            that the user typed, and may be any.
        on_skip: what becomes of texts that an augmenter skips; None for what each says itself.

    Raises:
        InputValueError: an unknown name, field or value, a column given twice, or an option that no augmenter takes.
    """
    built: dict[str, Augmenter] = {}
    for column, config in configs.items():
        check_plain(config)
        check_parsers(config, trusted=False)
        completed = _completed(config, fields)
        check_plain(completed)
        augmenter = unchecked(completed)
        for name, one in _columns(column, augmenter, on_skip).items():
            if name in built:
                raise InputValueError(f"two augmenters fill the column {name!r}: give one of them")
            built[name] = one
    of_clauses = [name for name in ("coverage", "sentences") if fields.get(name) is not None]
    if of_clauses and not any(_takes_clauses(config) for config in configs.values()):
        raise InputValueError(
            f"--{of_clauses[0]} has no effect on {', '.join(built)}: leave it out, or add an augmenter that rewrites "
            "clauses, such as negation"
        )
    return built


def triplets_from(
    configs: Mapping[str, Config], fields: Mapping[str, Any], on_skip: str | None = None
) -> dict[str, Augmenter]:
    """Return the augmenters of the columns positive and negative; rows without a negative are left out.

    Args:
        configs: the configurations of the columns positive and negative.
        fields: as in `augmenters_from`.
        on_skip: what becomes of rows without a negative: "drop" (or None), "null" or "raise".

    Raises:
        InputValueError: as in `augmenters_from`; or an augmenter of the other role.
    """
    built = augmenters_from(configs, fields)
    return _columns("", Triplets(built["positive"], built["negative"]), on_skip)


def _columns(column: str, augmenter: RowAugmenter, on_skip: str | None) -> dict[str, Augmenter]:
    """Return the columns that an augmenter fills, each with an augmenter of its own."""
    if isinstance(augmenter, Triplets):
        policy = on_skip or augmenter.on_skip
        checked = dataclasses.replace(augmenter, on_skip=policy)
        return {"positive": checked.positive, "negative": dataclasses.replace(checked.negative, on_skip=policy)}
    if not isinstance(augmenter, Augmenter):
        raise InputValueError(
            f"{type(augmenter).__name__} fills the columns {', '.join(augmenter.new_columns)} together, which this "
            "command cannot: use a recipe, or Dataset.map in Python"
        )
    return {column: augmenter if on_skip is None else dataclasses.replace(augmenter, on_skip=on_skip)}


def _completed(config: Config, fields: Mapping[str, Any]) -> Config:
    """Return a configuration in which every augmenter without parts has the fields that it lacks and takes."""
    parts: Config = {key: _completed(value, fields) for key, value in config.items() if isinstance(value, dict)}
    for key, value in config.items():
        if isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
            parts[key] = [_completed(part, fields) for part in value]
    if parts:
        return config | parts
    return {name: value for name, value in fields.items() if name in _fields(config) and value is not None} | config


def _fields(config: Config) -> set[str]:
    """Return the fields of the augmenter that a configuration names; none if it names none."""
    name = config.get("name")
    return {field.name for field in dataclasses.fields(AUGMENTERS.get(name))} if isinstance(name, str) else set()


def _takes_clauses(config: Config) -> bool:
    """Whether any of the augmenters of a configuration rewrites clauses."""
    inner = [part for value in config.values() for part in (value if isinstance(value, list) else [value])]
    inner = [part for part in inner if isinstance(part, dict)]
    if inner:
        return any(_takes_clauses(part) for part in inner)
    return "coverage" in _fields(config)
