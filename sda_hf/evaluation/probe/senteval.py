"""SentEval's classification protocol: linear classifiers on frozen embeddings.

The classifier, its hyper-parameter search and its seeds are SentEval's (see `softmax`), so that scores are comparable
with published ones: given the rows in the order of the files, the final classifier of each fit predicts what SentEval's
does. The search differs in one way: the classifiers of all folds and weight decays are trained together, on the same
batches, where SentEval trains one after the other. The protocol is made for thousands of rows: on a hundred, training
stops before anything is learnt, as in SentEval.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.evaluation.probe.softmax import DECAYS, Rows, Trained, train

LARGEST = float(np.finfo(np.float32).max)
HELD_OUT = 0.05  # share of the training rows that decide when the final classifier of a fit stops


class Probe(NamedTuple):
    """The result of a probe.

    Attributes:
        dev_accuracy: accuracy on the rows that selected the weight decay, between 0 and 1.
        predictions: (n_test,) predicted label of each test row.
    """

    dev_accuracy: float
    predictions: NDArray[np.int_]


def nested_cross_validation(features: ArrayLike, labels: ArrayLike, *, folds: int = 10, seed: int = 1111) -> Probe:
    """Probe by nested cross-validation (MR, CR, SUBJ, MPQA), on all cores available to joblib.

    Each fold is predicted by a classifier trained on the other folds, whose weight decay is selected by a second
    cross-validation within these.

    Args:
        features: (n, dim) embeddings.
        labels: (n,) integers.
        folds: number of outer folds and of inner folds within each; at least 2.
        seed: seed of the folds, the initial weights and the order of rows.

    Returns:
        `dev_accuracy` is the best mean accuracy over the inner folds, averaged over the outer folds; all n rows are
        test rows.

    Raises:
        InputTypeError: the labels are not integers.
        InputValueError: an array is empty, not finite or of the wrong shape, there is only one class, or a class has
            fewer than folds + 2 rows, so that some inner fold could lack it.

    Source:
        SentEval (Conneau and Kiela, 2018), section 3.1, and its `InnerKFoldClassifier`.

    Example:
        >>> probe = nested_cross_validation([[-1.0] * 32, [1.0] * 32] * 400, [0, 1] * 400, folds=2)
        >>> probe.dev_accuracy, probe.predictions.tolist() == [0, 1] * 400
        (1.0, True)
    """
    from joblib import Parallel, delayed  # slow to import; a dependency of scikit-learn

    rows = _rows(features, "features")
    classes, numbers = np.unique(_labels(labels, "labels", rows), return_inverse=True)
    _check_classes(classes[numbers], "labels", _checked_folds(folds) + 2, folds)
    splits = _folds(numbers, folds, seed)
    with _workers():
        probes = Parallel()(
            delayed(_cross_validated)(rows[rest], numbers[rest], rows[test], folds, seed) for rest, test in splits
        )
    predictions = np.empty_like(numbers)
    for (_, test), probe in zip(splits, probes, strict=True):
        predictions[test] = probe.predictions
    return Probe(float(np.mean([probe.dev_accuracy for probe in probes])), classes[predictions])


def cross_validated(
    train_rows: ArrayLike, train_labels: ArrayLike, test: ArrayLike, *, folds: int = 10, seed: int = 1111
) -> Probe:
    """Probe whose weight decay is selected by cross-validation on the training rows (TREC, MRPC).

    Args:
        train_rows: (n, dim) features; for pairs of sentences, those of `pair_features`.
        train_labels: (n,) integers.
        test: (n_test, dim) features.
        folds: number of folds; at least 2.
        seed: seed of the folds, the initial weights and the order of rows.

    Returns:
        `dev_accuracy` is the best mean accuracy over the folds. The classifier that predicts the test rows is trained
        on 95 % of the training rows; the rest decide when it stops.

    Raises:
        InputTypeError: the labels are not integers.
        InputValueError: an array is empty, not finite or of the wrong shape, there is only one class, or a class has
            fewer rows than there are folds.

    Source:
        SentEval (Conneau and Kiela, 2018), section 3.1, and its `KFoldClassifier`.

    Example:
        >>> rows, labels = [[-1.0] * 32, [1.0] * 32] * 400, [0, 1] * 400
        >>> cross_validated(rows, labels, [[3.0] * 32, [-3.0] * 32], folds=2).predictions.tolist()
        [1, 0]
    """
    rows = _rows(train_rows, "train")
    classes, numbers = np.unique(_labels(train_labels, "train_labels", rows), return_inverse=True)
    unseen = _rows(test, "test", rows)
    _check_classes(classes[numbers], "train_labels", _checked_folds(folds), folds)
    probe = _cross_validated(rows, numbers, unseen, folds, seed)
    return Probe(probe.dev_accuracy, classes[probe.predictions])


def validated(
    train_rows: ArrayLike,
    train_labels: ArrayLike,
    dev: ArrayLike,
    dev_labels: ArrayLike,
    test: ArrayLike,
    *,
    seed: int = 1111,
) -> Probe:
    """Probe whose weight decay and stopping time are selected on a development split (SST2).

    Args:
        train_rows: (n, dim) features.
        train_labels: (n,) integers.
        dev: (n_dev, dim) features.
        dev_labels: (n_dev,) integers.
        test: (n_test, dim) features.
        seed: seed of the initial weights and the order of rows.

    Returns:
        `dev_accuracy` is the accuracy on the development rows; the classifier is trained on the training rows only.

    Raises:
        InputTypeError: the labels are not integers.
        InputValueError: an array is empty, not finite or of the wrong shape, or the training rows have only one class.

    Source:
        SentEval (Conneau and Kiela, 2018), section 3.1, and its `SplitClassifier`.

    Example:
        >>> rows, labels = [[-1.0] * 32, [1.0] * 32] * 400, [0, 1] * 400
        >>> probe = validated(rows, labels, [[-1.5] * 32, [-9.0] * 32], [0, 1], [[3.0] * 32, [-3.0] * 32])
        >>> probe.dev_accuracy, probe.predictions.tolist()
        (0.5, [1, 0])
    """
    rows = _rows(train_rows, "train")
    found = _labels(train_labels, "train_labels", rows)
    held = _rows(dev, "dev", rows)
    held_labels = _labels(dev_labels, "dev_labels", held)
    unseen = _rows(test, "test", rows)
    _check_classes(found, "train_labels", 1, folds=1)
    # A class that only the development rows have is always predicted wrongly.
    classes, numbers = np.unique(np.concatenate([found, held_labels]), return_inverse=True)
    own, others = np.split(numbers, [len(rows)])
    trained = train(_all(rows, own), _all(held, others), np.random.RandomState(seed), seed=seed)
    best = int(trained.accuracy[:, 0].argmax())
    return Probe(float(trained.accuracy[best, 0]), classes[_predicted(trained, best, unseen)])


def pair_features(first: ArrayLike, second: ArrayLike) -> NDArray[np.float32]:
    """Return the features of pairs of sentences: |u - v| and u * v, concatenated.

    Args:
        first: (n, dim) embeddings u.
        second: (n, dim) embeddings v.

    Returns:
        (n, 2 dim).

    Raises:
        InputValueError: an array is empty or not finite, or the two differ in shape.

    Source:
        SentEval (Conneau and Kiela, 2018), section 3.1; Tai et al. (2015), equation 15.

    Example:
        >>> pair_features([[1.0, 2.0]], [[3.0, -1.0]]).tolist()
        [[2.0, 3.0, 3.0, -2.0]]
    """
    left, right = _rows(first, "first"), _rows(second, "second")
    if left.shape != right.shape:
        raise InputValueError(f"first has the shape {left.shape}, second {right.shape}: give one row per pair")
    return np.hstack([np.abs(left - right), left * right])


def _cross_validated(
    rows: NDArray[np.float32], labels: NDArray[np.int_], test: NDArray[np.float32], folds: int, seed: int
) -> Probe:
    held = np.zeros((folds, len(rows)), dtype=bool)
    for split, (_, out) in enumerate(_folds(labels, folds, seed)):
        held[split, out] = True
    search = train(Rows(rows, labels, ~held), Rows(rows, labels, held), np.random.RandomState(seed), seed=seed)
    means = search.accuracy.mean(axis=1)
    random = np.random.RandomState(seed)
    order = random.permutation(len(rows))
    stop, fit = np.split(order, [max(1, int(HELD_OUT * len(rows)))])
    last = train(
        _all(rows[fit], labels[fit]), _all(rows[stop], labels[stop]), random, decays=[DECAYS[means.argmax()]], seed=seed
    )
    return Probe(float(means.max()), _predicted(last, 0, test))


def _all(rows: NDArray[np.float32], labels: NDArray[np.int_]) -> Rows:
    return Rows(rows, labels, np.ones((1, len(rows)), dtype=bool))


def _predicted(trained: Trained, decay: int, rows: NDArray[np.float32]) -> NDArray[np.int_]:
    found: NDArray[np.int_] = (rows @ trained.weights[decay, 0] + trained.biases[decay, 0]).argmax(axis=1)
    return found


def _folds(labels: NDArray[np.int_], folds: int, seed: int) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    from sklearn.model_selection import StratifiedKFold  # slow to import

    return list(StratifiedKFold(folds, shuffle=True, random_state=seed).split(np.zeros(len(labels)), labels))


@contextmanager
def _workers() -> Iterator[None]:
    """Use one process per core with a single thread each: fast, and sums do not depend on the number of cores."""
    import joblib  # slow to import

    with joblib.parallel_config("loky", n_jobs=-1, inner_max_num_threads=1):
        yield


def _rows(values: ArrayLike, name: str, like: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    rows = np.asarray(values)
    if rows.ndim != 2 or not rows.size:
        raise InputValueError(f"{name} has the shape {rows.shape}: give one row of numbers per text, at least one row")
    if like is not None and rows.shape[1] != like.shape[1]:
        raise InputValueError(f"{name} has {rows.shape[1]:,} features per row, train {like.shape[1]:,}: use one model")
    if not (np.abs(rows) <= LARGEST).all():
        raise InputValueError(f"{name} contains NaN, infinity or numbers above {LARGEST:.2g}: check the model")
    return rows.astype(np.float32)


def _labels(values: ArrayLike, name: str, rows: NDArray[np.float32]) -> NDArray[np.int_]:
    labels = np.asarray(values)
    if labels.shape != (len(rows),):
        raise InputValueError(f"{name} has the shape {labels.shape} for {len(rows):,} rows: give one label per row")
    if labels.dtype.kind not in "iu":
        raise InputTypeError(f"{name} has the type {labels.dtype}: number the classes 0, 1, ...")
    return labels.astype(np.int_)


def _checked_folds(folds: int) -> int:
    if folds < 2:
        raise InputValueError(f"folds is {folds}: give at least 2")
    return folds


def _check_classes(labels: NDArray[np.int_], name: str, needed: int, folds: int) -> None:
    classes, counts = np.unique(labels, return_counts=True)
    if len(classes) < 2:
        raise InputValueError(f"{name} has only the class {classes[0]}: a classifier needs at least two")
    if counts.min() < needed:
        raise InputValueError(
            f"{name} has {counts.min():,} rows of class {classes[counts.argmin()]}, but {folds} folds need {needed} "
            "per class: give more rows or fewer folds"
        )
