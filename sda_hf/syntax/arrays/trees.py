"""Trees of many texts in one array: sentences, and arcs that cross others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sda_hf.syntax.arrays.workspace import Ints

# Between the label of an arc that was moved up the tree, so that it crosses no other, and that of its head below.
DELIMITER = "||"


def sentence_starts(heads: Ints) -> npt.NDArray[np.bool_]:
    """Return whether a sentence starts at each token: the leftmost one of each tree.

    Args:
        heads: the position of the head of each token, its own for a root; of shape (tokens,).

    Example:
        >>> sentence_starts(np.array([1, 1, 1, 4, 4])).tolist()
        [True, False, False, True, False]
    """
    roots = heads
    while not np.array_equal(roots, above := roots[roots]):
        roots = above
    starts = np.zeros(len(heads), dtype=bool)
    starts[np.unique(roots, return_index=True)[1]] = True
    return starts


def lowered(heads: Sequence[int], labels: Sequence[str], spaces: Sequence[bool]) -> tuple[list[int], list[str]]:
    """Return the tree of a text with the arcs that were moved up moved down again (Nivre and Nilsson, 2005).

    An arc "obl||conj" goes to the nearest "conj" below its head: breadth first, from left to right.

    Args:
        heads: the position of the head of each token, its own for a root.
        labels: the label of each token.
        spaces: whether the token is white space, which is the head of nothing.

    Example:
        >>> lowered([1, 1, 1, 1], ["nsubj", "ROOT", "obj", "acl||obj"], [False] * 4)
        ([1, 1, 1, 2], ['nsubj', 'ROOT', 'obj', 'acl'])
    """
    heads, labels = list(heads), list(labels)
    # Dependents are looked for where they were before any was moved.
    edges = _edges(heads)
    for token, label in enumerate(labels):
        if DELIMITER in label:
            labels[token], _, wanted = label.partition(DELIMITER)
            heads[token] = _below(token, wanted, heads, labels, edges, spaces)
    return heads, labels


def _edges(heads: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last token below each token, or itself."""
    first, last = list(range(len(heads))), list(range(len(heads)))
    for token in range(len(heads)):
        above = token
        while heads[above] != above:
            above = heads[above]
            first[above], last[above] = min(first[above], token), max(last[above], token)
    return list(zip(first, last, strict=True))


def _below(
    token: int,
    wanted: str,
    heads: Sequence[int],
    labels: Sequence[str],
    edges: Sequence[tuple[int, int]],
    spaces: Sequence[bool],
) -> int:
    queue = [heads[token]]
    for head in queue:
        first, last = edges[head]
        for child in range(first, last + 1):
            if heads[child] != head or child in (head, token) or spaces[child]:
                continue
            if labels[child] == wanted:
                return child
            queue.append(child)
    return heads[token]
