"""The tasks, groups and kinds of tasks that are known by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sda_hf.evaluation.tasks.base import AnyTask
from sda_hf.registry import TASKS

TaskType = TypeVar("TaskType", bound=AnyTask)

# Group → names of its tasks, filled by the modules that register them.
GROUPS: dict[str, tuple[str, ...]] = {}
# Kind of the user's own file → task class, filled in the same way.
KINDS: dict[str, type[AnyTask]] = {}
DEFAULT_KIND = "pairs"


def register_task(task: TaskType) -> TaskType:
    """Enter a task in `TASKS`, so that recipes and the command line know its name.

    Raises:
        ValueError: the name is taken.
    """
    TASKS.register(task.name)(task)
    return task


def kind(name: str) -> Callable[[type[TaskType]], type[TaskType]]:
    """Decorator that lets users measure files of their own with a task class."""

    def enter(cls: type[TaskType]) -> type[TaskType]:
        KINDS[name] = cls
        return cls

    return enter
