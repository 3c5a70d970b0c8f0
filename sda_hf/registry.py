"""Names for augmenters, losses and evaluation tasks."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from sda_hf.errors import unknown

T = TypeVar("T")


class Registry(Generic[T]):
    """A name → entry table, filled by a decorator when `package` is imported.

    The package is imported at the first look-up, so that a registry costs nothing until it is used.
    """

    def __init__(self, kind: str, package: str) -> None:
        self.kind = kind
        self._package = package
        self._entries: dict[str, T] = {}

    def register(self, name: str) -> Callable[[T], T]:
        """Decorator that enters a class or object under `name`.

        Raises:
            ValueError: the name is taken.
        """

        def enter(entry: T) -> T:
            if name in self._entries:
                raise ValueError(f"{self.kind} {name!r} is registered already, as {self._entries[name]!r}")
            self._entries[name] = entry
            return entry

        return enter

    def get(self, name: str) -> T:
        """The entry of a name.

        Raises:
            InputValueError: no such name; the message has the nearest one.
        """
        entries = self.load()
        if name not in entries:
            raise unknown(self.kind, name, entries)
        return entries[name]

    def name_of(self, entry: T) -> str:
        """The name under which an entry is registered."""
        for name, known in self.load().items():
            if known is entry:
                return name
        raise KeyError(f"{entry!r} is not a registered {self.kind}: decorate it with @register(name)")

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.load()))

    def __contains__(self, name: object) -> bool:
        return name in self.load()

    def load(self) -> dict[str, T]:
        """The whole table, after importing the package that fills it."""
        importlib.import_module(self._package)
        return self._entries


AUGMENTERS: Registry[type[Any]] = Registry("augmenter", "sda_hf.augmentation")
LOSSES: Registry[type[Any]] = Registry("loss", "sda_hf.losses")
TASKS: Registry[Any] = Registry("task", "sda_hf.evaluation")
