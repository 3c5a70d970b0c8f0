"""Splits of a lexicon of antonyms into pairs for training, for early choice and for the test, by lemma.

Words that are linked by antonymy, directly or through others, are in the same split, so that no word of a test pair
is in a training pair.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping

SPLITS = ("train", "dev", "test")
# Of 100 groups of words, those for the test and for early choice; the others are for training.
TEST, DEV = 25, 15
# A group of more words is for training, whatever its draw: it would be most of a test set.
LARGEST = 60


def split_words(links: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """Return the split of each word, by the connected components of its links.

    Args:
        links: pairs of words that must be in the same split.

    Example:
        >>> found = split_words([("big", "small"), ("small", "large"), ("hot", "cold")])
        >>> found["big"] == found["large"], set(found.values()) <= set(SPLITS)
        (True, True)
    """
    above: dict[str, str] = {}

    def top(word: str) -> str:
        while above.setdefault(word, word) != word:
            above[word] = word = above[above[word]]
        return word

    for one, other in links:
        above[max(top(one), top(other))] = min(top(one), top(other))
    groups: dict[str, list[str]] = defaultdict(list)
    for word in sorted(above):
        groups[top(word)].append(word)
    return {word: _split_of(group) for group in groups.values() for word in group}


def _split_of(group: list[str]) -> str:
    if len(group) > LARGEST:
        return "train"
    draw = int.from_bytes(hashlib.blake2b(group[0].encode(), digest_size=8).digest(), "big") % 100
    return "test" if draw < TEST else "dev" if draw < TEST + DEV else "train"
