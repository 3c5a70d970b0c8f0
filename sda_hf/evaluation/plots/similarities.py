"""Plots of the cosine similarities of a few sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

from sda_hf.errors import InputValueError
from sda_hf.evaluation.plots.canvas import NAME_WIDTH, check_numbers, freeze_layout, new_figure, plain_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Width and height of a cell, room for the sentences and room for titles, in inches.
CELL, LABELS, TITLE = 0.62, 2.4, 0.6


def similarity_heatmap(sentences: Sequence[str], similarities: Mapping[str, Sequence[Sequence[float]]]) -> Figure:
    """Plot the similarity of each two sentences, one panel per model, with the value in each cell.

    Args:
        sentences: the sentences.
        similarities: model → cosine similarities, (sentences, sentences). All panels share one colour scale, from 0, or
            the smallest value below it, to 1.

    Raises:
        InputValueError: there is nothing to draw, a matrix has another shape, or a value is not finite.
        MissingPackageError: matplotlib is not installed.

    Example:
        >>> figure = similarity_heatmap(["It is hot.", "It isn't hot."], {"mine": [[1.0, 0.3], [0.3, 1.0]]})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['1.00', '0.30', '0.30', '1.00']
    """
    matrices = {name: np.asarray(matrix, dtype=float) for name, matrix in similarities.items()}
    count = len(sentences)
    for name, matrix in matrices.items():
        if matrix.shape != (count, count):
            raise InputValueError(
                f"similarities: those of {name!r} have the shape {matrix.shape}: give one value for each two of the "
                f"{count} sentences, {(count, count)}"
            )
    check_numbers("similarities", {name: matrix.ravel().tolist() for name, matrix in matrices.items()})
    lowest = min(0.0, *(float(matrix.min()) for matrix in matrices.values()))
    figure, first = new_figure()
    first.remove()
    panels = figure.subplots(1, len(matrices), squeeze=False)[0]
    for index, (axes, (name, matrix)) in enumerate(zip(panels, matrices.items(), strict=True)):
        axes.imshow(matrix, cmap="cividis", vmin=lowest, vmax=1.0)
        axes.set_title(fill(name, NAME_WIDTH), fontsize=10)
        labels = [fill(sentence, NAME_WIDTH) for sentence in sentences] if index == 0 else [""] * count
        axes.set_yticks(range(count), labels)
        axes.set_xticks([])
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        for (row, column), value in np.ndenumerate(matrix):
            ink = "black" if value > (lowest + 1.0) / 2 else "white"
            axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=9, color=ink)
    plain_text(figure)
    figure.set_size_inches(len(matrices) * (count * CELL + 0.3) + LABELS, count * CELL + TITLE)
    return freeze_layout(figure)
