"""Cells: sentences, numbers and labels, and errors that say where an invalid cell is."""

import math
import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sda_hf.errors import InputValueError
from sda_hf.evaluation.data.cells import cell, label, number, sentence

WHERE = "pairs.tsv, line 2"


@pytest.mark.parametrize("read", [cell, sentence, number, label])
def test_a_missing_column(read):
    with pytest.raises(InputValueError, match=r"^pairs\.tsv, line 2: no column 'c'; the columns are 'a', 'b'$"):
        read({"a": "x", "b": "y"}, "c", WHERE)


@pytest.mark.parametrize("score", ["", "high", "nan", "NaN", "inf", "-Infinity", "1e999", None, True, [1], 10**400])
def test_invalid_numbers(score):
    with pytest.raises(InputValueError) as caught:
        number({"score": score}, "score", WHERE)
    assert str(caught.value) == f"pairs.tsv, line 2, score: expected a finite number, got {repr(score)[:80]}"


@pytest.mark.parametrize(
    ("cell", "value"), [("3", 3.0), (" 2.5 ", 2.5), (4, 4.0), (0.0, 0.0), ("-1e-1", -0.1), (Decimal("4.2"), 4.2)]
)
def test_numbers(cell, value):
    assert number({"score": cell}, "score", WHERE) == value


@pytest.mark.parametrize("cell", [-0.1, "5.0001", 1e9])
def test_numbers_off_the_scale(cell):
    message = (
        rf"^pairs\.tsv, line 2, score: {re.escape(repr(cell))} is out of range: this task's scores go from 0 to 5$"
    )
    with pytest.raises(InputValueError, match=message):
        number({"score": cell}, "score", WHERE, scale=(0, 5))


@pytest.mark.parametrize("cell", [0, "5", 5.0, "-0"])
def test_the_ends_of_the_scale_are_allowed(cell):
    assert number({"score": cell}, "score", WHERE, scale=(0, 5)) == float(cell)


@given(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.integers())))
def test_any_cell_is_a_finite_number_or_an_input_error(cell):
    try:
        found = number({"score": cell}, "score", WHERE)
    except InputValueError as error:
        message = str(error)
    else:
        assert math.isfinite(found)
        return
    assert len(message.splitlines()) == 1
    assert len(message) < 150


@pytest.mark.parametrize("cell", [None, "", "  ", "\u3000", 3, float("nan"), ["a"], b"a"])
def test_invalid_sentences(cell):
    with pytest.raises(InputValueError, match=rf"text: expected a sentence, got {re.escape(repr(cell))}$"):
        sentence({"text": cell}, "text", WHERE)


@pytest.mark.parametrize("cell", ["a", " a ", "下雨了。", "🌧", "0", "None"])
def test_sentences_are_returned_unchanged(cell):
    assert sentence({"text": cell}, "text", WHERE) == cell


@pytest.mark.parametrize("count", [0xD800, 0xDBFF, 0xDC00, 0xDFFF])
def test_lone_surrogates(count):
    with pytest.raises(InputValueError, match=r"line 2, text: 'a\\ud"):
        sentence({"text": f"a{chr(count)}"}, "text", WHERE)


def test_long_cells_are_shortened_in_errors():
    with pytest.raises(InputValueError, match=rf"got '{'word ' * 15}word$"):
        number({"score": "word " * 10_000}, "score", WHERE)


@pytest.mark.parametrize(
    ("cell", "value"), [(1, "1"), ("1", "1"), (" NEUTRAL ", "NEUTRAL"), (0, "0"), (-1, "-1"), (1.0, "1"), ("2.00", "2")]
)
def test_labels(cell, value):
    assert label({"label": cell}, "label", WHERE) == value


@pytest.mark.parametrize("cell", [None, "", " ", True, 1.5, float("nan"), ["a"]])
def test_invalid_labels(cell):
    message = rf"line 2, label: expected a label \(a word or a whole number\), got {re.escape(repr(cell))}$"
    with pytest.raises(InputValueError, match=message):
        label({"label": cell}, "label", WHERE)
