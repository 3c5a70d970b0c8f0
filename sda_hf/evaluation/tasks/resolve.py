"""How a user names a task."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sda_hf.errors import InputTypeError, InputValueError, unknown
from sda_hf.evaluation.data.files import split_name
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.tasks.base import MTEB, AnyTask, Task
from sda_hf.evaluation.tasks.mteb import MtebTask
from sda_hf.evaluation.tasks.registry import DEFAULT_KIND, GROUPS, KINDS
from sda_hf.registry import TASKS

TaskSpec = str | os.PathLike[str] | Mapping[str, Any] | AnyTask


def resolve_all(specs: Sequence[TaskSpec], base: str | os.PathLike[str] | None = None) -> list[AnyTask]:
    """The tasks that a user means, with groups in their parts and each task once.

    Args:
        specs: names of groups ("sts", "transfer", "zh", "negation", ...), or what `resolve` takes.
        base: folder from which relative paths are seen; None: the working folder.

    Raises:
        InputTypeError: `specs` is a lone string, task or mapping, or a spec or value has another type.
        InputValueError: no tasks, an unknown name, or two tasks of one name.

    Example:
        >>> [task.name for task in resolve_all(["zh", "stsb", "zh-stsb"])]
        ['atec', 'bq', 'lcqmc', 'pawsx', 'zh-stsb', 'stsb']
    """
    if isinstance(specs, (str, os.PathLike)):
        raise InputTypeError(f"tasks is {specs!r}: give a list of tasks, [{str(specs)!r}]")
    if isinstance(specs, Mapping) or not isinstance(specs, Iterable):
        raise InputTypeError(f"tasks is {specs!r}: give a list of tasks")
    TASKS.load()  # which fills the groups
    parts = [part for spec in specs for part in (GROUPS.get(spec, (spec,)) if isinstance(spec, str) else (spec,))]
    tasks: dict[str, AnyTask] = {}
    for task in (resolve(part, base) for part in parts):
        if tasks.setdefault(task.name, task) != task:
            raise InputValueError(f"two tasks are called {task.name!r}: results go by name, give each its own")
    if not tasks:
        raise InputValueError("tasks is empty: give at least one task")
    return list(tasks.values())


def resolve(spec: TaskSpec, base: str | os.PathLike[str] | None = None) -> AnyTask:
    """The task that a user means.

    Args:
        spec: a registered name; "mteb:" and the name of a task of mteb; the path of a file of graded pairs, or of
            another kind with "triples:", "ordered-pairs:", "candidates:" or "negated:" before it; a mapping {"name":
            ..., "path": ..., "kind": ..., "columns": {role: name in the file}}, in which only `path` is needed; or a
            task, which is given back.
        base: folder from which relative paths are seen; None: the working folder.

    Returns:
        A registered task, or one for the file. The file is not touched before it is read.

    Raises:
        InputTypeError: a spec or value of another type.
        InputValueError: an unknown name, key, kind or file format, or the name of a group.

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
        before, _, after = spec.partition(":")
        if after and before in KINDS:
            return _file_task({"path": after, "kind": before}, base)
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


def _file_task(spec: Mapping[str, Any], base: str | os.PathLike[str] | None) -> AnyTask:
    TASKS.load()
    for key in spec:
        if key not in ("name", "path", "kind", "columns"):
            raise unknown("key of a task", key, ("name", "path", "kind", "columns"))
    path, columns, chosen = spec.get("path"), spec.get("columns") or {}, spec.get("kind") or DEFAULT_KIND
    if not isinstance(path, (str, os.PathLike)):
        given = f"`path` is {path!r}" if "path" in spec else "`path` is missing"
        raise InputTypeError(f"task {dict(spec)!r}: {given}: give the path of a file of rows")
    if chosen not in [*KINDS]:  # a list: what a user gives may have no hash
        raise unknown("kind of task", chosen, KINDS)
    cls = KINDS[chosen]
    where = Path(base or ".").expanduser() / Path(path).expanduser()
    stem, _ = split_name(where)
    name = spec.get("name")
    if name is None:
        name = re.sub(r"[^\w.-]+", "-", stem).lstrip("-.")
    return cls(name=name, title=name, source=Source(path=where), columns=_columns(columns, cls))


def _columns(columns: Any, cls: type[AnyTask]) -> tuple[str, ...]:
    if not isinstance(columns, Mapping):
        raise InputTypeError(f"columns are a mapping from {', '.join(cls.roles)} to names in the file, not {columns!r}")
    for key in columns:
        if key not in cls.roles:
            raise unknown("column role", key, cls.roles)
    return tuple(columns.get(role, role) for role in cls.roles)
