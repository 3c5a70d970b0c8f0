"""Plots of models by the geometry of their embeddings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from sda_hf.errors import InputValueError
from sda_hf.evaluation.plots.canvas import (
    COLOURS,
    NAME_WIDTH,
    check_numbers,
    freeze_layout,
    label_axes,
    make_legible,
    new_axes,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Where a label may stand: its shift from the point (points of type), and the side of the text that is nearest to it.
PLACES = [
    {"position": (far * x, far * y), "ha": ("center", "left", "right")[x], "va": ("center", "bottom", "top")[y]}
    for far in (7, 20, 40, 60)
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
]


def alignment_uniformity(
    points: Mapping[str, tuple[float, float]], scores: Mapping[str, float] | None = None
) -> Figure:
    """Models by the uniformity and the alignment of their embeddings; low is better in both.

    Args:
        points: model → (alignment, uniformity): the mean squared distance of positive pairs, and the logarithm of
            the mean Gaussian potential of all pairs.
        scores: model → correlation times 100, shown as colour; None: one colour.

    Raises:
        InputValueError: nothing to draw, a number that is not finite, or scores of other models than `points`.

    Source:
        Wang and Isola (2020), section 4; SimCSE (Gao et al., 2021), Figure 3.

    Example:
        >>> figure = alignment_uniformity({"before": (0.21, -1.4), "after": (0.25, -2.5)})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['before', 'after']
    """
    check_numbers("points", points)
    if scores is not None and set(scores) != set(points):
        raise InputValueError(f"scores are of {', '.join(scores)}, points of {', '.join(points)}: give the same models")
    figure, axes = new_axes()
    alignments, uniformities = zip(*points.values(), strict=True)
    dots = axes.scatter(uniformities, alignments, 48, COLOURS[0], edgecolors="black", linewidths=0.6, zorder=4)
    if scores is not None:
        check_numbers("scores", {name: [score] for name, score in scores.items()})
        dots.set(array=[scores[name] for name in points], cmap="cividis")
        figure.colorbar(dots, ax=axes, label="Spearman \u00d7 100")
    axes.margins(x=0.3, y=0.15)  # room for names beside the outermost points
    label_axes(
        axes, "uniformity (log of mean potential, lower is better)", "alignment (squared distance, lower is better)"
    )
    style = {"textcoords": "offset points", "fontsize": 9, "arrowprops": {"arrowstyle": "-", "shrinkB": 4, "lw": 0.6}}
    labels = [axes.annotate(fill(name, NAME_WIDTH), (x, y), (0, 0), **style) for name, (y, x) in points.items()]
    _spread(make_legible(figure), labels)
    return freeze_layout(figure)


def _spread(figure: Figure, labels: Sequence[Any]) -> None:
    """Puts each label where it covers the fewest points and labels before it, inside the axes if it can."""
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox

    figure.draw_without_rendering()  # Before, nothing has its place.
    frame = labels[0].axes.bbox
    points = labels[0].axes.transData.transform([label.xy for label in labels])
    taken = [Bbox.from_bounds(x - 6, y - 6, 12, 12) for x, y in points]
    for label in labels:
        boxes, costs = [], []
        for place in PLACES:
            label.set(**place)
            label.get_window_extent()  # Moves it there; what it gives has the line to the point in it.
            boxes.append(Text.get_window_extent(label))
            outside = not (frame.contains(*boxes[-1].min) and frame.contains(*boxes[-1].max))
            costs.append(boxes[-1].count_overlaps(taken) + 2 * outside)
        best = costs.index(min(costs))
        label.set(**PLACES[best])
        taken.append(boxes[best])
