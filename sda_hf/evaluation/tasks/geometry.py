"""How embeddings lie in space: alignment, uniformity, and whether length passes for meaning."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputValueError
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.vectors import Vectors, on_sphere, pair_cosines
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.pairs import PairData, PairTask
from sda_hf.evaluation.tasks.registry import GROUPS, register_task

# Rows whose distances to all others are held at a time.
BLOCK = 512
WORD = re.compile(r"\w+")


def alignment(first: NDArray[Any], second: NDArray[Any]) -> float:
    """Mean squared distance of pairs that mean the same, on the unit sphere; lower is better.

    Args:
        first: embeddings, (pairs, dim).
        second: embeddings of the same meaning, (pairs, dim).

    Returns:
        Between 0 (the two are one) and 4.

    Raises:
        InputValueError: arrays that are empty or not of one shape.

    Source:
        Wang and Isola (2020), equation for L_align with alpha = 2.

    Example:
        >>> alignment(np.array([[2.0, 0.0]]), np.array([[0.0, 3.0]]))
        2.0
    """
    if first.shape != second.shape or not len(first):
        raise InputValueError(
            f"alignment needs one embedding each a pair, at least one pair; the shapes are {first.shape} and "
            f"{second.shape}"
        )
    return float(_squared_distances(first, second).mean())


def uniformity(embeddings: NDArray[Any]) -> float:
    """Logarithm of the mean of exp(-2 d²) over all pairs of rows, on the unit sphere; lower is better.

    A zero vector has no direction and stays where it is, as in the paper's code.

    Args:
        embeddings: (texts, dim), two rows or more.

    Returns:
        Between -8 (all pairs opposite, which only two rows can be) and 0 (all rows in one point).

    Raises:
        InputValueError: fewer than two rows.

    Source:
        Wang and Isola (2020), equation for L_uniform with t = 2.

    Example:
        >>> uniformity(np.array([[1.0, 0.0], [0.0, 1.0]]))
        -4.0
    """
    if len(embeddings) < 2:
        raise InputValueError(f"uniformity needs two embeddings or more, not {len(embeddings)}")
    points = on_sphere(embeddings)
    squares = np.einsum("pd,pd->p", points, points)
    total = 0.0
    for start in range(0, len(points), BLOCK):  # all at once would take memory with the square of the rows
        rows = np.arange(start, min(start + BLOCK, len(points)))
        distances = squares[rows, None] + squares - 2 * (points[rows] @ points.T)
        near = np.exp(-2 * np.maximum(distances, 0))  # rounding puts equal rows a little below 0
        near[np.arange(len(rows)), rows] = 0  # a row and itself are no pair
        total += float(near.sum())
    return float(np.log(total / (len(points) * (len(points) - 1))))


def jaccard(pairs: Iterable[tuple[str, str]]) -> float:
    """Mean share of words that two sentences have in common, among all their different words.

    Words are runs of letters and digits, without regard to case; of two texts without words the share is 1 where they
    are the same, else 0.

    Args:
        pairs: pairs of sentences.

    Returns:
        Between 0 and 1.

    Raises:
        InputValueError: no pairs.

    Source:
        SDA (LREC-COLING 2024), section 6.3, which does not say what counts as a word.

    Example:
        >>> jaccard([("A dog runs.", "a dog sleeps")])
        0.5
    """
    shares = [_shared(first, second) for first, second in pairs]
    if not shares:
        raise InputValueError("jaccard needs one pair of sentences or more")
    return float(np.mean(shares))


def lengthened(pairs: Iterable[tuple[str, str]], filler: str) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    """Pairs of different length, beside the same with the shorter sentence made as long by words without meaning.

    Args:
        pairs: pairs of sentences.
        filler: the word that is appended, as often as the shorter sentence has words less.

    Returns:
        (the pair, the pair with the filler) for each pair that differs in its number of words.

    Source:
        EdaCSE (Applied Sciences 2023, 13, 10120), Table 1.

    Example:
        >>> lengthened([("It rains today.", "It pours.")], "okay")
        [(('It rains today.', 'It pours.'), ('It rains today.', 'It pours. okay'))]
    """
    found = []
    for first, second in pairs:
        missing = len(first.split()) - len(second.split())
        tail = f" {filler}" * abs(missing)
        if missing > 0:
            found.append(((first, second), (first, second + tail)))
        elif missing < 0:
            found.append(((first, second), (first + tail, second)))
    return found


@dataclasses.dataclass(frozen=True, kw_only=True)
class GeometryTask(PairTask):
    """Alignment and uniformity on graded pairs, their length bias and their Jaccard similarity.

    Length bias is the mean change of the cosine when words without meaning are appended to the shorter sentence of a
    pair until both have one length: above 0, the model takes like length for like meaning.

    Args:
        positive: pairs with a score above this one mean the same.
        filler: the word without meaning; EdaCSE appends "okay" and question marks.

    Source:
        SimCSE (Gao et al., 2021), section 5: alignment on STS-B pairs with a score above 4, uniformity on all of its
        sentences; EdaCSE, Table 1; SDA (LREC-COLING 2024), section 6.3.
    """

    metric: ClassVar[str] = "alignment"
    greater_is_better: ClassVar[bool] = False

    positive: float = 4.0
    filler: str = "okay"

    def texts(self, data: PairData) -> Iterable[str]:
        """Both sentences of every pair, and the lengthened ones."""
        return (*super().texts(data), *(text for _, longer in lengthened(_pairs(data), self.filler) for text in longer))

    def measure(self, data: PairData, vectors: Vectors) -> Measurement:
        """Alignment, uniformity, length bias (a difference of cosines) and Jaccard similarity; see `Task.measure`."""
        alike = [pair for pair, score in zip(_pairs(data), data.scores, strict=True) if score > self.positive]
        changed = lengthened(_pairs(data), self.filler)
        if not alike or not changed:
            lacks = f"no pair with a score above {self.positive:g}" if not alike else "no pair of different lengths"
            raise InputValueError(f"task {self.name!r}: {lacks}: its geometry is not defined")
        first, second = (vectors([pair[side] for pair in alike]) for side in (0, 1))
        bias = pair_cosines([new for _, new in changed], vectors) - pair_cosines([old for old, _ in changed], vectors)
        metrics = {
            "alignment": alignment(first, second),
            "uniformity": uniformity(vectors(list(dict.fromkeys(super().texts(data))))),
            "length_bias": float(bias.mean()),
            "jaccard": jaccard(_pairs(data)),
        }
        return Measurement({**metrics, "pairs": len(data)}, _squared_distances(first, second))


def _pairs(data: PairData) -> Sequence[tuple[str, str]]:
    return list(zip(data.sentences1, data.sentences2, strict=True))


def _squared_distances(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.float64]:
    """Of each row of `first` from the same row of `second`, on the unit sphere, (rows,)."""
    apart = on_sphere(first) - on_sphere(second)
    found: NDArray[np.float64] = np.einsum("pd,pd->p", apart, apart)
    return found


def _shared(first: str, second: str) -> float:
    one, two = (set(WORD.findall(text.lower())) for text in (first, second))
    return len(one & two) / len(one | two) if one | two else float(first == second)


register_task(
    GeometryTask(
        name="geometry",
        title="Geometry of STS-B dev",
        source=Source(files=("stsb-dev",), hub_id="mteb/stsbenchmark-sts", hub_split="validation", rows=1500),
        scale=(0, 5),
    )
)
GROUPS["geometry"] = ("geometry",)
