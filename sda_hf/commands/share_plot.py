"""`--plot` of `sda-hf augment`: what became of the texts, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sda_hf.commands.environment import check_matplotlib
from sda_hf.commands.printing import say
from sda_hf.errors import InputFileError

if TYPE_CHECKING:
    from sda_hf.augmentation.counts import Summary


def check_plot(path: Path | None) -> None:
    """Check that a plot can be written, before the texts are rewritten.

    Raises:
        MissingPackageError: matplotlib is not installed.
        InputValueError: the format is unknown.
        InputFileError: the folder does not exist.
    """
    if path is None:
        return
    from sda_hf.evaluation.plots.canvas import check_ending

    check_matplotlib("--plot needs")
    check_ending(path)
    if not path.parent.is_dir():
        raise InputFileError(f"--plot {path}: the folder {path.parent} does not exist: create it, or give another path")


def plot_shares(summary: Summary, path: Path | None, *, quiet: bool, err: bool) -> None:
    """Plot what share of the texts was rewritten and skipped, if a plot is wanted."""
    if path is None:
        return
    from sda_hf.evaluation.plots.canvas import save
    from sda_hf.evaluation.plots.shares import rewrite_shares

    if summary.rows:
        save(rewrite_shares(summary.to_dict()["columns"]), path)
    if not quiet:
        say(f"Written: {path}" if summary.rows else "Nothing to plot: there are no texts", err=err)
