"""Relative paths in a recipe, resolved against the folder that they are relative to."""

from __future__ import annotations

import enum
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from sda_hf.syntax.parsers import installed_pipelines
from sda_hf.training.recipe.fields import inner_section, named_section

# The prefix of a task on a file that is not of the default kind, as in triples:FILE.
TASK_KIND = re.compile(r"[a-z-]{2,}:")
TABLES = (".tsv", ".csv", ".jsonl", ".parquet", ".gz")


class PathRule(enum.Enum):
    """Marks a field that may hold paths, in the field's annotation."""

    ALWAYS = enum.auto()
    """The value is a path."""
    IF_PRESENT = enum.auto()
    """The value is a name, or a path if there is something at it or it begins like a path."""
    TASKS = enum.auto()
    """Names of tasks, files, or mappings with the key `path`."""
    PARSERS = enum.auto()
    """A configuration whose keys `parser`, at any depth, are names or paths."""


def anchored(mapping: Mapping[str, Any], section: type[BaseModel], base: Path) -> dict[str, Any]:
    """Make the relative paths in a mapping absolute.

    Args:
        mapping: what the user gave for the section; not validated yet.
        section: the section, whose fields are marked with `PathRule`.
        base: the folder that the paths are relative to.
    """
    result = dict(mapping)
    for name, field in section.model_fields.items():
        if name not in mapping:
            continue
        value, inner, named = mapping[name], inner_section(field), named_section(field)
        rule = next((mark for mark in field.metadata if isinstance(mark, PathRule)), None)
        if inner is not None and isinstance(value, Mapping):
            result[name] = anchored(value, inner, base)
        elif named is not None and isinstance(value, Mapping):
            result[name] = {
                key: anchored(item, named, base) if isinstance(item, Mapping) else item for key, item in value.items()
            }
        elif rule is not None:
            result[name] = _anchored_value(value, rule, base)
    return result


def _anchored_value(value: Any, rule: PathRule, base: Path) -> Any:
    if rule is PathRule.PARSERS:
        return _anchored_key(value, "parser", PathRule.PARSERS, base)
    if isinstance(value, list):
        return [_anchored_value(item, rule, base) for item in value]
    if rule is PathRule.TASKS and isinstance(value, Mapping):
        return _anchored_key(value, "path", PathRule.ALWAYS, base)
    return _absolute(value, rule, base)


def _anchored_key(value: Any, key: str, rule: PathRule, base: Path) -> Any:
    """Anchor the values of one key, at any depth of nested mappings and lists."""
    if isinstance(value, Mapping):
        return {
            name: _absolute(item, rule, base) if name == key else _anchored_key(item, key, rule, base)
            for name, item in value.items()
        }
    return [_anchored_key(item, key, rule, base) for item in value] if isinstance(value, list) else value


def _absolute(value: Any, rule: PathRule, base: Path) -> Any:
    if not isinstance(value, str) or not value or "://" in value:
        return value
    kind = TASK_KIND.match(value) if rule is PathRule.TASKS else None
    if kind is not None:
        return kind[0] + _absolute(value[kind.end() :], rule, base)
    if rule is PathRule.PARSERS and value in installed_pipelines():  # a folder of that name may be somebody else's
        return value
    path = base / os.path.expanduser(value)
    if rule in (PathRule.IF_PRESENT, PathRule.PARSERS):
        is_path = value.startswith(("~", ".", os.sep)) or os.path.exists(path)
    elif rule is PathRule.TASKS:
        is_path = os.sep in value or Path(value).suffix in TABLES
    else:
        is_path = True
    return os.path.abspath(path) if is_path else value
