"""What all plots share: figures, line styles, checks and saving.

The plots use matplotlib's objects directly, so that the state of pyplot is never touched. matplotlib is optional and
slow to import, so that it is imported when something is drawn; without it, every plot raises MissingPackageError.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, TypedDict

from sda_hf.errors import InputFileError, InputValueError, MissingPackageError
from sda_hf.files import write_whole

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.container import ErrorbarContainer
    from matplotlib.figure import Figure

# The palette of Okabe and Ito (2008) without yellow, which is too pale for lines on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^vP*X<>"
DASHES = ("-", "--", ":", "-.")
# Format → metadata that would make the file depend on the time of writing.
FORMATS: dict[str, dict[str, None]] = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
SIZE = (3.5, 2.4)  # inches, the legend aside: half the width of a page, so that nothing is scaled down in print
DPI = 300
LABEL, SMALL = 9, 8  # points, of the labels of axes and of all other text
NAME_WIDTH = 28  # characters of a name per line
SHORT_NAME = 16  # characters of a name, of which two fit beside each other in a legend
XLABEL_WIDTH, YLABEL_WIDTH = 42, 26  # characters per line
LEGEND_LINE = 0.17  # inches


class LineStyle(TypedDict):
    """Keyword arguments of a line."""

    color: str
    linestyle: str
    marker: str
    markersize: float
    linewidth: float


def new_figure() -> tuple[Figure, Axes]:
    """Return an empty figure and its axes.

    Raises:
        MissingPackageError: matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingPackageError("plots need matplotlib: pip install 'sda-hf[plots]'") from error
    figure = Figure(SIZE, layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def line_style(index: int) -> LineStyle:
    """Return the colour, dashes and marker of the line with this index, each of which differs from the next one's."""
    return {
        "color": COLOURS[index % len(COLOURS)],
        "linestyle": DASHES[index % len(DASHES)],
        "marker": MARKERS[index % len(MARKERS)],
        "markersize": 4.5,
        "linewidth": 1.4,
    }


def label_axes(
    figure: Figure, axes: Axes, labels: tuple[str, str], drawn: Mapping[str, Artist | ErrorbarContainer]
) -> None:
    """Label the x and y axes, and add a legend below them, where it hides nothing."""
    plain_axes(axes)
    axes.set_xlabel(fill(labels[0], XLABEL_WIDTH), fontsize=LABEL)
    axes.set_ylabel(fill(labels[1], YLABEL_WIDTH), fontsize=LABEL)
    axes.grid(alpha=0.3)
    names = [fill(name, NAME_WIDTH) for name in drawn]
    handles: list[Any] = list(drawn.values())  # matplotlib's types leave out the handles of error bars
    columns = 2 if len(names) > 1 and max(map(len, names)) <= SHORT_NAME else 1
    figure.legend(
        handles, names, loc="outside lower center", ncols=columns, fontsize=SMALL, handlelength=3, frameon=False
    )
    lines = sum(name.count("\n") + 1 for name in names) / columns
    figure.set_size_inches(SIZE[0], SIZE[1] + LEGEND_LINE * math.ceil(lines))


def plain_axes(axes: Axes) -> None:
    """Leave out the frame on the right and above, and write numbers as large as other text."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=SMALL)


def plain_text(figure: Figure) -> None:
    """Turn off mathematical notation, so that dollar signs are shown as they are."""
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        text.set_parse_math(False)


def freeze_layout(figure: Figure) -> Figure:
    """Lay the figure out once: every further layout would shift it a little, and change the files."""
    plain_text(figure)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return figure


def check_numbers(argument: str, groups: Mapping[str, Sequence[float]], non_negative: str = "") -> None:
    """Check the numbers of a plot.

    Args:
        argument: name of the argument, for error messages.
        groups: name → its numbers.
        non_negative: what the numbers are called, if negative ones are not allowed.

    Raises:
        InputValueError: there are no numbers, or one is not finite or must not be negative.
    """
    if not groups:
        raise InputValueError(f"{argument} is empty: give at least one name with its numbers")
    for name, numbers in groups.items():
        if not len(numbers):  # an array of numbers is not true or false
            raise InputValueError(f"{argument}: {name!r} is empty: give its numbers, or leave it out")
        for number in numbers:
            if not math.isfinite(number) or (non_negative and number < 0):
                allowed = f"{non_negative} must be 0 or more" if non_negative else "only finite numbers can be drawn"
                raise InputValueError(f"{argument}: {name!r} has {number}: {allowed}")


def check_ending(path: Path) -> str:
    """Return the ending of a plot's file name, in lower case.

    Raises:
        InputValueError: the format is unknown.
    """
    ending = path.suffix.lower()
    if ending not in FORMATS:
        raise InputValueError(f"{path}: unknown plot format: use one of {', '.join(FORMATS)}")
    return ending


def save(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure to a file, atomically; equal figures give equal bytes.

    Text in a script that the default font lacks (Chinese, for instance) needs a font that has it, as
    `matplotlib.rcParams["font.family"]`; matplotlib warns about missing characters.

    Args:
        figure: a matplotlib figure.
        path: a file name that ends in .png, .svg or .pdf; an existing file is replaced.

    Raises:
        InputValueError: the format is unknown.
        InputFileError: the file cannot be written.

    Example:
        >>> import tempfile
        >>> from sda_hf.evaluation.plots.curves import score_over_steps
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save(score_over_steps({"seed 0": [(0, 31.5), (125, 70.0)]}, "STS-B dev"), Path(folder, "steps.svg"))
        ...     [file.name for file in Path(folder).iterdir()]
        ['steps.svg']
    """
    from matplotlib import rc_context  # installed, since there is a figure

    path = Path(path)
    ending = check_ending(path)
    image = BytesIO()
    # Without a salt, the ids in an SVG file would be random.
    with rc_context({"svg.hashsalt": "sda-hf"}):
        figure.savefig(image, format=ending[1:], dpi=DPI, metadata=FORMATS[ending])
    try:
        write_whole(path, image.getvalue())
    except OSError as error:
        raise InputFileError(f"cannot write {path}: {error.strerror}: give a path in an existing folder") from error
