"""The correlations, and the metric of the `evaluate` library made of them."""

import socket
from pathlib import Path

import evaluate
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import ConstantInputWarning, kendalltau, pearsonr, rankdata, spearmanr

from sda_hf.evaluation.tasks.correlation import correlations
from sda_hf.evaluation.tasks.evaluate_metric import Correlation

# Ranks 1, 3, 2, 4 beside 1, 2, 3, 4: 1 - 6 * 2 / (4 * 15) = 0.8.
PREDICTIONS, REFERENCES = [0.1, 0.5, 0.4, 0.9], [0.0, 1.0, 2.0, 5.0]


@pytest.fixture
def offline(monkeypatch):
    def refuse(*args):
        raise AssertionError("a test tried to use the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def test_by_hand():
    found = correlations(PREDICTIONS, REFERENCES)
    assert list(found) == ["spearman", "pearson"]
    assert found["spearman"] == pytest.approx(0.8, abs=1e-12)
    # Deviations (-.375, .025, -.075, .425) and (-2, -1, 0, 3): 2.0 over the root of 0.3275 * 14.
    assert found["pearson"] == pytest.approx(2 / (0.3275 * 14) ** 0.5, abs=1e-12)
    assert all(type(value) is float for value in found.values())


def test_ties_share_their_rank():
    # Ranks 1.5, 1.5, 3 beside 1, 2, 3.
    assert correlations([1.0, 1.0, 2.0], [0.0, 1.0, 2.0])["spearman"] == pytest.approx(1.5 / (1.5 * 2) ** 0.5)


@pytest.mark.parametrize(("predictions", "sign"), [([1.0, 2.0, 4.0], 1), ([4.0, 3.0, 1.0], -1)])
def test_a_perfect_order(predictions, sign):
    assert correlations(predictions, [0.0, 1.0, 3.0]) == pytest.approx({"spearman": sign, "pearson": sign})


NUMBERS = st.floats(-5, 5).map(lambda number: round(number, 3))


@settings(max_examples=30)
@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=20))
def test_agreement_with_numpy(pairs):
    first, second = map(list, zip(*pairs, strict=True))
    assume(len(set(first)) > 1 and len(set(second)) > 1)
    found = correlations(first, second)
    assert found["pearson"] == pytest.approx(np.corrcoef(first, second)[0, 1], abs=1e-9)
    assert found["spearman"] == pytest.approx(np.corrcoef(rankdata(first), rankdata(second))[0, 1], abs=1e-9)
    assert correlations([number**3 + 7 for number in first], second)["spearman"] == pytest.approx(found["spearman"])


def test_the_metric_of_the_library(tmp_path, offline):
    metric = Correlation(cache_dir=str(tmp_path))
    assert set(metric.features) == {"predictions", "references"}
    assert "Spearman" in metric.description
    assert "spearman" in metric.inputs_description
    metric.add_batch(predictions=PREDICTIONS[:3], references=REFERENCES[:3])
    metric.add(prediction=PREDICTIONS[3], reference=REFERENCES[3])
    found = metric.compute()
    assert found["spearman"] == spearmanr(REFERENCES, PREDICTIONS).statistic
    assert found["pearson"] == pearsonr(REFERENCES, PREDICTIONS).statistic
    assert found["spearman"] != pytest.approx(kendalltau(REFERENCES, PREDICTIONS).statistic)


def test_no_files_are_left(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    cache = Path(evaluate.config.HF_METRICS_CACHE)
    before = sorted(cache.rglob("*"))
    correlations(PREDICTIONS, REFERENCES)
    assert list(tmp_path.iterdir()) == []
    assert sorted(cache.rglob("*")) == before


def test_lists_of_different_length():
    with pytest.raises(ValueError, match=r"must have the same length|array dimensions .* must match|same shape"):
        correlations([1.0, 2.0, 3.0], [1.0, 2.0])


def test_undefined_correlations():
    with pytest.raises(ValueError, match="must have length at least 2"):
        correlations([1.0], [1.0])
    with pytest.warns(ConstantInputWarning):
        found = correlations([1.0, 1.0], [1.0, 2.0])
    assert np.isnan([found["spearman"], found["pearson"]]).all()
