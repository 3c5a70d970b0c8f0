"""Rows to graded pairs: what is no number and no sentence is refused, with its place."""

import re

import pytest

from sda_hf.errors import InputValueError
from sda_hf.evaluation import resolve
from sda_hf.evaluation.pairs import COLUMNS, pairs_of


@pytest.mark.parametrize("score", ["", "high", "nan", "NaN", "inf", "-Infinity", "1e999", None, True, [1], 10**400])
def test_a_score_that_is_no_number(score):
    message = rf"pairs\.tsv, line 2, score: a finite number is expected, here is {re.escape(repr(score)[:20])}"
    with pytest.raises(InputValueError, match=message):
        pairs_of("pairs.tsv", [("line 2", {"sentence1": "a", "sentence2": "b", "score": score})], COLUMNS)


@pytest.mark.parametrize(("score", "number"), [("3", 3.0), (" 2.5 ", 2.5), (4, 4.0), (0.0, 0.0), ("-1e-1", -0.1)])
def test_a_score_that_is_one(score, number):
    rows = [("line 2", {"sentence1": "a", "sentence2": "b", "score": score})]
    assert pairs_of("pairs.tsv", rows, COLUMNS).scores == [number]


@pytest.mark.parametrize("column", ["sentence1", "sentence2"])
@pytest.mark.parametrize("sentence", [None, "", "  ", 3, float("nan"), ["a"]])
def test_a_missing_sentence(column, sentence):
    row = {"sentence1": "a", "sentence2": "b", "score": 1} | {column: sentence}
    message = rf"pairs\.tsv, line 7, {column}: a sentence is expected, here is {re.escape(repr(sentence))}"
    with pytest.raises(InputValueError, match=message):
        pairs_of("pairs.tsv", [("line 7", row)], COLUMNS)


def test_a_json_null_and_nan(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"sentence1": "a", "sentence2": "b", "score": NaN}\n')
    with pytest.raises(InputValueError, match=r"pairs\.jsonl, line 1, score: a finite number .* nan"):
        resolve(path).read()
    path.write_text('{"sentence1": "a", "sentence2": null, "score": 1}\n')
    with pytest.raises(InputValueError, match=r"pairs\.jsonl, line 1, sentence2: a sentence .* None"):
        resolve(path).read()


def test_a_missing_column(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("sentence1\tsentence2\tgold\na\tb\t1\n")
    message = r"pairs\.tsv, line 2: no column 'score'; there are 'sentence1', 'sentence2', 'gold'"
    with pytest.raises(InputValueError, match=message):
        resolve(path).read()


def test_no_pairs(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("sentence1\tsentence2\tscore\n")
    with pytest.raises(InputValueError, match=r"pairs\.tsv holds no pairs"):
        resolve(path).read()
