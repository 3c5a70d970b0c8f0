"""What a section's fields say of themselves: the section inside, the allowed range, what to expect."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types
from pydantic import BaseModel, Field, PlainValidator, StrictFloat, StrictInt
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from sda_hf.errors import shown

Count = Annotated[StrictInt, Field(ge=1)]
PositiveNumber = Annotated[StrictFloat, Field(gt=0, allow_inf_nan=False)]
NonNegativeNumber = Annotated[StrictFloat, Field(ge=0, allow_inf_nan=False)]

NOT_PLAIN = "not_plain"
NOT_A_MAPPING = "not_a_mapping"
EMPTY = "empty"

EXPECTED: dict[object, str] = {
    bool: "true or false",
    int: "an integer",
    float: "a number",
    str: "a string",
    tuple: "a list",
    list: "a list",
    dict: "a mapping",
}
BOUNDS = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}


def _settings(value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise PydanticCustomError(NOT_A_MAPPING, "not a mapping")
    return {_key(key, ""): _plain(item, f".{key}") for key, item in value.items()}


def _task(value: object) -> str | dict[str, Any]:
    return value if isinstance(value, str) else _settings(value)


def _dev_tasks(value: object) -> str | dict[str, Any] | list[str | dict[str, Any]]:
    if not isinstance(value, (list, tuple)):
        return _task(value)
    if not value:
        raise PydanticCustomError(EMPTY, "empty")
    tasks = [_task(item) for item in value]
    return tasks[0] if len(tasks) == 1 else tasks


# A mapping of JSON-native values; a task's name, file or mapping; and one or several of them.
Settings = Annotated[dict[str, Any], PlainValidator(_settings)]
TaskReference = Annotated[str | dict[str, Any], PlainValidator(_task)]
DevTasks = Annotated[str | dict[str, Any] | list[str | dict[str, Any]], PlainValidator(_dev_tasks)]


def inner_section(field: FieldInfo) -> type[BaseModel] | None:
    """Return the section that a field holds, if it holds one."""
    annotation: Any = field.annotation
    if get_origin(annotation) is dict:
        return None
    for part in (annotation, *get_args(annotation)):
        if isinstance(part, type) and issubclass(part, BaseModel):
            return part
    return None


def named_section(field: FieldInfo) -> type[BaseModel] | None:
    """Return the section of which a field holds several by name, if it does."""
    annotation: Any = field.annotation
    if get_origin(annotation) is not dict:
        return None
    return next((part for part in get_args(annotation) if isinstance(part, type) and issubclass(part, BaseModel)), None)


def dotted_keys(section: type[BaseModel], place: str = "") -> Iterator[str]:
    """Yield the dotted paths of a section's keys and of those of the sections inside; NAME stands for any name."""
    for name, field in section.model_fields.items():
        yield f"{place}{name}"
        if inner := inner_section(field):
            yield from dotted_keys(inner, f"{place}{name}.")
        if named := named_section(field):
            yield from (f"{place}{name}.NAME.{key}" for key in named.model_fields)


def allowed_range(field: FieldInfo) -> str:
    """Describe the limits of a numeric field, such as "at least 0 and at most 1"."""
    annotation: Any = field.annotation
    marks = [*field.metadata, *(mark for part in get_args(annotation) for mark in getattr(part, "__metadata__", ()))]
    bounds: dict[str, object] = {}
    for mark in marks:
        for bound in [*mark.metadata] if isinstance(mark, FieldInfo) else [mark]:
            if isinstance(bound, annotated_types.BaseMetadata):
                bounds |= {words: getattr(bound, name) for name, words in BOUNDS.items() if hasattr(bound, name)}
    return " and ".join(f"{words} {bound}" for words, bound in bounds.items())


def choices(annotation: Any) -> tuple[str, ...]:
    """Return the values of the `Literal` in an annotation."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return next((found for part in get_args(annotation) if (found := choices(part))), ())


def expected(annotation: Any) -> str:
    """Describe the values that an annotation takes, such as "a string or a mapping"."""
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, types.UnionType):
        names = [expected(part) for part in get_args(annotation) if part is not type(None)]
        return " or ".join(dict.fromkeys(names))
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return EXPECTED[dict]
    return EXPECTED[get_origin(annotation) or annotation]


def _key(key: object, path: str) -> str:
    if not isinstance(key, str):
        problem = f"the key {shown(key)} is not a string"
        raise PydanticCustomError(NOT_PLAIN, "not a string", {"path": path, "problem": problem})
    return key


def _plain(value: Any, path: str) -> Any:
    """Copy a JSON-native value, with lists for tuples; refuse anything else, such as a date."""
    if isinstance(value, Mapping):
        return {_key(key, path): _plain(item, f"{path}.{key}") for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, path) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    problem = f"{shown(value)} is not a string, number, list or mapping"
    raise PydanticCustomError(NOT_PLAIN, "not JSON-native", {"path": path, "problem": problem})
