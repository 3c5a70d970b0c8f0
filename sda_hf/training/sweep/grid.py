"""A grid of settings, and the recipes at its points."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from sda_hf.errors import InputError, InputTypeError, InputValueError
from sda_hf.registry import LOSSES
from sda_hf.training.recipe import Recipe
from sda_hf.training.recipe.yaml_text import parse_yaml
from sda_hf.training.run_folder import RunFolder
from sda_hf.training.sweep.seeds import refuse_hub

DEV = "dev"
# Settings that a sweep takes elsewhere.
ELSEWHERE = {"training.seed": "seeds", "output": "the output"}
UNSAFE = re.compile(r"[^A-Za-z0-9._+=,-]")
LONGEST_NAME = 150


@dataclasses.dataclass(frozen=True)
class Point:
    """One combination of values.

    Args:
        parameters: key → value.
        folder: name of the folder of its runs.
        recipe: the recipe with these values.
    """

    parameters: dict[str, Any]
    folder: str
    recipe: Recipe


def parse_grid(settings: Sequence[str]) -> dict[str, list[str]]:
    """Parse a grid given as KEY=VALUE,VALUE strings.

    Args:
        settings: one string per key; the values are YAML, as in an override of a recipe. A comma inside brackets,
            braces or quotes belongs to the value.

    Returns:
        key → its values as they were written, for `run_sweep`.

    Raises:
        InputValueError: a key is missing or given twice, a value is given twice or is not YAML, or a key has no value.

    Example:
        >>> parse_grid(["loss.margin=0.1, 0.3", "evaluation.test=[stsb, sickr],stsb"])
        {'loss.margin': ['0.1', '0.3'], 'evaluation.test': ['[stsb, sickr]', 'stsb']}
    """
    grid: dict[str, list[str]] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        key = key.strip()
        if not (key and equals):
            raise InputValueError(f"grid {setting!r}: give KEY=VALUE,VALUE, such as loss.margin=0.1,0.3")
        if key in grid:
            raise InputValueError(f"grid {setting!r}: {key} is given twice; give all its values at once")
        grid[key] = _split(text, f"grid {setting!r}")
    _parsed_values(grid)
    return grid


def grid_points(
    recipe: str | Path, grid: Mapping[str, Sequence[str]], settings: Sequence[str], *, trust_parser: bool = False
) -> list[Point]:
    """Return every combination of values, each checked as far as possible without loading data or models.

    Args:
        recipe: a recipe file.
        grid: key → values, as `parse_grid` returns them; the last key changes fastest.
        settings: KEY=VALUE overrides for all points.
        trust_parser: as in `Recipe.load`.

    Raises:
        InputError: the grid is not valid, or a run would refuse a point, which the message names.
    """
    typed = _parsed_values(grid)
    last = {key: key.rsplit(".", 1)[-1] for key in grid}
    names = [key if list(last.values()).count(end) > 1 else end for key, end in last.items()]
    points: list[Point] = []
    for texts, values in zip(itertools.product(*grid.values()), itertools.product(*typed.values()), strict=True):
        pairs = [f"{key}={text}" for key, text in zip(grid, texts, strict=True)]
        try:
            loaded = Recipe.load(recipe, [*settings, *pairs], trust_parser=trust_parser)
            _check_parts(loaded, grid)
        except InputError as error:
            raise type(error)(f"point {', '.join(pairs)}: {error}") from None
        folder = _folder_name(",".join(f"{name}={text}" for name, text in zip(names, texts, strict=True)))
        for other in points:  # some file systems ignore case
            if other.recipe == loaded or other.folder.casefold() == folder.casefold():
                raise InputValueError(
                    f"grid: {other.folder} and {folder} are the same point: give different values, and no key inside "
                    "another"
                )
        points.append(Point(dict(zip(grid, values, strict=True)), folder, loaded))
    return points


def _split(text: str, source: str) -> list[str]:
    """Split a text as YAML splits a list."""
    text = f"[{text}]"
    parse_yaml(text, source)
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(node, yaml.SequenceNode) or node.end_mark.index < len(text):
        raise InputValueError(f"{source}: unbalanced brackets: put the value in quotes")
    return [text[item.start_mark.index : item.end_mark.index].strip() for item in node.value]


def _parsed_values(grid: Mapping[str, Sequence[str]]) -> dict[str, list[Any]]:
    if not grid:
        raise InputValueError("grid: empty; give a key and its values, such as loss.margin=0.1,0.3")
    parsed: dict[str, list[Any]] = {}
    for key, texts in grid.items():
        if key in ELSEWHERE:
            raise InputValueError(f"grid: {key} cannot be part of a grid; give {ELSEWHERE[key]} instead")
        if isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
            raise InputTypeError(f"grid: {key} is {texts!r}; give a list of strings, such as ['0.1', '0.3']")
        parsed[key] = [parse_yaml(text, f"grid: {key}") for text in texts]
        if not texts:
            raise InputValueError(f"grid: {key} has no value; give at least one, such as {key}=1,2")
        for i, value in enumerate(parsed[key]):
            if value in parsed[key][:i]:
                raise InputValueError(f"grid: {key} has the value {texts[i]} twice; give each value once")
    return parsed


def _folder_name(text: str) -> str:
    """Make a text safe as a folder name; one that had to be changed gets a digest, so that names stay unique."""
    name = UNSAFE.sub("-", text)[:LONGEST_NAME]
    return name if name == text else f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _check_parts(recipe: Recipe, grid: Iterable[str]) -> None:
    """Refuse what a run would refuse before it loads anything, and wrong arguments of a loss."""
    # Slow: they load torch.
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling

    from sda_hf import losses
    from sda_hf.training.runner import Run

    refuse_hub(recipe)
    run = Run(recipe, RunFolder(str(recipe.output)), None)
    # Our losses only ask a model for its width, so that a stand-in will do.
    for part in run.parts.values():
        if issubclass(LOSSES.get(part.spec.loss["name"]), losses.base.SentenceLoss):
            with torch.random.fork_rng():
                part.loss(SentenceTransformer(modules=[Pooling(2)], device="cpu"))
    taken = {*grid, *([DEV] if run.dev else [])}
    for task in run.tests:
        if task.name in taken:
            raise InputValueError(f"evaluation.test: {task.name!r} is already a column of the results; rename the task")
