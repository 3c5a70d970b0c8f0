"""Columns that go through the model together, by length."""

import pytest
import torch
from torch import nn

from sda_hf.losses import MarginNegationInfoNCELoss, NTXentLoss, SimCSEEdaCSELoss
from sda_hf.losses.length_groups import embed_by_length


def features_of(model, columns):
    return [model.preprocess(list(column)) for column in columns]


def passes(model, loss, columns):
    """Count the forward passes of a batch."""
    calls = []
    handle = model.register_forward_hook(lambda *_: calls.append(1))
    loss(features_of(model, columns))
    handle.remove()
    return len(calls)


@pytest.mark.parametrize("cls", [MarginNegationInfoNCELoss, NTXentLoss])
def test_one_pass_through_the_model(cls, model):
    columns = [["the cat sleeps", "we read books"], ["rain falls today", "birds fly south"], ["they win", "she calls"]]
    assert passes(model, cls(model), columns) == 1


def test_one_pass_for_all_three_views(model, rows):
    assert passes(model, SimCSEEdaCSELoss(model), SENTENCES[:2]) == 1


SENTENCES = [
    ["the cat", "we read the book here today"],
    ["the cat sleeps", "rain falls"],
    ["the cat can sleep here " * 3, "rain"],
]


def tokens(model, loss, columns):
    """Return the number of tokens in each pass, including padding."""
    sizes = []
    handle = model[0].register_forward_pre_hook(lambda _, given: sizes.append(given[0]["input_ids"].numel()))
    loss(features_of(model, columns))
    handle.remove()
    return sizes


def test_rows_of_different_length_go_through_by_length(model):
    sizes = tokens(model, MarginNegationInfoNCELoss(model), SENTENCES)
    # With [CLS] and [SEP]: 3 and 4, 4 and 5, 8 and 17 tokens.
    assert sizes == [2 * 4, 2 * 5, 2 * 17]


@pytest.mark.parametrize("side", ["right", "left"])
def test_embeddings_equal_those_of_each_sentence_alone(side, model):
    model.eval()
    model.tokenizer.padding_side = side
    # Positions count from the row's start, so that padding on the left shifts them.
    model[0].auto_model.embeddings.position_embeddings.weight.data.zero_()
    features = features_of(model, SENTENCES)
    alone = [
        torch.cat([model(features_of(model, [[text]])[0])["sentence_embedding"] for text in column])
        for column in SENTENCES
    ]
    for one, other in zip(embed_by_length(model, features), alone, strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("length", [3, torch.tensor([3]), torch.tensor([3, 3])], ids=str)
def test_a_prompt_has_one_length_in_every_group(length, model):
    model.eval().set_pooling_include_prompt(False)
    features = [{**column, "prompt_length": length} for column in features_of(model, SENTENCES)]
    alone = [model({**column, "attention_mask": column["attention_mask"].clone()}) for column in features]
    for found, expected in zip(embed_by_length(model, features), alone, strict=True):
        torch.testing.assert_close(found, expected["sentence_embedding"])


def test_columns_that_cannot_be_merged_go_one_by_one():
    class Model(nn.Module):
        def forward(self, features):
            return {"sentence_embedding": features["rows"]}

    features = [{"rows": torch.ones(2, 3)}, {"rows": torch.zeros(1, 3)}]
    assert [tuple(column.shape) for column in embed_by_length(Model(), features)] == [(2, 3), (1, 3)]
