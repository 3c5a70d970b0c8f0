"""Plots of the weight of each word in a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from sda_hf.evaluation.plots.canvas import NAME_WIDTH, SIZE, check_numbers, freeze_layout, make_legible, new_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW, CELL, BAR = 0.75, 0.36, 0.9  # inches: a row of words and cells, its cells, the bar of colours


def attention_heatmap(rows: Mapping[str, Sequence[tuple[str, float]]]) -> Figure:
    """How much each word weighs, one row of cells a model: the word above its cell, the weight inside.

    Args:
        rows: model → (word, weight), as `attention_weights` gives them; each row has words of its own. All rows share
            one scale of colours, from 0 to the largest weight.

    Raises:
        InputValueError: nothing to draw, a weight that is not finite or below 0, or words that no installed font has.

    Source:
        SDA (LREC-COLING 2024), Figure 4.

    Example:
        >>> figure = attention_heatmap({"SimCSE": [("not", 0.25), ("late", 0.75)]})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['not', '0.25', 'late', '0.75']
    """
    check_numbers("rows", {name: [weight for _, weight in row] for name, row in rows.items()}, "weights")
    figure, axes = new_axes()
    # After new_axes, which says what is missing.
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    largest = max(weight for row in rows.values() for _, weight in row)
    shades = ScalarMappable(Normalize(0, largest or 1.0), "Blues")
    width = max(_cells(axes, index * ROW, row, shades) for index, row in enumerate(rows.values()))
    axes.set(xlim=(0, width), ylim=((len(rows) - 1) * ROW + CELL / 2, -CELL), xticks=[])
    axes.set_yticks([index * ROW for index in range(len(rows))], [fill(name, NAME_WIDTH) for name in rows])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    names = max(_inches(label) for label in axes.get_yticklabels())
    figure.set_size_inches(max(width + names + 0.2, SIZE[0] / 2), len(rows) * ROW + BAR)
    bar = figure.colorbar(shades, ax=axes, location="bottom", fraction=0.2 / len(rows), aspect=max(width, 2) / 0.14)
    bar.set_label("attention (share of the sentence)")
    return freeze_layout(figure)


def _cells(axes: Any, height: float, row: Sequence[tuple[str, float]], shades: Any) -> float:
    """Draws a row of cells, each as wide as its word needs (inches); gives where it ends."""
    left = 0.0
    for word, weight in row:
        label = axes.text(0, height - CELL / 2 - 0.04, word, ha="center", va="bottom", fontsize=10)
        width = max(0.42, _inches(label) + 0.12)
        label.set_x(left + width / 2)
        colour = shades.to_rgba(weight)
        axes.barh(height, width, CELL, left, color=colour, edgecolor="white")
        ink = "white" if sum(colour[:3]) < 1.5 else "black"
        axes.text(left + width / 2, height, f"{weight:.2f}", ha="center", va="center", fontsize=9, color=ink)
        left += width
    return left


def _inches(text: Any) -> float:
    return float(make_legible(text).get_window_extent().width / text.get_figure().dpi)
