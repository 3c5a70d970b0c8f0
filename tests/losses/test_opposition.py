"""OppositionLoss: its value term by term, sides and missing corners, the ablation with in-batch negatives."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.losses import OppositionLoss
from sda_hf.registry import LOSSES

SQUARE = (1, -1, -1, 1)


def make(**config):
    return OppositionLoss(nn.Identity(), **config)


def random_columns(columns, batch=4, dim=6, seed=0, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(batch, dim, generator=generator, dtype=dtype) for _ in range(columns)]


def cosine(a, b):
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def triples(sides):
    """Yield each corner with each partner and each corner of the other side."""
    for c, side in enumerate(sides):
        for p, same in enumerate(sides):
            for o, other in enumerate(sides):
                if side and p != c and same == side and other == -side:
                    yield c, p, o


def reference(columns, sides, temperature=0.05, margin=0.2):
    """The equation term by term, in float64."""
    rows = list(zip(*(column.detach().double().numpy() for column in columns), strict=True))
    terms = [
        np.logaddexp(0, (cosine(row[c], row[o]) - cosine(row[c], row[p]) + margin) / temperature)
        for row, of_row in zip(rows, sides, strict=True)
        for c, p, o in triples(of_row)
    ]
    return float(np.mean(terms)) if terms else 0.0


def reference_in_batch(columns, sides, temperature=0.05, margin=0.2):
    """InfoNCE of each corner and partner, against the other side of the row and all corners of the other rows."""
    rows = list(zip(*(column.detach().double().numpy() for column in columns), strict=True))
    terms = []
    for i, (row, of_row) in enumerate(zip(rows, sides, strict=True)):
        for c, p in dict.fromkeys((c, p) for c, p, _ in triples((*of_row, 1, -1)) if max(c, p) < len(of_row)):
            rivals = [cosine(row[c], row[o]) + margin for o, side in enumerate(of_row) if side == -of_row[c]]
            for j, (other, of_other) in enumerate(zip(rows, sides, strict=True)):
                rivals += [
                    cosine(row[c], corner) for corner, side in zip(other, of_other, strict=True) if side and j != i
                ]
            own = cosine(row[c], row[p])
            terms.append(np.log1p(sum(math.exp((rival - own) / temperature) for rival in rivals)))
    return float(np.mean(terms)) if terms else 0.0


@pytest.mark.parametrize("margin", [-0.1, 0.0, 0.2, 0.7])
@pytest.mark.parametrize("batch", [1, 2, 7])
def test_matches_the_equation(batch, margin):
    columns = random_columns(4, batch)
    value = make(margin=margin).compute_loss_from_embeddings(columns)
    assert value.shape == ()
    assert value.item() == pytest.approx(reference(columns, [SQUARE] * batch, margin=margin), rel=1e-10)


@settings(max_examples=80, derandomize=True, deadline=None)
@given(
    data=st.data(),
    corners=st.integers(3, 6),
    batch=st.integers(1, 5),
    seed=st.integers(0, 10_000),
    temperature=st.floats(0.03, 3),
    margin=st.floats(-0.5, 1),
    in_batch=st.booleans(),
)
def test_matches_the_equation_for_any_sides(data, corners, batch, seed, temperature, margin, in_batch):
    columns = [column.requires_grad_() for column in random_columns(corners, batch, seed=seed)]
    side = st.sampled_from([-1, 0, 1])
    sides = data.draw(st.lists(st.tuples(*[side] * corners), min_size=batch, max_size=batch))
    config = {"temperature": temperature, "margin": margin}
    loss = make(in_batch=in_batch, **config)
    value = loss.compute_loss_from_embeddings(columns, torch.tensor(sides))
    expected = (reference_in_batch if in_batch else reference)(columns, sides, **config)
    assert value.item() == pytest.approx(expected, rel=1e-8, abs=1e-9)
    gradients = torch.autograd.grad(value, columns)
    missing = torch.tensor(sides) == 0
    for index, gradient in enumerate(gradients):
        assert gradient.isfinite().all()
        assert not gradient[missing[:, index]].any(), "a missing corner has no say"

    flipped = loss.compute_loss_from_embeddings(columns, -torch.tensor(sides))
    assert flipped.item() == pytest.approx(value.item(), abs=1e-12), "no side is special"
    order = torch.randperm(batch, generator=torch.Generator().manual_seed(seed))
    permuted = loss.compute_loss_from_embeddings([column[order] for column in columns], torch.tensor(sides)[order])
    assert permuted.item() == pytest.approx(value.item(), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("in_batch", [False, True])
def test_the_weight_multiplies_the_loss(in_batch):
    columns = random_columns(4)
    once, thrice = (make(in_batch=in_batch, weight=w).compute_loss_from_embeddings(columns) for w in (1.0, 3.0))
    assert thrice.item() == pytest.approx(3 * once.item(), rel=1e-6)


@pytest.mark.parametrize("in_batch", [False, True])
def test_the_labels_of_a_square_change_nothing(in_batch):
    columns, loss = random_columns(4), make(in_batch=in_batch)
    value = loss.compute_loss_from_embeddings(columns)
    assert value == loss.compute_loss_from_embeddings(columns, torch.tensor([SQUARE] * 4))
    assert value == loss.compute_loss_from_embeddings(columns, torch.zeros(4)), "as `fit` gives them"
    claim, denial, contrary, equivalent = columns
    other_order = loss.compute_loss_from_embeddings(
        [denial, claim, equivalent, contrary], torch.tensor([[-1, 1, 1, -1]] * 4)
    )
    torch.testing.assert_close(other_order, value)


def test_a_missing_corner_is_as_if_it_were_not_there():
    columns, sides = random_columns(4), torch.tensor([[1, -1, 0, 1]] * 4)
    whole = make().compute_loss_from_embeddings(columns, sides)
    without = make().compute_loss_from_embeddings([columns[0], columns[1], columns[3]], sides[:, [0, 1, 3]])
    torch.testing.assert_close(whole, without)
    assert make().compute_loss_from_embeddings(columns, torch.tensor([[1, 0, 0, 1]] * 4)) == 0


def test_ignores_other_rows_unless_asked():
    columns = random_columns(4, batch=2)
    alone = [make().compute_loss_from_embeddings([column[[row]] for column in columns]) for row in (0, 1)]
    torch.testing.assert_close(make().compute_loss_from_embeddings(columns), sum(alone) / 2)
    assert make(in_batch=True).compute_loss_from_embeddings(columns) > sum(alone) / 2


def test_zero_of_two_far_points_and_margin_of_one():
    one, two = torch.tensor([[1.0, 0.0]]), torch.tensor([[-1.0, 0.0]])
    assert make().compute_loss_from_embeddings([one, two, two, one]) < 1e-15
    same = make(temperature=0.1, margin=0.2).compute_loss_from_embeddings([one, one, one, one])
    assert same.item() == pytest.approx(math.log1p(math.exp(2)))


@pytest.mark.parametrize("in_batch", [False, True])
def test_turning_the_sides_round_raises_it(in_batch):
    side, noise = random_columns(2, batch=6, dim=16)
    near, far = side + 0.1 * noise, -side
    loss = make(in_batch=in_batch)
    right = loss.compute_loss_from_embeddings([side, far, far + 0.1 * noise, near])
    assert loss.compute_loss_from_embeddings([side, near, far, far + 0.1 * noise]) > right + 1


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        ({"temperature": math.nan}, InputValueError, "temperature is nan: give a finite number above 0"),
        ({"margin": "0.2"}, InputTypeError, "margin is '0.2': give a finite number, usually 0 to 0.5"),
        ({"in_batch": 1}, InputTypeError, "in_batch is 1: give True or False"),
    ],
)
def test_refuses_bad_values(config, error, message):
    with pytest.raises(error, match=message):
        make(**config)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (torch.ones(4, 3), r"labels of shape \(4, 3\): give one side for each of the 4 columns, \(4, 4\)"),
        (torch.full((4, 4), 2), "labels that are no sides: give 1 or -1, or 0 for a corner that is missing"),
        (torch.full((4, 4), 0.5), "labels that are no sides"),
        (torch.full((4, 4), math.nan), "labels that are no sides"),
    ],
)
def test_refuses_labels_that_are_no_sides(labels, message):
    with pytest.raises(InputValueError, match=message):
        make().compute_loss_from_embeddings(random_columns(4), labels)


def test_refuses_another_number_of_columns():
    with pytest.raises(InputValueError, match=r"got 2 column\(s\) of sentences but takes 3 or more, \(claim, denial"):
        make().compute_loss_from_embeddings(random_columns(2))
    with pytest.raises(
        InputValueError, match="got 3 columns without labels: give it .*, or a column label with 3 sides"
    ):
        make().compute_loss_from_embeddings(random_columns(3))


def test_is_registered():
    assert LOSSES.get("opposition") is OppositionLoss
    assert make().get_config_dict() == {
        "temperature": 0.05,
        "margin": 0.2,
        "in_batch": False,
        "gather_across_devices": False,
        "mini_batch_size": None,
        "projection": "none",
        "embedding_augmentation": None,
        "weight": 1.0,
    }
