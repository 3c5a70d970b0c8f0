import pytest
from datasets import Dataset, DatasetDict
from torch.utils.data import DataLoader

from sda_hf import Negation, Triplets, drop_unchanged
from sda_hf.augmentation import ModalVerbs
from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.training import LossState, check_rows

SENTENCES = Dataset.from_dict({"anchor": ["He left.", "Hello!", "Great food!"]})


def test_a_missing_negative_is_named_with_its_row():
    rows = SENTENCES.map(Negation())
    with pytest.raises(InputValueError, match=r"column 'negative' has no text in row 1 \(2 of 3 rows\): leave"):
        check_rows(rows)
    check_rows(rows.filter(drop_unchanged))
    check_rows(SENTENCES.map(Triplets(ModalVerbs(), Negation()), batched=True, remove_columns=["anchor"]))
    with pytest.raises(InputValueError, match=r"row 0 \(1 of 1 rows\)"):
        check_rows(rows.select([2]))
    check_rows(rows.select([0]))


def test_every_dataset_is_checked():
    rows = SENTENCES.map(Negation())
    with pytest.raises(InputValueError, match="column 'negative'"):
        check_rows(DatasetDict(first=SENTENCES, second=rows))


def test_a_column_of_nothing():
    with pytest.raises(InputValueError, match=r"column 'negative' has no text in row 0 \(2 of 2 rows\)"):
        check_rows(Dataset.from_dict({"anchor": ["a", "b"], "negative": [None, None]}))


def test_other_columns_may_be_empty():
    check_rows(Dataset.from_dict({"anchor": ["a", "b"], "score": [1.0, None]}))


def test_takes_a_dataset():
    with pytest.raises(InputTypeError, match="check_rows takes a Dataset, got list"):
        check_rows(["He left."])


def test_rows_are_checked_when_training_begins():
    callback = LossState({})
    state = type("State", (), {"global_step": 0})
    rows = SENTENCES.map(Negation())
    with pytest.raises(InputValueError, match="column 'negative' has no text in row 1"):
        callback.on_train_begin(None, state, None, train_dataloader=DataLoader(rows))
    callback.on_train_begin(None, state, None, train_dataloader=DataLoader(rows.filter(drop_unchanged)))
    callback.on_train_begin(None, state, None)
