"""Augmenters as plain dictionaries, for recipes, model cards and fingerprints."""

from __future__ import annotations

import dataclasses
import functools
import importlib.metadata
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sda_hf.augmentation.protocol import RowAugmenter
from sda_hf.augmentation.trust import check_parsers
from sda_hf.augmentation.workers import end_with_this_process
from sda_hf.errors import InputTypeError, InputValueError, shown, unknown
from sda_hf.files import check_plain
from sda_hf.registry import AUGMENTERS

if TYPE_CHECKING:
    from typing_extensions import Self

VERSION_KEY = "sda-hf"


@functools.cache
def package_version() -> str:
    """Return the installed version of this package."""
    return importlib.metadata.version("sda-hf")


@dataclass(frozen=True)
class Configurable:
    """A frozen dataclass that is fully described by its registered name and its fields."""

    def get_config_dict(self) -> dict[str, Any]:
        """Return the registered name and every field as JSON values; nested augmenters are nested dictionaries.

        Raises:
            InputValueError: `parser` is a pipeline that was never saved, which no dictionary can name.
        """
        fields = {f.name: _native(getattr(self, f.name)) for f in dataclasses.fields(self)}
        return {"name": AUGMENTERS.name_of(type(self)), **fields}

    @classmethod
    def from_config(cls, config: Mapping[str, object], *, trust_parser: bool = False) -> Self:
        """Return the augmenter that `get_config_dict` described, which must be of this class.

        Args:
            config: the configuration.
            trust_parser: allow it to name a parser other than the embedded one; see `from_config` of this module.

        Raises:
            InputValueError: an unknown name or key; the message suggests the nearest one.
        """
        built: object = from_config(config, trust_parser=trust_parser)
        if not isinstance(built, cls):
            raise InputValueError(f"the config is one of {type(built).__name__}, not of {cls.__name__}")
        return built

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the registered name and the fields, of which `datasets` takes the fingerprint.

        Caches and loaded pipelines are left out, because they would change the fingerprint with use. The version of the
        code is included, because another version may rewrite differently and must not be served from the same cache.
        The class is pickled by its name, so that worker processes find one defined in a script or notebook.
        """
        end_with_this_process()
        fields = {f.name: portable(getattr(self, f.name)) for f in dataclasses.fields(self)}
        return _unpickled, (AUGMENTERS.name_of(type(self)), fields, _code_version(type(self)))


def _unpickled(name: str, fields: Mapping[str, object], code_version: str) -> object:
    augmenter = object.__new__(AUGMENTERS.get(name))
    augmenter.__dict__.update(fields)
    return augmenter


def _code_version(cls: type) -> str:
    """Return the version of this package; for a class of the user's, together with its source if known."""
    if cls.__module__.startswith("sda_hf."):
        return package_version()
    try:
        return f"{package_version()}\n{inspect.getsource(cls)}"
    except (OSError, TypeError):
        return package_version()


def from_config(config: Mapping[str, object], *, trust_parser: bool = False) -> RowAugmenter:
    """Return the augmenter or composite of a dictionary with its registered `name` and any of its fields.

    Args:
        config: the dictionary, which may come from a stranger.
        trust_parser: allow it to name a parser other than the embedded one: an installed spaCy pipeline, or the
            absolute path of one. Loading it runs its code.

    Raises:
        InputTypeError: it is not a mapping, or a value has the wrong type.
        InputValueError: an unknown name or key, a value that is not allowed, or a parser that is not trusted.
        MissingPackageError: a trusted parser is not installed.

    Example:
        >>> from_config({"name": "negation", "contractions": False}).contractions
        False
        >>> from_config({"name": "negation", "contraction": False})
        Traceback (most recent call last):
        ...
        sda_hf.errors.InputValueError: unknown field of negation 'contraction': did you mean 'contractions'? ...
    """
    if not isinstance(config, Mapping):
        raise InputTypeError(f"an augmenter's config is a mapping with a name, got {_typed(config)}")
    check_plain(config)
    check_parsers(config, trusted=trust_parser)
    return unchecked(config)


def unchecked(config: Mapping[str, object]) -> RowAugmenter:
    """Return what `from_config` does, for a configuration whose parsers need no check."""
    if "name" not in config:
        raise InputValueError(f"an augmenter's config needs 'name', one of {', '.join(AUGMENTERS)}")
    name = config["name"]
    if not isinstance(name, str):
        raise InputTypeError(f"an augmenter's name is a string, got {_typed(name)}")
    cls = AUGMENTERS.get(name)
    fields = {f.name: f for f in dataclasses.fields(cls)}
    for key in config:
        if key != "name" and key not in fields:
            raise unknown(f"field of {name}", key, fields)
    for key, described in fields.items():
        if key not in config and described.default is described.default_factory is dataclasses.MISSING:
            raise InputValueError(f"{name} needs {key!r}: give the config of an augmenter")
    built: RowAugmenter = cls(**{key: _built(value) for key, value in config.items() if key != "name"})
    return built


def _typed(value: object) -> str:
    return f"{type(value).__name__}: {shown(value)}"


def _built(value: object) -> object:
    if isinstance(value, Mapping):
        return unchecked(value)
    if isinstance(value, list):
        return tuple(_built(v) for v in value)
    return value


def _native(value: object) -> object:
    if isinstance(value, Configurable):
        return value.get_config_dict()
    if isinstance(value, tuple):
        return [_native(v) for v in value]
    return value.to_config() if hasattr(value, "to_config") else portable(value)


def portable(value: object) -> object:
    """Return the path of a loaded pipeline; any other value is returned unchanged.

    Raises:
        InputValueError: the pipeline was never saved.
    """
    if not callable(getattr(value, "pipe", None)):
        return value
    path = getattr(value, "path", None)
    if path is None or not Path(path).is_dir():
        raise InputValueError(
            "parser is a pipeline that exists only in memory, which cannot be pickled or written to a config: save it "
            "with nlp.to_disk(path) and give parser=path"
        )
    return str(path)
