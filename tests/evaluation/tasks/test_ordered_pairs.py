"""Ordered pairs and triples: file formats, ties, chance, inference pairs and errors."""

import json
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cosine

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.evaluation import OrderedPairsTask, TripleTask, resolve
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.encoder.vectors import Vectors
from sda_hf.evaluation.tasks.ordered_pairs import ANLI_ROUNDS, InferenceTriplesTask, OrderedData, relation

SHARED = Path(__file__).parents[3].parent / "shared" / "data"
INFERENCE = "premise\thypothesis\tlabel\n"


class Table:
    """A model with given vectors."""

    def __init__(self, **vectors):
        self.vectors = vectors

    def encode(self, texts, **options):
        return np.array([self.vectors[text] for text in texts], dtype=float)


def measured(task, data, model):
    return task.measure(data, Vectors(model, task.texts(data)))


def inference(tmp_path, lines, **fields):
    path = tmp_path / "inference.tsv"
    path.write_text(INFERENCE + "".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
    return InferenceTriplesTask(name="mine", title="Mine", source=Source(path=path), **fields)


def triples(data):
    assert [pair[0] for pair in data.closer] == [pair[0] for pair in data.farther]
    return [
        (anchor, positive, negative) for (anchor, positive), (_, negative) in zip(*vars(data).values(), strict=True)
    ]


# -- pairs of pairs and triples --------------------------------------------------------------------


def test_ordered_pairs(tmp_path):
    path = tmp_path / "order.tsv"
    path.write_text("sentence1\tsentence2\tsentence3\tsentence4\nx\tx\tx\ty\nx\ty\tx\tz\nz\ty\tx\tz\nx\tz\ty\tz\n")
    task = resolve(f"ordered-pairs:{path}")
    data = task.read()
    assert data == OrderedData(
        [("x", "x"), ("x", "y"), ("z", "y"), ("x", "z")], [("x", "y"), ("x", "z"), ("x", "z"), ("y", "z")]
    )
    assert set(task.texts(data)) == {"x", "y", "z"}
    found = measured(task, data, Table(x=[1, 0], y=[0, 2], z=[3, 4]))
    # cosines: x y 0, x z 0.6, y z 0.8
    assert found.items.tolist() == [1, 0, 1, 0]
    assert found.gold is None
    assert found.metrics == {
        "accuracy": 50.0,
        "chance": 50.0,
        "difference": pytest.approx((1 - 0.6 + 0.2 - 0.2) / 4),
        "rows": 4,
    }
    assert list(found.metrics) == ["accuracy", "chance", "difference", "rows"]
    assert found.headline == (task.metric, 50.0)


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_triples_in_every_format(tmp_path, ending):
    rows = [
        {"anchor": "x", "positive": "y", "negative": "z", "more": "w"},
        {"anchor": "z", "positive": "z", "negative": "x"},
    ]
    path = tmp_path / f"triples{ending}"
    if ending == ".csv":
        path.write_text("more,negative,positive,anchor\nw,z,y,x\nw,x,z,z\n")
    elif ending == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    task = resolve(f"triples:{path}")
    assert type(task) is TripleTask
    data = task.read()
    assert triples(data) == [("x", "y", "z"), ("z", "z", "x")]
    found = measured(task, data, Table(x=[1, 0], y=[-1, 0], z=[0, 1]))
    assert found.items.tolist() == [0, 1]
    assert found.metrics == {"accuracy": 50.0, "chance": 50.0, "difference": 0.0, "rows": 2}


def test_renamed_columns(tmp_path):
    (tmp_path / "t.tsv").write_text("a\tp\tn\nx\ty\tz\n")
    columns = {"anchor": "a", "positive": "p", "negative": "n"}
    task = resolve({"path": "t.tsv", "kind": "triples", "columns": columns}, base=tmp_path)
    assert triples(task.read()) == [("x", "y", "z")]


def test_ties_are_errors():
    data = OrderedData([("x", "y"), ("x", "x")], [("x", "y"), ("x", "y")])
    task = OrderedPairsTask(name="mine", title="Mine")
    collapsed = measured(task, data, Table(x=[1, 2], y=[1, 2]))
    assert (collapsed.metrics["accuracy"], collapsed.metrics["difference"]) == (0, 0)
    assert measured(task, data, Table(x=[1, 0], y=[0, 1])).items.tolist() == [0, 1]


@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_accuracies_of_both_orders_and_ties_sum_to_one(seed, rows):
    random = np.random.default_rng(seed)
    model = Table(**{name: random.integers(1, 4, size=3) for name in "abcdef"})
    closer, farther = ([tuple(random.choice(list("abcdef"), 2)) for _ in range(rows)] for _ in range(2))
    task = OrderedPairsTask(name="mine", title="Mine")
    one = measured(task, OrderedData(closer, farther), model)
    other = measured(task, OrderedData(farther, closer), model)
    assert not (one.items * other.items).any()
    assert one.metrics["difference"] == -other.metrics["difference"]
    distances = [[cosine(model.vectors[a], model.vectors[b]) for a, b in pairs] for pairs in (farther, closer)]
    assert one.metrics["difference"] == pytest.approx(np.mean(np.subtract(*distances)), abs=1e-12)
    assert one.metrics["accuracy"] == pytest.approx(100 * np.mean(one.items))


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        (
            "triples",
            "anchor\tpositive\nx\ty\n",
            r"t\.tsv, line 2: no column 'negative'; the columns are 'anchor', 'positive'$",
        ),
        (
            "triples",
            "anchor\tpositive\tnegative\nx\ty\tz\nx\t\tz\n",
            r"line 3, positive: expected a sentence, got ''$",
        ),
        ("triples", "anchor\tpositive\tnegative\n", r"t\.tsv has no rows for task 't'$"),
        (
            "ordered-pairs",
            "sentence1\tsentence2\tsentence3\tsentence4\nx\ty\tz\t \n",
            r"sentence4: expected a sentence",
        ),
        ("ordered-pairs", "", r"t\.tsv has no rows for task 't'$"),
    ],
)
def test_unusable_rows(tmp_path, kind, text, message):
    (tmp_path / "t.tsv").write_text(text)
    with pytest.raises(InputValueError, match=message):
        resolve({"path": "t.tsv", "kind": kind}, base=tmp_path).read()


# -- triples of inference pairs --------------------------------------------------------------------


def test_triples_from_premises(tmp_path):
    lines = [
        ("p", "e1", "0"), ("p", "c1", "2"), ("p", "n1", "1"), ("p", "e2", "entailment"), ("p", "c1", "Contradiction"),
        ("only entailed", "e1", "E"), ("only contradicted", "c1", "c"), ("q", "c9", "C"), ("q", "e9", "e"),
        ("q", "n", "n"),
    ]  # fmt: skip
    task = inference(tmp_path, lines)
    data = task.read()
    assert triples(data) == [("p", "e1", "c1"), ("p", "e2", "c1"), ("q", "e9", "c9")]
    assert "n1" not in set(task.texts(data))
    assert len(data) == 3


def test_triples_both_ways(tmp_path):
    lines = [("a", "b", "ENTAILMENT"), ("b", "c", "CONTRADICTION"), ("d", "a", "CONTRADICTION")]
    assert triples(inference(tmp_path, lines, both_ways=True).read()) == [("a", "b", "d"), ("b", "a", "c")]
    with pytest.raises(InputValueError, match=r"no premise has both"):
        inference(tmp_path, lines).read()


relations = st.lists(st.tuples(st.sampled_from("pqr"), st.sampled_from("stuv"), st.sampled_from("012")), max_size=12)


@given(relations, st.booleans())
def test_triples_are_all_combinations(lines, both_ways):
    task = InferenceTriplesTask(name="mine", title="Mine", both_ways=both_ways)
    rows = [(f"line {i}", dict(zip(task.roles, line, strict=True))) for i, line in enumerate(lines)]
    both = lines + [(second, first, relation) for first, second, relation in lines] * both_ways
    expected = {(a, p, n) for a, p, x in both for b, n, y in both if a == b and (x, y) == ("0", "2")}
    if expected:
        found = list(task.triples(rows))
        assert len(found) == len(set(found))
        assert set(found) == expected
    else:
        with pytest.raises(InputValueError, match=r"^task 'mine' has no triples: no premise has both"):
            task.triples(rows)


def test_no_triples(tmp_path):
    task = inference(tmp_path, [("p", "e", "0"), ("q", "c", "2"), ("p", "n", "1")])
    message = r"^task 'mine' has no triples: no premise has both an entailed and a contradicted hypothesis$"
    with pytest.raises(InputValueError, match=message):
        task.read()


@pytest.mark.parametrize("label", ["entailed", "3", "-1", "-", "0.5", "no"])
def test_an_unknown_relation(tmp_path, label):
    task = inference(tmp_path, [("p", "e", "0"), ("p", "c", "2"), ("p", "x", label)])
    message = rf"inference\.tsv, line 4, label: expected entailment, neutral or contradiction .*, got '{label}'$"
    with pytest.raises(InputValueError, match=message):
        task.read()


@pytest.mark.parametrize("label", [None, "", " ", True, [1], float("nan")])
def test_invalid_relations(label):
    with pytest.raises(InputValueError, match=r"^f, row 1, label: expected a label \(a word or a whole number\)"):
        relation({"label": label}, "label", "f, row 1")


@pytest.mark.parametrize("number", [0, 1, 2])
def test_spellings_of_relations(number):
    name = ("entailment", "neutral", "contradiction")[number]
    for written in (number, str(number), f" {number} ", name, name.upper(), name.title(), name[0], name[0].upper()):
        assert relation({"gold": written}, "gold", "f, row 1") == name


def test_anli_in_parquet(tmp_path):
    rows = [
        {"uid": "1", "premise": "p", "hypothesis": "e", "label": 0, "reason": ""},
        {"uid": "2", "premise": "p", "hypothesis": "c", "label": 2, "reason": ""},
    ]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "anli-test.parquet")
    task = resolve("anli")
    assert triples(task.read(tmp_path)) == [("p", "e", "c")]
    assert (task.source.hub_id, task.source.hub_split) == ("facebook/anli", ANLI_ROUNDS)
    with pytest.raises(InputFileError, match=r"no anli-test\{.*\} in .*: the folder does not exist"):
        task.read(tmp_path / "elsewhere")


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs shared/data")
def test_triples_of_sick():
    task = resolve("sickr-triples")
    data = task.read(SHARED)
    assert len(data) == 807
    assert len(set(triples(data))) == 807
    assert not any(positive == negative for _, positive, negative in triples(data))
    random = np.random.default_rng(0)
    model = Table(**{text: random.normal(size=16) for text in set(task.texts(data))})
    # Anchors repeat, so that the standard error exceeds 1.8, that of 807 independent rows.
    assert measured(task, data, model).metrics["accuracy"] == pytest.approx(50, abs=8)
