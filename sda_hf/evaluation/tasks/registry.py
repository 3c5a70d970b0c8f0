"""Tasks, groups of tasks and kinds of tasks by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.registry import TASKS as TASKS

TaskType = TypeVar("TaskType", bound=AnyTask)

# Group → names of its tasks.
GROUPS: dict[str, tuple[str, ...]] = {}
# Kind → task class for files of the user's own.
KINDS: dict[str, type[AnyTask]] = {}
DEFAULT_KIND = "pairs"


def register_task(task: TaskType) -> TaskType:
    """Register a task under its name, for recipes and the command line.

    Raises:
        ValueError: the name is taken.
    """
    TASKS.register(task.name)(task)
    return task


def kind(name: str) -> Callable[[type[TaskType]], type[TaskType]]:
    """Decorate a task class so that users can measure their own files with it, as `name:FILE`."""

    def register(cls: type[TaskType]) -> type[TaskType]:
        KINDS[name] = cls
        return cls

    return register
