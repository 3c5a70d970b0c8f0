"""Geometry: alignment and uniformity against plain loops, word overlap, and length bias."""

import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.spatial.distance import cosine, pdist

from sda_hf.errors import InputValueError
from sda_hf.evaluation import GeometryTask, PairData, alignment, evaluate, jaccard, resolve, uniformity
from sda_hf.evaluation.encoder.vectors import Vectors, cosines
from sda_hf.evaluation.tasks.geometry import BLOCK, padded

SHARED = Path(__file__).parents[3].parent / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="needs shared/data")
TASK = GeometryTask(name="mine", title="Mine", scale=(0, 5))
DATA = PairData(
    ["a cat sleeps", "a dog", "a cat sleeps here", "cows"],
    ["a cat dozes", "a dog", "a dog", "birds sing"],
    [4.5, 5.0, 4.0, 0.0],
)


class Function:
    """A model that is a function of the text."""

    def __init__(self, vector_of):
        self.vector_of = vector_of

    def encode(self, texts, **options):
        return np.array([self.vector_of(text) for text in texts], dtype=np.float32)


def letters(text):
    return [1 + text.count(letter) for letter in "acdegnostw"]


def measured(data=DATA, vector_of=letters, task=TASK):
    return task.measure(data, Vectors(Function(vector_of), task.texts(data)))


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def loop(rows):
    """Uniformity as defined in the paper."""
    return math.log(np.mean([math.exp(-2 * np.sum((u - v) ** 2)) for u, v in combinations(unit(rows), 2)]))


def rows_of(least):
    shapes = st.tuples(st.integers(least, 9), st.integers(1, 4))
    values = st.floats(-100, 100).filter(lambda value: value == 0 or abs(value) > 1e-3)
    return shapes.flatmap(lambda shape: arrays.arrays(float, shape, elements=values)).map(
        lambda rows: rows + 1e-2 * (~rows.any(axis=1, keepdims=True))  # no zero vectors
    )


# -- alignment -------------------------------------------------------------------------------------


def test_alignment_by_hand():
    first = np.array([[1.0, 0.0], [0.0, 5.0], [3.0, 4.0]])
    assert alignment(first, 7 * first) == pytest.approx(0, abs=1e-15)
    assert alignment(first, -first) == 4.0
    assert alignment(first, np.array([[0.0, 1.0], [0.0, 1.0], [0.0, 1.0]])) == pytest.approx((2 + 0 + 0.4) / 3)


@given(rows_of(1), st.integers(0, 99))
def test_alignment_is_two_minus_two_cosines(first, seed):
    second = np.random.default_rng(seed).normal(size=first.shape)
    found = alignment(first, second)
    assert found == pytest.approx(
        np.mean([np.sum((u - v) ** 2) for u, v in zip(unit(first), unit(second), strict=True)])
    )
    assert found == pytest.approx(2 - 2 * cosines(first, second).mean())
    assert 0 <= found <= 4 + 1e-12
    assert alignment(second, first) == found


@pytest.mark.parametrize(("first", "second"), [((0, 3), (0, 3)), ((1, 3), (2, 3)), ((2, 3), (2, 4))])
def test_alignment_of_invalid_arrays(first, second):
    message = rf"^the embeddings have the shapes \({first[0]}, 3\) and \("
    with pytest.raises(InputValueError, match=message):
        alignment(np.ones(first), np.ones(second))


# -- uniformity ------------------------------------------------------------------------------------


@given(rows_of(2))
def test_uniformity_equals_a_plain_loop(rows):
    found = uniformity(rows)
    assert found == pytest.approx(loop(rows), abs=1e-9)
    assert found == pytest.approx(math.log(np.mean(np.exp(-2 * pdist(unit(rows), "sqeuclidean")))), abs=1e-9)
    assert -8 - 1e-9 <= found <= 1e-12
    assert uniformity(rows[::-1] * 3) == pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize("rows", [2, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3])
def test_uniformity_in_blocks(rows):
    points = np.random.default_rng(0).normal(size=(rows, 5)).astype(np.float32)
    expected = math.log(np.mean(np.exp(-2 * pdist(unit(points.astype(float)), "sqeuclidean"))))
    assert uniformity(points) == pytest.approx(expected, abs=1e-12)


def test_range_of_uniformity():
    assert uniformity(np.array([[1.0, 1.0], [-2.0, -2.0]])) == pytest.approx(-8)
    assert uniformity(np.full((700, 3), 0.1)) == pytest.approx(0, abs=1e-12)
    assert uniformity(np.eye(300)) == pytest.approx(-4)  # all at right angles


def test_zero_vectors_stay_zero():
    assert uniformity(np.zeros((3, 2))) == 0
    assert uniformity(np.array([[0.0, 0.0], [2.0, 0.0]])) == -2
    rows = np.array([[0.0, 0.0], [0.0, 0.0], [2.0, 0.0], [0.0, 1.0]])
    points = np.array([[0, 0], [0, 0], [1, 0], [0, 1]])
    assert uniformity(rows) == pytest.approx(math.log(np.mean(np.exp(-2 * pdist(points, "sqeuclidean")))))
    assert alignment(np.zeros((1, 2)), np.ones((1, 2))) == pytest.approx(1)


@pytest.mark.parametrize("rows", [0, 1])
def test_uniformity_needs_two(rows):
    with pytest.raises(InputValueError, match=rf"uniformity needs at least two embeddings, got {rows}$"):
        uniformity(np.ones((rows, 3)))


def test_half_precision():
    rows = np.random.default_rng(0).normal(size=(20, 8)).astype(np.float16) * np.float16(1000)
    assert np.isfinite(rows).all()
    assert uniformity(rows) == pytest.approx(loop(rows.astype(float)))
    assert alignment(rows, rows) == 0


# -- words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "share"),
    [
        ("A dog runs.", "a dog sleeps", 2 / 4),
        ("the the the", "The", 1),
        ("one two", "three", 0),
        ("Don't!", "don t", 1),
        ("?!", "?!", 1),
        ("?!", "...", 0),
        ("", "word", 0),
        ("Größe 12", "größe 13", 1 / 3),
    ],
)
def test_jaccard_by_hand(first, second, share):
    assert jaccard([(first, second)]) == jaccard([(second, first)]) == pytest.approx(share)


def test_mean_jaccard():
    assert jaccard(iter([("a b", "a b"), ("a b", "c d"), ("a b", "a c")])) == pytest.approx((1 + 0 + 1 / 3) / 3)
    with pytest.raises(InputValueError, match=r"jaccard needs at least one pair of sentences$"):
        jaccard([])


def test_lengthened_pairs():
    pairs = [("a b c", "d"), ("a", "b"), ("a", "b c")]
    assert padded(pairs, "okay") == [
        (("a b c", "d"), ("a b c", "d okay okay")),
        (("a", "b c"), ("a okay", "b c")),
    ]


@given(st.lists(st.tuples(*[st.lists(st.sampled_from(["a", "bc", "d."]), min_size=1, max_size=6)] * 2)))
def test_lengthened_pairs_have_one_length(words):
    pairs = [(" ".join(first), " ".join(second)) for first, second in words]
    found = padded(pairs, "?")
    assert [old for old, _ in found] == [pair for pair in pairs if len({len(text.split()) for text in pair}) == 2]
    for old, new in found:
        assert len(new[0].split()) == len(new[1].split()) == max(len(text.split()) for text in old)
        assert all(long == short + " ?" * long.count("?") for short, long in zip(old, new, strict=True))


# -- the task --------------------------------------------------------------------------------------


def test_all_metrics_by_hand():
    found = measured()
    first, second = (
        np.array([letters(text) for text in texts[:2]], float) for texts in (DATA.sentences1, DATA.sentences2)
    )
    distinct = np.array([letters(text) for text in {*DATA.sentences1, *DATA.sentences2}], float)
    changed = [
        (("a cat sleeps here", "a dog"), ("a cat sleeps here", "a dog okay okay")),
        (("cows", "birds sing"), ("cows okay", "birds sing")),
    ]
    bias = np.mean([cosine(*map(letters, old)) - cosine(*map(letters, new)) for old, new in changed])
    assert found.metrics == {
        # A score of 4 is not above 4.
        "alignment": pytest.approx(alignment(first, second)),
        "uniformity": pytest.approx(loop(distinct)),
        "length_bias": pytest.approx(bias),
        "jaccard": pytest.approx((2 / 4 + 1 + 1 / 5 + 0) / 4),
        "pairs": 4,
    }
    assert list(found.metrics) == ["alignment", "uniformity", "length_bias", "jaccard", "pairs"]
    assert found.headline[0] == TASK.metric
    assert found.items.mean() == pytest.approx(found.headline[1])
    assert len(found.items) == 2
    assert found.gold is None


def test_length_bias_of_a_model_that_encodes_length():
    def by_length(text):
        angle = math.pi / 2 * len(text.split()) / 10
        return [math.cos(angle), math.sin(angle)]

    biased = measured(vector_of=by_length).metrics["length_bias"]
    step = math.pi / 20
    assert biased == pytest.approx(((1 - math.cos(2 * step)) + (1 - math.cos(step))) / 2, abs=1e-6)
    deaf = measured(vector_of=lambda text: letters(text.replace(" okay", "")))
    assert deaf.metrics["length_bias"] == pytest.approx(0, abs=1e-6)
    averse = measured(vector_of=lambda text: [1, 5 * text.count("okay")])
    assert averse.metrics["length_bias"] < -0.5


def test_options_of_the_task():
    strict = measured(task=GeometryTask(name="mine", title="Mine", positive=4.7)).metrics
    assert strict["alignment"] == pytest.approx(0, abs=1e-12)  # the pair of two equal sentences alone
    marks = GeometryTask(name="mine", title="Mine", filler="?")
    assert "a dog ? ?" in set(marks.texts(DATA))
    assert measured(task=marks).metrics["length_bias"] != measured().metrics["length_bias"]
    assert marks.protocol()["filler"] == "?"
    assert marks.protocol()["positive"] == 4.0


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            PairData(["a b"], ["c"], [4.0]),
            r"task 'mine': no pair has a score above 4, so that its geometry is not",
        ),
        (
            PairData(["a b"], ["c d"], [5.0]),
            r"task 'mine': no pair differs in length, so that its geometry is not",
        ),
    ],
)
def test_undefined_geometry(data, message):
    with pytest.raises(InputValueError, match=message):
        measured(data)


@needs_shared
def test_a_real_model_on_real_pairs(minilm, tmp_path):
    whole = resolve("geometry").read(SHARED)
    assert len(whole) == 1500
    assert sum(score > 4 for score in whole.scores) == 208
    rows = list(zip(whole.sentences1, whole.sentences2, map(str, whole.scores), strict=True))[:60]
    lines = ["sentence1\tsentence2\tscore", *("\t".join(row) for row in rows)]
    (tmp_path / "stsb-dev.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = evaluate(minilm, ["geometry"], tmp_path)["geometry"]
    part = resolve("geometry").read(tmp_path)
    texts = list({*part.sentences1, *part.sentences2})
    assert found["uniformity"] == pytest.approx(loop(minilm.encode(texts).astype(float)), abs=1e-4)
    assert 0 < found["alignment"] < 0.5
    assert 0 < found["jaccard"] < 1
    assert found["pairs"] == 60
