"""Plots of models by the geometry of their embeddings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from sda_hf.errors import InputValueError
from sda_hf.evaluation.plots.canvas import (
    COLOURS,
    LABEL,
    MARKERS,
    SMALL,
    check_numbers,
    freeze_layout,
    label_axes,
    new_figure,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def alignment_uniformity(
    points: Mapping[str, tuple[float, float]], scores: Mapping[str, float] | None = None
) -> Figure:
    """Plot models by the uniformity and alignment of their embeddings; lower is better in both.

    Args:
        points: model → (alignment, uniformity): the mean squared distance of positive pairs, and the logarithm of the
            mean Gaussian potential of all pairs.
        scores: model → correlation times 100, shown as the colour of its marker; None: a different colour per model.

    Raises:
        InputValueError: there is nothing to draw, a number is not finite, or `scores` and `points` have different
            models.

    Source:
        Wang and Isola (2020), section 4; SimCSE (Gao et al., 2021), Figure 3.

    Example:
        >>> figure = alignment_uniformity({"before": (0.21, -1.4), "after": (0.25, -2.5)})
        >>> [text.get_text() for text in figure.legends[0].get_texts()]
        ['before', 'after']
    """
    check_numbers("points", points)
    if scores is not None and set(scores) != set(points):
        raise InputValueError(f"scores has {', '.join(scores)}, points {', '.join(points)}: give the same models")
    figure, axes = new_figure()
    colours: dict[str, str | list[float]] = dict(zip(points, COLOURS * len(points), strict=False))
    if scores is not None:
        check_numbers("scores", {name: [score] for name, score in scores.items()})
        # After new_figure, which reports a missing matplotlib.
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import Normalize

        shades = ScalarMappable(Normalize(min(scores.values()), max(scores.values())), "cividis")
        bar = figure.colorbar(shades, ax=axes, aspect=15)
        bar.set_label("Spearman \u00d7 100", fontsize=LABEL)
        bar.ax.tick_params(labelsize=SMALL)
        colours = dict(zip(scores, shades.to_rgba(np.array(list(scores.values()))).tolist(), strict=True))
    drawn = {}
    for index, (name, (alignment, uniformity)) in enumerate(points.items()):
        marker = MARKERS[index % len(MARKERS)]
        dot = axes.scatter(uniformity, alignment, 48, marker=marker, edgecolors="black", linewidths=0.6, zorder=4)
        dot.set_facecolor(colours[name])
        drawn[name] = dot
    labels = ("uniformity (log of mean potential, lower is better)", "alignment (squared distance, lower is better)")
    label_axes(figure, axes, labels, drawn)
    return freeze_layout(figure)
