"""Candidates: file formats, ties, chance and errors."""

import json
import re

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sda_hf.errors import InputValueError
from sda_hf.evaluation import CandidatesTask, resolve
from sda_hf.evaluation.encoder.vectors import Vectors
from sda_hf.evaluation.tasks.candidates import CandidateData

ROWS = [
    {"sentence": "x", "candidates": ["x", "y"], "label": 0},
    {"sentence": "y", "candidates": ["z", "x", 'w, \t"v"'], "label": 2},
    {"sentence": "x", "candidates": ["y", "z", "x", "z"], "label": 1},
]
DATA = CandidateData(["x", "y", "x"], [row["candidates"] for row in ROWS], [0, 2, 1])
TASK = CandidatesTask(name="mine", title="Mine")


class Table:
    """A model with given vectors."""

    def __init__(self, vectors):
        self.vectors = vectors

    def encode(self, texts, **options):
        return np.array([self.vectors[text] for text in texts], dtype=float)


def measured(data, vectors):
    return TASK.measure(data, Vectors(Table(vectors), TASK.texts(data)))


def write(path):
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    elif path.suffix == ".csv":
        lines = (
            '{},"{}",{}'.format(row["sentence"], json.dumps(row["candidates"]).replace('"', '""'), row["label"])
            for row in ROWS
        )
        path.write_text("\n".join(["sentence,candidates,label", *lines]) + "\n")
    else:
        lines = ("\t".join([row["sentence"], json.dumps(row["candidates"]), str(row["label"])]) for row in ROWS)
        path.write_text("\n".join(["sentence\tcandidates\tlabel", *lines]) + "\n")
    return path


@pytest.mark.parametrize("ending", [".tsv", ".csv", ".jsonl", ".parquet"])
def test_every_format_gives_the_same_rows(tmp_path, ending):
    task = resolve(f"candidates:{write(tmp_path / f'mine{ending}')}")
    assert task.read() == DATA
    assert len(task.read()) == 3
    assert set(task.texts(DATA)) == {"x", "y", "z", 'w, \t"v"'}


def test_renamed_columns(tmp_path):
    (tmp_path / "c.jsonl").write_text('{"q": "x", "options": ["x", "y"], "gold": "1"}\n')
    columns = {"sentence": "q", "candidates": "options", "label": "gold"}
    task = resolve({"path": "c.jsonl", "kind": "candidates", "columns": columns}, base=tmp_path)
    assert task.read() == CandidateData(["x"], [["x", "y"]], [1])


def test_accuracy_and_chance():
    found = measured(DATA, {"x": [1, 0], "y": [0, 1], "z": [1, -1], 'w, \t"v"': [1, 1]})
    assert found.items.tolist() == [1, 1, 0]
    assert found.metrics == {
        "accuracy": pytest.approx(200 / 3),
        "chance": pytest.approx(100 * (1 / 2 + 1 / 3 + 1 / 4) / 3),
        "rows": 3,
    }
    assert list(found.metrics) == ["accuracy", "chance", "rows"]
    assert found.gold is None


@pytest.mark.parametrize("label", [0, 1, 2])
def test_ties_are_errors(label):
    collapsed = measured(CandidateData(["x"], [["y", "z", "w"]], [label]), {text: [1, 2] for text in "xyzw"})
    assert collapsed.metrics["accuracy"] == 0
    # The correct candidate twice: neither is higher than all others.
    twice = measured(CandidateData(["x"], [["y", "x", "x"]], [label]), {"x": [1, 0], "y": [0, 1]})
    assert twice.metrics["accuracy"] == 0


@given(st.integers(0, 2**32 - 1), st.lists(st.integers(2, 5), min_size=1, max_size=8))
def test_accuracy_equals_a_plain_loop(seed, sizes):
    random = np.random.default_rng(seed)
    vectors = {name: random.normal(size=4) for name in "abcdefgh"}
    data = CandidateData(
        [str(random.choice(list(vectors))) for _ in sizes],
        [random.choice(list(vectors), size, replace=False).tolist() for size in sizes],
        [int(random.integers(size)) for size in sizes],
    )

    def cosine(one, other):
        return vectors[one] @ vectors[other] / np.linalg.norm(vectors[one]) / np.linalg.norm(vectors[other])

    best = [
        max(range(len(texts)), key=lambda i: cosine(text, texts[i]))
        for text, texts in zip(data.sentences, data.candidates, strict=True)
    ]
    found = measured(data, vectors)
    assert found.items.tolist() == [float(one == right) for one, right in zip(best, data.labels, strict=True)]
    assert found.metrics["chance"] == pytest.approx(np.mean([100 / size for size in sizes]))


def test_a_random_model_is_at_chance():
    random = np.random.default_rng(0)
    rows = 1000
    texts = [[f"{row}/{i}" for i in range(4)] for row in range(rows)]
    data = CandidateData([f"{row}" for row in range(rows)], texts, random.integers(4, size=rows).tolist())
    vectors = {text: random.normal(size=8) for text in TASK.texts(data)}
    found = measured(data, vectors).metrics
    assert found["chance"] == 25
    assert found["accuracy"] == pytest.approx(25, abs=5)  # the standard error is 1.4


CANDIDATES = [
    "x",
    '"x"',
    "[]",
    '["x"]',
    '["x", ""]',
    '["x", " "]',
    '["x", 1]',
    '["x", null]',
    '["x", "y"',
    '{"x": "y"}',
]


@pytest.mark.parametrize("cell", [*CANDIDATES, None, 3, ["x"], ["x", None], {"0": "x", "1": "y"}])
def test_invalid_candidates(tmp_path, cell):
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps({"sentence": "x", "candidates": cell, "label": 0}) + "\n")
    message = (
        r"c\.jsonl, line 1, candidates: expected a list of two or more sentences \(as JSON in text files\), got "
        rf"{re.escape(repr(cell))}$"
    )
    with pytest.raises(InputValueError, match=message):
        resolve(f"candidates:{path}").read()


@pytest.mark.parametrize("cell", [2, -1, "-1", "2", "first", "0.5", "+1", "1e0", "²", "1" * 5000])
def test_invalid_indices(tmp_path, cell):
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps({"sentence": "x", "candidates": ["x", "y"], "label": cell}) + "\n")
    message = r"c\.jsonl, line 1, label: expected the index of the correct candidate, 0 to 1, got "
    with pytest.raises(InputValueError, match=message + re.escape(repr(str(cell))[:80]) + "$"):
        resolve(f"candidates:{path}").read()


@pytest.mark.parametrize("cell", [None, True, "", [0]])
def test_invalid_labels(tmp_path, cell):
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps({"sentence": "x", "candidates": ["x", "y"], "label": cell}) + "\n")
    with pytest.raises(
        InputValueError, match=r"c\.jsonl, line 1, label: expected a label \(a word or a whole number\)"
    ):
        resolve(f"candidates:{path}").read()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sentence\tcandidates\n", r"c\.tsv has no rows for task 'c'$"),
        (
            'sentence\tcandidates\nx\t["x", "y"]\n',
            r"c\.tsv, line 2: no column 'label'; the columns are 'sentence', 'candidates'$",
        ),
        ("sentence\tlabel\nx\t0\n", r"c\.tsv, line 2: no column 'candidates'; the columns are 'sentence', 'label'$"),
        ('sentence\tcandidates\tlabel\n \t["x", "y"]\t0\n', r"line 2, sentence: expected a sentence, got ' '$"),
    ],
)
def test_unusable_rows(tmp_path, text, message):
    (tmp_path / "c.tsv").write_text(text)
    with pytest.raises(InputValueError, match=message):
        resolve(f"candidates:{tmp_path / 'c.tsv'}").read()
