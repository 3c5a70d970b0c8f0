"""How similar models take a text and its rewrites to be."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sda_hf.augmentation.explanation import Explanation
from sda_hf.demo.drawing import escaped, note
from sda_hf.demo.embedded import ADAPTER, TRAINED, UNTRAINED, load_model
from sda_hf.errors import InputValueError, shown_path
from sda_hf.evaluation.encoder.vectors import Encoder, Matrix, Vectors

MOST_MODELS = 2  # that stay in memory
EMBEDDED = (UNTRAINED, TRAINED, ADAPTER)
WANTED = {"positive": "should be high", "negative": "should be low"}


class Similar(NamedTuple):
    """A rewrite, and its cosine with the original by each model."""

    name: str
    role: str
    text: str
    cosines: tuple[float, ...]


class Models:
    """Sentence encoders by their names: loaded when they are first asked for, the latest two kept in memory.

    Args:
        load: loads a model.
        folders: whether names of folders are allowed; without them, a name is that of a model on the Hub, or one of
            those that come with the package.

    Example:
        >>> models = Models(load=lambda name: f"the model {name}")
        >>> models["me/mine"]
        'the model me/mine'
    """

    def __init__(self, load: Callable[[str], Encoder] = load_model, folders: bool = True) -> None:
        self.load, self.folders = load, folders
        self._loaded: OrderedDict[str, Encoder] = OrderedDict()
        self._lock = threading.Lock()  # requests come from several threads

    def __getitem__(self, name: str) -> Encoder:
        """Return a model.

        Raises:
            InputFileError: it cannot be loaded.
            InputValueError: it is not a sentence encoder; or a folder, where they are not allowed.
        """
        allowed = self.folders or name in EMBEDDED
        if not allowed and (Path(name).exists() or name.startswith((".", "/", "~", "\\"))):
            raise InputValueError(f"{shown_path(name)} is not a model of the Hub: give an id such as me/my-model")
        with self._lock:
            if name not in self._loaded:
                while len(self._loaded) >= MOST_MODELS:  # before loading, to hold no third one
                    self._loaded.popitem(last=False)
                self._loaded[name] = self.load(name)
            self._loaded.move_to_end(name)
            return self._loaded[name]


def similarities(explanation: Explanation, encoders: Sequence[Encoder]) -> list[Similar]:
    """Return the cosine of a text with each of its rewrites, by each model; skipped rewrites are left out.

    Raises:
        InputTypeError: a model is not a sentence encoder.
        InputValueError: the embeddings of a model are not finite.
    """
    found = {name: rewrite.text for name, rewrite in explanation.rewrites.items() if rewrite.skipped is None}
    texts = [explanation.text, *found.values()]
    columns = [_cosines(Vectors(encoder, texts)(texts)) for encoder in encoders]
    return [
        Similar(name, explanation.roles[name], text, tuple(float(column[row]) for column in columns))
        for row, (name, text) in enumerate(found.items())
    ]


def _cosines(vectors: Matrix) -> Matrix:
    """Return the cosines of the first vector with the others: (others,)."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(lengths == 0, 1, lengths)
    cosines: Matrix = unit[1:] @ unit[0]
    return cosines


def similarities_page(found: Sequence[Similar], names: Sequence[str]) -> str:
    """Return a table of cosines, a column for each model, with bars.

    Args:
        found: the rewrites and their cosines.
        names: those of the models.

    Example:
        >>> page = similarities_page([Similar("negation", "negative", "It isn't.", (0.9, 0.25))], ["old", "new"])
        >>> "0.90" in page, "0.25" in page, "0.65" in page
        (True, True, True)
    """
    if not found:
        return note("There is nothing to compare: no rule rewrites this text.")
    heads = [f'<th scope="col" dir="auto">{escaped(name)}</th>' for name in names]
    if len(names) == 2:
        heads.append('<th scope="col">change</th>')
    rows = "".join(_row(one) for one in found)
    return (
        '<div class="sda-scroll" tabindex="0"><table class="sda-cosines">'
        "<caption>Cosine of the sentence and each rewrite</caption>"
        f'<thead><tr><th scope="col">rewrite</th>{"".join(heads)}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _row(one: Similar) -> str:
    cells = [_bar(cosine, one.role) for cosine in one.cosines]
    if len(one.cosines) == 2:
        before, after = one.cosines
        cells.append(f"<td>{_shown(after - before, '+')}</td>")
    return (
        f'<tr><th scope="row"><span class="sda-text" dir="auto">{escaped(one.text)}</span>'
        f'<span class="sda-rule">{escaped(one.name)}, {one.role}: {WANTED[one.role]}</span></th>{"".join(cells)}</tr>'
    )


def _bar(cosine: float, role: str) -> str:
    width = 100 * min(max(cosine, 0.0), 1.0)
    return (
        f'<td><span class="sda-number">{_shown(cosine)}</span>'
        f'<span class="sda-bar"><span class="sda-{role}" style="width:{width:.0f}%"></span></span></td>'
    )


def _shown(number: float, sign: str = "") -> str:
    return f"{number:{sign}.2f}".replace("-", "−")  # noqa: RUF001
