import json
import pickle

import pytest
from datasets import Dataset
from datasets.fingerprint import Hasher

import sda_hf
from sda_hf.augmentation import from_config
from sda_hf.augmentation.base import TextAugmenter
from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.grammar.base import grammar_of
from sda_hf.grammar.edits import Rule, Skip
from sda_hf.grammar.splits import SPLITS, split_words
from sda_hf.registry import AUGMENTERS

COLUMNS = ["claim", "denial", "contrary", "equivalent"]
TRUE = sda_hf.StatementDenial(phrases=("It is not true that",))
SQUARES = sda_hf.OppositionSquares(fallback=TRUE)


def square(text, squares=SQUARES):
    rewrites = squares.explain(text)
    return rewrites.skipped or tuple(rewrite.text for rewrite in rewrites)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The soup is hot.", ("The soup isn't hot.", "The soup is cold.", "The soup isn't cold.")),
        (
            "Everton won the match.",
            ("Everton didn't win the match.", "Everton lost the match.", "Everton didn't lose the match."),
        ),
        (
            "Portishead has a long history.",
            (
                "Portishead doesn't have a long history.",
                "Portishead has a short history.",
                "Portishead doesn't have a short history.",
            ),
        ),
        (
            "Otto is an honest lawyer.",
            ("Otto isn't an honest lawyer.", "Otto is a dishonest lawyer.", "Otto isn't a dishonest lawyer."),
        ),
        (
            "Murphy was born in Rome.",
            (
                "Murphy wasn't born in Rome.",
                "It is not true that Murphy was born in Rome.",
                "It is not true that Murphy wasn't born in Rome.",
            ),
        ),
        (
            "She didn't call.",
            ("She called.", "It is not true that she didn't call.", "It is not true that she called."),
        ),
        ("Hello!", "no claim to negate"),
        ("Meanwhile, the old king died of fever.", "words before the subject"),
    ],
)
def test_squares(claim, expected):
    assert square(claim) == expected


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("汤很热。", ("汤不热。", "汤很冷。", "汤不冷。")),
        ("她喜欢这部电影。", ("她不喜欢这部电影。", "她讨厌这部电影。", "她不讨厌这部电影。")),
        ("他是个好老师。", ("他不是个好老师。", "他是个坏老师。", "他不是个坏老师。")),
        (
            "他认识我的老师。",
            ("他不认识我的老师。", "说他认识我的老师是不对的。", "说他不认识我的老师是不对的。"),
        ),
    ],
)
def test_squares_in_chinese(claim, expected):
    squares = sda_hf.OppositionSquares(
        first=sda_hf.Negation(language="zh"),
        second=sda_hf.AntonymSubstitute(language="zh"),
        fallback=sda_hf.StatementDenial(language="zh", phrases=("说…是不对的",)),
    )
    assert square(claim, squares) == expected


def test_without_a_fallback_only_antonyms_make_squares():
    antonyms = sda_hf.OppositionSquares(fallback=None)
    assert square("The soup is hot.", antonyms)[1] == "The soup is cold."
    assert square("Murphy was born in Rome.", antonyms) == "no word with an antonym"


def test_rows_without_a_square_are_dropped_from_batches():
    rows = Dataset.from_dict({"text": ["The soup is hot.", "Hello!"]})
    mapped = rows.map(SQUARES, batched=True, remove_columns=["text"])
    assert mapped.column_names == COLUMNS
    assert mapped.num_rows == 1
    assert rows.map(SQUARES)[1] == dict.fromkeys(COLUMNS[1:]) | {"text": "Hello!", "claim": "Hello!"}
    with pytest.raises(ValueError, match=r"no square of 'Hello!': no claim to negate \(on_skip='raise'\)"):
        sda_hf.OppositionSquares(on_skip="raise")({"text": ["Hello!"]})


def test_rows_of_a_list_of_texts():
    rows = sda_hf.OppositionSquares().augment(["The rooms are clean.", "Hello!"])
    assert rows == [
        {
            "claim": "The rooms are clean.",
            "denial": "The rooms aren't clean.",
            "contrary": "The rooms are dirty.",
            "equivalent": "The rooms aren't dirty.",
        },
        {"claim": "Hello!", "denial": None, "contrary": None, "equivalent": None},
    ]
    with pytest.raises(InputValueError, match=r"no square of 'Hello!': .* \(on_skip='raise'\)"):
        sda_hf.OppositionSquares(on_skip="raise").augment(["Hello!"])
    with pytest.raises(InputTypeError, match="expected a list of texts, got a single str"):
        sda_hf.OppositionSquares().augment("The rooms are clean.")
    with pytest.raises(InputTypeError, match="explain takes one text, got list: use rewrite for a list"):
        sda_hf.OppositionSquares().explain(["The rooms are clean."])


def test_outcomes_by_column():
    columns = SQUARES.rewrites_by_column(["The soup is hot."])
    assert list(columns) == COLUMNS[1:]
    assert [edit.new for edit in columns["equivalent"][0].edits] == ["isn't", "cold"]


def test_config_round_trip_pickle_and_fingerprint(tmp_path):
    squares = sda_hf.OppositionSquares(split="train")
    assert squares.second.split == "train"
    assert from_config(json.loads(json.dumps(squares.get_config_dict()))) == squares
    fresh = Hasher.hash(squares)
    squares({"text": ["The soup is hot."]})
    assert Hasher.hash(squares) == fresh == Hasher.hash(sda_hf.OppositionSquares(split="train"))
    assert pickle.loads(pickle.dumps(squares)) == squares
    squares.save_pretrained(tmp_path / "squares")
    assert sda_hf.OppositionSquares.from_pretrained(tmp_path / "squares") == squares


def test_the_phrase_is_drawn_anew_in_each_epoch():
    drawn = {square("Murphy was born in Rome.", sda_hf.OppositionSquares().with_epoch(n))[1] for n in range(12)}
    assert len(drawn) > 1


def test_both_sides_flip_the_same_thing():
    with pytest.raises(ValueError, match="Negation flips polarity, SubjectObjectSwitch flips roles"):
        sda_hf.OppositionSquares(second=sda_hf.SubjectObjectSwitch(), fallback=None)
    with pytest.raises(ValueError, match="ModalVerbs flips nothing"):
        sda_hf.OppositionSquares(second=sda_hf.ModalVerbs(), fallback=None)


class Swap(TextAugmenter):
    """Exchanges two names, a flip of a kind of its own."""

    role = "negative"
    flips = "names"
    languages = ("en",)
    names = ("Ann", "Ben")

    def edit(self, text, rng):
        start = text.find(self.names[0])
        return Skip("no name") if start < 0 else [Rule("swap", "swap").edit(start, start + 3, self.names[1])]


class SwapBack(Swap):
    """Exchanges the other name."""

    names = ("Cem", "Dan")


def test_other_flips_make_squares_too(monkeypatch):
    known = {**AUGMENTERS.load(), "swap": Swap, "swap-back": SwapBack}
    monkeypatch.setattr(AUGMENTERS, "_entries", known)
    squares = sda_hf.OppositionSquares(first=Swap(), second=SwapBack(), fallback=None)
    assert square("Ann met Cem.", squares) == ("Ben met Cem.", "Ann met Dan.", "Ben met Dan.")
    same = sda_hf.OppositionSquares(first=Swap(), second=Swap(), fallback=None)
    assert square("Ann met Cem.", same) == "the two flips change the same words"


def test_a_split_takes_its_own_antonyms_alone():
    splits = grammar_of("en").antonym_splits()
    for split in SPLITS:
        found = sda_hf.OppositionSquares(split=split, fallback=None)
        assert (square("The soup is hot.", found)[1] == "The soup is cold.") == (splits["hot"] == split)
    with pytest.raises(ValueError, match=r"split='dev' is one of antonym pairs, and Negation has none"):
        sda_hf.OppositionSquares(second=sda_hf.Negation(method="prefix"), split="dev")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_words_that_are_linked_are_in_one_split(language):
    splits = grammar_of(language).antonym_splits()
    assert set(splits.values()) == set(SPLITS)
    assert split_words([("a", "b"), ("b", "c")])["a"] == split_words([("c", "b"), ("a", "b")])["c"]
    if language == "en":
        assert splits["quickly"] == splits["quick"] == splits["slow"]
