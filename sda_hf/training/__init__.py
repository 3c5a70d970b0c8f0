"""From a recipe to a trained, scored and saved model."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from sda_hf.training.recipe import Recipe

if TYPE_CHECKING:
    from sda_hf.training.runner import RunResult, run

__all__ = ["Recipe", "RunResult", "run"]


def __getattr__(name: str) -> Any:
    """`run` and its result, loaded when they are first used: a recipe can be read without loading torch."""
    if name in ("RunResult", "run"):
        return getattr(importlib.import_module("sda_hf.training.runner"), name)
    raise AttributeError(f"module 'sda_hf.training' has no attribute {name!r}")
