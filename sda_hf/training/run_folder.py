"""The folder of a run: when it may be written to, and how."""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from importlib import metadata
from pathlib import Path
from typing import Any

from sda_hf.errors import InputError, InputFileError, InputValueError
from sda_hf.files import give_usual_permissions, is_part, part_beside, remove, write_whole
from sda_hf.files.locks import LOCK, folder_lock
from sda_hf.run_files import CARD, CHECKPOINTS, METRICS, RECIPE, VERSIONS, RunMetrics
from sda_hf.training.recipe import Recipe

PACKAGES = (
    "sda-hf",
    "sentence-transformers",
    "transformers",
    "tokenizers",
    "datasets",
    "accelerate",
    "torch",
    "spacy",
)

# The files by which the folder of a run is known, in the order in which they go when it is cleared.
MARKS = (RECIPE, VERSIONS)
# The file that makes a saved model loadable.
MODULES = "modules.json"


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that a run depends on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


class RunFolder:
    """A run's folder: the saved model itself, with the recipe, versions, metrics, card and checkpoints.

    Every file is written atomically, and whenever the process is killed, the folder is left as one of a run, or as one
    that is free for a new run.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).absolute()
        self.checkpoints = self.path / CHECKPOINTS
        self.recipe = self.path / RECIPE
        self.versions = self.path / VERSIONS
        self.metrics = self.path / METRICS
        self.card = self.path / CARD

    def lock(self) -> AbstractContextManager[None]:
        """Return a context in which no other process writes to the folder; see `folder_lock`.

        Raises:
            InputFileError: another process writes to the folder, or it cannot be written.
        """
        self._check_place()
        return folder_lock(self.path)

    def check(self, recipe: Recipe, *, resume: bool, overwrite: bool) -> None:
        """Refuse a folder that a run must not write to; change nothing.

        Raises:
            InputFileError: the folder holds something else.
            InputValueError: the settings contradict each other, or the recipe differs from the one in the folder.
        """
        if resume and overwrite:
            raise InputValueError("resume and overwrite contradict each other: give only one")
        self._check_place()
        if overwrite and self.path.is_symlink():
            raise InputFileError(
                f"output {self.path} is a symbolic link, which is not overwritten: give the folder that it points to, "
                f"{self.path.resolve()}"
            )
        if self.is_free():
            return
        if overwrite:
            self._check_overwrite(recipe)
        elif resume:
            self._check_resume(recipe)
        else:
            raise InputFileError(
                f"output {self.path} is not empty: give another folder, or resume or overwrite the run in it"
            )

    def claim(self, recipe: Recipe, *, overwrite: bool) -> None:
        """Create the folder and write the versions and the recipe; checkpoints that were cut short are removed."""
        if overwrite and self.path.exists():
            self._clear()
        self.checkpoints.mkdir(parents=True, exist_ok=True)
        for entry in self.checkpoints.glob("checkpoint-*"):
            if _state(entry) is None:
                remove(entry)
        write_json(self.versions, versions())
        write_whole(self.recipe, recipe.to_yaml())

    def _clear(self) -> None:
        """Remove the run: first out of sight, so that half a run is never taken for a whole one."""
        old = part_beside(self.path / "old")
        old.mkdir()
        # Its marks come last: if this is cut short, the folder can be overwritten again.
        marks = [self.path / name for name in MARKS]
        contents = _contents(self.path)
        for entry in [entry for entry in contents if entry not in marks] + [mark for mark in marks if mark in contents]:
            os.replace(entry, old / entry.name)
        remove(old)

    def last_checkpoint(self, needed: Iterable[str] = (), *, to_resume: bool = False) -> str | None:
        """Return the latest complete checkpoint, if there is one.

        Args:
            needed: files that it must hold in addition to the trainer's own.
            to_resume: leave out one that was saved at the last step of training in the middle of an epoch: resumed from
                it, the trainer would do one step too many, so that the steps before it are repeated.
        """
        complete = []
        for entry in self.checkpoints.glob("checkpoint-*"):
            state = _state(entry)
            if _step(entry) < 0 or state is None or (to_resume and _ends_within_an_epoch(state)):
                continue
            if all((entry / name).is_file() for name in needed):
                complete.append(entry)
        return str(max(complete, key=_step)) if complete else None

    def remove_checkpoints_after(self, last: str | None) -> None:
        """Remove checkpoints of steps that will be repeated.

        The trainer orders checkpoints of the same second by step, and would delete the new ones as older than these.

        Args:
            last: the checkpoint from which training is resumed; None if it starts from the beginning.
        """
        resumed = -1 if last is None else _step(Path(last))
        for entry in self.checkpoints.glob("checkpoint-*"):
            if _step(entry) > resumed:
                remove(entry)

    def read_metrics(self) -> RunMetrics:
        """Read metrics.json; an empty object if the run has not written it yet.

        Raises:
            InputFileError: the file is malformed.
        """
        return RunMetrics.load(self.metrics) if self.metrics.is_file() else RunMetrics()

    def save_model(self, save: Callable[[str], None]) -> None:
        """Save a model into the folder; modules.json, which makes it loadable, comes last."""
        new, old = part_beside(self.path / "model"), part_beside(self.path / "old")
        try:
            new.mkdir()
            old.mkdir()
            save(str(new))
            give_usual_permissions(new)
            (self.path / MODULES).unlink(missing_ok=True)  # of a saving that was cut short
            for entry in sorted(new.iterdir(), key=lambda entry: entry.name == MODULES):
                target = self.path / entry.name
                if target.is_dir():
                    os.replace(target, old / entry.name)
                os.replace(entry, target)
        finally:
            remove(new)
            remove(old)

    def is_free(self) -> bool:
        """Whether the folder is empty or does not exist, or a run was killed before it wrote its recipe there."""
        if not self.path.exists():
            return True
        names = {entry.name for entry in _contents(self.path)}
        return not names - {CHECKPOINTS, VERSIONS} and not any(self.checkpoints.glob("*")) and self._has_own_versions()

    def _has_own_versions(self) -> bool:
        """Whether versions.json, if there is one, was written by a run."""
        return not self.versions.exists() or '"sda-hf"' in self.versions.read_text(encoding="utf-8", errors="replace")

    def _check_place(self) -> None:
        for place in (self.path, *self.path.parents):
            if place.exists() and not place.is_dir():
                raise InputFileError(f"output {self.path}: {place} is a file, not a folder")

    def _is_ours(self) -> bool:
        return self.recipe.is_file() and self.versions.is_file()

    def _check_overwrite(self, recipe: Recipe) -> None:
        if not self._is_ours():
            raise InputFileError(
                f"output {self.path} is not the folder of a run (it has no recipe.yaml and versions.json), "
                "so it is not overwritten: give another folder"
            )
        for path in [Path.cwd(), *_inputs(recipe)]:
            if path.resolve().is_relative_to(self.path.resolve()):
                raise InputFileError(f"output {self.path} is not overwritten, because {path} is inside it")

    def _check_resume(self, recipe: Recipe) -> None:
        if not self._is_ours():
            raise InputFileError(f"output {self.path} is not the folder of a run, so there is nothing to resume")
        try:
            before = Recipe.load(self.recipe, trust_parser=True)  # to compare it; no parser is loaded
        except InputError as error:
            raise InputValueError(f"the run cannot be resumed: {error}") from None
        changes = _changes(before.to_dict(), recipe.to_dict())
        if changes:
            raise InputValueError(
                f"the recipe differs from that of the run in {self.path}: {'; '.join(changes)}; "
                "resume with the same recipe, or give another folder"
            )
        if self.read_metrics().is_finished:
            raise InputFileError(
                f"the run in {self.path} is finished, so there is nothing to resume; overwrite it to repeat"
            )


def _contents(folder: Path) -> list[Path]:
    """Return what is in a folder, without its lock and temporary files."""
    return [entry for entry in folder.iterdir() if entry.name != LOCK and not is_part(entry.name)]


def write_json(path: Path, value: object) -> None:
    """Write a JSON file atomically."""
    write_whole(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def _state(checkpoint: Path) -> dict[str, Any] | None:
    """Return the trainer's state, which it writes last; None for a checkpoint that is not complete."""
    try:
        state = json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    return state if isinstance(state, dict) else None


def _step(checkpoint: Path) -> int:
    """Return the step of a checkpoint; -1 if its name does not have one."""
    found = re.fullmatch(r"checkpoint-(\d+)", checkpoint.name)
    return int(found[1]) if found else -1


def _ends_within_an_epoch(state: dict[str, Any]) -> bool:
    step, last = state.get("global_step", 0), state.get("max_steps", 0)
    return bool(0 < last <= step and state.get("epoch", 0) < state.get("num_train_epochs", 0))


def _inputs(recipe: Recipe) -> Iterable[Path]:
    evaluation = recipe.evaluation
    files = [file for part in recipe.training_sets.values() for file in part.data.files]
    dev = evaluation.dev if isinstance(evaluation.dev, list) else [evaluation.dev]
    names = [recipe.model_name, *files, *dev, *evaluation.test, evaluation.data_dir]
    return [Path(name) for name in names if isinstance(name, str) and os.path.isabs(name)]


def _changes(before: dict[str, Any], now: dict[str, Any], place: str = "") -> list[str]:
    """List what differs between two recipes, apart from where the run is saved and pushed to."""
    changes = []
    for key in dict.fromkeys([*before, *now]):
        path, old, new = f"{place}{key}", before.get(key), now.get(key)
        if path in ("output", "hub") or old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            changes += _changes(old, new, f"{path}.")
        else:
            changes.append(f"{path} was {json.dumps(old)} and is {json.dumps(new)}")
    return changes
