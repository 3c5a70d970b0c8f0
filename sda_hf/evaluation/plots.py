"""Plots of runs, embeddings and attention.

They are made of matplotlib's objects alone: pyplot's state is never touched. Being an extra, and slow to import,
matplotlib is imported when something is drawn; without it, each function that draws raises MissingPackageError.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, TypeVar

from sda_hf.errors import InputFileError, InputValueError, MissingPackageError
from sda_hf.evaluation.tables import HEADERS
from sda_hf.files import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Drawn = TypeVar("Drawn", bound=Any)

# Okabe and Ito (2008) without yellow, which is too pale for lines on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^vP*X<>"
DASHES = ("-", "--", ":")
# Ending → what keeps the time of writing out of the file.
FORMATS: dict[str, dict[str, None]] = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
SIZE = (7.0, 4.2)  # inches
DPI = 200
NAME_WIDTH = 28  # characters of a name before it goes on in the next line
MARKERS_PER_LINE = 20
ROW, CELL, BAR = 0.75, 0.36, 0.9  # inches: a row of words and cells, its cells, the bar of colours
# Where a label may stand: its shift from the point (points of type), and the side of the text that is nearest to it.
PLACES = [
    {"position": (far * x, far * y), "ha": ("center", "left", "right")[x], "va": ("center", "bottom", "top")[y]}
    for far in (7, 20, 40, 60)
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
]


def score_over_steps(curves: Mapping[str, Sequence[tuple[int, float]]], ylabel: str) -> Figure:
    """Scores in the course of training, one line a run.

    Args:
        curves: run → (step, score), drawn in the order of the steps.
        ylabel: what the score is, with its unit.

    Raises:
        InputValueError: nothing to draw, or a number that is not finite.

    Example:
        >>> figure = score_over_steps({"seed 0": [(0, 31.5), (125, 70.0)]}, "STS-B dev")
        >>> figure.axes[0].get_xlabel()
        'training steps'
    """
    _check("curves", {name: [number for point in points for number in point] for name, points in curves.items()})
    figure, axes = _axes()
    for index, points in enumerate(curves.values()):
        steps, scores = zip(*sorted(points), strict=True)
        axes.plot(steps, scores, markevery=math.ceil(len(steps) / MARKERS_PER_LINE), **_style(index))
    axes.locator_params(axis="x", integer=True, nbins=6)
    _label(axes, "training steps", ylabel, dict(zip(curves, axes.get_lines(), strict=True)))
    return _settled(figure)


def sweep(parameter: str, series: Mapping[str, Sequence[tuple[float, float, float | None]]], ylabel: str) -> Figure:
    """Scores by the value of a hyper-parameter, one line a series, with error bars.

    Args:
        parameter: its name, and its unit if it has one.
        series: name → (value, mean, standard deviation); None: not known, no bar. Drawn in the order of the values.
        ylabel: what the score is, with its unit.

    Raises:
        InputValueError: nothing to draw, a number that is not finite, or a standard deviation below 0.

    Source:
        SDA (LREC-COLING 2024), Figure 5 (share of augmented pairs, margin δ); EdaCSE, Table 15 (λ).

    Example:
        >>> figure = sweep("margin δ", {"DN": [(0.1, 76.0, 0.4), (0.3, 76.9, 0.3)]}, "STS-B")
        >>> figure.axes[0].get_lines()[0].get_ydata().tolist()
        [76.0, 76.9]
    """
    _check("series", {name: [n for value, mean, _ in points for n in (value, mean)] for name, points in series.items()})
    deviations = {name: [0.0 if n is None else n for _, _, n in points] for name, points in series.items()}
    _check("series", deviations, "standard deviations")
    figure, axes = _axes()
    drawn = {}
    for index, (name, points) in enumerate(series.items()):
        values, means, known = zip(*sorted(points, key=lambda point: point[0]), strict=True)
        bars = [math.nan if deviation is None else deviation for deviation in known]
        drawn[name] = axes.errorbar(values, means, yerr=bars, capsize=3, **_style(index))
    _label(axes, parameter, ylabel, drawn)
    return _settled(figure)


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
    _check("points", points)
    if scores is not None and set(scores) != set(points):
        raise InputValueError(f"scores are of {', '.join(scores)}, points of {', '.join(points)}: give the same models")
    figure, axes = _axes()
    alignments, uniformities = zip(*points.values(), strict=True)
    dots = axes.scatter(uniformities, alignments, 48, COLOURS[0], edgecolors="black", linewidths=0.6, zorder=4)
    if scores is not None:
        _check("scores", {name: [score] for name, score in scores.items()})
        dots.set(array=[scores[name] for name in points], cmap="cividis")
        figure.colorbar(dots, ax=axes, label=HEADERS["spearman"])
    axes.margins(x=0.3, y=0.15)  # room for names beside the outermost points
    _label(axes, "uniformity (log of mean potential, lower is better)", "alignment (squared distance, lower is better)")
    style = {"textcoords": "offset points", "fontsize": 9, "arrowprops": {"arrowstyle": "-", "shrinkB": 4, "lw": 0.6}}
    labels = [axes.annotate(fill(name, NAME_WIDTH), (x, y), (0, 0), **style) for name, (y, x) in points.items()]
    _spread(_legible(figure), labels)
    return _settled(figure)


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
    _check("rows", {name: [weight for _, weight in row] for name, row in rows.items()}, "weights")
    figure, axes = _axes()
    # After _axes, which says what is missing.
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
    return _settled(figure)


def save(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Writes a figure as a file, whole or not at all; equal figures give equal bytes.

    Args:
        figure: any figure of matplotlib.
        path: a name that ends in .png, .svg or .pdf; a file that is there is replaced.

    Raises:
        InputValueError: another ending.
        InputFileError: the file cannot be written.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save(attention_heatmap({"mine": [("late", 1.0)]}), Path(folder, "words.svg"))
        ...     [file.name for file in Path(folder).iterdir()]
        ['words.svg']
    """
    # The extra `plots`; whoever has a figure has it.
    from matplotlib import rc_context

    path = Path(path)
    ending = path.suffix.lower()
    if ending not in FORMATS:
        raise InputValueError(f"{path}: a plot is written as {', '.join(FORMATS)}: give a name that ends so")
    image = BytesIO()
    # Without a salt, the names inside an SVG are drawn anew each time.
    with rc_context({"svg.hashsalt": "sda-hf"}):
        figure.savefig(image, format=ending[1:], dpi=DPI, metadata=FORMATS[ending])
    try:
        write_whole(path, image.getvalue())
    except OSError as error:
        raise InputFileError(f"cannot write {path}: {error.strerror}: give a file in a folder that is there") from error


def _check(argument: str, groups: Mapping[str, Sequence[float]], positive: str = "") -> None:
    if not groups:
        raise InputValueError(f"{argument} is empty: give at least one name with its numbers")
    for name, numbers in groups.items():
        if not numbers:
            raise InputValueError(f"{argument}: {name!r} is empty: leave it out, or give its numbers")
        for number in numbers:
            if not math.isfinite(number) or (positive and number < 0):
                allowed = f"{positive} are 0 or more" if positive else "only finite numbers can be drawn"
                raise InputValueError(f"{argument}: {name!r} has {number}: {allowed}")


def _axes() -> tuple[Figure, Any]:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingPackageError("plots need matplotlib: pip install 'sda-hf[plots]'") from error
    figure = Figure(SIZE, layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def _style(index: int) -> dict[str, Any]:
    dashes = DASHES[index // len(COLOURS) % len(DASHES)]
    colour, marker = COLOURS[index % len(COLOURS)], MARKERS[index % len(MARKERS)]
    return {"color": colour, "linestyle": dashes, "marker": marker, "markersize": 5, "linewidth": 1.6}


def _label(axes: Any, xlabel: str, ylabel: str, drawn: Mapping[str, Any] | None = None) -> None:
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    if drawn:  # The names stand beside the axes, where they hide no line.
        names = [fill(name, NAME_WIDTH) for name in drawn]
        axes.get_figure().legend(list(drawn.values()), names, loc="outside right upper", fontsize=9)


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
    return float(_legible(text).get_window_extent().width / text.get_figure().dpi)


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


def _settled(figure: Figure) -> Figure:
    """Lays a figure out for good: each drawing would shift it a little, and the files with it."""
    _legible(figure).draw_without_rendering()
    figure.set_layout_engine("none")
    return figure


def _legible(drawn: Drawn) -> Drawn:
    """Takes text as it is, dollar signs too, and gives it a font that has its characters."""
    from matplotlib.font_manager import fontManager
    from matplotlib.text import Text

    for text in drawn.findobj(Text):
        text.set_parse_math(False)
        if missing := _missing(text.get_text(), fontManager.findfont(text.get_fontproperties())):
            text.set_fontfamily([*text.get_fontfamily(), _font_with(missing)])
    return drawn


def _missing(characters: Iterable[str], file: Any) -> list[str]:
    from matplotlib.font_manager import get_font

    font = get_font(file)
    return [letter for letter in characters if not letter.isspace() and not font.get_char_index(ord(letter))]


def _font_with(characters: Sequence[str]) -> str:
    """The first installed font, those for Chinese before others, that has the characters."""
    from matplotlib import get_cachedir
    from matplotlib.font_manager import fontManager

    fonts = {font.name: font.fname for font in fontManager.ttflist}
    for name in sorted(fonts, key=lambda name: (not name.endswith(" SC"), "Sans" not in name, name)):
        # matplotlib's own last resort has a box for everything.
        if not name.startswith("Last Resort") and not _missing(characters, fonts[name]):
            return str(name)
    raise InputValueError(
        f"no installed font has {''.join(dict.fromkeys(characters))}: install one that has, such as Noto Sans CJK, and "
        f"delete the list of fonts in {get_cachedir()}"
    )
