"""Configuration of EmbeddingAugmentation, and what it refuses."""

import json

import pytest
import torch
from torch import nn

from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.losses import (
    EmbeddingAugmentation,
    NTXentLoss,
    from_config,
)
from sda_hf.losses.embedding_augmentation import CutFeatures

from .inputs import KINDS, NAMES, OF_TOKENS, USUAL, features_of, make, padded, random_rows


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_config_round_trip(name, kind):
    loss = make(name, embedding_augmentation=EmbeddingAugmentation(kind=kind))
    stored = json.loads(json.dumps(loss.get_config_dict()))
    assert stored["embedding_augmentation"] == {"kind": kind, "strength": USUAL[kind]}
    again = from_config(nn.Identity(), {"name": name, **stored})
    assert again.get_config_dict() == stored
    assert again.embedding_augmentation == loss.embedding_augmentation
    assert make(name).get_config_dict()["embedding_augmentation"] is None
    assert list(stored)[-1] == "embedding_augmentation"


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ("gaussian", InputTypeError, "embedding_augmentation is 'gaussian': give an EmbeddingAugmentation, a mapping"),
        ({}, InputValueError, "embedding_augmentation is {}: give its kind, one of interpolation, extrapolation"),
        ({"strength": 0.1}, InputValueError, "give its kind"),
        ({"kind": "gausian"}, InputValueError, "unknown kind of embedding augmentation 'gausian'.*mean 'gaussian'"),
        ({"kind": None}, InputValueError, "unknown kind of embedding augmentation None"),
        (
            {"kind": "pca", "strenght": 1},
            InputValueError,
            "unknown key of embedding_augmentation 'strenght': did you mean 'strength'",
        ),
        ({"kind": "pca", "strength": 0}, InputValueError, "strength of 'pca' is 0: give a finite number above 0.*0.1"),
        ({"kind": "linear", "strength": -1.0}, InputValueError, "strength of 'linear' is -1.0: give a finite"),
        ({"kind": "gaussian", "strength": float("nan")}, InputValueError, "is nan: give a finite number above 0"),
        ({"kind": "extrapolation", "strength": float("inf")}, InputValueError, "is inf: give a finite number"),
        ({"kind": "gaussian", "strength": "0.1"}, InputTypeError, "is '0.1': give a finite number above 0"),
        ({"kind": "gaussian", "strength": True}, InputTypeError, "is True: give a finite number above 0"),
        ({"kind": "cutoff", "strength": 1}, InputValueError, "strength of 'cutoff' is 1: give a share below 1.*0.2"),
        ({"kind": "interpolation", "strength": 1.0}, InputValueError, "'interpolation' is 1.0: give a share below 1"),
        ({"kind": "shuffle", "strength": 1.5}, InputValueError, "'shuffle' is 1.5: give the share of rows, 1 at most"),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_refuses_bad_arguments(name, given, error, message):
    with pytest.raises(error, match=message):
        make(name, embedding_augmentation=given)


@pytest.mark.parametrize("kind", KINDS)
def test_acts_on_embeddings_or_on_tokens(kind):
    augmentation = EmbeddingAugmentation(kind=kind)
    assert augmentation.is_token_level == (kind in OF_TOKENS)
    if augmentation.is_token_level:
        with pytest.raises(InputValueError, match=f"'{kind}' acts on tokens, not on embeddings: use it through"):
            augmentation.apply(random_rows())
    else:
        with pytest.raises(InputValueError, match=f"'{kind}' acts on embeddings, not on tokens: call apply"):
            augmentation.tokens(padded([3, 3], 3))
        with pytest.raises(InputValueError, match=r"'.*' got embeddings of shape \(2, 3, 4\): give \(batch, dim\)"):
            augmentation.apply(torch.ones(2, 3, 4))


@pytest.mark.parametrize("kind", OF_TOKENS)
@pytest.mark.parametrize(
    "features",
    [{}, {"input_ids": torch.ones(6), "offsets": torch.ones(2)}, {"input_ids": torch.ones(1, 6), "cu_seq_lens_q": 1}],
    ids=["nothing", "a bag of tokens", "flattened"],
)
def test_refuses_anything_but_padded_rows_of_tokens(kind, features):
    with pytest.raises(InputValueError, match=r"takes input_ids and attention_mask of one shape \(batch, length\)"):
        EmbeddingAugmentation(kind=kind).tokens(features)


def test_cutoff_refuses_what_it_cannot_hook_into(model, rows, monkeypatch):
    features = features_of(model, rows)
    with pytest.raises(InputValueError, match="'cutoff' found no transformers model in Identity: use another kind"):
        NTXentLoss(nn.Identity(), embedding_augmentation={"kind": "cutoff"})._around(CutFeatures()).__enter__()
    compiled = NTXentLoss(model, embedding_augmentation={"kind": "cutoff"})
    compiled.model = torch.compile(model, backend="eager")
    with pytest.raises(InputValueError, match="which has no effect on a compiled one: set torch_compile=False, or use"):
        compiled._around(CutFeatures()).__enter__()
    elsewhere = nn.Embedding(4, 4)
    monkeypatch.setattr(model[0].auto_model, "get_input_embeddings", lambda: elsewhere)
    with pytest.raises(InputValueError, match="'cutoff' never saw the token embeddings of BertModel: use another"):
        NTXentLoss(model, embedding_augmentation={"kind": "cutoff"})(features)
    assert not elsewhere._forward_hooks
    assert not model[0]._forward_hooks
