"""Tasks during training: the trainer logs the scores of `evaluate` under `metric_key`."""

import dataclasses
import re

import numpy as np
import pytest
from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments
from sentence_transformers.sentence_transformer.evaluation import EmbeddingSimilarityEvaluator

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.evaluation import PairData, evaluate, evaluator, metric_key, resolve
from sda_hf.evaluation.data.source import Source
from sda_hf.evaluation.scoring.task_evaluator import TaskEvaluator
from sda_hf.evaluation.tasks.ordered_pairs import OrderedData
from sda_hf.evaluation.tasks.transfer import ProbeTask


@pytest.fixture
def logged(tiny_model, tmp_path):
    """Return what the trainer logs for a task."""

    def log(task, data_dir=None):
        arguments = SentenceTransformerTrainingArguments(output_dir=str(tmp_path / "run"), report_to=[], use_cpu=True)
        trainer = SentenceTransformerTrainer(
            model=tiny_model, args=arguments, evaluator=evaluator(task, data_dir=data_dir)
        )
        return trainer.evaluate()

    return log


@pytest.fixture
def triples_file(tmp_path):
    path = tmp_path / "triples.tsv"
    rows = ["a cat sleeps\ta cat sleeps\tthe car stops", "a dog runs\tthe car stops\ta dog runs"]
    path.write_text("\n".join(["anchor\tpositive\tnegative", *rows]) + "\n", encoding="utf-8")
    return f"triples:{path}"


@pytest.fixture
def probe(tmp_path):
    """A task with two classes and enough rows to learn from."""
    words = ["cat", "dog"]
    for split, count in (("train", 640), ("test", 6)):
        rows = [f"a {words[i % 2]} sleeps\t{i % 2}" for i in range(count)]
        (tmp_path / f"animal-{split}.tsv").write_text("\n".join(["text\tlabel", *rows]) + "\n", encoding="utf-8")
    sources = {split: Source(files=(f"animal-{split}",)) for split in ("train", "test")}
    return ProbeTask(name="animal", title="Animal", folds=2, **sources)


@pytest.mark.parametrize("name", ["animals", "eval_animals", "stsb-dev"])
def test_the_trainer_logs_the_metric_key(tiny_model, pairs_file, logged, name):
    task = resolve({"name": name, "path": str(pairs_file)})
    expected = evaluate(tiny_model, [task])[name]["spearman"]
    assert logged(task)[metric_key(task)] * 100 == pytest.approx(expected, abs=1e-4)


def test_graded_pairs_use_the_evaluator_of_sentence_transformers(pairs_file):
    made = evaluator(pairs_file, batch_size=7)
    assert type(made) is EmbeddingSimilarityEvaluator
    assert (made.batch_size, made.similarity_fn_names, made.name) == (7, ["cosine"], "animals")
    assert (made.sentences1[3], made.sentences2[3], list(made.scores)) == ("the car stops", "a dog runs", [5, 3, 1, 0])


def test_triples(tiny_model, triples_file, logged):
    found = logged(triples_file)
    assert metric_key(triples_file) == "eval_triples_accuracy"
    (expected,) = evaluate(tiny_model, [triples_file]).values()
    assert found["eval_triples_accuracy"] == 0.5 == expected["accuracy"] / 100
    assert found["eval_triples_chance"] == 0.5
    assert found["eval_triples_rows"] == 2
    assert found["eval_triples_difference"] == pytest.approx(expected["difference"]), "cosines are on their own scale"


def test_a_probe(tiny_model, probe, tmp_path, logged):
    found = logged(probe, tmp_path)
    expected = evaluate(tiny_model, [probe], tmp_path)["animal"]
    assert metric_key(probe) == "eval_animal_accuracy"
    for name in ("accuracy", "dev_accuracy"):
        assert found[f"eval_animal_{name}"] == pytest.approx(expected[name] / 100)
    assert found[metric_key(probe)] == 1.0, "the two words have vectors of their own"


def test_a_mean_over_subsets(tiny_model, pairs_file, logged, tmp_path):
    lines = pairs_file.read_text(encoding="utf-8").splitlines()
    text = "\n".join(f"{line}\t{end}" for line, end in zip(lines, ["subset", *"aabb"], strict=True))
    (tmp_path / "parts.tsv").write_text(text + "\n", encoding="utf-8")
    task = dataclasses.replace(resolve(tmp_path / "parts.tsv"), aggregate="mean")
    expected = evaluate(tiny_model, [task])["parts"]["spearman"]
    assert metric_key(task) == "eval_parts_spearman"
    assert logged(task)["eval_parts_spearman"] * 100 == pytest.approx(expected)


def test_mteb_tasks_are_logged_under_the_metric_key(tiny_model, monkeypatch, logged):
    """The main scores of mteb's tasks have various names; the task itself has one."""
    monkeypatch.setattr("sda_hf.evaluation.tasks.mteb.check_name", lambda name: None)
    monkeypatch.setattr("sda_hf.evaluation.tasks.mteb.mteb_scores", lambda *_, **__: {"ndcg_at_10": 12.5, "rows": 3})
    found = logged("mteb:NevIR")
    assert found[metric_key("mteb:NevIR")] == found["eval_mteb:NevIR_ndcg_at_10"] == 0.125


@pytest.mark.parametrize(
    ("task", "key"),
    [
        ("stsb-dev", "eval_stsb-dev_spearman_cosine"),
        ("sickr-negation", "eval_sickr-negation_spearman_cosine"),
        ("trec", "eval_trec_accuracy"),
        ("anli", "eval_anli_accuracy"),
        ("candidates:paraphrases.jsonl", "eval_paraphrases_accuracy"),
        ("ordered-pairs:data/ordered.tsv", "eval_ordered_accuracy"),
        ({"path": "own.tsv", "name": "eval_own"}, "eval_own_spearman_cosine"),
    ],
)
def test_keys(task, key):
    assert metric_key(task) == key


@pytest.mark.parametrize(("task", "metric"), [("geometry", "alignment"), ("negated:mine.tsv", "cosine")])
def test_tasks_that_cannot_select_a_model(task, metric):
    message = f"task '{resolve(task).name}': a lower {metric} is better, but does not alone make a better model: select"
    with pytest.raises(InputValueError, match=f"^{re.escape(message)}"):
        metric_key(task)


def test_calling_an_evaluator(tiny_model):
    data = OrderedData([("a cat sleeps", "a cat sleeps")], [("a cat sleeps", "the car stops")])
    made = TaskEvaluator(resolve("triples:mine.tsv"), data, batch_size=2)
    assert (made.primary_metric, made.greater_is_better) == ("accuracy", True)
    tiny_model.train()
    metrics = made(tiny_model, epoch=1, steps=3)
    assert metrics["mine_accuracy"] == 1.0
    assert made.primary_metric in metrics
    assert tiny_model.training


def test_lower_is_better(tiny_model):
    made = TaskEvaluator(resolve("geometry"), PairData(["a cat", "a dog runs"], ["a car", "a cat sleeps"], [5.0, 0.0]))
    with pytest.raises(InputValueError, match=r"no pair differs in length"):
        made(tiny_model)
    made = TaskEvaluator(resolve("geometry"), PairData(["a cat", "a dog runs"], ["a car stops", "a cat"], [5.0, 0.0]))
    found = made(tiny_model)
    assert made.greater_is_better is False
    expected = evaluate_geometry(tiny_model)
    assert found["geometry_alignment"] == pytest.approx(expected, abs=1e-6)


def evaluate_geometry(model):
    """The alignment of the only positive pair, by hand."""
    first, second = (vector / np.linalg.norm(vector) for vector in model.encode(["a cat", "a car stops"]))
    return float(((first - second) ** 2).sum())


def test_unreadable_rows(tmp_path):
    with pytest.raises(InputFileError, match=r"no trec-train"):
        evaluator("trec", tmp_path)


def test_evaluators_do_not_use_the_cache(tiny_model, monkeypatch, triples_file):
    monkeypatch.setattr(
        "sda_hf.evaluation.scoring.measuring.MeasurementCache", lambda folder: pytest.fail("asked the cache")
    )
    assert evaluator(triples_file)(tiny_model)["triples_accuracy"] == 0.5
