import itertools
import random

import pytest

import sda_hf
from sda_hf.augmentation import generator_from_config
from sda_hf.grammar import chinese, english
from sda_hf.grammar.base import grammar_of
from sda_hf.grammar.splits import SPLITS

COLUMNS = ("claim", "denial", "contrary", "equivalent")


@pytest.fixture(scope="module", params=["en", "zh"])
def rows(request):
    return list(sda_hf.LexiconSquares(count=300, split="train", language=request.param))


def test_rows_are_distinct_squares(rows):
    assert len({tuple(row.values()) for row in rows}) == 300
    for row in rows:
        assert tuple(row) == COLUMNS
        assert len(set(row.values())) == 4
        assert all(text and text == text.strip() and "  " not in text for text in row.values())


def test_rows_depend_on_the_seed_and_their_number_alone(rows):
    language = "en" if rows[0]["claim"].isascii() else "zh"
    state = random.getstate()
    again = sda_hf.LexiconSquares(count=20, language=language)
    assert list(itertools.islice(again, 20)) == rows[:20] == list(again)
    assert list(sda_hf.LexiconSquares(count=20, language=language, seed=1)) != rows[:20]
    assert random.getstate() == state


def test_claims_and_denials_vary():
    rows = list(sda_hf.LexiconSquares(count=600))
    denials = [row["denial"] for row in rows]
    for words in (
        "n't ",
        " not ",
        "It is not true that",
        "It isn't the case that",
        " at all.",
        "anything but",
        "by no means",
    ):
        assert any(words in denial for denial in denials), words
    claims = [row["claim"] for row in rows]
    for words in (" is ", " was ", " very ", " will ", " than ", "'s ", "I ", "They", "looks", " has "):
        assert any(words in claim for claim in claims), words


@pytest.mark.parametrize("squares", [english.squares, chinese.squares])
def test_splits_share_no_word(squares):
    words = {split: {w for line in squares.lines(split) for w in (line.word, line.antonym)} for split in SPLITS}
    assert all(words.values())
    assert not any(words[one] & words[other] for one, other in itertools.combinations(SPLITS, 2))


def test_more_than_there_are_is_an_error(monkeypatch):
    grammar, rng = grammar_of("en"), random.Random(0)
    few = [grammar.square_seed(rng, "dev") for _ in range(3)]
    monkeypatch.setattr(type(grammar), "square_seed", lambda self, rng, split: rng.choice(few))
    with pytest.raises(ValueError, match="the dev pairs of language 'en' give no more than 3 distinct squares"):
        list(sda_hf.LexiconSquares(count=4, split="dev"))


def test_config_round_trip():
    squares = sda_hf.LexiconSquares(count=5, split="test", seed=3)
    assert sda_hf.LexiconSquares.from_config(squares.get_config_dict()) == squares
    assert squares.to_dataset().to_list() == list(squares)
    with pytest.raises(ValueError, match="unknown field of lexicon-squares 'splits': did you mean 'split'"):
        generator_from_config({"name": "lexicon-squares", "splits": "dev"})
    with pytest.raises(TypeError, match="a generator's config is a mapping with a name"):
        generator_from_config({"count": 3})
    with pytest.raises(ValueError, match="LexiconSquares: split="):
        sda_hf.LexiconSquares(split="all")
