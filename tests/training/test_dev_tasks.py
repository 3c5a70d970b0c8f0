"""Recipes whose dev task is none of graded pairs: the best checkpoint is kept by its own figure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from safetensors.torch import load_file
from torch import equal

from sda_hf.errors import InputValueError
from sda_hf.evaluation import evaluate
from sda_hf.evaluation.scoring.task_evaluator import TaskEvaluator
from sda_hf.training import Recipe, run

TRIPLES = [
    ("The door is locked.", "A door is locked.", "The door is not locked."),
    ("A dog sleeps under the table.", "A brown dog sleeps.", "The museum opens at nine."),
    ("Rain fell on the hills.", "Rain fell on hills.", "She finished the chapter."),
]


@pytest.fixture
def folder(recipe_file):
    """The recipe's folder, with triples and the files of a task of labels in it."""
    top = recipe_file.parent
    lines = ["anchor\tpositive\tnegative", *("\t".join(triple) for triple in TRIPLES)]
    (top / "triples.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    rows = [f"{text}\t{label}" for text, label in (("The door is locked.", "0"), ("The river froze.", "1"))]
    for split, count in (("train", 10), ("test", 3)):
        lines = ["text\tlabel", *rows * count]
        (top / f"trec-{split}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return top


def recipe(folder, **tasks):
    """The recipe with other tasks, whose files are beside it."""
    path = folder / "tiny.yaml"
    text = path.read_text(encoding="utf-8")
    for key, value in tasks.items():
        text = text.replace(f"  {key}: pairs.tsv\n", f"  {key}: {value}\n")
    path.write_text(text, encoding="utf-8")
    return Recipe.load(path, [f"evaluation.data_dir={folder}", f"output={folder / 'run'}"])


@pytest.mark.parametrize(
    ("dev", "name"), [("triples:triples.tsv", "triples"), ("trec", "trec")], ids=["triples", "probe"]
)
def test_the_trainer_asks_the_task(folder, dev, name):
    result = run(recipe(folder, dev=dev))
    metrics = json.loads((result.output / "metrics.json").read_text(encoding="utf-8"))
    state = json.loads((folder / "run/checkpoints/checkpoint-4/trainer_state.json").read_text(encoding="utf-8"))
    logged = [log[f"eval_{name}_accuracy"] for log in state["log_history"] if f"eval_{name}_accuracy" in log]
    assert [entry["score"] for entry in metrics["training"]["dev"]] == [100 * score for score in logged]
    assert [entry["step"] for entry in metrics["training"]["dev"]] == [2, 4]
    assert metrics["training"]["best_score"] == 100 * max(logged)
    task = folder / "triples.tsv"
    spec = f"triples:{task}" if name == "triples" else name
    after = evaluate(result.output, [spec], folder)[name]["accuracy"]
    assert after == pytest.approx(metrics["training"]["best_score"]), "what was saved is what was chosen"


@pytest.mark.parametrize(("scores", "best"), [([90.0, 10.0], 2), ([10.0, 90.0], 4)])
def test_the_best_checkpoint_is_kept(folder, monkeypatch, scores, best):
    given = iter(scores)
    monkeypatch.setattr(TaskEvaluator, "__call__", lambda *_, **__: {"triples_accuracy": next(given) / 100})
    output = run(recipe(folder, dev="triples:triples.tsv")).output
    training = json.loads((output / "metrics.json").read_text(encoding="utf-8"))["training"]
    assert (training["best_step"], training["best_score"]) == (best, 90.0)
    kept, other = (
        load_file(Path(output) / "checkpoints" / f"checkpoint-{step}" / "model.safetensors")
        for step in (best, 6 - best)
    )
    saved = load_file(output / "model.safetensors")
    assert all(equal(saved[name], kept[name]) for name in saved)
    assert not all(equal(saved[name], other[name]) for name in saved)


def test_a_dev_task_of_which_less_is_better(folder):
    with pytest.raises(InputValueError, match=r"task 'geometry': a lower alignment is better, but does not alone"):
        run(recipe(folder, dev="geometry"))
    assert not (folder / "run").exists()


def test_test_tasks_may_be_of_several_kinds(folder):
    result = run(recipe(folder, test="[pairs.tsv, 'triples:triples.tsv']", dev="null"))
    assert list(result.after) == ["pairs", "triples"]
    assert list(result.after["triples"]) == ["accuracy", "chance", "difference", "rows"]
