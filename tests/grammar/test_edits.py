import pytest
from hypothesis import given
from hypothesis import strategies as st

from sda_hf.grammar.edits import Edit, apply


def test_apply_keeps_everything_outside_the_edits():
    text = "  “Well”, he  said ."
    assert apply(text, [Edit(14, 18, "didn't say", "r"), Edit(2, 2, ">", "r")]) == "  >“Well”, he  didn't say ."


def test_edits_at_the_same_offset_keep_their_order():
    assert apply("b", [Edit(0, 0, "x", ""), Edit(0, 0, "y", ""), Edit(0, 1, "c", "")]) == "xyc"


@pytest.mark.parametrize("edits", [[(0, 2), (1, 3)], [(0, 9)], [(2, 1)], [(-1, 1)]])
def test_apply_refuses_edits_that_overlap_or_exceed_the_text(edits):
    with pytest.raises(ValueError, match="overlaps another edit or leaves the text of 4 characters"):
        apply("text", [Edit(*e, "", "") for e in edits])


@given(st.text(max_size=30), st.data())
def test_apply_of_one_edit_is_a_slice(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    new = data.draw(st.text(max_size=5))
    assert apply(text, [Edit(start, end, new, "")]) == text[:start] + new + text[end:]
