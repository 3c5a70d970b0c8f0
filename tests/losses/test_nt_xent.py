"""NTXentLoss: its value, and the batches in which negatives are used."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.losses import NTXentLoss


def reference(columns, temperature):
    """The equation term by term, in NumPy and float64."""
    anchors, positives, *negatives = [np.asarray(column.detach().double()) for column in columns]
    views, hard = np.concatenate([anchors, positives]), [row for column in negatives for row in column]

    def term(a, b):
        return math.exp(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)) / temperature)

    losses = []
    for i, view in enumerate(views):
        other = views[(i + len(anchors)) % len(views)]
        denominator = sum(term(view, v) for k, v in enumerate(views) if k != i) + sum(term(view, n) for n in hard)
        losses.append(-math.log(term(view, other) / denominator))
    return float(np.mean(losses))


@settings(max_examples=40, derandomize=True)
@given(
    columns=st.integers(2, 4),
    batch=st.integers(1, 5),
    dim=st.integers(2, 6),
    seed=st.integers(0, 999),
    temperature=st.floats(0.05, 3),
)
def test_matches_the_equation(columns, batch, dim, seed, temperature):
    generator = torch.Generator().manual_seed(seed)
    embeddings = [torch.randn(batch, dim, generator=generator, dtype=torch.float64) for _ in range(columns)]
    value = NTXentLoss(nn.Identity(), temperature=temperature).compute_loss_from_embeddings(embeddings)
    assert value.item() == pytest.approx(reference(embeddings, temperature), rel=1e-9, abs=1e-9)


class Counter(nn.Module):
    """A model that counts the columns that it embeds."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3, 4))
        self.calls = 0

    def forward(self, features):
        self.calls += 1
        return {"sentence_embedding": self.weight * features["scale"]}


def calls(loss, batches, columns=3):
    counts = []
    for _ in range(batches):
        loss.model.calls = 0
        loss([{"scale": torch.tensor(float(i + 1))} for i in range(columns)])
        counts.append(loss.model.calls)
    return counts


def test_negatives_are_embedded_in_every_nth_batch_of_training():
    loss = NTXentLoss(Counter(), negative_every=3)
    assert calls(loss, 7) == [3, 2, 2, 3, 2, 2, 3]
    resumed = NTXentLoss(Counter(), negative_every=3)
    resumed.load_state_dict(loss.state_dict())
    assert calls(resumed, 3) == [2, 2, 3]


def test_negatives_are_always_used_in_evaluation():
    loss = NTXentLoss(Counter(), negative_every=3)
    with torch.no_grad():
        assert calls(loss, 3) == [3, 3, 3]
    assert calls(loss, 1) == [3], "an evaluation does not count as a batch"


@pytest.mark.parametrize(
    ("value", "error"), [(0, InputValueError), (-1, InputValueError), (2.0, InputTypeError), (True, InputTypeError)]
)
def test_refuses_a_negative_every_that_is_not_a_positive_integer(value, error):
    with pytest.raises(error, match="give an integer above 0, usually 5"):
        NTXentLoss(nn.Identity(), negative_every=value)
