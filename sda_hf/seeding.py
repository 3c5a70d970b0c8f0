"""The only place that makes a random generator.

A draw depends on (seed, config, text, epoch) alone, so that it is the same for any batch size, row
order, number of processes, hash seed and platform.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping
from typing import Any


def generator(seed: int, config: Mapping[str, Any], text: str, epoch: int = 0) -> random.Random:
    """A generator that is a function of its arguments alone.

    Args:
        seed: the user's seed.
        config: a JSON-native description of what draws; the order of its keys does not matter.
        text: the text that is rewritten; lone surrogates are taken.
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
    """The generators of one configuration: hashes the configuration once, then one text after another."""

    def __init__(self, seed: int, config: Mapping[str, Any], epoch: int = 0) -> None:
        key = json.dumps([seed, epoch, config], sort_keys=True)
        self._hash = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16)

    def generator(self, text: str) -> random.Random:
        """The generator of one text."""
        digest = self._hash.copy()
        digest.update(b"\0" + text.encode("utf-8", "surrogatepass"))
        return random.Random(int.from_bytes(digest.digest(), "big"))
