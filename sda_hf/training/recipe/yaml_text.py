"""YAML as a recipe and its overrides are written: 3e-5 is a number, and a duplicate key is an error.

A recipe may come from a stranger: its size, its depth, what its aliases amount to and its numbers are bounded.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any

import yaml

from sda_hf.errors import InputFileError, InputTypeError, InputValueError, shown
from sda_hf.files import read_small_text, text_problem

LARGEST = 100_000  # bytes
DEEPEST = 32
MOST_VALUES = 10_000
MERGE = "tag:yaml.org,2002:merge"


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
    if len(text) > LARGEST:
        raise InputValueError(f"{source}: more than {LARGEST:,} characters: a recipe is shorter")
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
        text = read_small_text(path, LARGEST)
    except InputFileError as error:
        raise InputFileError(f"{path}: cannot be read: {error}") from None
    mapping = parse_yaml(text, str(path))
    if not isinstance(mapping, dict):
        raise InputTypeError(f"{path}: a recipe must be a mapping of keys to values, not {type(mapping).__name__}")
    return mapping


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with YAML 1.2's numbers, which refuses duplicate keys and whatever grows out of bounds."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._depth = 0
        self._sizes: dict[int, int] = {}

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Compose a node, and count the values that it stands for once its aliases are written out."""
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]
        tag = getattr(event, "tag", None)
        if tag not in (None, "!", "tag:yaml.org,2002:str"):
            raise _problem(f"the tag {shown(tag)} is not allowed", event.start_mark)
        self._depth += 1
        if self._depth > DEEPEST:
            raise _problem(f"nested more than {DEEPEST} levels deep", event.start_mark)
        node = super().compose_node(parent, index)
        self._depth -= 1
        if node is not None and id(node) not in self._sizes:
            if isinstance(event, yaml.AliasEvent):
                raise _problem(f"the anchor {shown(event.anchor)} contains itself", event.start_mark)
            self._sizes[id(node)] = 1 + sum(self._sizes[id(inner)] for inner in _inner_nodes(node))
            if max(self._sizes[id(node)], len(self._sizes)) > MOST_VALUES:
                raise _problem(f"more than {MOST_VALUES:,} values", event.start_mark)
        return node

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key_node, _ in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise _problem("a key is a list or a mapping, not a string", key_node.start_mark)
            if key_node.value in seen and key_node.tag != MERGE:
                raise _problem(f"duplicate key {shown(key_node.value)}", key_node.start_mark)
            seen.add(key_node.value)
        return super().construct_mapping(node, deep)

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Construct a value; refuse one that no recipe can hold, such as a date that does not exist."""
        try:
            value = super().construct_object(node, deep)
        except (ValueError, OverflowError) as error:
            reason = "an integer of too many digits" if "integer string conversion" in str(error) else str(error)
            raise _problem(reason, node.start_mark) from None
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise _problem("an integer of more than 64 bits", node.start_mark)
        if isinstance(value, str):
            # JSON, which YAML includes, escapes characters beyond 16 bits as pairs of surrogates.
            value = value.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
            problem = text_problem(value)
            if problem is not None:
                raise _problem(problem, node.start_mark)
        return value


def _inner_nodes(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        yield from itertools.chain.from_iterable(node.value)
    elif isinstance(node, yaml.SequenceNode):
        yield from node.value


def _problem(problem: str, mark: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=mark)


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$"), list("-+.0123456789")
)
