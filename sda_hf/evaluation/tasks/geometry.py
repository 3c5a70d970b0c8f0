"""The geometry of embeddings: alignment, uniformity, and whether a model mistakes length for meaning."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputValueError
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.vectors import Matrix, Vectors, normalized, pair_cosines
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.pairs import PairData, PairTask
from sda_hf.evaluation.tasks.registry import GROUPS, register_task

BLOCK = 512  # rows whose distances to all others are in memory at a time
WORD = re.compile(r"\w+")


def alignment(first: Matrix, second: Matrix) -> float:
    """Return the mean squared distance of pairs of the same meaning, on the unit sphere; lower is better.

    Args:
        first: embeddings, (pairs, dim).
        second: embeddings of texts of the same meaning, (pairs, dim).

    Returns:
        Between 0 (identical) and 4 (opposite).

    Raises:
        InputValueError: the arrays are empty or differ in shape.

    Source:
        Wang and Isola (2020), equation for L_align with alpha = 2.

    Example:
        >>> alignment(np.array([[2.0, 0.0]]), np.array([[0.0, 3.0]]))
        2.0
    """
    if first.shape != second.shape or not len(first):
        raise InputValueError(
            f"the embeddings have the shapes {first.shape} and {second.shape}: alignment needs the same shape, and at "
            "least one pair"
        )
    return float(_squared_distances(first, second).mean())


def uniformity(embeddings: Matrix) -> float:
    """Return the logarithm of the mean of exp(-2 d²) over all pairs of rows, on the unit sphere; lower is better.

    Zero vectors have no direction and stay zero, as in the paper's code.

    Args:
        embeddings: (texts, dim), at least two rows.

    Returns:
        Between -8 (two opposite rows) and 0 (all rows identical).

    Raises:
        InputValueError: there are fewer than two rows.

    Source:
        Wang and Isola (2020), equation for L_uniform with t = 2.

    Example:
        >>> uniformity(np.array([[1.0, 0.0], [0.0, 1.0]]))
        -4.0
    """
    if len(embeddings) < 2:
        raise InputValueError(f"uniformity needs at least two embeddings, got {len(embeddings)}")
    points = normalized(embeddings)
    squares = np.einsum("pd,pd->p", points, points)
    total = 0.0
    for start in range(0, len(points), BLOCK):  # all at once, memory would grow with the square of the rows
        rows = np.arange(start, min(start + BLOCK, len(points)))
        distances = squares[rows, None] + squares - 2 * (points[rows] @ points.T)
        near = np.exp(-2 * np.maximum(distances, 0))  # rounding errors are negative
        near[np.arange(len(rows)), rows] = 0  # a row does not pair with itself
        total += float(near.sum())
    return float(np.log(total / (len(points) * (len(points) - 1))))


def jaccard(pairs: Iterable[tuple[str, str]]) -> float:
    """Return the mean Jaccard similarity of the sets of words of two sentences.

    Words are runs of letters and digits, ignoring case. Of two texts without words, the similarity is 1 if they are
    equal, else 0.

    Args:
        pairs: pairs of sentences.

    Returns:
        Between 0 and 1.

    Raises:
        InputValueError: there are no pairs.

    Source:
        SDA (LREC-COLING 2024), section 6.3, which does not define a word.

    Example:
        >>> jaccard([("A dog runs.", "a dog sleeps")])
        0.5
    """
    similarities = [word_overlap(first, second) for first, second in pairs]
    if not similarities:
        raise InputValueError("jaccard needs at least one pair of sentences")
    return float(np.mean(similarities))


def padded(pairs: Iterable[tuple[str, str]], filler: str) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    """Pad the shorter sentence of each pair with meaningless words to the length of the longer one.

    Args:
        pairs: pairs of sentences.
        filler: the word to append, once for each missing word.

    Returns:
        (pair, padded pair) for each pair whose sentences differ in their number of words.

    Source:
        EdaCSE (Applied Sciences 2023, 13, 10120), Table 1.

    Example:
        >>> padded([("It rains today.", "It pours.")], "okay")
        [(('It rains today.', 'It pours.'), ('It rains today.', 'It pours. okay'))]
    """
    found = []
    for first, second in pairs:
        gap = len(first.split()) - len(second.split())
        tail = f" {filler}" * abs(gap)
        if gap > 0:
            found.append(((first, second), (first, second + tail)))
        elif gap < 0:
            found.append(((first, second), (first + tail, second)))
    return found


@dataclasses.dataclass(frozen=True, kw_only=True)
class GeometryTask(PairTask):
    """Alignment, uniformity, length bias and Jaccard similarity on graded pairs.

    Length bias is the mean change of the cosine when the shorter sentence of a pair is padded with meaningless words
    to the length of the longer one: above 0, the model mistakes equal length for similar meaning.

    Args:
        positive: pairs with a score above this one count as positive pairs.
        filler: the meaningless word; EdaCSE appends "okay" and question marks.

    Source:
        SimCSE (Gao et al., 2021), section 5: alignment on STS-B pairs with a score above 4, uniformity on all of its
        sentences; EdaCSE, Table 1; SDA (LREC-COLING 2024), section 6.3.
    """

    metric: ClassVar[str] = "alignment"
    greater_is_better: ClassVar[bool] = False

    positive: float = 4.0
    filler: str = "okay"

    def texts(self, data: PairData) -> Iterable[str]:
        """Both sentences of every pair, and the padded ones."""
        return (*super().texts(data), *(text for _, pair in padded(_pairs(data), self.filler) for text in pair))

    def measure(self, data: PairData, vectors: Vectors) -> Measurement:
        """Compute all four metrics; see `Task.measure`."""
        positives = [pair for pair, score in zip(_pairs(data), data.scores, strict=True) if score > self.positive]
        changed = padded(_pairs(data), self.filler)
        if not positives or not changed:
            missing = f"has a score above {self.positive:g}" if not positives else "differs in length"
            raise InputValueError(f"task {self.name!r}: no pair {missing}, so that its geometry is not defined")
        first, second = (vectors([pair[side] for pair in positives]) for side in (0, 1))
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


def _squared_distances(first: Matrix, second: Matrix) -> NDArray[np.float64]:
    """Return the squared distance of each row of `first` from that of `second`, on the unit sphere: (rows,)."""
    apart = normalized(first) - normalized(second)
    found: NDArray[np.float64] = np.einsum("pd,pd->p", apart, apart)
    return found


def word_overlap(first: str, second: str) -> float:
    """Return the Jaccard similarity of the sets of words of two sentences, as in `jaccard`.

    Example:
        >>> word_overlap("A dog runs.", "a dog sleeps")
        0.5
    """
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
