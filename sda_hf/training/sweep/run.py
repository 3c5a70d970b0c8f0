"""A grid of settings: every point is run with every seed, and the results stand side by side."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from sda_hf.errors import InputError, InputFileError, InputTypeError, InputValueError
from sda_hf.registry import LOSSES
from sda_hf.run_files import RunMetrics
from sda_hf.training.processes import is_main_process
from sda_hf.training.recipe import Recipe
from sda_hf.training.recipe.yaml_text import parse_yaml
from sda_hf.training.run_folder import RunFolder
from sda_hf.training.sweep.seeds import parse_seeds, refuse_hub, run_seeds, spread

SUMMARY = "sweep.json"
DEV = "dev"
ELSEWHERE = {"training.seed": "seeds", "output": "the output"}  # setting → what gives it to every point
UNSAFE = re.compile(r"[^A-Za-z0-9._+=,-]")
LONGEST_NAME = 150


def parse_grid(settings: Sequence[str]) -> dict[str, list[str]]:
    """The grid of KEY=VALUE,VALUE strings.

    Args:
        settings: a string for each key; a value is YAML, as in an override of a recipe. A comma within brackets,
            braces or quotes belongs to the value.

    Returns:
        key → its values as they were given, for `run_sweep`.

    Raises:
        InputValueError: there is no key, a key or a value stands twice, a key has no value, or a value is not YAML.

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
            raise InputValueError(f"grid {setting!r}: {key} stands twice; give all its values at once")
        grid[key] = _split(text, f"grid {setting!r}")
    _typed(grid)
    return grid


def run_sweep(
    recipe: str | Path,
    grid: Mapping[str, Sequence[str]],
    seeds: Iterable[int],
    output: str | Path | None = None,
    settings: Sequence[str] = (),
    resume: bool = False,
    overwrite: bool = False,
    on_interrupt: Callable[[], None] | None = None,
) -> dict[str, Any]:
    """Runs a recipe with every combination of the values of a grid, each with every seed.

    A point has the folder margin=0.1,proportion=0.5 or the like in the output, with the runs in seed-0 and so on.
    Nothing is run before all points are found to be good. sweep.json is written anew after each point.

    Args:
        recipe: a recipe file.
        grid: key → values, as `parse_grid` gives them; the last key changes fastest.
        seeds: a number for each run of a point.
        output: the folder of the points; None for the recipe's.
        settings: KEY=VALUE overrides for all points.
        resume: keep the runs that are finished, and continue the others; keys may have further values.
        overwrite: remove the runs of the points first.
        on_interrupt: as in `run`.

    Returns:
        What sweep.json holds: "recipe", the file's name; "grid"; "seeds"; "points", a list of mappings with
        "parameters", the point's values; "folder", its name; "tasks", as in seeds.json; "dev", the best dev score of
        each run as "values", "mean" and "std", or None without a dev task. Scores are in the main process alone.

    Raises:
        InputError: as in `run`, for a point that it names; or the grid is not the one of the sweep that is resumed.
        Interrupted: as in `run`; the points before are in sweep.json.

    Example:
        >>> run_sweep("recipe.yaml", {"loss.margin": ["0.1", "0.10"]}, seeds=[0])
        Traceback (most recent call last):
        ...
        sda_hf.errors.InputValueError: grid: loss.margin has the value 0.10 twice; give each value once
    """
    seeds = parse_seeds(",".join(map(str, seeds)))
    points = _points(recipe, grid, settings)
    head = {"recipe": Path(recipe).name, "grid": {key: list(grid[key]) for key in grid}, "seeds": seeds}
    sweep = _Sweep(head, points, RunFolder(str(points[0].recipe.output) if output is None else output))
    how = {"resume": resume, "overwrite": overwrite}
    if is_main_process():
        sweep.check(**how)
    # What is finished comes first, so that sweep.json never has less in it than before.
    done = {point.folder: sweep.measured(point, **how) for point in points if resume and sweep.is_finished(point)}
    summary = sweep.record(done)
    for point in points:
        if point.folder not in done:
            done[point.folder] = sweep.measured(point, **how, on_interrupt=on_interrupt)
            summary = sweep.record(done)
    return summary


def sweep_rows(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows of a table: a line each point.

    Args:
        summary: what `run_sweep` gave, or sweep.json holds.

    Returns:
        Rows with the point's parameters, and for each test task the mean of its headline metric over the seeds under
        the task's name and the deviation as "... std", then the same of "dev" where there is one. None where a point
        has no such task, and for the deviation of a single seed.

    Example:
        >>> stsb = {"spearman": {"after": {"values": [75.5, 76.5], "mean": 76.0, "std": 0.7}}}
        >>> sweep_rows({"points": [{"parameters": {"loss.margin": 0.1}, "tasks": {"stsb": stsb}, "dev": None}]})
        [{'loss.margin': 0.1, 'stsb': 76.0, 'stsb std': 0.7}]
    """
    points = summary["points"]
    tasks = dict.fromkeys(task for point in points for task in point["tasks"])  # the grid may have a say in them
    has_dev = any(point["dev"] for point in points)
    rows = []
    for point in points:
        spreads = {task: next(iter(metrics.values()))["after"] for task, metrics in point["tasks"].items()}
        shown = {**dict.fromkeys(tasks), **spreads} | ({DEV: point["dev"]} if has_dev else {})
        row = dict(point["parameters"])
        for name, found in shown.items():
            row |= {name: found and found["mean"], f"{name} std": found and found["std"]}
        rows.append(row)
    return rows


@dataclasses.dataclass(frozen=True)
class _Point:
    """One combination of values, and the recipe that it makes."""

    parameters: dict[str, Any]
    folder: str
    recipe: Recipe


class _Sweep:
    """The points of a sweep and its folder."""

    def __init__(self, head: Mapping[str, Any], points: Sequence[_Point], here: RunFolder) -> None:
        self.head, self.points, self.here, self.file = head, points, here, here.path / SUMMARY

    def check(self, *, resume: bool, overwrite: bool) -> None:
        """Refuses folders that the sweep must not write to; changes nothing."""
        top = self.here.path
        if resume == overwrite or not top.is_dir() or not any(top.iterdir()):
            self.here.check(self.points[0].recipe, resume=resume, overwrite=overwrite)
        elif not self.file.is_file():
            raise InputFileError(f"output {top} is not the folder of a sweep (no {SUMMARY} in it): give another")
        elif resume:
            _check_same_sweep(json.loads(self.file.read_text(encoding="utf-8")), self.head)
        for point in self.points:
            for seed, run in self._runs(point).items():
                one = point.recipe.replace(training=point.recipe.training.replace(seed=seed))
                if resume and run.read_metrics().is_finished:  # whose scores `run_seeds` takes as they are
                    _check_same_recipe(run, one)
                else:
                    run.check(one, resume=resume, overwrite=overwrite)

    def is_finished(self, point: _Point) -> bool:
        return all(run.read_metrics().is_finished for run in self._runs(point).values())

    def measured(self, point: _Point, **how: Any) -> dict[str, Any]:
        """Runs what is not there yet of a point; its entry in the summary."""
        tasks = run_seeds(point.recipe, self.head["seeds"], self.here.path / point.folder, **how)["tasks"]
        dev = None
        if point.recipe.evaluation.dev is not None and is_main_process():
            dev = spread([_dev_score(run.read_metrics()) for run in self._runs(point).values()])
        return {"parameters": point.parameters, "folder": point.folder, "tasks": tasks, "dev": dev}

    def record(self, done: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
        """The summary of the points that are done, in the order of the grid; one process of several writes it."""
        summary = {**self.head, "points": [done[point.folder] for point in self.points if point.folder in done]}
        if is_main_process():
            self.here.path.mkdir(parents=True, exist_ok=True)
            self.here.write_json(self.file, summary)
        return summary

    def _runs(self, point: _Point) -> dict[int, RunFolder]:
        return {seed: RunFolder(self.here.path / point.folder / f"seed-{seed}") for seed in self.head["seeds"]}


def _split(text: str, source: str) -> list[str]:
    """The parts of a text as YAML splits a list."""
    text = f"[{text}]"
    parse_yaml(text, source)
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(node, yaml.SequenceNode) or node.end_mark.index < len(text):
        raise InputValueError(f"{source}: brackets that do not match: put the value in quotes")
    return [text[item.start_mark.index : item.end_mark.index].strip() for item in node.value]


def _typed(grid: Mapping[str, Sequence[str]]) -> dict[str, list[Any]]:
    """The grid with the values that the texts stand for."""
    if not grid:
        raise InputValueError("grid: empty; give a key and its values, such as loss.margin=0.1,0.3")
    typed: dict[str, list[Any]] = {}
    for key, texts in grid.items():
        if key in ELSEWHERE:
            raise InputValueError(f"grid: {key} is no part of a grid; give {ELSEWHERE[key]} instead")
        if isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
            raise InputTypeError(f"grid: {key} is {texts!r}; give a list of strings, such as ['0.1', '0.3']")
        typed[key] = [parse_yaml(text, f"grid: {key}") for text in texts]
        if not texts:
            raise InputValueError(f"grid: {key} has no value; give at least one, such as {key}=1,2")
        for i, value in enumerate(typed[key]):
            if value in typed[key][:i]:
                raise InputValueError(f"grid: {key} has the value {texts[i]} twice; give each value once")
    return typed


def _points(recipe: str | Path, grid: Mapping[str, Sequence[str]], settings: Sequence[str]) -> list[_Point]:
    """Every combination, each a recipe that a run would take."""
    typed = _typed(grid)
    last = {key: key.rsplit(".", 1)[-1] for key in grid}
    names = [key if list(last.values()).count(end) > 1 else end for key, end in last.items()]
    points: list[_Point] = []
    for texts, values in zip(itertools.product(*grid.values()), itertools.product(*typed.values()), strict=True):
        pairs = [f"{key}={text}" for key, text in zip(grid, texts, strict=True)]
        try:
            loaded = Recipe.load(recipe, [*settings, *pairs])
            _check_parts(loaded, grid)
        except InputError as error:
            raise type(error)(f"point {', '.join(pairs)}: {error}") from None
        folder = _file_name(",".join(f"{name}={text}" for name, text in zip(names, texts, strict=True)))
        for other in points:  # some disks take no notice of case
            if other.recipe == loaded or other.folder.casefold() == folder.casefold():
                same = f"grid: {other.folder} and {folder} are one point"
                raise InputValueError(f"{same}: give values that differ, and no key within another")
        points.append(_Point(dict(zip(grid, values, strict=True)), folder, loaded))
    return points


def _file_name(text: str) -> str:
    """A text as the name of a folder; a changed one has its digest behind it, so that no two become the same."""
    name = UNSAFE.sub("-", text)[:LONGEST_NAME]
    return name if name == text else f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _check_parts(recipe: Recipe, grid: Iterable[str]) -> None:
    """Refuses what a run would refuse before it loads anything, and the arguments of a loss."""
    # Here, because they load torch.
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling

    from sda_hf import losses
    from sda_hf.training.runner import Run

    refuse_hub(recipe)
    run = Run(recipe, RunFolder(str(recipe.output)), None)
    if issubclass(LOSSES.get(recipe.loss["name"]), losses.SentenceLoss):  # it asks a model for its width alone
        with torch.random.fork_rng():
            losses.from_config(SentenceTransformer(modules=[Pooling(2)], device="cpu"), recipe.loss)
    taken = {*grid, *([DEV] if run.dev else [])}
    for task in run.tests:
        if task.name in taken:
            raise InputValueError(f"evaluation.test: {task.name!r} is another column of the results: name it otherwise")


def _check_same_sweep(before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuses to go on with a sweep whose points are others, or some of whose points would be lost."""
    lost = any(set(texts) - set(now["grid"].get(key, ())) for key, texts in before["grid"].items())
    if lost or before["recipe"] != now["recipe"] or list(before["grid"]) != list(now["grid"]):
        was, are = (f"{one['recipe']} with {json.dumps(one['grid'], ensure_ascii=False)}" for one in (before, now))
        how = "resume with the same recipe and keys and at least the same values, or give another folder"
        raise InputValueError(f"{SUMMARY} is of {was}, not of {are}: {how}")


def _check_same_recipe(run: RunFolder, recipe: Recipe) -> None:
    before, now = vars(Recipe.load(run.recipe)), vars(recipe)
    others = [key for key in now if key != "output" and before[key] != now[key]]
    if others:
        where = f"the finished run in {run.path} has another recipe ({', '.join(others)})"
        raise InputValueError(f"{where}: resume with the same one, or give another folder")


def _dev_score(metrics: RunMetrics) -> float:
    """Return the best dev score of a run, whether or not its checkpoint was kept."""
    return max(entry.score for entry in metrics.training.dev)
