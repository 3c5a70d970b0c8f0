"""Softmax regression on SentEval's schedule: Adam on small batches, stopped early on held-out rows.

SentEval's classifier stops before it converges and therefore scores lower than fully fitted logistic regression on the
same embeddings (two points on TREC and CR with all-MiniLM-L6-v2). Published scores are SentEval's, hence its schedule.
All folds and weight decays of a search are trained together, on shared batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import torch

# SentEval's settings, as used by SimCSE and the papers; the weight decay is searched.
DECAYS = (1e-5, 1e-4, 1e-3, 1e-2)
BATCH = 64
CHECK_EVERY = 4  # epochs
PATIENCE = 5  # checks without improvement, in total
MAX_EPOCHS = 200
LEARNING_RATE = 1e-3


class Trained(NamedTuple):
    """Trained classifiers, one for each weight decay and split.

    Args:
        accuracy: (decays, splits) the best accuracy on the held-out rows, between 0 and 1.
        weights: (decays, splits, dim, classes) of the classifier with this accuracy.
        biases: (decays, splits, classes).
    """

    accuracy: NDArray[np.float64]
    weights: NDArray[np.float32]
    biases: NDArray[np.float32]


class Rows(NamedTuple):
    """Labelled rows, and which of them are in each split of a search.

    Args:
        features: (n, dim).
        labels: (n,) classes, 0 to classes - 1.
        chosen: (splits, n) whether a row is in a split.
    """

    features: NDArray[np.float32]
    labels: NDArray[np.int_]
    chosen: NDArray[np.bool_]


def train(
    fitted: Rows, held: Rows, random: np.random.RandomState, *, decays: Sequence[float] = DECAYS, seed: int = 1111
) -> Trained:
    """Train a classifier for each weight decay and split.

    Args:
        fitted: training rows.
        held: held-out rows, which decide when training stops and which weights are kept.
        random: draws the order of the rows, as SentEval does if there is a single split of all rows.
        decays: weight decays.
        seed: seed of the initial weights; the global generators are not touched.

    Source:
        SentEval (Conneau and Kiela, 2018), section 3.1 and its classifier without hidden layer.
    """
    import torch  # slow to import

    x, y, learns = (torch.tensor(array) for array in fitted)
    held_x, held_y, checks = (torch.tensor(array) for array in held)
    splits, classes = len(learns), int(max(y.max(), held_y.max())) + 1
    shape = (len(decays), splits, classes)
    x, held_x = (torch.nn.functional.pad(inputs, (0, 1), value=1.0) for inputs in (x, held_x))  # the bias
    answers = torch.nn.functional.one_hot(y, classes)[:, None, None]  # (n, 1, 1, classes)
    layer = _first_layer(x.shape[1] - 1, classes, seed).repeat(1, len(decays) * splits)
    strengths = torch.tensor(decays)[:, None].expand(shape[0], splits * classes).flatten()
    adam = torch.optim.Adam([layer], lr=LEARNING_RATE, fused=True)
    # Rows of all splits to draw, so that a split gets about one batch of its own.
    size = round(BATCH * len(x) / float(fitted.chosen.sum(axis=1).mean()))
    best = torch.full(shape[:2], -1.0, dtype=torch.float64)
    kept, misses = layer.clone(), torch.zeros(shape[:2], dtype=torch.long)
    for epoch in range(1, MAX_EPOCHS + CHECK_EVERY + 1):
        for batch in map(torch.from_numpy, np.array_split(random.permutation(len(x)), range(size, len(x), size))):
            own = learns[:, batch].T[:, None, :, None].float()  # (batch, 1, splits, 1)
            shares = (x[batch] @ layer).view(-1, *shape).softmax(dim=-1)  # (batch, decays, splits, classes)
            errors = (shares - answers[batch]) * (own / own.sum(dim=0).clamp(min=1))
            # The gradient of the mean cross-entropy plus Adam's weight decay, which differs between the classifiers.
            layer.grad = torch.addcmul(x[batch].T @ errors.view(len(batch), -1), layer, strengths)
            adam.step()
        if epoch % CHECK_EVERY:
            continue
        right = ((held_x @ layer).view(-1, *shape).argmax(dim=-1) == held_y[:, None, None]) & checks.T[:, None]
        accuracy = right.sum(dim=0) / checks.sum(dim=1).double()
        better = (accuracy > best) & (misses <= PATIENCE)
        kept = torch.where(better[..., None].expand(shape).flatten(), layer, kept)
        best = torch.where(better, accuracy, best)
        misses += ~better
        if bool((misses > PATIENCE).all()):
            break
    found = kept.view(-1, *shape).permute(1, 2, 0, 3).numpy()  # (decays, splits, dim + 1, classes)
    return Trained(best.numpy(), found[:, :, :-1], found[:, :, -1])


def _first_layer(dim: int, classes: int, seed: int) -> torch.Tensor:
    """Return the weights and, as the last row, the biases of torch's linear layer initialised after this seed."""
    import torch  # slow to import

    generator, bound = torch.Generator().manual_seed(seed), dim**-0.5
    weight, bias = (torch.empty(classes, size).uniform_(-bound, bound, generator=generator) for size in (dim, 1))
    return torch.cat([weight, bias], dim=1).T.contiguous()
