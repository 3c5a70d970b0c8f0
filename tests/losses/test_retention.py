"""RetentionLoss: its value, its labels, and the losses of sentence-transformers that it agrees with."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sentence_transformers.sentence_transformer.losses import EmbedDistillLoss
from torch import nn

from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.losses import RetentionLoss
from sda_hf.registry import LOSSES


def make(**config):
    return RetentionLoss(nn.Identity(), **config)


def embeddings(batch=4, dim=6, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(batch, dim, generator=generator, dtype=torch.float64)


def reference(after, before, weight, similarity_weight):
    """The equation term by term, in float64."""
    h, g = (np.array([row / np.linalg.norm(row) for row in column.numpy()]) for column in (after, before))
    own = [1 - float(one @ other) for one, other in zip(h, g, strict=True)]
    squares = [float(h[i] @ h[j] - g[i] @ g[j]) ** 2 for i in range(len(h)) for j in range(len(h))]
    return {"own": weight * np.mean(own), "similarities": weight * similarity_weight * np.mean(squares)}


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    batch=st.integers(1, 6),
    seed=st.integers(0, 10_000),
    weight=st.floats(0.01, 100),
    similarity_weight=st.floats(0, 100),
)
def test_matches_the_equation(batch, seed, weight, similarity_weight):
    after, before = embeddings(batch, seed=seed), embeddings(batch, seed=seed + 1)
    config = {"weight": weight, "similarity_weight": similarity_weight}
    parts = make(**config).compute_loss_from_embeddings([after], before)
    expected = reference(after, before, **config)
    assert {name: part.item() for name, part in parts.items()} == pytest.approx(expected, rel=1e-9, abs=1e-12)
    scaled = make(**config).compute_loss_from_embeddings([3 * after], 7 * before)
    assert {name: part.item() for name, part in scaled.items()} == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_nothing_is_lost_where_nothing_moved():
    parts = make().compute_loss_from_embeddings([embeddings()], embeddings())
    assert {name: part.item() for name, part in parts.items()} == pytest.approx(
        {"own": 0, "similarities": 0}, abs=1e-12
    )


def test_a_rotation_keeps_the_similarities():
    rotation = torch.linalg.qr(embeddings(6, 6, seed=3))[0]
    parts = make().compute_loss_from_embeddings([embeddings() @ rotation], embeddings())
    assert parts["similarities"].item() == pytest.approx(0, abs=1e-12)
    assert parts["own"] > 1


def test_equals_embed_distill_without_similarities(model, rows):
    model.eval()
    features = [model.preprocess([row[0] for row in rows])]
    labels = embeddings(len(rows), 32).float()
    parts = RetentionLoss(model, weight=1.0, similarity_weight=0.0)([dict(features[0])], labels)
    torch.testing.assert_close(parts["own"], EmbedDistillLoss(model)(features, labels))
    assert parts["similarities"] == 0


def test_the_untrained_model_loses_nothing(model, rows):
    model.eval()
    sentences = [row[0] for row in rows]
    labels = torch.from_numpy(model.encode(sentences))
    parts = RetentionLoss(model)([model.preprocess(sentences)], labels)
    assert parts * 1 < 1e-5


def test_labels_of_more_dimensions_are_truncated():
    after, before = embeddings(dim=4), embeddings(dim=6, seed=1)
    parts = make().compute_loss_from_embeddings([after], before)
    expected = reference(after, before[:, :4], 10, 10)
    assert {name: part.item() for name, part in parts.items()} == pytest.approx(expected)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (None, r"got no labels: give it a column label with .* \(in a recipe, labels: embeddings\)"),
        (torch.zeros(4), r"labels of shape \(4,\) for embeddings of shape \(4, 6\)"),
        (torch.zeros(3, 6), r"labels of shape \(3, 6\) for embeddings of shape \(4, 6\)"),
        (torch.zeros(4, 5), r"labels of shape \(4, 5\) .* from the same encoder"),
    ],
)
def test_refuses_labels_that_do_not_fit(labels, message):
    with pytest.raises(InputValueError, match=message):
        make().compute_loss_from_embeddings([embeddings()], labels)


def test_refuses_several_columns():
    with pytest.raises(InputValueError, match=r"got 2 columns of sentences but takes 1, \(sentence\)"):
        make().compute_loss_from_embeddings([embeddings(), embeddings()], embeddings())


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        ({"weight": math.inf}, InputValueError, "weight is inf: give a finite number above 0, usually 1 to 100"),
        ({"similarity_weight": -1}, InputValueError, "similarity_weight is -1: give 0 or more, usually 0 to 100"),
        ({"similarity_weight": None}, InputTypeError, "similarity_weight is None: give a finite number"),
    ],
)
def test_refuses_bad_values(config, error, message):
    with pytest.raises(error, match=message):
        make(**config)


def test_is_registered():
    assert LOSSES.get("retention") is RetentionLoss
    assert make().get_config_dict() == {
        "weight": 10.0,
        "similarity_weight": 10.0,
        "gather_across_devices": False,
        "mini_batch_size": None,
    }
