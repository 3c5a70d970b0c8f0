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
DASHES = ("-", "--", ":")
# Format → metadata that would make the file depend on the time of writing.
FORMATS: dict[str, dict[str, None]] = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
SIZE = (7.0, 4.2)  # inches
DPI = 200
NAME_WIDTH = 28  # characters of a name per line


class LineStyle(TypedDict):
    """Keyword arguments of a line."""

    color: str
    linestyle: str
    marker: str
    markersize: int
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
    """Return the colour, dashes and marker of the line with this index."""
    return {
        "color": COLOURS[index % len(COLOURS)],
        "linestyle": DASHES[index // len(COLOURS) % len(DASHES)],
        "marker": MARKERS[index % len(MARKERS)],
        "markersize": 5,
        "linewidth": 1.6,
    }


def label_axes(
    figure: Figure, axes: Axes, labels: tuple[str, str], drawn: Mapping[str, Artist | ErrorbarContainer]
) -> None:
    """Label the x and y axes, and add a legend beside them, where it hides nothing."""
    xlabel, ylabel = labels
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    names = [fill(name, NAME_WIDTH) for name in drawn]
    handles: list[Any] = list(drawn.values())  # matplotlib's types leave out the handles of error bars
    figure.legend(handles, names, loc="outside right upper", fontsize=9)


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
        if not numbers:
            raise InputValueError(f"{argument}: {name!r} is empty: give its numbers, or leave it out")
        for number in numbers:
            if not math.isfinite(number) or (non_negative and number < 0):
                allowed = f"{non_negative} must be 0 or more" if non_negative else "only finite numbers can be drawn"
                raise InputValueError(f"{argument}: {name!r} has {number}: {allowed}")


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
    ending = path.suffix.lower()
    if ending not in FORMATS:
        raise InputValueError(f"{path}: unknown plot format: use one of {', '.join(FORMATS)}")
    image = BytesIO()
    # Without a salt, the ids in an SVG file would be random.
    with rc_context({"svg.hashsalt": "sda-hf"}):
        figure.savefig(image, format=ending[1:], dpi=DPI, metadata=FORMATS[ending])
    try:
        write_whole(path, image.getvalue())
    except OSError as error:
        raise InputFileError(f"cannot write {path}: {error.strerror}: give a path in an existing folder") from error
