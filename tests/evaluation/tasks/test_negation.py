"""Negation: negation words, the rows of SICK, and the cosines of sentences with their negations."""

from pathlib import Path

import numpy as np
import pytest

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.evaluation import GROUPS, NegatedTask, PairData, evaluate, resolve, resolve_all
from sda_hf.evaluation.encoder.vectors import Vectors
from sda_hf.evaluation.tasks.negation import NEGATION_WORD, NegatedData

SHARED = Path(__file__).parents[3].parent / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="needs shared/data")
SICK = "sentence1\tsentence2\tscore\tsubset\n"
ROWS = [
    "A man sleeps\tA man is not sleeping\t3.5\tCONTRADICTION",
    "A man sleeps\tA man dozes\t4.8\tENTAILMENT",
    "Nobody runs\tA dog barks\t1.2\tNEUTRAL",
    "A dog barks\tA knot is tied\t1.0\tneutral",
    "A dog barks\tA dog is silent\t3.9\t2",
]


class Table:
    """A model with given vectors; other texts get a vector of their own."""

    def __init__(self, vectors=()):
        self.vectors = dict(vectors)

    def encode(self, texts, **options):
        random = np.random.default_rng(0)
        return np.array([self.vectors.get(text, random.normal(size=2)) for text in texts], dtype=float)


def measured(task, data, model):
    return task.measure(data, Vectors(model, task.texts(data)))


@pytest.fixture
def sick(tmp_path):
    def write(rows=ROWS, header=SICK):
        (tmp_path / "sickr-test.tsv").write_text(header + "".join(row + "\n" for row in rows), encoding="utf-8")
        return tmp_path

    return write


# -- sentences and their negations -----------------------------------------------------------------


def test_mean_cosine(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text("sentence\tnegated\nx\ty\ny\tz\nx\tx\n")
    task = resolve(f"negated:{path}")
    data = task.read()
    assert data == NegatedData(["x", "y", "x"], ["y", "z", "x"])
    found = measured(task, data, Table({"x": [2, 0], "y": [3, 4], "z": [-6, -8]}))
    np.testing.assert_allclose(found.items, [0.6, -1, 1])
    assert found.metrics == {"cosine": pytest.approx(0.2), "pairs": 3}
    assert found.gold is None
    assert found.headline[0] == task.metric
    assert not task.greater_is_better


def test_bounds():
    task = NegatedTask(name="mine", title="Mine")
    data = NegatedData(["x"], ["y"])
    for second, cosine in (([1, 1], 1), ([-2, -2], -1), ([1, -1], 0), ([0, 0], 0)):
        assert measured(task, data, Table({"x": [1, 1], "y": second})).metrics["cosine"] == pytest.approx(cosine)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sentence\tnegated\n", r"n\.tsv has no rows for task 'n'$"),
        ("sentence\tnegation\nx\ty\n", r"n\.tsv, line 2: no column 'negated'; the columns are 'sentence', 'negation'$"),
        ("sentence\tnegated\nx\ty\nx\t\n", r"n\.tsv, line 3, negated: expected a sentence, got ''$"),
        ("sentence\tnegated\n\ty\n", r"n\.tsv, line 2, sentence: expected a sentence, got ''$"),
    ],
)
def test_unusable_rows(tmp_path, text, message):
    (tmp_path / "n.tsv").write_text(text)
    with pytest.raises(InputValueError, match=message):
        resolve(f"negated:{tmp_path / 'n.tsv'}").read()


def test_local_datasets():
    with pytest.raises(
        InputFileError, match=r"glue-diagnostic: not on the Hub: set data_dir to a folder with glue-diagnostic\.tsv"
    ):
        resolve("glue-diagnostic").read()
    with pytest.raises(InputFileError, match=r"nan-nli: not on the Hub: set data_dir to a folder with nan-nli\.tsv"):
        resolve("nan-nli").read()


# -- rows of SICK ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "He does not run.", "No, he runs.", "NOBODY came", "There is nothing", "none of them", "He never ran",
        "neither he", "nor she", "nowhere", "without a hat", "He cannot", "He can't", "he didn’t", "ISN'T", "no-one",
    ],
)  # fmt: skip
def test_negation_words(text):
    assert NEGATION_WORD.search(text)


@pytest.mark.parametrize(
    "text",
    ["A knot", "He notes", "nonsense", "The North", "another", "Nora withoutput", "can t", "ant", "a man's t", ""],
)
def test_no_negation_words(text):
    assert not NEGATION_WORD.search(text)


def test_negated_pairs_of_sick(sick):
    data = resolve("sickr-negation").read(sick())
    assert data == PairData(
        ["A man sleeps", "Nobody runs", "A dog barks"],
        ["A man is not sleeping", "A dog barks", "A dog is silent"],
        [3.5, 1.2, 3.9],
        ["CONTRADICTION", "NEUTRAL", "2"],
    )


def test_negated_pairs_are_measured_as_pairs(sick):
    task = resolve("sickr-negation")
    data = task.read(sick())
    model = Table({"A man sleeps": [1, 0], "A man is not sleeping": [1, 0.5], "Nobody runs": [0, 1],
                   "A dog barks": [1, 0], "A dog is silent": [1, 0.1]})  # fmt: skip
    found = measured(task, data, model)
    assert found.metrics["spearman"] == pytest.approx(100)
    assert found.metrics["pairs"] == 3


def test_contradictions_of_sick(sick):
    data = resolve("sickr-contradiction").read(sick())
    assert data == NegatedData(["A man sleeps", "A dog barks"], ["A man is not sleeping", "A dog is silent"])


def test_triples_of_sick(sick):
    data = resolve("sickr-triples").read(sick())
    assert data.closer == [("A man sleeps", "A man dozes")]
    assert data.farther == [("A man sleeps", "A man is not sleeping")]


@pytest.mark.parametrize("name", ["sickr-negation", "sickr-contradiction", "sickr-triples"])
def test_a_file_without_relations(sick, name):
    folder = sick(["A man is not old\tA man sleeps\t3"], header="sentence1\tsentence2\tscore\n")
    with pytest.raises(InputValueError, match=r"sickr-test\.tsv, line 2: no column 'subset'; the columns are"):
        resolve(name).read(folder)


@pytest.mark.parametrize("name", ["sickr-negation", "sickr-contradiction", "sickr-triples"])
def test_an_unknown_relation(sick, name):
    # Even in a row with a negation word.
    folder = sick([*ROWS, "A man is not old\tA man sleeps\t3\tCONTRADICTS"])
    message = r"sickr-test\.tsv, line 7, subset: expected entailment, neutral or contradiction .*, got 'CONTRADICTS'$"
    with pytest.raises(InputValueError, match=message):
        resolve(name).read(folder)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sickr-negation", r"has no rows for task 'sickr-negation'$"),
        ("sickr-contradiction", r"has no rows for task 'sickr-contradiction'$"),
        (
            "sickr-triples",
            r"task 'sickr-triples' has no triples: no sentence1 has both an entailed and a contradicted sentence2$",
        ),
    ],
)
def test_a_file_without_negation(sick, name, message):
    with pytest.raises(InputValueError, match=message):
        resolve(name).read(sick([ROWS[1], ROWS[3]]))


def test_a_score_out_of_range(sick):
    with pytest.raises(InputValueError, match=r"line 2, score: '0\.5' is out of range: .* from 1 to 5$"):
        resolve("sickr-negation").read(sick(["A cat\tNo cat\t0.5\tCONTRADICTION"]))


# -- the real files --------------------------------------------------------------------------------


@needs_shared
def test_real_files():
    rows = {task.name: len(task.read(SHARED)) for task in resolve_all(["negation"])}
    assert rows == {
        "glue-diagnostic": 154,
        "nan-nli": 117,
        "sickr-negation": 1152,
        "sickr-contradiction": 720,
        "sickr-triples": 807,
    }
    assert tuple(rows) == GROUPS["negation"]


@needs_shared
def test_a_real_model(minilm):
    from sentence_transformers.util import pairwise_cos_sim

    data = resolve("nan-nli").read(SHARED)
    expected = pairwise_cos_sim(minilm.encode(data.sentences), minilm.encode(data.negated)).mean().item()
    found = evaluate(minilm, ["nan-nli"], SHARED)["nan-nli"]
    assert found == {"cosine": pytest.approx(expected, abs=1e-5), "pairs": 117}
    # The model hardly tells them apart, which is what the papers set out to fix.
    assert found["cosine"] > 0.7
