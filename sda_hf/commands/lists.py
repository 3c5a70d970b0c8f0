"""`sda-hf augmenters` and `sda-hf recipes`: what there is, for people and for pipes."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import Annotated

import typer

from sda_hf.terminal import printable


def augmenters(
    language: Annotated[str, typer.Option(help="Language of the examples: en or zh.")] = "en",
) -> None:
    """List the augmenters: name, role, source, and what each makes of one sentence.

    In a pipe, each is one line, separated by tabs.
    """
    from sda_hf.augmentation.listing import entries, example_of

    rows = [(entry.name, entry.role, entry.source, entry.example) for entry in entries(language)]
    _print_list(f"Rewrites of: {example_of(language)}", rows)


def recipes() -> None:
    """List the recipes that `sda-hf train NAME` runs.

    In a pipe, each is one line: the name, a tab and the description.
    """
    from sda_hf.training.recipe.packaged import described_recipes

    _print_list("sda-hf train NAME runs one of these; --set KEY=VALUE changes a field.", described_recipes())


def _print_list(title: str, rows: Iterable[Sequence[str]]) -> None:
    """Print rows in full: as tab-separated lines in a pipe; else each with its name in bold, and the rest below it."""
    if not sys.stdout.isatty():
        for row in rows:
            typer.echo("\t".join(printable(" ".join(cell.split())) for cell in row))
        return
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    width = shutil.get_terminal_size().columns
    console = Console(width=width, markup=False, emoji=False, highlight=False)
    console.print(Text(printable(title)))
    for name, *rest in rows:
        console.print(Text(printable(name), style="bold"))
        for cell in rest:
            console.print(Padding(Text(printable(cell)), (0, 0, 0, 2)))
