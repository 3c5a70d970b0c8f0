"""Memory that is used again for the next sentences: the system takes long to give new memory."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


class Workspace:
    """Arrays by name."""

    def __init__(self) -> None:
        self._arrays: dict[str, Floats] = {}

    def floats(self, name: str, *shape: int) -> Floats:
        """Return an array with anything in it, valid until the next call with this name.

        Example:
            >>> Workspace().floats("inputs", 2, 3).shape
            (2, 3)
        """
        size = math.prod(shape)
        array = self._arrays.get(name)
        if array is None or array.size < size:
            array = self._arrays[name] = np.empty(size, dtype=np.float32)
        return array[:size].reshape(shape)
