"""Run every point of a grid of settings with every seed, and collect the scores."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.run_files import RunMetrics
from sda_hf.training.processes import is_main_process
from sda_hf.training.run_folder import RunFolder, write_json
from sda_hf.training.sweep.grid import Point, grid_points
from sda_hf.training.sweep.seeds import check_same_recipe, parse_seeds, run_seeds, spread

SUMMARY = "sweep.json"


def run_sweep(  # noqa: PLR0913 - each is an option of the command
    recipe: str | Path,
    grid: Mapping[str, Sequence[str]],
    seeds: Iterable[int],
    output: str | Path | None = None,
    settings: Sequence[str] = (),
    resume: bool = False,
    overwrite: bool = False,
    on_interrupt: Callable[[], None] | None = None,
    trust_parser: bool = False,
) -> dict[str, Any]:
    """Run a recipe with every combination of the values of a grid, each with every seed.

    The runs of a point are in OUTPUT/margin=0.1,proportion=0.5/seed-0 and so on. All points are checked before the
    first run starts. sweep.json is rewritten after each point.

    Args:
        recipe: a recipe file.
        grid: key → values, as `parse_grid` returns them; the last key changes fastest.
        seeds: one number for each run of a point.
        output: the folder of the points; None for the recipe's.
        settings: KEY=VALUE overrides for all points.
        resume: keep finished runs and continue the others; keys may have additional values.
        overwrite: delete the runs of the points first.
        on_interrupt: as in `run`.
        trust_parser: as in `Recipe.load`.

    Returns:
        The contents of sweep.json: "recipe", the file's name; "grid"; "seeds"; "points", a list of mappings with
        "parameters", the point's values; "folder", its name; "tasks", as in seeds.json; "dev", the best dev score of
        each run as "values", "mean" and "std", or None without a dev task. Only the main process has the scores.

    Raises:
        InputError: as in `run`, naming the point; or the grid does not match that of the sweep to resume.
        Interrupted: as in `run`; the points before are in sweep.json.

    Example:
        >>> run_sweep("recipe.yaml", {"loss.margin": ["0.1", "0.10"]}, seeds=[0])
        Traceback (most recent call last):
        ...
        sda_hf.errors.InputValueError: grid: loss.margin has the value 0.10 twice; give each value once
    """
    seeds = parse_seeds(",".join(map(str, seeds)))
    points = grid_points(recipe, grid, settings, trust_parser=trust_parser)
    head = {"recipe": Path(recipe).name, "grid": {key: list(grid[key]) for key in grid}, "seeds": seeds}
    sweep = _Sweep(head, points, RunFolder(str(points[0].recipe.output) if output is None else output))
    if is_main_process():
        sweep.check(resume=resume, overwrite=overwrite)
    # Finished points come first, so that sweep.json never loses any.
    done = {
        point.folder: sweep.measured(point, resume=resume, overwrite=overwrite)
        for point in points
        if resume and sweep.is_finished(point)
    }
    summary = sweep.record(done)
    for point in points:
        if point.folder not in done:
            done[point.folder] = sweep.measured(point, resume=resume, overwrite=overwrite, on_interrupt=on_interrupt)
            summary = sweep.record(done)
    return summary


class _Sweep:
    """The points of a sweep and its folder."""

    def __init__(self, head: Mapping[str, Any], points: Sequence[Point], top: RunFolder) -> None:
        self.head, self.points, self.top = head, points, top
        self.file = top.path / SUMMARY

    def check(self, *, resume: bool, overwrite: bool) -> None:
        """Refuse folders that the sweep must not write to; change nothing."""
        folder = self.top.path
        if resume == overwrite or not folder.is_dir() or self.top.is_free():
            self.top.check(self.points[0].recipe, resume=resume, overwrite=overwrite)
        elif not self.file.is_file():
            raise InputFileError(f"output {folder} is not the folder of a sweep (it has no {SUMMARY}): give another")
        elif resume:
            _check_same_sweep(json.loads(self.file.read_text(encoding="utf-8")), self.head)
        for point in self.points:
            for seed, run in self._runs(point).items():
                recipe = point.recipe.replace(training=point.recipe.training.replace(seed=seed))
                if resume and run.read_metrics().is_finished:  # `run_seeds` takes its scores as they are
                    check_same_recipe(run, recipe)
                else:
                    run.check(recipe, resume=resume, overwrite=overwrite)

    def is_finished(self, point: Point) -> bool:
        return all(run.read_metrics().is_finished for run in self._runs(point).values())

    def measured(
        self, point: Point, *, resume: bool, overwrite: bool, on_interrupt: Callable[[], None] | None = None
    ) -> dict[str, Any]:
        """Run what is missing of a point, and return its entry in the summary."""
        folder = self.top.path / point.folder
        seeds = self.head["seeds"]
        tasks = run_seeds(point.recipe, seeds, folder, resume, overwrite, on_interrupt)["tasks"]
        dev = None
        if point.recipe.evaluation.dev is not None and is_main_process():
            dev = spread([_best_dev_score(run.read_metrics()) for run in self._runs(point).values()])
        return {"parameters": point.parameters, "folder": point.folder, "tasks": tasks, "dev": dev}

    def record(self, done: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
        """Return the summary of the finished points, in the order of the grid; the main process also writes it."""
        summary = {**self.head, "points": [done[point.folder] for point in self.points if point.folder in done]}
        if is_main_process():
            self.top.path.mkdir(parents=True, exist_ok=True)
            write_json(self.file, summary)
        return summary

    def _runs(self, point: Point) -> dict[int, RunFolder]:
        return {seed: RunFolder(self.top.path / point.folder / f"seed-{seed}") for seed in self.head["seeds"]}


def _check_same_sweep(before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse to resume a sweep with other points, or with fewer."""
    lost = any(set(texts) - set(now["grid"].get(key, ())) for key, texts in before["grid"].items())
    if lost or before["recipe"] != now["recipe"] or list(before["grid"]) != list(now["grid"]):
        was, is_now = (f"{one['recipe']} with {json.dumps(one['grid'], ensure_ascii=False)}" for one in (before, now))
        raise InputValueError(
            f"{SUMMARY} is of {was}, not of {is_now}: resume with the same recipe and keys and at least the same "
            "values, or give another folder"
        )


def _best_dev_score(metrics: RunMetrics) -> float:
    """Return the best dev score of a run, whether or not its checkpoint was kept."""
    return max(entry.score for entry in metrics.training.dev)
