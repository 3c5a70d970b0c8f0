"""Many random numbers at once, each text's from a key of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

STEP = 0x9E3779B97F4A7C15


def uniform(keys: Sequence[int], lengths: NDArray[np.int64], columns: int = 1) -> NDArray[np.float64]:
    """Numbers from 0 to below 1: rows for each key, by SplitMix64, so that no text's depend on another's.

    Args:
        keys: a whole number below 2**64 for each text.
        lengths: how many rows each text gets.
        columns: how many numbers a row has.

    Returns:
        (sum of the lengths, columns).

    Source:
        Steele, Lea and Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.

    Example:
        >>> one, both = uniform([7], np.array([2])), uniform([5, 7], np.array([1, 2]))
        >>> bool((one == both[1:]).all())
        True
    """
    within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    counter = (within[:, None] * columns + np.arange(1, columns + 1)).astype(np.uint64)
    state = np.repeat(np.array(keys, dtype=np.uint64), lengths)[:, None] + counter * np.uint64(STEP)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    state ^= state >> np.uint64(31)
    return np.asarray((state >> np.uint64(11)) * 2.0**-53)
