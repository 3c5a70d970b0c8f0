"""Measuring models: agreement with sentence-transformers, embedding each sentence once, undefined scores."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from sda_hf.errors import InputFileError, InputTypeError, InputValueError
from sda_hf.evaluation import TASKS, evaluate, evaluator, measure, read_all, resolve, resolve_all

SHARED = Path(__file__).parents[3].parent / "shared" / "data" / "sts"


class Fixed(torch.nn.Module):
    """A model with given embeddings that records its inputs."""

    def __init__(self, vector_of):
        super().__init__()
        self.vector_of = vector_of
        self.calls = []

    def encode(self, sentences, **options):
        self.calls.append((sentences, options))
        return np.array([self.vector_of(text) for text in sentences])


def letters(text):
    return np.array([text.count(letter) for letter in "acdegrs "], dtype=np.float32)


def test_agreement_with_sentence_transformers(tiny_model, pairs_file):
    ours = evaluate(tiny_model, [pairs_file])["animals"]
    theirs = evaluator(pairs_file)(tiny_model)
    assert ours["spearman"] / 100 == pytest.approx(theirs["animals_spearman_cosine"], abs=1e-6)
    assert ours["pearson"] / 100 == pytest.approx(theirs["animals_pearson_cosine"], abs=1e-6)
    assert ours["pairs"] == 4
    assert all(isinstance(value, (float, int)) for value in ours.values())


def test_distinct_sentences_are_encoded_once(pairs_file):
    model = Fixed(letters)
    again = dataclasses.replace(resolve(pairs_file), name="again")
    results = evaluate(model, [pairs_file, again], batch_size=1)
    assert results["animals"] == results["again"]
    assert list(results) == ["animals", "again"]
    # Longest first; four texts of four tokens fill a batch of sixteen.
    [(sentences, options)] = model.calls
    assert sentences == ["the car stops", "a cat sleeps", "a dog sleeps", "a dog runs"]
    assert options["batch_size"] == 4
    assert options["show_progress_bar"] is False


def test_scale_and_precision_of_embeddings_do_not_matter(pairs_file):
    result = evaluate(Fixed(letters), [pairs_file])["animals"]
    # Their squares overflow in half precision.
    half = evaluate(Fixed(lambda text: (letters(text) * 1000).astype(np.float16)), [pairs_file])["animals"]
    assert half == pytest.approx(result)


def test_zero_vectors(pairs_file):
    model = Fixed(lambda text: letters(text) * ("car" not in text))
    assert evaluate(model, [pairs_file])["animals"]["spearman"] == pytest.approx(100)


@pytest.mark.parametrize("training", [True, False])
def test_the_mode_is_restored(tiny_model, pairs_file, training):
    tiny_model.train(training)
    inner = tiny_model[0]  # a part that differs from the whole, as a frozen one does
    inner.train(not training)
    evaluate(tiny_model, [pairs_file])
    assert tiny_model.training is training
    assert inner.training is not training


def test_the_mode_is_restored_after_an_error(pairs_file):
    def fail(text):
        model.eval()
        raise RuntimeError("out of memory")

    model = Fixed(fail).train()
    with pytest.raises(RuntimeError, match="out of memory"):
        evaluate(model, [pairs_file])
    assert model.training


def test_the_random_state_is_not_touched(tiny_model, pairs_file):
    state = torch.get_rng_state()
    evaluate(tiny_model, [pairs_file])
    assert torch.equal(torch.get_rng_state(), state)


def test_a_model_by_its_folder(tiny_model, pairs_file, tmp_path):
    tiny_model.save(str(tmp_path / "model"))
    expected = evaluate(tiny_model, [pairs_file])
    assert evaluate(tmp_path / "model", [pairs_file]) == expected
    assert evaluate(str(tmp_path / "model"), [pairs_file]) == expected


def test_rows_are_read_before_the_model_is_loaded(tmp_path):
    with pytest.raises(InputFileError, match=r"no stsb-test"):
        evaluate("no/model", ["stsb"], data_dir=tmp_path)


def test_equal_scores(tmp_path):
    path = tmp_path / "flat.tsv"
    path.write_text("sentence1\tsentence2\tscore\na\tb\t2\nc\td\t2.0\n")
    for act in (lambda: evaluate(Fixed(letters), [path]), lambda: evaluator(path)):
        with pytest.raises(InputValueError, match=r"'flat': all 2 pairs have the score 2: a correlation needs"):
            act()


@pytest.mark.parametrize(
    "vector_of",
    [
        lambda text: np.ones(4, dtype=np.float32),
        lambda text: np.zeros(4, dtype=np.float32),
        # Parallel vectors: the cosines differ by rounding errors only.
        lambda text: np.array([0.1, 0.2, 0.3], dtype=np.float32) * len(text),
    ],
)
def test_a_collapsed_model(pairs_file, vector_of):
    with pytest.raises(InputValueError, match=r"'animals': all 4 pairs have the same similarity, [01]\.0000"):
        evaluate(Fixed(vector_of), [pairs_file])


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_model_with_nan(pairs_file, value):
    model = Fixed(lambda text: np.full(8, value) if "car" in text else letters(text))
    with pytest.raises(
        InputValueError, match=r"the embedding of 'the car stops' contains NaN or infinity \(1 of the 4"
    ):
        evaluate(model, [pairs_file])


@pytest.mark.parametrize(
    ("tasks", "error", "message"),
    [
        ("stsb", InputTypeError, r"tasks is 'stsb': give a list of tasks, \['stsb'\]"),
        ([], InputValueError, r"tasks is empty"),
        (["stbs"], InputValueError, r"unknown task 'stbs'"),
    ],
)
def test_invalid_tasks(tasks, error, message):
    with pytest.raises(error, match=message):
        evaluate(Fixed(letters), tasks)


def test_two_tasks_with_the_same_name(pairs_file):
    with pytest.raises(InputValueError, match=r"two tasks are named 'animals'"):
        evaluate(Fixed(letters), [pairs_file, {"path": str(pairs_file), "columns": {"score": "gold"}}])


def test_duplicate_tasks_are_measured_once(pairs_file):
    results = evaluate(Fixed(letters), [pairs_file, {"path": str(pairs_file)}])
    assert list(results) == ["animals"]


def test_measurements_have_one_item_per_row(tiny_model, pairs_file):
    data = read_all(resolve_all([pairs_file]))
    measured = measure(tiny_model, data)
    assert measured.metrics == evaluate(tiny_model, [pairs_file])
    assert measured.cached == {}
    [(task, pairs)] = data
    first, second = (tiny_model.encode(side) for side in (pairs.sentences1, pairs.sentences2))
    cosines = (first * second).sum(1) / np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)
    assert measured.measurements[task.name].items == pytest.approx(cosines, abs=1e-6)
    assert measured.measurements[task.name].gold.tolist() == [5, 3, 1, 0]


def test_naming_tasks_imports_nothing_heavy():
    code = (
        "import sys, sda_hf.evaluation as e; e.resolve('stsb'); "
        "print({'torch', 'scipy', 'datasets', 'sentence_transformers', 'pyarrow'} & set(sys.modules))"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def needs_shared_data():
    if not SHARED.is_dir():
        pytest.skip(f"reference data is not there: {SHARED}")
    return SHARED


@pytest.mark.parametrize("name", ["sts12", "sts13", "stsb", "stsb-dev", "sickr", "sickr-dev"])
def test_the_reference_data_are_complete(name):
    pairs = TASKS.get(name).read(needs_shared_data())
    assert len(pairs) == len(pairs.sentences1) == len(pairs.sentences2) == TASKS.get(name).source.rows
    assert min(pairs.scores) >= 0
    assert max(pairs.scores) <= 5


@pytest.mark.slow
def test_reference_scores_of_a_known_model(minilm):
    """The score on STS-B is published; the one on SICK-R dev is a regression test."""
    results = evaluate(minilm, ["stsb", "sickr-dev"], data_dir=needs_shared_data())
    assert results["stsb"]["spearman"] == pytest.approx(82.03, abs=0.05)
    assert results["sickr-dev"]["spearman"] == pytest.approx(79.80, abs=0.05)
