"""The bootstrap: intervals against plain loops and simulations, several seeds, and errors."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from sda_hf.errors import InputValueError
from sda_hf.evaluation import Difference, Measurement, difference


def shares(items):
    return Measurement({"accuracy": 100 * float(np.mean(items)), "rows": len(items)}, np.asarray(items, float))


def ranked(items, gold):
    found = 100 * float(spearmanr(items, gold).statistic)
    return Measurement({"spearman": found, "pairs": len(items)}, np.asarray(items, float), np.asarray(gold, float))


def simulated(seed, rows=40, runs=1):
    """Two models on graded pairs, of which the second is better, with ties in scores and similarities."""
    random = np.random.default_rng(seed)
    gold = random.integers(6, size=rows).astype(float)
    models = [[np.round(gold + noise * random.normal(size=rows), 1) for _ in range(runs)] for noise in (3, 1)]
    return [[ranked(items, gold) for items in run] for run in models]


# -- scores ---------------------------------------------------------------------------------------


def test_accuracies_equal_a_plain_loop():
    random = np.random.default_rng(3)
    first, second = random.integers(2, size=(2, 25))
    draws = np.random.default_rng(7)
    drawn = []
    for _ in range(50):
        rows = draws.integers(25, size=25)
        drawn.append(second[rows].mean() - first[rows].mean())
    found = difference([shares(first)], [shares(second)], samples=50, confidence=0.8, seed=7)
    assert found.value == pytest.approx(second.mean() - first.mean())
    assert [found.low, found.high] == pytest.approx(np.quantile(drawn, [0.1, 0.9]).tolist())


def test_correlations_equal_a_plain_loop():
    [first], [second] = simulated(0)
    draws = np.random.default_rng(1)
    drawn = []
    for _ in range(40):
        rows = draws.integers(40, size=40)
        old, new = (spearmanr(one.items[rows], one.gold[rows]).statistic for one in (first, second))
        drawn.append(new - old)
    found = difference([first], [second], scale=100, samples=40, seed=1)
    assert found.value == pytest.approx(second.headline[1] - first.headline[1])
    assert [found.low, found.high] == pytest.approx((100 * np.quantile(drawn, [0.025, 0.975])).tolist())
    assert found.low < found.value < found.high


@pytest.mark.parametrize("runs", [(1, 3), (3, 1), (2, 2)])
def test_several_seeds_are_averaged(runs):
    many = simulated(5, runs=3)
    first, second = (models[:number] for models, number in zip(many, runs, strict=True))
    found = difference(first, second, scale=100, samples=20)
    old, new = (np.mean([run.headline[1] for run in models]) for models in (first, second))
    assert found.value == pytest.approx(new - old)
    assert found != difference(first[:1], second[:1], scale=100, samples=20)


def test_several_seeds_of_accuracies():
    rows = np.arange(30)
    first, second = [shares(rows < 10), shares(rows < 20)], [shares(rows < 15)]
    assert difference(first, second, scale=100).value == pytest.approx(0)
    assert difference(first * 2, second) == pytest.approx(difference(first, second))


def test_a_model_against_itself():
    [first], _ = simulated(0)
    assert difference([first], [first], samples=20) == (0, 0, 0)
    assert difference([shares([1, 0, 1])], [shares([1, 0, 1])], samples=20) == (0, 0, 0)


def test_rows_are_paired():
    random = np.random.default_rng(0)
    hard = random.normal(size=100)
    # Every row improves by the same amount, so that every sample has the same difference.
    found = difference([shares(hard)], [shares(hard + 0.25)])
    assert [found.low, found.value, found.high] == pytest.approx([0.25] * 3)


@given(st.integers(0, 2**32 - 1), st.integers(2, 30), st.sampled_from([1.0, 100.0]))
def test_swapping_the_models_negates_the_difference(seed, rows, scale):
    first, second = (shares(items) for items in np.random.default_rng(seed).normal(size=(2, rows)))
    one = difference([first], [second], scale=scale, samples=15, seed=seed)
    other = difference([second], [first], scale=scale, samples=15, seed=seed)
    assert one == pytest.approx((-other.value, -other.high, -other.low), abs=1e-9)
    assert one.low <= one.high
    assert one.value == pytest.approx(scale * (second.items - first.items).mean(), abs=1e-9)


def test_higher_confidence_widens_the_interval():
    [first], [second] = simulated(2)
    wide, narrow = (difference([first], [second], samples=100, confidence=share) for share in (0.99, 0.5))
    assert wide.low < narrow.low < narrow.high < wide.high
    assert wide.value == narrow.value


def test_scale_applies_to_value_and_interval():
    [first], [second] = simulated(2)
    one, hundred = (difference([first], [second], samples=30, scale=scale) for scale in (1, 100))
    assert hundred == pytest.approx(tuple(100 * value for value in one))


# -- draws -----------------------------------------------------------------------------------------


def test_seeds():
    [first], [second] = simulated(4)
    before = np.random.get_state()[1].tolist()
    one = difference([first], [second], samples=50)
    assert one == difference([first], [second], samples=50) == difference([first], [second], samples=50, seed=0)
    assert one != difference([first], [second], samples=50, seed=1)
    assert np.random.get_state()[1].tolist() == before
    assert isinstance(one, Difference)
    assert all(type(value) is float for value in one)


def test_coverage_of_accuracies():
    random = np.random.default_rng(0)
    trials, held = 150, 0
    for seed in range(trials):
        hard = random.normal(size=80)
        first, second = (shares(hard + random.normal(loc=mean, size=80)) for mean in (0, 0.3))
        found = difference([first], [second], samples=200, seed=seed)
        held += found.low <= 0.3 <= found.high
    # The standard error is 1.8; percentile intervals of few rows are slightly too narrow.
    assert 0.89 <= held / trials <= 0.99


@pytest.mark.slow
def test_coverage_of_equal_correlations():
    random = np.random.default_rng(0)
    trials, held = 120, 0
    for seed in range(trials):
        gold = random.normal(size=60)
        first, second = (ranked(gold + random.normal(size=60), gold) for _ in range(2))
        found = difference([first], [second], samples=100, seed=seed)
        held += found.low <= 0 <= found.high
    assert 0.88 <= held / trials <= 1  # standard error 2.0


# -- samples without a correlation -----------------------------------------------------------------


def test_samples_without_a_correlation_are_ignored():
    gold = [0.0, 1.0]
    # One sample in two draws one row twice.
    found = difference([ranked([0.1, 0.9], gold)], [ranked([0.9, 0.1], gold)], samples=50)
    assert found == pytest.approx((-2, -2, -2))


def test_equal_similarities_in_some_samples():
    gold = np.arange(6.0)
    first, second = ranked([0, 0, 0, 0, 0, 1], gold), ranked([0, 1, 2, 3, 5, 4], gold)
    found = difference([first], [second], samples=200)
    assert math.isfinite(found.low)
    assert found.low <= found.value <= found.high


def test_no_sample_has_a_correlation():
    flat = Measurement({"spearman": 0.0, "pairs": 3}, np.array([0.1, 0.2, 0.3]), np.ones(3))
    message = r"no sample of the 3 rows has a correlation: scores or similarities are all equal$"
    with pytest.raises(InputValueError, match=message):
        difference([flat], [flat], samples=10)
    same = Measurement({"spearman": 0.0, "pairs": 3}, np.ones(3), np.array([0.1, 0.2, 0.3]))
    with pytest.raises(InputValueError, match=message):
        difference([same], [same], samples=10)


# -- errors ----------------------------------------------------------------------------------------

ROWS = r"the models were measured on different rows: measure both on the same rows$"
GOLD = [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([], [shares([1, 0])], r"a difference needs at least one measurement of each model$"),
        ([shares([1, 0])], [], r"a difference needs at least one measurement of each model$"),
        ([shares([1, 0])], [shares([1, 0, 1])], ROWS),
        ([shares([1, 0]), shares([1])], [shares([1, 0])], ROWS),
        ([ranked(GOLD, GOLD)], [ranked(GOLD, [1.0, 2.0, 4.0])], ROWS),
        ([ranked(GOLD, GOLD)], [shares(GOLD)], ROWS),
        ([shares(GOLD)], [ranked(GOLD, GOLD)], ROWS),
        ([shares([1])], [shares([0])], r"a confidence interval needs at least two rows, got 1$"),
        ([Measurement({"accuracy": 1.0}, np.zeros(0))],
         [Measurement({"accuracy": 1.0}, np.zeros(0))], r"needs at least two rows, got 0$"),
    ],
)  # fmt: skip
def test_invalid_measurements(first, second, message):
    with pytest.raises(InputValueError, match=message):
        difference(first, second)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"samples": 0},
            r"^samples is 0 and confidence 0\.95: give at least 1 sample, and a confidence between",
        ),
        ({"samples": -1}, r"^samples is -1 "),
        ({"confidence": 0}, r"^samples is 1000 and confidence 0:"),
        ({"confidence": 1}, r"confidence 1:"),
        ({"confidence": 95}, r"confidence 95:"),
        ({"confidence": math.nan}, r"confidence nan:"),
    ],
)
def test_invalid_options(options, message):
    with pytest.raises(InputValueError, match=message):
        difference([shares([1, 0])], [shares([0, 1])], **options)
