"""What a linear classifier can read off frozen embeddings: SentEval's classification protocol."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sda_hf.errors import InputTypeError, InputValueError

# C for features of variance 1. On development accuracies of the seven tasks the best lies within this range (at 2^-12
# for MRPC, at 2^-4 for TREC), not at its ends. Steps of 4, SentEval's are of 2, cover it with as many fits.
STRENGTHS = tuple(2.0**power for power in range(-14, -1, 2))
LARGEST = float(np.finfo(np.float32).max)


class Probe(NamedTuple):
    """What a classifier reached.

    Attributes:
        dev_accuracy: fraction of right labels where the strength of the regularisation was chosen.
        predictions: (n_test,) predicted label of each test row, in the order given.
    """

    dev_accuracy: float
    predictions: NDArray[np.int_]


def nested_cross_validation(features: ArrayLike, labels: ArrayLike, *, folds: int = 10, seed: int = 1111) -> Probe:
    """Logistic regression by nested cross-validation (MR, CR, SUBJ, MPQA).

    Each fold is predicted by a classifier that was trained on the other folds; its strength of regularisation was
    searched by a second cross-validation within these. Features are centred and scaled to variance 1 with the rows
    that the classifier is trained on, so that a strength means the same for embeddings of any length, and C is 2^-14 to
    2^-2 in steps of 4; SentEval takes features as they are and C from 2^-2 to 2^3. Computed in single precision, as embeddings are, on all cores that
    joblib sees; the result does not depend on their number.

    Args:
        features: (n, dim) embeddings.
        labels: (n,) whole numbers.
        folds: number of outer folds and, within each, of inner folds; at least 2.
        seed: seed of the shuffles before rows are dealt to folds.

    Returns:
        `dev_accuracy` is the mean over the outer folds of the best mean inner accuracy; each of the n rows is a test
        row once.

    Raises:
        InputTypeError: labels that are no whole numbers.
        InputValueError: empty, not finite or not fitting arrays, one class only, or a class with fewer than folds + 2
            rows: every outer training part must hold one row of each class for every inner fold.

    Source:
        SentEval (Conneau and Kiela, 2018), section 3.1, and its `InnerKFoldClassifier`.

    Example:
        >>> probe = nested_cross_validation([[-2.0], [-1.0], [1.0], [2.0]] * 4, [0, 0, 1, 1] * 4, folds=2)
        >>> probe.dev_accuracy, probe.predictions.tolist() == [0, 0, 1, 1] * 4
        (1.0, True)
    """
    from sklearn.model_selection import cross_validate  # slow to import

    rows = _rows(features, "features")
    classes = _labels(labels, "labels", rows)
    _enough(classes, "labels", _checked_folds(folds) + 2, folds)
    with _one_thread_a_worker():
        outcome = cross_validate(
            _search(_stratified(folds, seed), seed),
            rows,
            classes,
            cv=_stratified(folds, seed),
            return_estimator=True,
            return_indices=True,
            error_score="raise",
        )
        predictions = np.empty_like(classes)
        for search, test in zip(outcome["estimator"], outcome["indices"]["test"], strict=True):
            predictions[test] = search.predict(rows[test])
    return Probe(float(np.mean([search.best_score_ for search in outcome["estimator"]])), predictions)


def cross_validated(
    train: ArrayLike, train_labels: ArrayLike, test: ArrayLike, *, folds: int = 10, seed: int = 1111
) -> Probe:
    """Logistic regression with its strength chosen by cross-validation on the training rows (TREC, MRPC).

    Scaling and strengths are those of `nested_cross_validation`; SentEval's are C from 2^-1 to 2^5, unscaled.

    Args:
        train: (n, dim) features; of pairs of sentences, those that `pair_features` gives.
        train_labels: (n,) whole numbers.
        test: (n_test, dim) features.
        folds: number of folds; at least 2.
        seed: seed of the shuffle before rows are dealt to folds.

    Returns:
        `dev_accuracy` is the best mean accuracy over the folds; the classifier that predicts the test rows is trained
        on all training rows.

    Raises:
        InputTypeError: labels that are no whole numbers.
        InputValueError: empty, not finite or not fitting arrays, one class only, or a class with fewer rows than folds.

    Source:
        SentEval (Conneau and Kiela, 2018), section 3.1, and its `KFoldClassifier`.

    Example:
        >>> cross_validated([[-2.0], [-1.0], [1.0], [2.0]], [0, 0, 1, 1], [[3.0], [-3.0]], folds=2).predictions.tolist()
        [1, 0]
    """
    rows = _rows(train, "train")
    classes = _labels(train_labels, "train_labels", rows)
    unseen = _rows(test, "test", rows)
    _enough(classes, "train_labels", _checked_folds(folds), folds)
    with _one_thread_a_worker():
        search = _search(_stratified(folds, seed), seed).fit(rows, classes)
        return Probe(float(search.best_score_), search.predict(unseen))


def validated(
    train: ArrayLike,
    train_labels: ArrayLike,
    dev: ArrayLike,
    dev_labels: ArrayLike,
    test: ArrayLike,
    *,
    seed: int = 1111,
) -> Probe:
    """Logistic regression with its strength chosen on a development split (SST2).

    Scaling and strengths are those of `nested_cross_validation`; SentEval's are C from 2^-2 to 2^3, unscaled.

    Args:
        train: (n, dim) features.
        train_labels: (n,) whole numbers.
        dev: (n_dev, dim) features.
        dev_labels: (n_dev,) whole numbers.
        test: (n_test, dim) features.
        seed: handed to the classifier, as in SentEval; its present solver draws nothing at random.

    Returns:
        `dev_accuracy` is that on the development rows; the classifier is trained on the training rows alone.

    Raises:
        InputTypeError: labels that are no whole numbers.
        InputValueError: empty, not finite or not fitting arrays, or one class only among the training rows.

    Source:
        SentEval (Conneau and Kiela, 2018), section 3.1, and its `SplitClassifier`.

    Example:
        >>> probe = validated([[-2.0], [-1.0], [1.0], [2.0]], [0, 0, 1, 1], [[-1.5], [-9.0]], [0, 1], [[3.0], [-3.0]])
        >>> probe.dev_accuracy, probe.predictions.tolist()
        (0.5, [1, 0])
    """
    from sklearn.model_selection import PredefinedSplit  # slow to import

    rows = _rows(train, "train")
    classes = _labels(train_labels, "train_labels", rows)
    held = _rows(dev, "dev", rows)
    held_classes = _labels(dev_labels, "dev_labels", held)
    unseen = _rows(test, "test", rows)
    _enough(classes, "train_labels", 1, folds=1)
    split = PredefinedSplit([-1] * len(rows) + [0] * len(held))
    with _one_thread_a_worker():
        # No refit by the search: it would train on the development rows as well.
        search = _search(split, seed).set_params(refit=False)
        search.fit(np.concatenate([rows, held]), np.concatenate([classes, held_classes]))
        chosen = search.estimator.set_params(**search.best_params_).fit(rows, classes)
        return Probe(float(search.best_score_), chosen.predict(unseen))


def pair_features(first: ArrayLike, second: ArrayLike) -> NDArray[np.float32]:
    """Features of pairs of sentences: |u - v| and u * v side by side.

    Args:
        first: (n, dim) embeddings u.
        second: (n, dim) embeddings v.

    Returns:
        (n, 2 dim).

    Raises:
        InputValueError: arrays that are empty, not finite or not of one shape.

    Source:
        SentEval (Conneau and Kiela, 2018), section 3.1; Tai et al. (2015), equation 15.

    Example:
        >>> pair_features([[1.0, 2.0]], [[3.0, -1.0]]).tolist()
        [[2.0, 3.0, 3.0, -2.0]]
    """
    left, right = _rows(first, "first"), _rows(second, "second")
    if left.shape != right.shape:
        raise InputValueError(f"first has the shape {left.shape}, second {right.shape}: give one row each a pair")
    return np.hstack([np.abs(left - right), left * right])


@contextmanager
def _one_thread_a_worker() -> Iterator[None]:
    """All cores by worker processes; one thread in each, for speed and for sums whose order no machine changes."""
    import joblib  # comes with scikit-learn, which the rest of the package does not need at import
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1), joblib.parallel_config("loky", n_jobs=-1, inner_max_num_threads=1):
        yield


def _search(split: Any, seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression  # slow to import
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    # The weakest regularisation takes about a hundred steps, the default limit.
    classifier = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000, random_state=seed))
    return GridSearchCV(classifier, {"logisticregression__C": STRENGTHS}, cv=split, error_score="raise")


def _stratified(folds: int, seed: int) -> Any:
    from sklearn.model_selection import StratifiedKFold  # slow to import

    return StratifiedKFold(folds, shuffle=True, random_state=seed)


def _rows(values: ArrayLike, name: str, like: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    rows = np.asarray(values)
    if rows.ndim != 2 or not rows.size:
        raise InputValueError(f"{name} has the shape {rows.shape}: give one row of numbers a text, at least one row")
    if like is not None and rows.shape[1] != like.shape[1]:
        raise InputValueError(f"{name} has {rows.shape[1]:,} features a row, train {like.shape[1]:,}: use one model")
    if not (np.abs(rows) <= LARGEST).all():
        raise InputValueError(f"{name} has numbers that are NaN, infinite or above {LARGEST:.2g}: check the model")
    return rows.astype(np.float32)


def _labels(values: ArrayLike, name: str, rows: NDArray[np.float32]) -> NDArray[np.int_]:
    labels = np.asarray(values)
    if labels.shape != (len(rows),):
        raise InputValueError(f"{name} has the shape {labels.shape} for {len(rows):,} rows: give one label a row")
    if labels.dtype.kind not in "iu":
        raise InputTypeError(f"{name} is of type {labels.dtype}: number the classes, 0, 1, ...")
    return labels.astype(np.int_)


def _checked_folds(folds: int) -> int:
    if folds < 2:
        raise InputValueError(f"folds is {folds}: give at least 2")
    return folds


def _enough(labels: NDArray[np.int_], name: str, needed: int, folds: int) -> None:
    classes, counts = np.unique(labels, return_counts=True)
    if len(classes) < 2:
        raise InputValueError(f"{name} has the class {classes[0]} only: a classifier needs at least two")
    if counts.min() < needed:
        raise InputValueError(
            f"{name} has {counts.min():,} rows of class {classes[counts.argmin()]}, {folds} folds need {needed} of each"
            " class: give more rows or fewer folds"
        )
