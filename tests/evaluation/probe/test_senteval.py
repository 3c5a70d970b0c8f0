"""The probes: the protocol against plain loops, errors, and a real model."""

import gzip
from pathlib import Path

import numpy as np
import pytest
import torch

from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.evaluation.probe.senteval import cross_validated, nested_cross_validation, pair_features, validated
from sda_hf.evaluation.probe.softmax import DECAYS, Rows, train

TRANSFER = Path(__file__).parents[3].parent / "shared" / "data" / "transfer"
ONE_CLASS = r"labels has only the class 1: a classifier needs at least two"


def noisy(rows, classes=2, seed=0):
    """Overlapping clusters, on which the weight decay and the folds make a difference."""
    random = np.random.default_rng(seed)
    labels = np.arange(rows) % classes
    return (random.normal(size=(rows, 6)) + 0.8 * np.eye(classes, 6)[labels]).astype(np.float32), labels


def classifier(rows, labels, held, held_labels, random, decay, classes=2, seed=1111):
    """SentEval's schedule, written out with torch's own layer, loss and optimizer."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        layer = torch.nn.Linear(rows.shape[1], classes)
    adam = torch.optim.Adam(layer.parameters(), weight_decay=decay)
    rows, labels, held, held_labels = (torch.tensor(array) for array in (rows, labels, held, held_labels))
    best, kept, misses, epochs = -1.0, None, 0, 0
    while misses <= 5 and epochs <= 200:
        for _ in range(4):
            order = random.permutation(len(rows))
            for start in range(0, len(rows), 64):
                batch = order[start : start + 64]
                adam.zero_grad()
                torch.nn.functional.cross_entropy(layer(rows[batch]), labels[batch]).backward()
                adam.step()
        epochs += 4
        accuracy = float((layer(held).argmax(dim=1) == held_labels).double().mean())
        if accuracy > best:
            best, kept = accuracy, [parameter.detach().clone() for parameter in (layer.weight, layer.bias)]
        else:
            misses += 1
    weight, bias = kept
    return best, lambda inputs: (torch.tensor(inputs) @ weight.T + bias).argmax(dim=1).tolist()


def test_validated_equals_a_plain_loop():
    (rows, labels), (held, held_labels), (unseen, _) = (noisy(300, seed=seed) for seed in range(3))
    best = [classifier(rows, labels, held, held_labels, np.random.RandomState(5), decay, seed=5) for decay in DECAYS]
    probe = validated(rows, labels, held, held_labels, unseen, seed=5)
    scores = [score for score, _ in best]
    assert probe.dev_accuracy == pytest.approx(max(scores))
    assert probe.predictions.tolist() == best[int(np.argmax(scores))][1](unseen)


def test_the_final_classifier_equals_a_plain_loop():
    rows, labels = noisy(300, classes=3)
    unseen, _ = noisy(200, classes=3, seed=1)
    random = np.random.RandomState(1111)
    held, fit = np.split(random.permutation(300), [15])
    # The prediction is that of the final classifier for one of the weight decays.
    lasts = []
    for decay in DECAYS:
        random = np.random.RandomState(1111)
        random.permutation(300)
        lasts.append(classifier(rows[fit], labels[fit], rows[held], labels[held], random, decay, classes=3)[1](unseen))
    probe = cross_validated(rows, labels, unseen, folds=5)
    assert probe.predictions.tolist() in lasts


def test_splits_are_independent():
    """Rows outside a split do not influence its classifiers."""
    rows, labels = noisy(200)
    held = np.zeros((2, 200), dtype=bool)
    held[0, :40], held[1, 100:] = True, True
    both = train(Rows(rows, labels, ~held), Rows(rows, labels, held), np.random.RandomState(0))
    other = rows.copy()
    other[:40] = 9.0
    alone = train(Rows(other, labels, ~held[:1]), Rows(rows, labels, held[:1]), np.random.RandomState(0))
    same = train(Rows(rows, labels, ~held[:1]), Rows(rows, labels, held[:1]), np.random.RandomState(0))
    assert np.array_equal(alone.weights, same.weights)
    assert np.array_equal(alone.accuracy, same.accuracy)
    assert both.accuracy.shape == (4, 2)
    assert both.weights.shape == (4, 2, 6, 2)
    assert both.biases.shape == (4, 2, 2)


def test_weight_decay_shrinks_the_weights():
    rows, labels = noisy(300)
    held = np.zeros((1, 300), dtype=bool)
    held[0, :60] = True
    found = train(Rows(rows, labels, ~held), Rows(rows, labels, held), np.random.RandomState(0), decays=[0.0, 1.0])
    assert np.abs(found.weights[1]).max() < 0.75 * np.abs(found.weights[0]).max()


def test_separable_classes():
    labels = np.arange(600) % 3
    features = np.tile(np.eye(3)[labels], 12) + 0.01 * np.random.default_rng(0).normal(size=(600, 36))
    for probe in (
        nested_cross_validation(features, labels, folds=2),
        cross_validated(features, labels, features, folds=2),
    ):
        assert probe.dev_accuracy == 1.0
        assert probe.predictions.tolist() == labels.tolist()


def test_random_labels():
    random = np.random.default_rng(0)
    features, labels = random.normal(size=(400, 5)), random.permutation(np.arange(400) % 2)
    probe = nested_cross_validation(features, labels, folds=4)
    # Four standard deviations of a fair coin thrown 400 times.
    assert np.mean(probe.predictions == labels) == pytest.approx(0.5, abs=0.1)


def test_predictions_do_not_depend_on_other_test_rows():
    features, labels = noisy(80)
    unseen, _ = noisy(20, seed=1)
    alone = [int(cross_validated(features, labels, unseen[[row]], folds=4).predictions[0]) for row in range(3)]
    assert cross_validated(features, labels, unseen, folds=4).predictions[:3].tolist() == alone


@pytest.mark.slow
def test_seed_and_number_of_workers(monkeypatch):
    features, labels = noisy(120)
    first = nested_cross_validation(features, labels, folds=4, seed=5)
    other = nested_cross_validation(features, labels, folds=4, seed=6)
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "2")  # the number of cores that joblib sees
    again = nested_cross_validation(features, labels, folds=4, seed=5)
    assert again.predictions.tolist() == first.predictions.tolist()
    assert again.dev_accuracy == first.dev_accuracy
    assert other.predictions.tolist() != first.predictions.tolist()


def test_the_global_random_state_is_not_touched():
    np.random.seed(3)
    before = np.random.get_state()[1].tolist()
    nested_cross_validation(*noisy(40), folds=2)
    assert np.random.get_state()[1].tolist() == before


def test_labels_need_not_start_at_zero():
    features, labels = noisy(60)
    shifted = nested_cross_validation(features, labels * 5 - 2, folds=3)
    assert (
        shifted.predictions.tolist()
        == (nested_cross_validation(features, labels, folds=3).predictions * 5 - 2).tolist()
    )


def test_pair_features():
    first, second = np.array([[1.0, -2.0], [0.0, 3.0]]), np.array([[4.0, 1.0], [0.5, 3.0]])
    assert pair_features(first, second).tolist() == [[3.0, 3.0, 4.0, -2.0], [0.5, 0.0, 0.0, 9.0]]
    assert pair_features(second, first).tolist() == pair_features(first, second).tolist()


def test_pairs_of_different_shapes():
    with pytest.raises(InputValueError, match=r"first has the shape \(2, 3\), second \(3, 3\): give one row per pair"):
        pair_features(np.ones((2, 3)), np.ones((3, 3)))


@pytest.mark.parametrize(
    ("features", "labels", "message"),
    [
        (np.ones((0, 3)), [], r"features has the shape \(0, 3\): give one row of numbers per text, at least one row"),
        (np.ones(3), [0, 1, 0], r"features has the shape \(3,\): give one row"),
        (np.ones((3, 2)), [0, 1], r"labels has the shape \(2,\) for 3 rows: give one label per row"),
        ([[1.0], [np.nan]], [0, 1], r"features contains NaN, infinity or numbers above 3\.4e\+38: check the model"),
        ([[1.0], [-np.inf]], [0, 1], r"features contains NaN, infinity"),
        ([[1.0], [1e300]], [0, 1], r"features contains NaN, infinity"),
        (np.ones((30, 1)), [1] * 30, ONE_CLASS),
        (np.ones((30, 1)), [0] * 19 + [4] * 11, r"labels has 11 rows of class 4, but 10 folds need 12 per class: give"),
    ],
)
def test_invalid_input_of_nested_cross_validation(features, labels, message):
    with pytest.raises(InputValueError, match=message):
        nested_cross_validation(features, labels)


def test_the_smallest_allowed_number_of_rows():
    features, labels = noisy(24)
    assert len(nested_cross_validation(features, labels).predictions) == 24
    assert len(cross_validated(features[:20], labels[:20], features).predictions) == 24


def test_invalid_input_of_cross_validated():
    features, labels = noisy(40)
    with pytest.raises(InputValueError, match=r"train_labels has 9 rows of class 0, but 10 folds need 10 per class"):
        cross_validated(features[:18], labels[:18], features)
    with pytest.raises(InputValueError, match=r"test has 3 features per row, train 6: use one model"):
        cross_validated(features, labels, features[:, :3])
    with pytest.raises(InputValueError, match=r"test has the shape \(0, 6\)"):
        cross_validated(features, labels, features[:0])
    with pytest.raises(InputValueError, match=r"folds is 1: give at least 2"):
        cross_validated(features, labels, features, folds=1)


def test_invalid_input_of_validated():
    features, labels = noisy(40)
    with pytest.raises(InputValueError, match=rf"train_{ONE_CLASS}"):
        validated(features, np.ones(40, int), features, labels, features)
    with pytest.raises(InputValueError, match=r"dev contains NaN"):
        validated(features, labels, features * np.nan, labels, features)
    with pytest.raises(InputValueError, match=r"dev_labels has the shape \(39,\) for 40 rows"):
        validated(features, labels, features, labels[1:], features)


@pytest.mark.parametrize("kind", [float, str, bool])
def test_labels_that_are_not_integers(kind):
    features, labels = noisy(40)
    with pytest.raises(InputTypeError, match=r"labels has the type .+: number the classes 0, 1"):
        nested_cross_validation(features, labels.astype(kind))


def read(name):
    path = TRANSFER / f"{name}.tsv.gz"
    if not path.exists():
        pytest.skip(f"no reference data: {name}")
    lines = gzip.decompress(path.read_bytes()).decode("utf-8").removesuffix("\n").split("\n")[1:]
    texts, labels = zip(*(line.split("\t") for line in lines), strict=True)
    return list(texts), np.array(labels, dtype=int)


@pytest.mark.slow
def test_a_real_model_scores_as_in_senteval(minilm):
    """SentEval's own classifier gets 83.9 (dev) and 88.0 (test) with 10 folds on this model and these files."""
    (rows, labels), (test, test_labels) = read("trec-train"), read("trec-test")
    probe = cross_validated(minilm.encode(rows), labels, minilm.encode(test))
    assert len(test_labels) == 500
    assert probe.dev_accuracy == pytest.approx(0.839, abs=0.005)
    assert np.mean(probe.predictions == test_labels) == pytest.approx(0.880, abs=0.005)
