import pytest
from hypothesis import given
from hypothesis import strategies as st

from sda_hf.grammar.edits import Edit, apply, decapitalise, like
from sda_hf.syntax.clause import Clause, Word


def word(text, index=0, tag="NN"):
    return Word(index, text, tag, "root", index, 0, len(text))


def clause_of_one(only):
    return Clause(only.text, (only,), only, None, None, None, (), "fragment", False, (), (), None)


def test_apply_keeps_everything_outside_the_edits():
    text = "  “Well”, he  said ."
    assert apply(text, [Edit(14, 18, "didn't say", "r"), Edit(2, 2, ">", "r")]) == "  >“Well”, he  didn't say ."


def test_edits_at_one_place_keep_their_order():
    assert apply("b", [Edit(0, 0, "x", ""), Edit(0, 0, "y", ""), Edit(0, 1, "c", "")]) == "xyc"


@pytest.mark.parametrize("edits", [[(0, 2), (1, 3)], [(0, 9)], [(2, 1)], [(-1, 1)]])
def test_apply_refuses_what_overlaps_or_leaves_the_text(edits):
    with pytest.raises(ValueError, match="overlaps another edit or leaves the text of 4 characters"):
        apply("text", [Edit(*e, "", "") for e in edits])


@given(st.text(max_size=30), st.data())
def test_apply_of_one_edit_is_a_slice(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    new = data.draw(st.text(max_size=5))
    assert apply(text, [Edit(start, end, new, "")]) == text[:start] + new + text[end:]


@pytest.mark.parametrize(
    ("given", "tag", "expected"),
    [
        ("The", "DT", "the"),
        ("I", "PRP", "I"),
        ("London", "NNP", "London"),
        ("NASA", "NN", "NASA"),
        ("iPhone", "NN", "iPhone"),
        ("YouTube", "NN", "YouTube"),
        ("B2B", "JJ", "B2B"),
        ("Russian", "JJ", "Russian"),
        ("Polish", "VB", "polish"),
        ("Friendly", "JJ", "friendly"),
        ("A", "DT", "a"),
        ("it", "PRP", "it"),
    ],
)
def test_first_word_that_moves_inside(given, tag, expected):
    assert apply(given, decapitalise(clause_of_one(word(given, tag=tag)), word(given, tag=tag), "r")) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [("is", "isn't", "isn't"), ("Is", "isn't", "Isn't"), ("WAS", "wasn't", "WASN'T"), ("5", "not", "Not")],
)
def test_case_of_a_replacement(old, new, expected):
    assert like(word(old), new) == expected
