"""Registries of augmenters, generators, losses and evaluation tasks, by name."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar, cast

from sda_hf.errors import InputValueError, PluginError, unknown

T = TypeVar("T")
Entry = TypeVar("Entry")


class Registry(Generic[T]):
    """A table of names, filled by a decorator as modules are imported.

    Nothing is imported before the first look-up. Other installed packages add entries with an entry point in `group`
    that has the name of the entry and refers to the decorated object, which is imported when its name is looked up.

    Args:
        kind: what the entries are, for error messages.
        package: the package whose public names are the built-in entries.
        group: group of the entry points; None if other packages cannot add entries.
    """

    def __init__(self, kind: str, package: str, group: str | None = None) -> None:
        self.kind = kind
        self.group = group
        self._package = package
        self._entries: dict[str, T] = {}

    def register(self, name: str) -> Callable[[Entry], Entry]:
        """Return a decorator that registers a class or object under a name.

        A class may be defined again, as notebooks do when a cell is run twice; the last definition counts.

        Raises:
            ValueError: the name is taken.
        """

        def enter(entry: Entry) -> Entry:
            known = self._entries.get(name)
            if known is not None and not _same_class(known, entry):
                raise ValueError(f"{self.kind} {name!r} is already registered, as {known!r}")
            self._entries[name] = cast(T, entry)
            return entry

        return enter

    def get(self, name: str) -> T:
        """Return the entry of a name.

        Raises:
            InputValueError: there is no such name; the message suggests the nearest one.
            PluginError: the package that adds it is broken.
        """
        if name not in self._entries and name not in self._built_in() and name in self._plugins:
            self._load_plugin(name)
        if name not in self._entries:
            raise unknown(self.kind, name, self)
        return self._entries[name]

    def name_of(self, entry: object) -> str:
        """Return the name under which an entry is registered.

        Raises:
            InputValueError: it is not registered.
        """
        for name, known in self._entries.items():
            if known is entry:
                return name
        raise InputValueError(f"{entry!r} is not a registered {self.kind}: decorate it with @register(name)")

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._built_in(), *self._plugins}))

    def __contains__(self, name: object) -> bool:
        return name in self._built_in() or name in self._plugins

    def load(self) -> dict[str, T]:
        """Return the whole table, with the entries of all installed packages.

        Raises:
            PluginError: a package that adds an entry is broken.
        """
        return {name: self.get(name) for name in self}

    def _built_in(self) -> dict[str, T]:
        """Return the entries known so far, including all of this library."""
        package = importlib.import_module(self._package)
        for name in package.__all__:
            getattr(package, name)  # imports its module, if the package is lazy
        return self._entries

    @functools.cached_property
    def _plugins(self) -> dict[str, list[EntryPoint]]:
        plugins: dict[str, list[EntryPoint]] = {}
        if self.group is not None:
            for point in entry_points(group=self.group):
                plugins.setdefault(point.name, []).append(point)
        return plugins

    def _load_plugin(self, name: str) -> None:
        point, *others = self._plugins[name]
        if others:
            packages = " and ".join(sorted(_distribution(each) for each in self._plugins[name]))
            raise PluginError(f"{self.kind} {name!r} is added by {packages}: uninstall all but one of them")
        origin = f"{self.kind} {name!r}: the entry point '{name} = {point.value}' ({self.group}) of "
        origin += _distribution(point)
        try:
            loaded = point.load()
        except Exception as error:
            raise PluginError(
                f"{origin} cannot be loaded ({type(error).__name__}: {error}): update or uninstall that package"
            ) from error
        if self._entries.get(name) is not loaded:
            raise PluginError(f"{origin} is not registered under that name: decorate it with @register({name!r})")


def _same_class(one: object, other: object) -> bool:
    if not isinstance(one, type) or not isinstance(other, type):
        return False
    return (one.__module__, one.__qualname__) == (other.__module__, other.__qualname__)


def _distribution(point: EntryPoint) -> str:
    return "an unknown package" if point.dist is None else f"{point.dist.name} {point.dist.version}"


AUGMENTERS: Registry[type[Any]] = Registry("augmenter", "sda_hf.augmentation", group="sda_hf.augmenters")
GENERATORS: Registry[type[Any]] = Registry("generator", "sda_hf.augmentation", group="sda_hf.generators")
LOSSES: Registry[type[Any]] = Registry("loss", "sda_hf.losses", group="sda_hf.losses")
TASKS: Registry[Any] = Registry("task", "sda_hf.evaluation")
