"""Plots of how values are distributed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputValueError
from sda_hf.evaluation.plots.canvas import check_numbers, freeze_layout, label_axes, line_style, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HATCHES = ("////", "\\\\\\\\", "....", "xxxx", "----", "||||", "oooo")
WIDTHS = (0.01, 0.02, 0.05, 0.1)  # of a bin
MOST_BINS = 30
ROUNDING = 1e-4  # embeddings have single precision


def cosine_histograms(cosines: Mapping[str, Sequence[float]], of: str = "pairs") -> Figure:
    """Plot how the cosines of pairs are distributed, one histogram per model in the same bins, with lines at the means.

    Args:
        cosines: model → the cosine of each pair; the models may have different numbers of pairs.
        of: what the pairs are, for the label of an axis.

    Raises:
        InputValueError: there is nothing to draw, or a number is not finite or not a cosine.
        MissingPackageError: matplotlib is not installed.

    Example:
        >>> figure = cosine_histograms({"before": [0.91, 0.93], "after": [0.32, 0.42]}, "negated pairs")
        >>> [text.get_text() for text in figure.legends[0].get_texts()]
        ['before, mean 0.92', 'after, mean 0.37']
    """
    check_numbers("cosines", cosines)
    for name, numbers in cosines.items():
        outside = [number for number in numbers if abs(number) > 1 + ROUNDING]
        if outside:
            raise InputValueError(f"cosines: {name!r} has {outside[0]:g}: a cosine lies between -1 and 1")
    values = {name: np.clip(np.asarray(numbers, dtype=float), -1, 1) for name, numbers in cosines.items()}
    edges = _bins(np.concatenate(list(values.values())))
    figure, axes = new_figure()
    drawn = {}
    for index, (name, numbers) in enumerate(values.items()):
        style = line_style(index)
        colour, dashes = style["color"], style["linestyle"]
        shares = 100 * np.histogram(numbers, edges)[0] / len(numbers)
        # The hatch has the colour of the edge, and a pale hatch would be lost on paper.
        bars = axes.stairs(shares, edges, fill=True, facecolor="none", edgecolor=colour, hatch=HATCHES[index % 7])
        bars.set(linestyle=dashes, linewidth=1.4, zorder=2)
        mean = float(numbers.mean())
        axes.axvline(mean, marker="v", markevery=[1], clip_on=False, color=colour, linestyle=dashes, linewidth=1.4)
        drawn[f"{name}, mean {mean:.2f}"] = bars
    axes.set_xlim(edges[0], edges[-1])
    label_axes(figure, axes, (f"cosine of {of}", "pairs (%)"), drawn)
    axes.set_axisbelow(True)
    return freeze_layout(figure)


def _bins(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the edges of bins of equal width, a round number, that hold all values."""
    lowest, highest = float(values.min()), float(values.max())
    width = next((width for width in WIDTHS if highest - lowest <= (MOST_BINS - 2) * width), WIDTHS[-1])
    first, last = np.floor(lowest / width), np.ceil(highest / width)
    return np.round(np.arange(first, max(last, first + 1) + 1) * width, 2)
