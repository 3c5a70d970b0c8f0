"""Noise inserts the requested number of marks between words, and changes nothing else."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sda_hf import PunctuationNoise, RandomPunctuation
from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.grammar.base import mark_sets

ENGLISH = st.text(alphabet="ab 1.-,:/'“é\n🙂", min_size=1, max_size=60)
CHINESE = st.text(alphabet="今天好a1. ，。🙂G-4", min_size=1, max_size=40)


def assert_only_marks_are_new(rewrite):
    assert all(edit.start == edit.end for edit in rewrite.edits)


@settings(max_examples=200)
@given(text=ENGLISH, low=st.integers(1, 4), more=st.integers(0, 4), marks=st.sampled_from(sorted(mark_sets())))
def test_inserts_the_requested_number_of_marks_after_words(text, low, more, marks):
    rewrite = PunctuationNoise(min_marks=low, max_marks=low + more, marks=marks).explain(text)
    if rewrite.skipped is not None:
        assert rewrite.skipped in ("no word", "empty text")
        return
    assert_only_marks_are_new(rewrite)
    assert low <= len(rewrite.edits) <= low + more
    for edit in rewrite.edits:
        assert edit.new in mark_sets()[marks]
        assert not text[edit.start - 1].isspace()
        assert edit.start == len(text) or text[edit.start].isspace(), "inside a word, a number or an address"


@settings(max_examples=200)
@given(text=CHINESE)
def test_inserts_marks_between_chinese_characters(text):
    rewrite = PunctuationNoise(language="zh", marks="chinese").explain(text)
    if rewrite.skipped is None:
        assert_only_marks_are_new(rewrite)
        for edit in rewrite.edits:
            before, after = text[edit.start - 1], text[edit.start : edit.start + 1]
            latin = before.isascii() and after.isascii() and not before.isspace() and not after.isspace()
            assert not (latin and after), "inside a Latin word or a number"


@pytest.mark.parametrize("marks", sorted(mark_sets()))
def test_every_mark_of_a_set_is_drawn(marks):
    seen = {
        edit.new for seed in range(200) for edit in PunctuationNoise(marks=marks, seed=seed).explain("He left.").edits
    }
    assert seen == set(mark_sets()[marks])


def test_calm_sets_have_no_marks_that_change_the_tone():
    for mark in "!?！？":
        assert mark not in mark_sets()["english-calm"] + mark_sets()["chinese-calm"]


def test_random_punctuation_draws_from_all_ascii_marks():
    seen = {edit.new for seed in range(800) for edit in RandomPunctuation(seed=seed).explain("He left early.").edits}
    assert seen == set(string.punctuation)
    assert len(RandomPunctuation(count=7).explain("He left.").edits) == 7


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: PunctuationNoise(min_marks=0), InputValueError, "min_marks=0: give an integer from 1 to 1,000"),
        (lambda: PunctuationNoise(max_marks=2.0), InputTypeError, r"max_marks=2\.0: give an integer from 1 to 1,000"),
        (lambda: PunctuationNoise(min_marks=4), InputValueError, "min_marks=4 is above max_marks=3: give a range"),
        (lambda: PunctuationNoise(marks="greek"), InputValueError, "marks='greek' is not allowed: give one of 'engl"),
        (lambda: PunctuationNoise(language="fr"), InputValueError, "language='fr' is not allowed"),
        (lambda: RandomPunctuation(count=-1), InputValueError, "count=-1: give an integer from 1 to 1,000"),
    ],
)
def test_refuses_bad_values(make, error, message):
    with pytest.raises(error, match=message):
        make()
