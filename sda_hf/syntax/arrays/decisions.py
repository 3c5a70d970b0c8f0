"""Choices by score, and whether they are clear."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sda_hf.syntax.arrays.workspace import Floats, Ints

# Two scores that are nearer to each other are a tie. The last digits of a sum depend on the order of the addends, which
# BLAS chooses by the size of the batch, the processor and the number of threads.
TIE = np.float32(1e-3)


def clear_best(scores: Floats) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Return the column of the best score of each row, and whether no other one is nearly as good.

    Args:
        scores: of shape (rows, columns), with at least two columns; what is in it is lost.

    Example:
        >>> best, clear = clear_best(np.array([[0.0, 3.0], [1.0, 1.0001]], dtype=np.float32))
        >>> best.tolist(), clear.tolist()
        ([1, 1], [True, False])
    """
    best, rows = scores.argmax(axis=1), np.arange(len(scores))
    highest = scores[rows, best]
    scores[rows, best] = -np.inf
    return best, highest - scores.max(axis=1) >= TIE
