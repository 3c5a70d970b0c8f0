"""What all plots share: axes, checks, lettering and files.

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


def check_numbers(argument: str, groups: Mapping[str, Sequence[float]], positive: str = "") -> None:
    """Raise InputValueError unless every group has numbers, all of them finite (and not negative, where `positive`)."""
    if not groups:
        raise InputValueError(f"{argument} is empty: give at least one name with its numbers")
    for name, numbers in groups.items():
        if not numbers:
            raise InputValueError(f"{argument}: {name!r} is empty: leave it out, or give its numbers")
        for number in numbers:
            if not math.isfinite(number) or (positive and number < 0):
                allowed = f"{positive} are 0 or more" if positive else "only finite numbers can be drawn"
                raise InputValueError(f"{argument}: {name!r} has {number}: {allowed}")


def new_axes() -> tuple[Figure, Any]:
    """Return a new figure and its axes."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingPackageError("plots need matplotlib: pip install 'sda-hf[plots]'") from error
    figure = Figure(SIZE, layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def line_style(index: int) -> dict[str, Any]:
    """Return the colour, dashes and marker of the nth line."""
    dashes = DASHES[index // len(COLOURS) % len(DASHES)]
    colour, marker = COLOURS[index % len(COLOURS)], MARKERS[index % len(MARKERS)]
    return {"color": colour, "linestyle": dashes, "marker": marker, "markersize": 5, "linewidth": 1.6}


def label_axes(axes: Any, xlabel: str, ylabel: str, drawn: Mapping[str, Any] | None = None) -> None:
    """Label the axes, with a legend of what is drawn."""
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    if drawn:  # The names stand beside the axes, where they hide no line.
        names = [fill(name, NAME_WIDTH) for name in drawn]
        axes.get_figure().legend(list(drawn.values()), names, loc="outside right upper", fontsize=9)


def freeze_layout(figure: Figure) -> Figure:
    """Lays a figure out for good: each drawing would shift it a little, and the files with it."""
    make_legible(figure).draw_without_rendering()
    figure.set_layout_engine("none")
    return figure


def make_legible(drawn: Drawn) -> Drawn:
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
