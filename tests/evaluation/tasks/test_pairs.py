"""Graded pairs: reading them, errors, and the correlations with each aggregate."""

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr

from sda_hf.errors import InputValueError
from sda_hf.evaluation import TASKS, PairData, PairTask, resolve
from sda_hf.evaluation.encoder.vectors import Vectors
from sda_hf.evaluation.tasks.pairs import register_pairs

# Angles between 0 and pi, whose cosines a model of two dimensions gives exactly.
SIMILARITIES = [0.9, 0.1, 0.5, 0.8, -0.3, 0.2, 0.6]
SCORES = [5.0, 1.0, 0.0, 2.0, 3.0, 1.5, 4.0]
SUBSETS = ["x", "y", "x", "y", "x", "x", "y"]


class Given:
    """A model whose cosine of the texts "i" and "anchor" is the similarity of row i."""

    def __init__(self, similarities):
        self.similarities = similarities

    def encode(self, texts, **options):
        found = [1.0 if text == "anchor" else self.similarities[int(text)] for text in texts]
        return np.array([[one, (1 - one**2) ** 0.5] for one in found])


def graded(similarities=SIMILARITIES, scores=SCORES, subsets=SUBSETS, **fields):
    """Measure these pairs."""
    task = PairTask(name="mine", title="Mine", **fields)
    data = PairData(["anchor"] * len(scores), [str(i) for i in range(len(scores))], scores, subsets)
    return task.measure(data, Vectors(Given(similarities), task.texts(data)))


def parse(*rows, **fields):
    task = PairTask(name="mine", title="Mine", **fields)
    return task.parse([(f"pairs.tsv, line {number}", row) for number, row in enumerate(rows, 2)])


def row(**cells):
    return {"sentence1": "a", "sentence2": "b", "score": 1, **cells}


def write(path, *rows):
    path.write_text("".join(json.dumps(cells) + "\n" for cells in rows))
    return path


def test_pairs_keep_the_order_of_the_file():
    columns = ("left", "right", "gold")
    rows = [{"left": "a", "right": "b", "gold": "4.5"}, {"left": "c", "right": "a", "gold": 0}]
    assert parse(*rows, columns=columns) == PairData(["a", "c"], ["b", "a"], [4.5, 0.0])
    assert len(parse(*rows, columns=columns)) == 2


@pytest.mark.parametrize("score", ["", "high", "nan", "NaN", "inf", "-Infinity", "1e999", None, True, [1], 10**400])
def test_scores_that_are_not_numbers(score):
    message = rf"pairs\.tsv, line 2, score: expected a finite number, got {re.escape(repr(score)[:20])}"
    with pytest.raises(InputValueError, match=message):
        parse(row(score=score))


@pytest.mark.parametrize(("score", "number"), [("3", 3.0), (" 2.5 ", 2.5), (4, 4.0), (0.0, 0.0), ("-1e-1", -0.1)])
def test_scores_that_are_numbers(score, number):
    assert parse(row(score=score)).scores == [number]


@pytest.mark.parametrize("score", [-0.5, 5.5])
def test_a_score_off_the_scale(score):
    assert parse(row(score=score)).scores == [score]
    message = rf"^pairs\.tsv, line 2, score: {score} is out of range: this task's scores go from 0 to 5$"
    with pytest.raises(InputValueError, match=message):
        parse(row(score=score), scale=(0, 5))


@pytest.mark.parametrize("column", ["sentence1", "sentence2"])
@pytest.mark.parametrize("sentence", [None, "", "  ", 3, float("nan"), ["a"]])
def test_a_missing_sentence(column, sentence):
    message = rf"pairs\.tsv, line 3, {column}: expected a sentence, got {re.escape(repr(sentence))}"
    with pytest.raises(InputValueError, match=message):
        parse(row(), row(**{column: sentence}))


def test_a_json_null_and_nan(tmp_path):
    path = write(tmp_path / "pairs.jsonl", row(score=float("nan")))
    with pytest.raises(InputValueError, match=r"pairs\.jsonl, line 1, score: expected a finite number, got nan"):
        resolve(path).read()
    write(path, row(sentence2=None))
    with pytest.raises(InputValueError, match=r"pairs\.jsonl, line 1, sentence2: expected a sentence, got None"):
        resolve(path).read()


def test_a_missing_column(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("sentence1\tsentence2\tgold\na\tb\t1\n")
    message = r"pairs\.tsv, line 2: no column 'score'; the columns are 'sentence1', 'sentence2', 'gold'"
    with pytest.raises(InputValueError, match=message):
        resolve(path).read()


def test_no_pairs(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("sentence1\tsentence2\tscore\n")
    with pytest.raises(InputValueError, match=r"pairs\.tsv has no rows for task 'pairs'$"):
        resolve(path).read()


@pytest.mark.parametrize("scores", [[2], [2, 2.0, "2"]])
def test_equal_scores(tmp_path, scores):
    path = write(tmp_path / "flat.jsonl", *(row(score=score) for score in scores))
    message = rf"^task 'flat': all {len(scores)} pairs have the score 2: a correlation needs different scores$"
    with pytest.raises(InputValueError, match=message):
        resolve(path).read()


@pytest.mark.parametrize(
    ("cells", "subsets"),
    [
        (["x", "y"], ["x", "y"]),
        ([0, 1], ["0", "1"]),
        (["x", ""], None),
        (["x", None], None),
        ([None, None], None),
    ],
)
def test_subsets(cells, subsets):
    assert parse(*(row(subset=cell) for cell in cells)).subsets == subsets
    assert parse(row(), row()).subsets is None


@pytest.mark.parametrize("aggregate", ["mean", "wmean"])
def test_missing_subsets_are_reported_on_reading(tmp_path, aggregate):
    path = write(tmp_path / "mine.jsonl", row(score=1), row(score=2))
    task = PairTask(name="mine", title="Mine", aggregate=aggregate, source=resolve(path).source)
    message = rf"^task 'mine': aggregate '{aggregate}' needs a column 'subset': give local"
    with pytest.raises(InputValueError, match=message):
        task.read()
    write(path, row(score=1, subset="x"), row(score=2, subset="x"), row(score=2, subset="y"))
    with pytest.raises(InputValueError, match=r"^task 'mine', subset 'y': all 1 pairs have the score 2: a correlation"):
        task.read()
    write(path, row(score=1, subset="x"), row(score=2, subset="x"))
    assert task.read().subsets == ["x", "x"]


@pytest.mark.parametrize("aggregate", ["", "ALL", "max", None])
def test_an_unknown_aggregate(aggregate):
    with pytest.raises(InputValueError, match=rf"^aggregate is {aggregate!r}: use one of all, mean, wmean$"):
        PairTask(name="mine", title="Mine", aggregate=aggregate)


@pytest.mark.parametrize(("aggregate", "weights"), [("mean", [1, 1]), ("wmean", [4, 3])])
def test_aggregates_of_subsets(aggregate, weights):
    found = graded(aggregate=aggregate).metrics
    for name, correlation in (("spearman", spearmanr), ("pearson", pearsonr)):
        by_subset = []
        for subset in ("x", "y"):
            rows = [i for i, part in enumerate(SUBSETS) if part == subset]
            by_subset.append(correlation([SIMILARITIES[i] for i in rows], [SCORES[i] for i in rows]).statistic)
        assert abs(by_subset[0] - by_subset[1]) > 0.2
        assert found[name] == pytest.approx(100 * np.average(by_subset, weights=weights))


def test_all_subsets_together():
    measured = graded()
    assert measured.headline == ("spearman", pytest.approx(100 * spearmanr(SIMILARITIES, SCORES).statistic))
    assert measured.metrics["pearson"] == pytest.approx(100 * pearsonr(SIMILARITIES, SCORES).statistic)
    assert list(measured.metrics) == ["spearman", "pearson", "pairs"]
    assert measured.metrics["pairs"] == 7
    assert measured.items.tolist() == pytest.approx(SIMILARITIES)
    assert measured.gold.tolist() == SCORES
    assert graded(subsets=None).metrics == measured.metrics
    assert graded(subsets=["one"] * 7, aggregate="mean").metrics == pytest.approx(measured.metrics)


def test_by_hand():
    # Ranks 3, 1, 2 beside 3, 2, 1: 1 - 6 * (0 + 1 + 1) / (3 * 8).
    assert graded([0.9, 0.1, 0.5], [5.0, 4.0, 2.0], None).metrics["spearman"] == pytest.approx(50)


@settings(max_examples=25)
@given(order=st.permutations(range(7)))
def test_the_order_of_rows_does_not_matter(order):
    moved = [[values[i] for i in order] for values in (SIMILARITIES, SCORES, SUBSETS)]
    for aggregate in ("all", "mean", "wmean"):
        assert graded(*moved, aggregate=aggregate).metrics == pytest.approx(graded(aggregate=aggregate).metrics)


def test_collapsed_embeddings():
    message = (
        r"^task 'mine': all 7 pairs have the same similarity, 0\.5000, so that no correlation is defined: the "
        "embeddings have collapsed$"
    )
    with pytest.raises(InputValueError, match=message):
        graded([0.5 + 1e-8 * i for i in range(7)])
    half = [0.5 if subset == "y" else one for one, subset in zip(SIMILARITIES, SUBSETS, strict=True)]
    assert graded(half).metrics["pairs"] == 7
    with pytest.raises(InputValueError, match=r"^task 'mine', subset 'y': all 3 pairs have the same"):
        graded(half, aggregate="mean")


def test_texts_are_the_sentences_of_all_pairs():
    assert list(PairTask(name="m", title="M").texts(PairData(["a", "b"], ["c", "a"], [1.0, 2.0]))) == list("abca")


@pytest.mark.parametrize(
    ("name", "split", "file", "hub_split"),
    [("mine", "test", "mine-test", "test"), ("mine-dev", "dev", "mine-dev", "validation")],
)
def test_registered_pairs(monkeypatch, name, split, file, hub_split):
    monkeypatch.setattr(TASKS, "_entries", dict(TASKS.load()))
    register_pairs(name, "Mine", "me/mine", 12, split=split, scale=(1, 2))
    task = TASKS.get(name)
    assert (task.name, task.title, task.scale, task.aggregate) == (name, "Mine", (1, 2), "all")
    source = task.source
    assert (source.files, source.hub_id, source.hub_split, source.rows) == ((file,), "me/mine", hub_split, 12)
