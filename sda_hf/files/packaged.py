"""Files that come with the package, but not among its modules."""

from __future__ import annotations

from pathlib import Path


def recipe_folder() -> Path:
    """Return the folder of the recipes: in an installed package inside it, in a checkout next to it."""
    package = Path(__file__).parents[1]
    inside = package / "recipes"
    return inside if inside.is_dir() else package.parent / "recipes"
