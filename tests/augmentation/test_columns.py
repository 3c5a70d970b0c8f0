import pytest
from datasets import Dataset

from sda_hf import ModalVerbs, Negation, Triplets, drop_unchanged
from sda_hf.errors import InputValueError

TEXTS = ["He left early.", "Hello!", "She stayed.", ""]


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize(
    ("augmenter", "kept"),
    [
        (Negation(), ["He left early.", "She stayed."]),
        (ModalVerbs(phrases=["must"]), ["He left early.", "She stayed."]),
        (ModalVerbs(phrases=["must"], on_skip="null"), ["He left early.", "She stayed."]),
    ],
)
def test_drop_unchanged_drops_rows_that_were_not_changed(augmenter, kept, batched):
    rows = Dataset.from_dict({"text": TEXTS}).map(augmenter)
    assert rows.filter(drop_unchanged, batched=batched)["text"][:] == kept


def test_drop_unchanged_looks_at_the_negative_of_triplets():
    triplets = Triplets(ModalVerbs(phrases=["must"]), Negation(), on_skip="null")
    rows = Dataset.from_dict({"text": TEXTS}).map(triplets, batched=True, remove_columns=["text"])
    assert rows.filter(drop_unchanged)["anchor"][:] == ["He left early.", "She stayed."]


def test_drop_unchanged_needs_a_rewritten_column():
    with pytest.raises(
        InputValueError, match="no column 'negative' or 'positive' among 'text': map an augmenter first"
    ):
        drop_unchanged({"text": "He left."})
