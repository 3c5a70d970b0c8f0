"""Plots of the weight of each word of a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

from sda_hf.evaluation.plots.canvas import NAME_WIDTH, SIZE, check_numbers, freeze_layout, new_figure, plain_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure
    from matplotlib.text import Text

# Heights in inches: a row with its words, the cells of a row, the colour bar.
ROW, CELL, BAR = 0.75, 0.36, 0.9


def attention_heatmap(rows: Mapping[str, Sequence[tuple[str, float]]]) -> Figure:
    """Plot the weight of each word, one row per model, with the word above its cell and the weight in it.

    Args:
        rows: model → (word, weight), as returned by `attention_weights`; models may split the sentence into different
            words. All rows share one colour scale, from 0 to the largest weight.

    Raises:
        InputValueError: there is nothing to draw, or a weight is negative or not finite.

    Source:
        SDA (LREC-COLING 2024), Figure 4.

    Example:
        >>> figure = attention_heatmap({"SimCSE": [("not", 0.25), ("late", 0.75)]})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['not', '0.25', 'late', '0.75']
    """
    check_numbers("rows", {name: [weight for _, weight in row] for name, row in rows.items()}, "weights")
    figure, axes = new_figure()
    # After new_figure, which reports a missing matplotlib.
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    largest = max(weight for row in rows.values() for _, weight in row)
    shades = ScalarMappable(Normalize(0, largest or 1.0), "Blues")
    width = max(_draw_row(figure, axes, index * ROW, row, shades) for index, row in enumerate(rows.values()))
    axes.set(xlim=(0, width), ylim=((len(rows) - 1) * ROW + CELL / 2, -CELL), xticks=[])
    axes.set_yticks([index * ROW for index in range(len(rows))], [fill(name, NAME_WIDTH) for name in rows])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    plain_text(figure)
    names = max(_width(label, figure) for label in axes.get_yticklabels())
    figure.set_size_inches(max(width + names + 0.2, SIZE[0]), len(rows) * ROW + BAR)
    bar = figure.colorbar(shades, ax=axes, location="bottom", fraction=0.2 / len(rows), aspect=max(width, 2) / 0.14)
    bar.set_label("attention (share of the sentence)")
    return freeze_layout(figure)


def _draw_row(
    figure: Figure, axes: Axes, height: float, row: Sequence[tuple[str, float]], shades: ScalarMappable
) -> float:
    """Draw a row of cells, each as wide as its word (in inches), and return where it ends."""
    left = 0.0
    colours: list[list[float]] = shades.to_rgba(np.array([weight for _, weight in row])).tolist()
    for (word, weight), colour in zip(row, colours, strict=True):
        above = height - CELL / 2 - 0.04
        label = axes.text(0, above, word, ha="center", va="bottom", fontsize=10, parse_math=False)
        width = max(0.42, _width(label, figure) + 0.12)
        label.set_x(left + width / 2)
        axes.barh(height, width, CELL, left, color=colour, edgecolor="white")
        ink = "white" if sum(colour[:3]) < 1.5 else "black"
        axes.text(left + width / 2, height, f"{weight:.2f}", ha="center", va="center", fontsize=9, color=ink)
        left += width
    return left


def _width(text: Text, figure: Figure) -> float:
    """Return the width of a text in inches."""
    return float(text.get_window_extent().width / figure.dpi)
