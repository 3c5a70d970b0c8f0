"""Validation errors as one line each: the path in the recipe, the value given, and what is allowed."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from sda_hf.errors import InputError, InputTypeError, InputValueError, shown
from sda_hf.training.recipe.fields import EMPTY, NOT_PLAIN, allowed_range, choices, dotted_keys, expected

OUT_OF_RANGE = ("greater_than", "greater_than_equal", "less_than", "less_than_equal")


def input_error(error: ValidationError, section: type[BaseModel], place: str, root: type[BaseModel]) -> InputError:
    """Translate pydantic's error; of several problems the first is told, unknown keys before all others.

    Args:
        error: what pydantic found.
        section: the section that was validated.
        place: its dotted path in the recipe; empty for the recipe itself.
        root: the recipe, where a misplaced key is looked up.
    """
    details = error.errors(include_url=False)
    for detail in details:
        if detail["type"] == "extra_forbidden":
            return unknown_key(str(detail["loc"][0]), section, place, root)
    for detail in details:
        inside = detail.get("ctx", {}).get("error")
        if isinstance(inside, InputError):  # from a section's own check or a section inside: the message is complete
            return inside
    detail = details[0]
    name = str(detail["loc"][0])
    prefix = f"{place}." if place else ""
    field = section.model_fields[name]
    annotation, where = field.annotation, prefix + name
    for index in (part for part in detail["loc"][1:] if isinstance(part, int)):  # an item of a list
        annotation, where = get_args(annotation)[0], f"{where}.{index}"
    return _field_error(detail, field, annotation, where)


def _field_error(detail: ErrorDetails, field: FieldInfo, annotation: Any, where: str) -> InputError:
    kind, value = detail["type"], detail["input"]
    given = "null" if value is None else shown(value)
    if kind == "missing":
        return InputValueError(f"{where}: missing; give {field.description or 'a value'}".rstrip("."))
    if kind in OUT_OF_RANGE:
        return InputValueError(f"{where}: {given} is out of range: it must be {allowed_range(field)}")
    if kind == "literal_error":
        return InputValueError(f"{where}: {given} is not known: {_nearest(value, choices(annotation))}")
    if kind == EMPTY:
        return InputValueError(f"{where}: the list is empty; give at least one")
    if kind == NOT_PLAIN:
        return InputTypeError(f"{where}{detail['ctx']['path']}: {detail['ctx']['problem']}")
    if kind == "finite_number":
        return InputTypeError(f"{where}: {given} is not a finite number")
    return InputTypeError(f"{where}: {given} is not {expected(annotation)}")


def _nearest(value: object, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(str(value)[:100], known, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}Known: {', '.join(known)}"


def unknown_key(key: str, section: type[BaseModel], place: str, root: type[BaseModel]) -> InputValueError:
    """Return the error for a key that a section does not have.

    The message names the nearest key of the section, or else of the whole recipe.
    """
    prefix = f"{place}." if place else ""
    known = list(section.model_fields)
    paths = sorted(dotted_keys(root), key=lambda path: ".NAME." not in path)  # of one name, the last one counts
    places = {path.rsplit(".", 1)[-1]: path for path in paths} | {name: prefix + name for name in known}
    near = difflib.get_close_matches(key, known, n=1) or difflib.get_close_matches(key, list(places), n=1)
    hint = f"did you mean {places[near[0]]!r}? " if near else ""
    return InputValueError(f"unknown recipe key {shown(prefix + key)}: {hint}Known here: {', '.join(sorted(known))}")
