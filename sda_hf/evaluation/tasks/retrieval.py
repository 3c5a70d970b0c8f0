"""Retrieval of paraphrases: whether a model finds the paraphrase of a sentence among many others."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sda_hf.errors import InputValueError
from sda_hf.evaluation.data.cells import number, sentence
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.vectors import Vectors, normalized
from sda_hf.evaluation.tasks.base import Task
from sda_hf.evaluation.tasks.measurement import Measurement
from sda_hf.evaluation.tasks.registry import register_task

CUTOFF = 10
BLOCK = 512  # queries whose cosines with all documents are in memory at a time


@dataclasses.dataclass(frozen=True)
class RetrievalData:
    """Queries, documents, and which documents answer which query.

    Args:
        queries: distinct texts.
        documents: distinct texts.
        relevant: indices of the documents that answer each query, at least one.
    """

    queries: list[str]
    documents: list[str]
    relevant: list[list[int]]

    def __len__(self) -> int:
        return len(self.queries)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ParaphraseRetrievalTask(Task[RetrievalData]):
    """nDCG@10 and MRR@10 of graded pairs: the first sentences look for their paraphrases among all second sentences.

    Queries are ranked by cosine. A document that is the query itself is left out of its ranking, and of equal cosines
    those of irrelevant documents come first.

    Args:
        positive: pairs with this score or a higher one are paraphrases.
        scale: lowest and highest score.
        columns: names of the columns with the two sentences and their score.
    """

    metric: ClassVar[str] = "ndcg"
    roles: ClassVar[tuple[str, ...]] = ("sentence1", "sentence2", "score")

    columns: tuple[str, ...] = roles
    positive: float = 4.0
    scale: tuple[float, float] = (0, 5)

    def read(self, data_dir: str | os.PathLike[str] | None = None) -> RetrievalData:
        """Read the rows; see `Task.read`."""
        documents: dict[str, int] = {}
        relevant: dict[str, dict[int, None]] = {}
        for where, row in self.rows(data_dir):
            query, document = (sentence(row, name, where) for name in self.columns[:2])
            score = number(row, self.columns[2], where, self.scale)
            index = documents.setdefault(document, len(documents))
            if score >= self.positive and document != query:
                relevant.setdefault(query, {})[index] = None
        if not relevant:
            raise InputValueError(
                f"task {self.name!r}: no pair of different sentences has a score of at least {self.positive:g}"
            )
        return RetrievalData(list(relevant), list(documents), [list(found) for found in relevant.values()])

    def texts(self, data: RetrievalData) -> Iterable[str]:
        """Every query and every document."""
        return (*data.queries, *data.documents)

    def measure(self, data: RetrievalData, vectors: Vectors) -> Measurement:
        """Compute nDCG@10 and MRR@10, times 100; see `Task.measure`."""
        found = np.concatenate([_rankings(data, vectors, start, start + BLOCK) for start in range(0, len(data), BLOCK)])
        gains = ndcg(found, np.array([len(indices) for indices in data.relevant]))
        metrics = {"ndcg": 100 * float(gains.mean()), "mrr": 100 * float(reciprocal_ranks(found).mean())}
        return Measurement({**metrics, "rows": len(data)}, gains)


def ndcg(rankings: NDArray[np.bool_], relevant: NDArray[np.int_]) -> NDArray[np.float64]:
    """Return the normalized discounted cumulative gain of each ranking: (queries,).

    Args:
        rankings: whether each of the first documents is relevant, from the best: (queries, cutoff).
        relevant: number of relevant documents of each query: (queries,).

    Source:
        Järvelin and Kekäläinen (2002), with binary gains, as in sentence-transformers' `InformationRetrievalEvaluator`.

    Example:
        >>> ndcg(np.array([[True, False], [False, True]]), np.array([1, 1])).round(3).tolist()
        [1.0, 0.631]
    """
    discounts = 1 / np.log2(np.arange(2, rankings.shape[1] + 2))
    ideal = np.cumsum(discounts)[np.minimum(relevant, len(discounts)) - 1]
    found: NDArray[np.float64] = rankings @ discounts / ideal
    return found


def reciprocal_ranks(rankings: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return 1 / rank of the first relevant document of each ranking, 0 if there is none: (queries,).

    Example:
        >>> reciprocal_ranks(np.array([[True, False], [False, True], [False, False]])).tolist()
        [1.0, 0.5, 0.0]
    """
    found: NDArray[np.float64] = rankings.any(axis=1) / (1 + rankings.argmax(axis=1))
    return found


def _rankings(data: RetrievalData, vectors: Vectors, start: int, end: int) -> NDArray[np.bool_]:
    """Return whether the first documents of the queries from `start` to `end` are relevant: (queries, cutoff)."""
    places = {document: index for index, document in enumerate(data.documents)}
    queries = data.queries[start:end]
    cosines = normalized(vectors(queries)) @ normalized(vectors(data.documents)).T
    relevant = np.zeros(cosines.shape, dtype=bool)
    for row, (query, indices) in enumerate(zip(queries, data.relevant[start:end], strict=True)):
        relevant[row, indices] = True
        if query in places:
            cosines[row, places[query]] = -np.inf
    order = np.lexsort((relevant, -cosines), axis=1)[:, :CUTOFF]
    found: NDArray[np.bool_] = np.take_along_axis(relevant, order, axis=1)
    return found


register_task(
    ParaphraseRetrievalTask(
        name="stsb-retrieval",
        title="STS-B retrieval",
        source=Source(files=("stsb-train",), hub_id="mteb/stsbenchmark-sts", hub_split="train", rows=5749),
    )
)
