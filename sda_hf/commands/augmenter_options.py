"""`--augmenter`, `--triplets` and `--set`: names, YAML files and fields."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sda_hf.commands.printing import split_names
from sda_hf.errors import InputTypeError, InputValueError, shown, unknown

if TYPE_CHECKING:
    from sda_hf.augmentation.base import Augmenter

YAML = (".yaml", ".yml")


def chosen_augmenters(
    augmenter: str | None,
    triplets: str | None,
    settings: Sequence[str],
    fields: dict[str, Any],
    on_skip: str | None,
) -> dict[str, Augmenter]:
    """Return the augmenter of each new column.

    Args:
        augmenter: names of augmenters, or YAML files with a configuration, separated by commas.
        triplets: a positive and a negative one.
        settings: NAME.FIELD=VALUE, where NAME is one of the new columns.
        fields: the fields that all of them have by default.
        on_skip: what becomes of texts that are skipped.

    Raises:
        InputError: a name, a file, a field or a value is not what it should be.
    """
    from sda_hf.augmentation.options import augmenters_from, triplets_from

    if (augmenter is None) == (triplets is None):
        raise InputValueError(
            "give --augmenter, with names separated by commas, or --triplets modal-verbs,negation; sda-hf augmenters "
            "lists them all"
        )
    if triplets is not None:
        names = split_names(triplets)
        if len(names) != 2:
            raise InputValueError(
                f"--triplets {triplets!r}: give a positive and a negative, such as modal-verbs,negation"
            )
        configs = dict(zip(("positive", "negative"), map(_config, names), strict=True))
        return triplets_from(_with_settings(configs, settings), fields, on_skip)
    names = split_names(augmenter or "")
    if not names:
        raise InputValueError(
            f"--augmenter {augmenter!r} is empty: give names separated by commas, such as negation,modal-verbs; "
            "sda-hf augmenters lists them all"
        )
    configs = {Path(name).stem if _is_file(name) else name: _config(name) for name in names}
    if len(configs) < len(names):
        raise InputValueError(f"--augmenter {augmenter!r}: two of them would fill one column: rename a file")
    return augmenters_from(_with_settings(configs, settings), fields, on_skip)


def _is_file(name: str) -> bool:
    return Path(name).suffix.lower() in YAML


def _config(name: str) -> dict[str, Any]:
    """Return the configuration of a name, or that in a YAML file."""
    if not _is_file(name):
        return {"name": name}
    from sda_hf.errors import InputFileError
    from sda_hf.training.recipe.yaml_text import read_yaml_mapping

    if not Path(name).is_file():
        raise InputFileError(f"--augmenter {name}: no such file")
    return read_yaml_mapping(Path(name))


def _with_settings(configs: dict[str, dict[str, Any]], settings: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Set fields of the configurations."""
    from sda_hf.training.recipe.yaml_text import parse_yaml

    for setting in settings:
        key, equals, value = setting.partition("=")
        column, *path = key.strip().split(".")
        if not equals or not path or not all(path):
            raise InputValueError(f"--set {shown(setting)}: give NAME.FIELD=VALUE, such as negation.contractions=false")
        if column not in configs:
            raise unknown("augmenter in --set", column, configs)
        place: Any = configs[column]
        for part in path[:-1]:
            place = place.setdefault(part, {})
            if not isinstance(place, dict):
                raise InputTypeError(f"--set {shown(setting)}: {part} is {shown(place)}, not a mapping")
        place[path[-1]] = parse_yaml(value, f"--set {shown(setting)}")
    return configs
