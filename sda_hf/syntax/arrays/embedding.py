"""Vectors of tokens without their context, each computed once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sda_hf.syntax.arrays.workspace import Floats

# The row of the zeros that stand between texts.
PADDING = 0


class Embedding:
    """The vector of each token, which depends on a few of its attributes (prefix, shape, ...) and on nothing else.

    Attributes:
        columns: the names of these attributes, as spaCy's `Doc.to_array` takes them.
    """

    def __init__(self, model: Any) -> None:
        """Take the layers of a `spacy.MultiHashEmbed.v2`: attributes, to one array, hashes, mix, to lists."""
        attributes, _, self._hashes, self._mix, _ = model.layers
        self.columns: list[str] = attributes.attrs["columns"]
        self.forget()

    def forget(self) -> None:
        """Forget all tokens."""
        self._rows: dict[bytes, int] = {}
        self._new: list[bytes] = []
        self._table: Floats = np.zeros((1, self._mix.get_dim("nO")), dtype=np.float32)

    def __len__(self) -> int:
        return 1 + len(self._rows)

    def rows(self, attributes: npt.NDArray[np.uint64]) -> list[int]:
        """Return the row of each token in `table()`.

        Args:
            attributes: the attributes in `columns`, of shape (tokens, columns).
        """
        return [self._row(token.tobytes()) for token in np.ascontiguousarray(attributes)]

    def _row(self, attributes: bytes) -> int:
        row = self._rows.get(attributes)
        if row is None:
            row = self._rows[attributes] = len(self)
            self._new.append(attributes)
        return row

    def table(self) -> Floats:
        """Return the vectors of all tokens so far, of shape (rows, width); the first row is that of `PADDING`."""
        if self._new:
            new = np.frombuffer(b"".join(self._new), dtype=np.uint64).reshape(len(self._new), len(self.columns))
            self._table = np.concatenate([self._table, self._mix.predict(self._hashes.predict(new))])
            self._new = []
        return self._table
