"""Augmenters one after another: roles, edits of the original, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sda_hf
from sda_hf import AntonymSubstitute, Chain, ModalVerbs, Negation, PunctuationInsertion, SubjectObjectSwitch
from sda_hf.augmentation import AdjectiveAntonymSwitch, OppositionSquares, StatementDenial
from sda_hf.augmentation.chained_edits import chained, meet
from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.grammar.edits import Edit, apply


@pytest.mark.parametrize(
    ("parts", "role", "flips"),
    [
        ([PunctuationInsertion(), ModalVerbs()], "positive", None),
        ([Negation(), ModalVerbs()], "negative", "polarity"),
        ([SubjectObjectSwitch(), PunctuationInsertion()], "negative", "roles"),
        ([AntonymSubstitute(), Negation()], "positive", None),
    ],
)
def test_roles_multiply(parts, role, flips):
    chain = Chain(*parts)
    assert (chain.role, chain.flips, chain.column) == (role, flips, role)
    assert chain == Chain(parts) == Chain(augmenters=parts)


@pytest.mark.parametrize(
    ("parts", "error", "message"),
    [
        ([], InputValueError, "Chain needs at least one augmenter"),
        (["negation"], InputTypeError, "Chain takes augmenters, got str: 'negation'"),
        ([Negation(), Negation(language="zh")], InputValueError, "the augmenters share one parse"),
        (
            [Negation(), SubjectObjectSwitch()],
            InputValueError,
            "given: Negation flips polarity, SubjectObjectSwitch flips",
        ),
        ([Negation(), AdjectiveAntonymSwitch()], InputValueError, "AdjectiveAntonymSwitch flips nothing"),
        ([Negation(), ModalVerbs(), AntonymSubstitute()], InputValueError, "are next to each other"),
        (
            [Negation(), AntonymSubstitute(), StatementDenial()],
            InputValueError,
            "more than two are not supported",
        ),
    ],
)
def test_what_does_not_multiply(parts, error, message):
    with pytest.raises(error, match=message):
        Chain(*parts)


def test_two_negatives_are_the_equivalent_of_squares():
    texts = ["The rooms are clean.", "The cheap car is fast.", "They bought the house.", "Hello!"]
    squares = OppositionSquares(fallback=None).rewrite(texts)
    assert Chain(AntonymSubstitute(), Negation()).augment(texts) == [
        square.equivalent.text if square.skipped is None else text for square, text in zip(squares, texts, strict=True)
    ]
    assert [square.skipped is None for square in squares] == [True, True, False, False]


def test_the_rule_names_every_part_and_the_edits_are_those_of_the_original():
    rewrite = Chain(Negation(), PunctuationInsertion()).explain("In 1996 he left.")
    assert rewrite.text == "In 1996, he didn't leave."
    assert rewrite.rule == "do-support: past tense + comma after what is fronted"
    assert [(e.start, e.end, e.new) for e in rewrite.edits] == [(7, 7, ","), (11, 15, "didn't leave")]


def test_a_part_that_skips():
    assert Chain(Negation(), ModalVerbs(proportion=0.0)).augment(["He left.", "Hello!"]) == ["He didn't leave.", None]
    rewrite = Chain(ModalVerbs(proportion=0.0), PunctuationInsertion(proportion=0.0)).explain("He left.")
    assert (rewrite.text, rewrite.skipped) == ("He left.", "left out by proportion")


def test_a_chain_in_triplets():
    triplets = sda_hf.Triplets(Chain(AntonymSubstitute(), Negation()), Negation())
    assert triplets.augment(["The rooms are clean."]) == [
        {"anchor": "The rooms are clean.", "positive": "The rooms aren't dirty.", "negative": "The rooms aren't clean."}
    ]


def test_epochs_and_corpora_reach_the_parts():
    chain = Chain(sda_hf.TfidfNegatives(), PunctuationInsertion()).fit(["The cat sleeps.", "The dog barks all day."])
    assert chain.is_fitted
    assert [part.epoch for part in chain.with_epoch(2).parts] == [2, 2]


# -- edits of edits ------------------------------------------------------------------------------


@st.composite
def edits_of(draw, text):
    """Edits that do not overlap."""
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pairs = list(zip(places[::2], places[1::2], strict=False))
    new = st.text("xyz", max_size=3)
    return [Edit(start, end, draw(new), "rule", doubt="d" if start else "") for start, end in pairs]


@given(st.data())
def test_chained_edits_do_what_both_do(data):
    text = data.draw(st.text("abcdefgh ", max_size=12))
    first = data.draw(edits_of(text))
    between = apply(text, first)
    second = data.draw(edits_of(between))
    both = chained(text, first, second)
    assert apply(text, both) == apply(between, second)
    assert chained(text, first, []) == sorted(first, key=lambda e: (e.start, e.end))
    assert chained(text, [], second) == sorted(second, key=lambda e: (e.start, e.end))
    if any(e.doubt for e in [*first, *second]):
        assert any(e.doubt for e in both)
    if not meet(first, second):
        assert len(both) == len(first) + len(second)


def test_edits_that_touch_become_one_and_name_both_rules():
    first = [Edit(3, 7, "did go", "one", "a", "unsure")]
    assert chained("He went.", first, [Edit(3, 6, "must", "two", "b")]) == [
        Edit(3, 7, "must go", "one + two", "a+b", "unsure")
    ]
    assert meet(first, [Edit(3, 6, "must", "two")])
    assert not meet(first, [Edit(0, 2, "She", "two")])
