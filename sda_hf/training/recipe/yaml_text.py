"""YAML as a recipe and its overrides are written: 3e-5 is a number, and a duplicate key is an error."""

from __future__ import annotations

import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from sda_hf.errors import InputFileError, InputTypeError, InputValueError


def parse_yaml(text: str, source: str) -> Any:
    """Parse a YAML text.

    Args:
        text: the YAML.
        source: where the text comes from, for the error message.

    Raises:
        InputValueError: the text is not valid YAML; the message names the source and the line.

    Example:
        >>> parse_yaml("{lr: 3e-5}", "example")
        {'lr': 3e-05}
        >>> parse_yaml("{lr: 1, lr: 2}", "example")
        Traceback (most recent call last):
        sda_hf.errors.InputValueError: example, line 1: not valid YAML: duplicate key 'lr'
    """
    try:
        return yaml.load(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        problem = " ".join(part for part in (error.context, error.problem) if part)
        raise InputValueError(f"{source}{line}: not valid YAML: {problem}") from None
    except yaml.YAMLError as error:
        raise InputValueError(f"{source}: not valid YAML: {' '.join(str(error).split())}") from None


def read_yaml_mapping(path: Path) -> dict[str, Any]:
    """Read a recipe file.

    Raises:
        InputFileError: the file is missing, unreadable or not UTF-8.
        InputValueError: it is not valid YAML.
        InputTypeError: it does not hold a mapping.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputFileError(f"{path}: no such recipe file") from None
    except UnicodeDecodeError:
        raise InputFileError(f"{path}: not a UTF-8 text file") from None
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read: {error.strerror}") from None
    mapping = parse_yaml(text, str(path))
    if not isinstance(mapping, dict):
        raise InputTypeError(f"{path}: a recipe must be a mapping of keys to values, not {type(mapping).__name__}")
    return mapping


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with YAML 1.2's numbers, which refuses duplicate keys."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key_node, _ in node.value:
            if key_node.value in seen and key_node.tag != "tag:yaml.org,2002:merge":
                raise yaml.MarkedYAMLError(
                    problem=f"duplicate key {key_node.value!r}", problem_mark=key_node.start_mark
                )
            if isinstance(key_node.value, str):
                seen.add(key_node.value)
        return super().construct_mapping(node, deep)


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$"), list("-+.0123456789")
)
