"""From what a user writes (a name, a path, a mapping) to a task."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, cast

from sda_hf.errors import InputTypeError, InputValueError, unknown
from sda_hf.evaluation.data.local import split_name
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.tasks.base import MTEB, AnyTask, Task
from sda_hf.evaluation.tasks.mteb import MtebTask
from sda_hf.evaluation.tasks.registry import DEFAULT_KIND, GROUPS, KINDS
from sda_hf.registry import TASKS

TaskSpec: TypeAlias = str | os.PathLike[str] | Mapping[str, object] | AnyTask

KEYS = ("name", "path", "kind", "columns")


def resolve_all(specs: Sequence[TaskSpec], base: str | os.PathLike[str] | None = None) -> list[AnyTask]:
    """Return the tasks a user asks for, with groups expanded and duplicates removed.

    Args:
        specs: names of groups ("sts", "transfer", "zh", "negation", "polarity", ...), or anything `resolve` accepts.
        base: folder to which relative paths refer; None: the working directory.

    Raises:
        InputTypeError: `specs` is not a list, or a spec or value has the wrong type.
        InputValueError: there are no tasks, a name is unknown, or two different tasks have the same name.

    Example:
        >>> [task.name for task in resolve_all(["zh", "stsb", "zh-stsb"])]
        ['atec', 'bq', 'lcqmc', 'pawsx', 'zh-stsb', 'stsb']
    """
    if isinstance(specs, (str, os.PathLike)):
        raise InputTypeError(f"tasks is {specs!r}: give a list of tasks, [{str(specs)!r}]")
    if isinstance(specs, Mapping) or not isinstance(specs, Iterable):
        raise InputTypeError(f"tasks is {specs!r}: give a list of tasks")
    TASKS.load()  # fills the groups
    parts = [part for spec in specs for part in (GROUPS.get(spec, (spec,)) if isinstance(spec, str) else (spec,))]
    tasks: dict[str, AnyTask] = {}
    for task in (resolve(part, base) for part in parts):
        if tasks.setdefault(task.name, task) != task:
            raise InputValueError(f"two tasks are named {task.name!r}: give each a name of its own")
    if not tasks:
        raise InputValueError("tasks is empty: give at least one task")
    return list(tasks.values())


def resolve(spec: TaskSpec, base: str | os.PathLike[str] | None = None) -> AnyTask:
    """Return the task a user asks for.

    Args:
        spec: one of

            - a registered name, or "mteb:" followed by the name of an mteb task;
            - the path of a file of graded pairs, or of another kind of file after "triples:", "ordered-pairs:",
              "candidates:", "negated:" or "squares:";
            - a mapping {"name": ..., "path": ..., "kind": ..., "columns": {role: column in the file}}, of which only
              `path` is required;
            - a task, which is returned unchanged.
        base: folder to which relative paths refer; None: the working directory.

    Returns:
        A registered task, or a task for the file, which is not opened yet.

    Raises:
        InputTypeError: the spec or one of its values has the wrong type.
        InputValueError: a name, key, kind or file format is unknown, or the name is that of a group.

    Example:
        >>> resolve("stsb").title
        'STS-B'
        >>> resolve({"path": "graded.tsv", "columns": {"score": "gold"}}).name
        'graded'
        >>> resolve("triples:data/nli.jsonl").metric
        'accuracy'
    """
    if isinstance(spec, Task):
        return spec
    if isinstance(spec, Mapping):
        return _file_task(spec, base)
    if not isinstance(spec, (str, os.PathLike)):
        raise InputTypeError(f"a task is a name, a path or a mapping with `path`, not {spec!r}")
    if isinstance(spec, str):
        if spec.startswith(MTEB):
            return MtebTask.of(spec.removeprefix(MTEB))
        TASKS.load()
        prefix, _, path = spec.partition(":")
        if path and prefix in KINDS:
            return _file_task({"path": path, "kind": prefix}, base)
        if spec in TASKS or not (Path(spec).suffix or len(Path(spec).parts) > 1):
            return _named(spec)
    return _file_task({"path": spec}, base)


def _named(name: str) -> AnyTask:
    if name not in TASKS and name in GROUPS:
        raise InputValueError(f"{name!r} is a group of tasks: choose one of {', '.join(GROUPS[name])}")
    if name not in TASKS:
        raise unknown("task", name, {*TASKS, *GROUPS})
    task: AnyTask = TASKS.get(name)
    return task


def _file_task(spec: Mapping[str, object], base: str | os.PathLike[str] | None) -> AnyTask:
    TASKS.load()
    for key in spec:
        if key not in KEYS:
            raise unknown("key of a task", key, KEYS)
    path, name, chosen = spec.get("path"), spec.get("name"), spec.get("kind") or DEFAULT_KIND
    if not isinstance(path, (str, os.PathLike)):
        given = f"`path` is {path!r}" if "path" in spec else "`path` is missing"
        raise InputTypeError(f"task {dict(spec)!r}: {given}: give the path of a file of rows")
    if not isinstance(chosen, str) or chosen not in KINDS:
        raise unknown("kind of task", chosen, KINDS)
    cls = KINDS[chosen]
    file = Path(base or ".").expanduser() / Path(path).expanduser()
    stem, _ = split_name(file)
    if name is None:
        name = re.sub(r"[^\w.-]+", "-", stem).lstrip("-.")
    name = cast(str, name)  # the task checks it
    return cls(name=name, title=name, source=Source(path=file), columns=_columns(spec.get("columns") or {}, cls))


def _columns(columns: object, cls: type[AnyTask]) -> tuple[str, ...]:
    if not isinstance(columns, Mapping):
        raise InputTypeError(f"columns is {columns!r}: map {', '.join(cls.roles)} to columns in the file")
    for role in columns:
        if role not in cls.roles:
            raise unknown("column role", role, cls.roles)
    return tuple(columns.get(role, role) for role in cls.roles)
