"""Plots of what became of texts: rewritten, or skipped and why."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import TYPE_CHECKING, Any

from sda_hf.errors import InputValueError
from sda_hf.evaluation.plots.canvas import (
    COLOURS,
    LABEL,
    SIZE,
    SMALL,
    check_numbers,
    freeze_layout,
    new_figure,
    plain_axes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CHANGED = "rewritten"
MOST_REASONS = 5
LINE_WIDTH = 52  # characters of a reason per line
# Heights in inches: a bar, a line of text above it, the title of an augmenter, the axis below.
BAR, LINE, TITLE, AXIS = 0.13, 0.15, 0.3, 0.5


def rewrite_shares(columns: Mapping[str, Mapping[str, Any]]) -> Figure:
    """Plot what share of the texts each augmenter rewrote, and what share it skipped, by reason.

    Args:
        columns: augmenter → "changed", the number of texts that it rewrote, and "skips", reason → number of texts; as
            in the "columns" that `sda-hf augment --json` prints and that `Summary.to_dict()` has. The most frequent
            reasons are drawn, the others together.

    Raises:
        InputValueError: there is nothing to draw, or a number is negative or not finite.
        MissingPackageError: matplotlib is not installed.

    Example:
        >>> figure = rewrite_shares({"negation": {"changed": 3, "skips": {"a question": 1}}})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['rewritten: 75.0 %', 'skipped, a question: 25.0 %']
    """
    bars = {name: _bars(found) for name, found in columns.items()}
    check_numbers("columns", {name: [n for _, n in rows] for name, rows in bars.items()}, "numbers of texts")
    figure, first = new_figure()
    first.remove()
    shares = {name: _labelled(name, rows) for name, rows in bars.items()}
    heights = [TITLE + sum(_height(label) for label, _ in rows) for rows in shares.values()]
    figure.set_size_inches(SIZE[0], sum(heights) + AXIS)
    panels = figure.subplots(len(shares), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    for axes, (name, rows), height in zip(panels, shares.items(), heights, strict=True):
        axes.set_title(name, fontsize=LABEL, loc="left", fontweight="bold")
        _draw(axes, rows)
        axes.set_ylim(height - TITLE, 0)
    panels[-1].set_xlabel("texts (%)", fontsize=LABEL)
    return freeze_layout(figure)


def _bars(found: Mapping[str, Any]) -> list[tuple[str, float]]:
    """Return labels with numbers of texts: those rewritten, then those skipped, the most frequent reason first."""
    skips = [(f"skipped, {reason}", n) for reason, n in sorted(found["skips"].items(), key=lambda one: -one[1])]
    if len(skips) > MOST_REASONS + 1:  # a single one left over is shown in its own words
        rest = skips[MOST_REASONS:]
        skips[MOST_REASONS:] = [(f"skipped, {len(rest)} other reasons", sum(n for _, n in rest))]
    return [(CHANGED, found["changed"]), *skips]


def _labelled(name: str, rows: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Return labels and percentages."""
    total = sum(n for _, n in rows)
    if not total:
        raise InputValueError(f"columns: {name!r} has no texts: give those of a file that is not empty")
    shares = [(label, 100 * n / total) for label, n in rows]
    return [(fill(f"{label}: {share:.1f} %", LINE_WIDTH), share) for label, share in shares]


def _height(label: str) -> float:
    return BAR + LINE * (label.count("\n") + 1) + 0.04


def _draw(axes: Axes, rows: list[tuple[str, float]]) -> None:
    """Draw bars below each other, in inches, each with its label above it."""
    plain_axes(axes)
    axes.set(xlim=(0, 100), yticks=[])
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)
    bottom = 0.0
    for label, share in rows:
        bottom += _height(label)
        looks: dict[str, Any] = {"color": COLOURS[0]}
        if not label.startswith(CHANGED):
            looks = {"facecolor": "white", "edgecolor": COLOURS[1], "hatch": "//////"}
        axes.barh(bottom - BAR / 2, share, BAR, **looks)
        axes.text(0.5, bottom - BAR - 0.02, label, va="bottom", fontsize=SMALL, linespacing=1.0)
