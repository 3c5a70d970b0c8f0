"""Plots of scores over training steps and over hyper-parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sda_hf.evaluation.plots.canvas import check_numbers, freeze_layout, label_axes, line_style, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARKERS_PER_LINE = 20


def score_over_steps(curves: Mapping[str, Sequence[tuple[int, float]]], ylabel: str) -> Figure:
    """Plot scores over training steps, one line per run.

    Args:
        curves: run → (step, score), in any order.
        ylabel: name and unit of the score.

    Raises:
        InputValueError: there is nothing to draw, or a number is not finite.

    Example:
        >>> figure = score_over_steps({"seed 0": [(0, 31.5), (125, 70.0)]}, "STS-B dev")
        >>> figure.axes[0].get_xlabel()
        'training steps'
    """
    check_numbers("curves", {name: [number for point in points for number in point] for name, points in curves.items()})
    figure, axes = new_figure()
    for index, points in enumerate(curves.values()):
        steps, scores = zip(*sorted(points), strict=True)
        axes.plot(steps, scores, markevery=math.ceil(len(steps) / MARKERS_PER_LINE), **line_style(index))
    axes.locator_params(axis="x", integer=True, nbins=6)
    label_axes(figure, axes, ("training steps", ylabel), dict(zip(curves, axes.get_lines(), strict=True)))
    return freeze_layout(figure)


def sweep(parameter: str, series: Mapping[str, Sequence[tuple[float, float, float | None]]], ylabel: str) -> Figure:
    """Plot scores over the values of a hyper-parameter with error bars, one line per series.

    Args:
        parameter: name of the hyper-parameter, with its unit if it has one.
        series: name → (value, mean, standard deviation), in any order; a deviation of None is not drawn.
        ylabel: name and unit of the score.

    Raises:
        InputValueError: there is nothing to draw, a number is not finite, or a standard deviation is negative.

    Source:
        SDA (LREC-COLING 2024), Figure 5 (share of augmented pairs, margin δ); EdaCSE, Table 15 (λ).

    Example:
        >>> figure = sweep("margin δ", {"DN": [(0.1, 76.0, 0.4), (0.3, 76.9, 0.3)]}, "STS-B")
        >>> figure.axes[0].get_lines()[0].get_ydata().tolist()
        [76.0, 76.9]
    """
    coordinates = {name: [n for value, mean, _ in points for n in (value, mean)] for name, points in series.items()}
    check_numbers("series", coordinates)
    deviations = {name: [0.0 if n is None else n for _, _, n in points] for name, points in series.items()}
    check_numbers("series", deviations, "standard deviations")
    figure, axes = new_figure()
    drawn = {}
    for index, (name, points) in enumerate(series.items()):
        values, means, known = zip(*sorted(points, key=lambda point: point[0]), strict=True)
        bars = [math.nan if deviation is None else deviation for deviation in known]
        drawn[name] = axes.errorbar(values, means, yerr=bars, capsize=3, **line_style(index))
    label_axes(figure, axes, (parameter, ylabel), drawn)
    return freeze_layout(figure)
