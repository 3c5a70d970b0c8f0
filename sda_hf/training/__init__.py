"""From a recipe to a trained, scored and saved model."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from sda_hf.training.recipe import Recipe

if TYPE_CHECKING:
    from sda_hf.training.callbacks import LossState
    from sda_hf.training.redraw import NewDraws
    from sda_hf.training.runner import RunResult, run

__all__ = ["LossState", "NewDraws", "Recipe", "RunResult", "run"]
MODULES = {"LossState": "callbacks", "NewDraws": "redraw", "RunResult": "runner", "run": "runner"}


def __getattr__(name: str) -> object:
    """Load on first use what needs torch: a recipe can be read without it."""
    if name in MODULES:
        return getattr(importlib.import_module(f"sda_hf.training.{MODULES[name]}"), name)
    raise AttributeError(f"module 'sda_hf.training' has no attribute {name!r}")
