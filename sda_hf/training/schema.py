"""Mappings ↔ frozen dataclasses, strictly: every key, type and limit is checked and named by its path."""

from __future__ import annotations

import dataclasses
import difflib
import math
import operator
import os
import re
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, TypeVar, Union, get_args, get_origin, get_type_hints

from sda_hf.errors import InputTypeError, InputValueError

S = TypeVar("S", bound="Section")

EXPECTED: dict[Any, str] = {
    bool: "true or false",
    int: "an integer",
    float: "a number",
    str: "a string",
    tuple: "a list of strings",
    dict: "a mapping",
    type(None): "null",
}

LIMITS: dict[str, tuple[Callable[[Any, Any], bool], str]] = {
    "at_least": (operator.ge, "at least"),
    "above": (operator.gt, "above"),
    "at_most": (operator.le, "at most"),
    "below": (operator.lt, "below"),
}
# What stands before the file of a task that is not of the default kind.
KIND = re.compile(r"[a-z-]{2,}:")
# Rules for fields whose paths lie deeper: the key of a path, and the rule for its value.
NESTED = {"augmentation": ("parser", "if_there"), "tasks": ("path", "always")}
TABLES = (".tsv", ".csv", ".jsonl", ".parquet", ".gz")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Section:
    """A part of a recipe; a subclass names its place and its fields, and each value is checked on creation."""

    place: ClassVar[str] = ""

    def __post_init__(self) -> None:
        hints = get_type_hints(type(self))
        for field in dataclasses.fields(self):
            where = join(self.place, field.name)
            value = _typed(getattr(self, field.name), hints[field.name], where)
            _check_limits(value, field.metadata, where)
            object.__setattr__(self, field.name, value)

    def to_dict(self) -> dict[str, Any]:
        """The section as a JSON-native mapping."""
        plain: dict[str, Any] = _plain(dataclasses.asdict(self))
        return plain


def option(default: Any, **limits: Any) -> Any:
    """A field with limits.

    Args:
        default: the value when the key is left out.
        **limits: `at_least`, `above`, `at_most`, `below`: numbers; `choices`: the values that are allowed;
            `path`: "always" for a path, "if_there" for a name that may be a path, or a key of `NESTED`.
    """
    return dataclasses.field(default=default, metadata=limits)


def join(place: str, key: str) -> str:
    """The dotted path of a key."""
    return f"{place}.{key}" if place else key


def from_mapping(section: type[S], mapping: Mapping[Any, Any]) -> S:
    """The section that a mapping of known keys describes.

    Raises:
        InputValueError: a key is missing, or a value is outside its limits.
        InputTypeError: a value has the wrong type.
    """
    for field in dataclasses.fields(section):
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if required and field.name not in mapping:
            raise InputValueError(f"{join(section.place, field.name)}: missing; give {field.metadata['give']}")
    return section(**mapping)


def check_keys(root: type[Section], mapping: Mapping[Any, Any], section: type[Section] | None = None) -> None:
    """Refuses the first key that no section knows, with the nearest one that is known.

    Args:
        root: the outermost section: where a misplaced key is looked up.
        mapping: what the user gave.
        section: the section that the mapping is for; None for `root`.

    Raises:
        InputValueError: a key is unknown.
    """
    section = section or root
    known = {field.name: _inner(section, field.name) for field in dataclasses.fields(section)}
    for key, value in mapping.items():
        if key not in known:
            raise _unknown_key(root, section, key, list(known))
        if known[key] and isinstance(value, Mapping):
            check_keys(root, value, known[key])


def keys(section: type[Section]) -> Iterator[str]:
    """The dotted paths of every key of a section and of the sections within."""
    for field in dataclasses.fields(section):
        yield join(section.place, field.name)
        if inner := _inner(section, field.name):
            yield from keys(inner)


def anchored(mapping: Mapping[str, Any], section: type[Section], base: Path) -> dict[str, Any]:
    """The mapping with its relative paths made absolute, as seen from the folder `base`."""
    result = dict(mapping)
    for field in dataclasses.fields(section):
        value, rule, inner = result.get(field.name), field.metadata.get("path"), _inner(section, field.name)
        if inner and isinstance(value, Mapping):
            result[field.name] = anchored(value, inner, base)
        elif rule in NESTED:
            result[field.name] = _anchor_nested(value, *NESTED[rule], base)
        elif rule and isinstance(value, list):
            result[field.name] = [_absolute(item, rule, base) for item in value]
        elif rule and field.name in result:
            result[field.name] = _absolute(value, rule, base)
    return {key: value for key, value in result.items() if key in mapping}


def _inner(section: type[Section], name: str) -> type[Section] | None:
    """The section that a field holds, if it holds one."""
    hint = get_type_hints(section)[name]
    return next((part for part in (hint, *get_args(hint)) if _is_section(part)), None)


def _anchor_nested(value: Any, key: str, rule: str, base: Path) -> Any:
    """Anchors the values of one key wherever it stands in nested mappings and lists, and lone names of tasks."""
    if isinstance(value, Mapping):
        return {
            name: _absolute(item, rule, base)
            if name == key
            else (item if isinstance(item, str) else _anchor_nested(item, key, rule, base))
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [_anchor_nested(item, key, rule, base) for item in value]
    return _absolute(value, "task", base) if key == "path" else value


def _absolute(value: Any, rule: str, base: Path) -> Any:
    if not isinstance(value, str) or not value or "://" in value:
        return value
    kind = KIND.match(value) if rule == "task" else None
    if kind:  # as in triples:FILE
        return kind[0] + _absolute(value[kind.end() :], rule, base)
    path = base / os.path.expanduser(value)
    is_path = {
        "always": True,
        "if_there": value.startswith(("~", ".", os.sep)) or os.path.exists(path),
        "task": os.sep in value or Path(value).suffix in TABLES,
    }
    return os.path.abspath(path) if is_path[rule] else value


def _is_section(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Section)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def _unknown_key(root: type[Section], section: type[Section], key: Any, known: list[str]) -> InputValueError:
    places = {path.rsplit(".", 1)[-1]: path for path in keys(root)}
    places.update({name: join(section.place, name) for name in known})
    near = difflib.get_close_matches(str(key), known, n=1) or difflib.get_close_matches(str(key), list(places), n=1)
    hint = f"did you mean {places[near[0]]!r}? " if near else ""
    return InputValueError(
        f"unknown recipe key {join(section.place, str(key))!r}: {hint}Known here: {', '.join(sorted(known))}"
    )


def _typed(value: Any, hint: Any, where: str) -> Any:
    if get_origin(hint) in (Union, types.UnionType):
        return _one_of(value, get_args(hint), where)
    if _is_section(hint):
        return _section(value, hint, where)
    origin = get_origin(hint) or hint
    if origin is tuple:
        return _items(value, get_args(hint)[0], where)
    if origin is dict:
        if not isinstance(value, Mapping):
            raise _wrong(value, "a mapping", where)
        return {_key(key, where): _json_native(item, join(where, str(key))) for key, item in value.items()}
    if origin is float and type(value) is int:
        return float(value)
    if type(value) is not origin:
        raise _wrong(value, EXPECTED[origin], where)
    if origin is float and not math.isfinite(value):
        raise _wrong(value, "a finite number", where)
    return value


def _section(value: Any, hint: type[Section], where: str) -> Section:
    if isinstance(value, hint):
        return value
    if value is None:
        return from_mapping(hint, {})
    if not isinstance(value, Mapping):
        raise _wrong(value, "a mapping", where)
    return from_mapping(hint, value)


def _one_of(value: Any, hints: tuple[Any, ...], where: str) -> Any:
    for hint in hints:
        if _is_section(hint) and isinstance(value, (Mapping, hint)):
            return _section(value, hint, where)
        if hint is type(None) and value is None:
            return None
        if not _is_section(hint) and hint is not type(None):
            try:
                return _typed(value, hint, where)
            except InputTypeError:
                continue
    names = [
        "a mapping" if _is_section(hint) else EXPECTED[get_origin(hint) or hint]
        for hint in hints
        if hint is not type(None)
    ]
    raise _wrong(value, " or ".join(names), where)


def _items(value: Any, hint: Any, where: str) -> tuple[Any, ...]:
    items = (value,) if isinstance(value, (str, Mapping)) else value
    expected = EXPECTED[tuple] if hint is str else "a list of names, paths and mappings"
    if not isinstance(items, (list, tuple)):
        raise _wrong(value, expected, where)
    try:
        return tuple(_typed(item, hint, where) for item in items)
    except InputTypeError:
        raise _wrong(value, expected, where) from None


def _key(key: Any, where: str) -> str:
    if not isinstance(key, str):
        raise InputTypeError(f"{where}: the key {key!r} is not a string")
    return key


def _json_native(value: Any, where: str) -> Any:
    if isinstance(value, Mapping):
        return {_key(key, where): _json_native(item, join(where, key)) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json_native(item, where) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise _wrong(value, "a string, number, list or mapping", where)


def _wrong(value: Any, expected: str, where: str) -> InputTypeError:
    shown = "null" if value is None else repr(value)
    return InputTypeError(f"{where}: {shown} is not {expected}")


def _check_limits(value: Any, limits: Mapping[str, Any], where: str) -> None:
    if value is None:
        return
    wanted = [f"{words} {limits[name]}" for name, (_, words) in LIMITS.items() if name in limits]
    for name, (holds, _) in LIMITS.items():
        if name in limits and not holds(value, limits[name]):
            raise InputValueError(f"{where}: {value!r} is outside what is allowed: {' and '.join(wanted)}")
    choices = limits.get("choices")
    if choices and value not in choices:
        near = difflib.get_close_matches(str(value), choices, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise InputValueError(f"{where}: {value!r} is not known: {hint}Known: {', '.join(choices)}")
