"""Random generators for the augmenters.

A draw depends only on (seed, config, text, epoch), so that it is the same for any batch size, row order,
number of processes, hash seed and platform.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

STEP = 0x9E3779B97F4A7C15


def generator(seed: int, config: Mapping[str, Any], text: str, epoch: int = 0) -> random.Random:
    """Return a generator that depends only on the arguments.

    Args:
        seed: the user's seed.
        config: the configuration of the augmenter, as JSON values; the order of its keys does not matter.
        text: the text to rewrite; it may contain lone surrogates.
        epoch: number of the pass over the data.

    Example:
        >>> generator(0, {"name": "negation"}, "It rains.").random() == generator(
        ...     0, {"name": "negation"}, "It rains."
        ... ).random()
        True
        >>> generator(0, {}, "It rains.").random() == generator(0, {}, "It rains.", epoch=1).random()
        False
    """
    return Stream(seed, config, epoch).generator(text)


class Stream:
    """The generators of one configuration, which is hashed only once for all texts."""

    def __init__(self, seed: int, config: Mapping[str, Any], epoch: int = 0) -> None:
        key = json.dumps([seed, epoch, config], sort_keys=True)
        self._hash = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16)

    def generator(self, text: str) -> random.Random:
        """Return the generator of one text."""
        digest = self._hash.copy()
        digest.update(b"\0" + text.encode("utf-8", "surrogatepass"))
        return random.Random(int.from_bytes(digest.digest(), "big"))


def uniform(keys: Sequence[int], lengths: NDArray[np.int64], columns: int = 1) -> NDArray[np.float64]:
    """Return uniform numbers in [0, 1) for several texts, by SplitMix64; those of a text depend only on its key.

    Args:
        keys: an integer below 2**64 for each text.
        lengths: the number of rows for each text.
        columns: the number of columns.

    Returns:
        An array (sum of the lengths, columns).

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
