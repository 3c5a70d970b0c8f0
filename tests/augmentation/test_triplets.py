"""Triplets as people call them: lists, one text, and `map` on whatever columns there are."""

import pandas
import polars
import pyarrow
import pytest
from datasets import Dataset

from sda_hf import ModalVerbs, Negation, PunctuationInsertion, Triplets
from sda_hf.augmentation import Triplet

TRIPLETS = Triplets(ModalVerbs(phrases=["must"]), Negation())
TEXTS = ["He left.", "Hello!", "She won."]
ROWS = {
    "anchor": ["He left.", "She won."],
    "positive": ["He must have left.", "She must have won."],
    "negative": ["He didn't leave.", "She didn't win."],
}


def test_augment_gives_a_row_for_each_text():
    rows = TRIPLETS.augment(TEXTS)
    assert rows[1] == {"anchor": "Hello!", "positive": "Hello!", "negative": None}
    assert Dataset.from_list([rows[0], rows[2]]).to_dict() == ROWS
    with pytest.raises(ValueError, match=r"no negative of 'Hello!'"):
        Triplets(ModalVerbs(), Negation(), on_skip="raise").augment(TEXTS)


def test_explain():
    explained = TRIPLETS.explain("He left.")
    assert isinstance(explained, Triplet)
    assert str(explained).splitlines()[0] == "positive: He left."
    assert "→ He didn't leave." in str(explained).splitlines()
    assert explained.skipped is None
    assert TRIPLETS.explain("Hello!").skipped == "no claim to negate"
    assert explained._repr_html_().count("<ins") == 2
    with pytest.raises(TypeError, match="explain takes one text, got list"):
        TRIPLETS.explain(["He left."])


def names_and_rows(dataset):
    return dataset.column_names, dataset.to_dict()


def test_the_order_of_the_columns_does_not_depend_on_what_was_there():
    before = Dataset.from_dict({"text": TEXTS}).map(PunctuationInsertion())
    assert before.column_names == ["text", "positive"]
    done = before.map(TRIPLETS, batched=True, remove_columns=before.column_names)
    assert names_and_rows(done) == (["anchor", "positive", "negative"], ROWS)
    assert names_and_rows(before.map(TRIPLETS, batched=True)) == (["anchor", "positive", "negative"], ROWS)
    in_two = before.map(TRIPLETS, batched=True, num_proc=2, remove_columns=before.column_names)
    assert names_and_rows(in_two) == (["anchor", "positive", "negative"], ROWS)
    single = before.map(TRIPLETS, remove_columns=before.column_names)
    assert names_and_rows(single.select([0, 2])) == (["anchor", "positive", "negative"], ROWS)
    again = done.map(TRIPLETS, batched=True)
    assert names_and_rows(again) == (["anchor", "positive", "negative"], ROWS)


@pytest.mark.parametrize("batch_size", [1, 2, 1000])
def test_other_columns_stay_beside_their_rows(batch_size):
    rows = Dataset.from_dict({"text": TEXTS, "id": [1, 2, 3]})
    done = rows.map(TRIPLETS, batched=True, batch_size=batch_size)
    assert done.to_dict() == {"text": ["He left.", "She won."], "id": [1, 3], **ROWS}
    assert rows.map(TRIPLETS, batched=True, remove_columns=["text"]).to_dict() == {"id": [1, 3], **ROWS}
    assert rows.map(TRIPLETS, batched=True, remove_columns=rows.column_names).to_dict() == ROWS
    assert rows.to_dict() == {"text": TEXTS, "id": [1, 2, 3]}


def test_an_augmenter_that_drops_rows_lets_columns_be_removed():
    rows = Dataset.from_dict({"text": TEXTS, "id": [1, 2, 3]})
    done = rows.map(Negation(on_skip="drop"), batched=True, remove_columns=["id"])
    assert done.to_dict() == {"text": ["He left.", "She won."], "negative": ROWS["negative"]}
    assert rows.map(Negation(on_skip="drop"), batched=True)["id"][:] == [1, 3]


def test_no_row_is_left():
    rows = Dataset.from_dict({"text": ["Hello!"], "id": [1]})
    assert len(rows.map(TRIPLETS, batched=True)) == 0


def test_with_transform_keeps_the_other_columns():
    rows = Dataset.from_dict({"text": TEXTS, "id": [1, 2, 3]})
    assert rows.with_transform(Negation().transform)[1:] == {
        "text": ["Hello!", "She won."],
        "id": [2, 3],
        "negative": [None, "She didn't win."],
    }
    whole = Triplets(ModalVerbs(phrases=["must"]), Negation(), on_skip="null")
    assert rows.with_transform(whole.transform)[0] == {
        "text": "He left.",
        "id": 1,
        **{name: texts[0] for name, texts in ROWS.items()},
    }
    with pytest.raises(ValueError, match="Triplets leaves out 1 of 3 rows, which is not possible while rows are read"):
        rows.with_transform(TRIPLETS.transform)[:]
    with pytest.raises(ValueError, match="Negation leaves out 1 of 3 rows"):
        rows.with_transform(Negation(on_skip="drop").transform)[:]


@pytest.mark.parametrize(
    "column",
    [
        TEXTS,
        pandas.Series(TEXTS, index=[7, 7, 3]),
        pandas.Series(TEXTS, dtype="category"),
        polars.Series(TEXTS),
        pyarrow.array(TEXTS),
        pyarrow.chunked_array([TEXTS[:1], TEXTS[1:]]),
        Dataset.from_dict({"text": TEXTS})["text"],
    ],
    ids=lambda column: type(column).__module__,
)
def test_columns_of_any_kind(column):
    assert Negation().augment(column) == ["He didn't leave.", None, "She didn't win."]
    assert TRIPLETS({"text": column}) == ROWS
    assert [triplet.skipped is None for triplet in TRIPLETS.rewrite(column)] == [True, False, True]


@pytest.mark.parametrize(
    "table",
    [
        pandas.DataFrame({"body": TEXTS}),
        polars.DataFrame({"body": TEXTS}),
        pyarrow.table({"body": TEXTS}),
        Dataset.from_dict({"body": TEXTS}),
        {"body": TEXTS},
    ],
    ids=lambda table: type(table).__module__,
)
def test_a_table_is_not_a_column(table):
    with pytest.raises(TypeError, match=r"with the columns 'body': give one of them, such as data\['body'\]"):
        Negation().augment(table)
