"""The baselines change as much as their rates say, and nothing else."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sda_hf import Crop, Masking, RandomSwap, SynonymReplacement, WordDeletion, WordRepetition
from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.grammar.base import grammar_of

TEXTS = st.lists(st.sampled_from("rain fell on the old hills all night it's 3.50".split()), min_size=2, max_size=30)
RATES = st.floats(0.01, 1)


def terms(text):
    return [text[start:end] for start, end in grammar_of("en").words(text)]


def is_part(part, whole):
    """Whether a text is a contiguous part of another, by words."""
    return any(whole[i : i + len(part)] == part for i in range(len(whole) - len(part) + 1))


@settings(max_examples=150)
@given(given_words=TEXTS, rate=RATES, seed=st.integers(0, 9))
def test_rates(given_words, rate, seed):
    text = " ".join(given_words) + "."
    count = len(given_words)
    taken = min(max(round(rate * count), 1), count - 1)

    cropped = terms(Crop(rate=rate, seed=seed).explain(text).text)
    assert len(cropped) == count - taken
    assert is_part(cropped, given_words)

    deleted = WordDeletion(rate=rate, seed=seed).explain(text)
    assert len(terms(deleted.text)) == count - taken
    assert not Counter(terms(deleted.text)) - Counter(given_words)
    assert "  " not in deleted.text
    assert deleted.text.endswith(".")

    masked = Masking(rate=rate, seed=seed).explain(text)
    assert masked.text.count("[MASK]") == taken

    repeated = WordRepetition(rate=rate, seed=seed).explain(text)
    more = len(terms(repeated.text)) - count
    assert 0 <= more <= min(max(2, int(rate * count)), count)
    assert (more == 0) == (repeated.skipped is not None)

    swapped = RandomSwap(rate=rate, seed=seed).explain(text)
    assert Counter(terms(swapped.text)) == Counter(given_words)


def test_repetition_draws_up_to_a_share_of_the_length():
    text = " ".join(f"word{i}" for i in range(25))
    counts = {len(WordRepetition(seed=seed).explain(text).edits) for seed in range(300)}
    assert counts == set(range(9)), "0 to int(0.32 * 25)"


def test_every_place_is_drawn():
    text = "one two three four five"
    assert {Crop(rate=0.4, seed=seed).explain(text).text for seed in range(60)} == {
        "one two three",
        "two three four",
        "three four five",
    }
    assert len({Masking(rate=0.1, seed=seed).explain(text).text for seed in range(100)}) == 5
    assert len({RandomSwap(rate=0.1, seed=seed).explain(text).text for seed in range(300)}) == 10


@pytest.mark.parametrize("cls", [Crop, Masking, RandomSwap, SynonymReplacement, WordDeletion, WordRepetition])
@pytest.mark.parametrize(
    ("rate", "error", "message"),
    [
        (0, InputValueError, "rate=0: give a number greater than 0 and at most 1"),
        (1.5, InputValueError, r"rate=1\.5: give a number greater than 0 and at most 1"),
        (True, InputTypeError, "rate=True is not a number"),
        ("0.1", InputTypeError, r"rate='0\.1' is not a number"),
    ],
)
def test_refuses_bad_rates(cls, rate, error, message):
    with pytest.raises(error, match=f"{cls.__name__}: {message}"):
        cls(rate=rate)


@pytest.mark.parametrize("mask", ["", " ", None])
def test_refuses_an_empty_mask(mask):
    with pytest.raises(InputTypeError, match="give the mask token of the encoder"):
        Masking(mask=mask)
