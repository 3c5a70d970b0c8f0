"""Retrieval of paraphrases: rows, ties, and the figures of sentence-transformers."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sda_hf.errors import InputValueError
from sda_hf.evaluation import ParaphraseRetrievalTask, evaluate, resolve
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.vectors import Vectors
from sda_hf.evaluation.tasks.retrieval import RetrievalData

SHARED = Path(__file__).parents[3].parent / "shared" / "data"
TASK = ParaphraseRetrievalTask(name="mine", title="Mine")
HEADER = "sentence1\tsentence2\tscore\n"


class Table:
    """A model with given vectors."""

    def __init__(self, vectors):
        self.vectors = vectors

    def encode(self, texts, **options):
        return np.array([self.vectors[text] for text in texts], dtype=float)


def measured(data, vectors):
    return TASK.measure(data, Vectors(Table(vectors), TASK.texts(data)))


def at(degrees):
    return [np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]


def test_rows(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text(HEADER + "a\tx\t4.0\nb\ty\t3.9\na\tz\t5\na\tx\t4.5\nc\tc\t5.0\nd\ta\t4.2\n")
    data = ParaphraseRetrievalTask(name="mine", title="Mine", source=Source(path=path)).read()
    # A sentence is no paraphrase of itself, but a document for the others.
    assert data == RetrievalData(["a", "d"], ["x", "y", "z", "c", "a"], [[0, 2], [4]])
    assert len(data) == 2
    assert set(TASK.texts(data)) == {"a", "d", "x", "y", "z", "c"}


@pytest.mark.parametrize("rows", ["a\tx\t3.9\n", "a\ta\t5\n"])
def test_no_paraphrases(tmp_path, rows):
    path = tmp_path / "mine.tsv"
    path.write_text(HEADER + rows)
    task = ParaphraseRetrievalTask(name="mine", title="Mine", source=Source(path=path))
    with pytest.raises(
        InputValueError, match=r"^task 'mine': no pair of different sentences has a score of at least 4$"
    ):
        task.read()


def test_figures():
    data = RetrievalData(["q", "r"], ["x", "y", "z", "q"], [[1], [0, 2]])
    vectors = {"q": at(0), "x": at(10), "y": at(20), "z": at(90), "r": at(100)}
    found = measured(data, vectors)
    # q: x, y, z (not q itself); r: z, y, x, q.
    second, third = 1 / np.log2(3), 1 / np.log2(4)
    np.testing.assert_allclose(found.items, [second, (1 + third) / (1 + second)])
    assert found.metrics == {
        "ndcg": pytest.approx(100 * found.items.mean()),
        "mrr": pytest.approx(100 * (1 / 2 + 1) / 2),
        "rows": 2,
    }


def test_equal_cosines_rank_relevant_documents_last():
    data = RetrievalData(["q"], [str(i) for i in range(12)], [[0]])
    assert measured(data, dict.fromkeys(TASK.texts(data), (1, 2))).metrics == {"ndcg": 0, "mrr": 0, "rows": 1}


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(1, 8), st.integers(2, 30))
def test_the_figures_of_sentence_transformers(seed, queries, documents):
    from sentence_transformers.sentence_transformer.evaluation import InformationRetrievalEvaluator

    random = np.random.default_rng(seed)
    data = RetrievalData(
        [f"q{i}" for i in range(queries)],
        [f"d{i}" for i in range(documents)],
        [random.choice(documents, random.integers(1, min(documents, 12) + 1), False).tolist() for _ in range(queries)],
    )
    vectors = {text: random.normal(size=4) for text in TASK.texts(data)}
    theirs = InformationRetrievalEvaluator(
        {text: text for text in data.queries},
        {text: text for text in data.documents},
        {q: {data.documents[i] for i in found} for q, found in zip(data.queries, data.relevant, strict=True)},
    )

    def cosine(one, other):
        return float(vectors[one] @ vectors[other] / np.linalg.norm(vectors[one]) / np.linalg.norm(vectors[other]))

    hits = [[{"corpus_id": d, "score": cosine(q, d)} for d in data.documents] for q in data.queries]
    expected = theirs.compute_metrics(hits)
    found = measured(data, vectors).metrics
    assert found["ndcg"] == pytest.approx(100 * expected["ndcg@k"][10])
    assert found["mrr"] == pytest.approx(100 * expected["mrr@k"][10])


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs shared/data")
def test_stsb():
    data = resolve("stsb-retrieval").read(SHARED)
    assert (len(data.queries), len(data.documents)) == (1377, 5419)


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs shared/data")
@pytest.mark.slow
def test_real_model(minilm):
    found = evaluate(minilm, ["stsb-retrieval"], SHARED)["stsb-retrieval"]
    assert found["ndcg"] == pytest.approx(94.37, abs=0.01)
