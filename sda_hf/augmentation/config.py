"""Augmenters as plain dictionaries, for recipes, model cards and fingerprints."""

from __future__ import annotations

import dataclasses
import functools
import importlib.metadata
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from sda_hf.errors import InputTypeError, InputValueError, unknown
from sda_hf.registry import AUGMENTERS

T = TypeVar("T", bound="Configurable")
VERSION_KEY = "sda-hf"


@functools.cache
def package_version() -> str:
    """The installed version of this package."""
    return importlib.metadata.version("sda-hf")


class Configurable:
    """A frozen dataclass that a registry name and its fields describe wholly."""

    def get_config_dict(self) -> dict[str, Any]:
        """The registered name and every field, JSON-native; nested augmenters are nested dictionaries.

        Raises:
            InputValueError: `parser` is a pipeline that was never saved, which no dictionary can name.
        """
        config = {"name": AUGMENTERS.name_of(type(self))}
        return config | {f.name: _native(getattr(self, f.name)) for f in dataclasses.fields(self)}  # type: ignore[arg-type]

    @classmethod
    def from_config(cls: type[T], config: Mapping[str, Any]) -> T:
        """The augmenter that `get_config_dict` described; called on a class, it must be of that class.

        Raises:
            InputValueError: an unknown name or key; the message has the nearest one.
        """
        built = from_config(config)
        if not isinstance(built, cls):
            raise InputValueError(f"the config is one of {type(built).__name__}, not of {cls.__name__}")
        return built

    def __getstate__(self) -> dict[str, Any]:
        """The fields, and the version of this package: what `datasets` takes the fingerprint of.

        Caches and loaded pipelines stay out, which would change it with use. The version is in it, because a new
        one may rewrite otherwise, and must not be served from the cache of an old one.
        """
        fields = {f.name: portable(getattr(self, f.name)) for f in dataclasses.fields(self)}  # type: ignore[arg-type]
        return {VERSION_KEY: package_version()} | fields

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({name: value for name, value in state.items() if name != VERSION_KEY})


def from_config(config: Mapping[str, Any]) -> Any:
    """The augmenter or composite of a dictionary with its registered `name` and any of its fields.

    Example:
        >>> from_config({"name": "negation", "contractions": False}).contractions
        False
        >>> from_config({"name": "negation", "contraction": False})
        Traceback (most recent call last):
        ...
        sda_hf.errors.InputValueError: unknown field of negation 'contraction': did you mean 'contractions'? ...
    """
    if not isinstance(config, Mapping):
        raise InputTypeError(f"an augmenter's config is a mapping with a name, got {type(config).__name__}: {config!r}")
    if "name" not in config:
        raise InputValueError(f"an augmenter's config needs 'name', one of {', '.join(AUGMENTERS)}")
    name = config["name"]
    cls = AUGMENTERS.get(name)
    fields = {f.name for f in dataclasses.fields(cls)}
    for key in config:
        if key != "name" and key not in fields:
            raise unknown(f"field of {name}", key, fields)
    return cls(**{key: _built(value) for key, value in config.items() if key != "name"})


def _built(value: Any) -> Any:
    if isinstance(value, Mapping):
        return from_config(value)
    if isinstance(value, list):
        return tuple(_built(v) for v in value)
    return value


def _native(value: Any) -> Any:
    if isinstance(value, Configurable):
        return value.get_config_dict()
    if isinstance(value, tuple):
        return [_native(v) for v in value]
    return value.to_config() if hasattr(value, "to_config") else portable(value)


def portable(value: Any) -> Any:
    """A loaded pipeline by the path it came from; any other value as it is.

    Raises:
        InputValueError: the pipeline was never saved.
    """
    if not callable(getattr(value, "pipe", None)):
        return value
    path = getattr(value, "path", None)
    if path is None or not Path(path).is_dir():
        raise InputValueError(
            "parser is a pipeline made in memory, which cannot be pickled or written to a config: save it with "
            "nlp.to_disk(path) and give parser=path"
        )
    return str(path)
