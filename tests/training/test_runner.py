from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import yaml
from safetensors.torch import load_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.evaluation import EmbeddingSimilarityEvaluator

from sda_hf.errors import InputFileError, InputTypeError, InputValueError
from sda_hf.training import Recipe, run, runner


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "model.safetensors")


def with_(recipe: Recipe, **sections) -> Recipe:
    """The recipe with other values: training={"seed": 1}."""
    plain = recipe.to_dict()
    for section, values in sections.items():
        merge = isinstance(values, dict) and section != "augmentation"
        plain[section] = {**plain[section], **values} if merge else values
    return Recipe.from_dict(plain)


def same_weights(first: Path, second: Path) -> bool:
    one, two = weights(first), weights(second)
    return one.keys() == two.keys() and all(torch.equal(one[name], two[name]) for name in one)


def test_a_run_leaves_a_model_its_card_metrics_and_recipe(finished_run):
    result, folder = finished_run, finished_run.output
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["before"] == result.before
    assert metrics["after"] == result.after
    assert result.after["pairs"]["pairs"] == 6
    assert metrics["training"]["steps"] == 4
    assert [score["step"] for score in metrics["training"]["dev"]] == [2, 4]
    assert [loss["step"] for loss in metrics["training"]["losses"]] == [1, 2, 3, 4]
    assert metrics["data"]["sentences"] == 12
    assert 0 < metrics["data"]["rows"] <= 12
    assert metrics["data"]["rewrites"]["negative"]["augmenter"] == "negation"
    assert metrics["data"]["rewrites"]["negative"]["texts"] == 12
    assert metrics["seed"] == 0
    assert Recipe.load(folder / "recipe.yaml") == Recipe.load(folder.parent / "tiny.yaml", [f"output={folder}"])
    assert json.loads((folder / "versions.json").read_text(encoding="utf-8"))["torch"] == torch.__version__
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert f"| pairs | 6 | {result.before['pairs']['spearman']:.2f} | {result.after['pairs']['spearman']:.2f} |" in card
    assert str(folder.parent) not in card
    assert sorted(entry.name for entry in (folder / "checkpoints").glob("checkpoint-*")) == [
        "checkpoint-2",
        "checkpoint-4",
    ]
    assert [entry.name for entry in folder.iterdir() if entry.name.startswith(".")] == []


def test_the_best_checkpoint_is_kept(recipe, monkeypatch):
    scores = iter([0.9, 0.1])
    monkeypatch.setattr(
        EmbeddingSimilarityEvaluator, "__call__", lambda *_, **__: {"pairs_spearman_cosine": next(scores)}
    )
    folder = run(recipe).output
    training = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))["training"]
    assert training["dev"] == [{"step": 2, "score": 90.0}, {"step": 4, "score": 10.0}]
    assert (training["best_step"], training["best_score"]) == (2, 90.0)
    assert same_weights(folder, folder / "checkpoints" / "checkpoint-2")
    assert not same_weights(folder, folder / "checkpoints" / "checkpoint-4")


def test_without_keep_best_the_last_step_is_saved(recipe):
    folder = run(with_(recipe, evaluation={"keep_best": False})).output
    training = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))["training"]
    assert training["best_step"] is None
    assert same_weights(folder, folder / "checkpoints" / "checkpoint-4")


@pytest.mark.slow
def test_a_saved_model_needs_sentence_transformers_alone(finished_run):
    folder = finished_run.output
    expected = SentenceTransformer(str(folder), device="cpu").encode(["The door is locked."])[0, :4].tolist()
    program = (
        "import sys; sys.modules['sda_hf'] = None\n"
        "from sentence_transformers import SentenceTransformer\n"
        f"model = SentenceTransformer({str(folder)!r}, device='cpu')\n"
        "print(model.encode(['The door is locked.'])[0, :4].tolist())"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == pytest.approx(expected, abs=1e-6)


def test_two_runs_are_equal_and_another_seed_differs(finished_run, recipe, tmp_path):
    first = finished_run
    second = run(recipe, output=tmp_path / "b")
    other = run(with_(recipe, training={"seed": 1}), output=tmp_path / "c")
    assert first.before == second.before
    assert first.after == second.after
    assert same_weights(first.output, second.output)
    assert not same_weights(first.output, other.output)


def test_recipe_versions_and_scores_are_written_before_the_first_step(recipe, monkeypatch):
    def stop(self, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(runner.SentenceTransformerTrainer, "train", stop)
    with pytest.raises(KeyboardInterrupt):
        run(recipe)
    folder = Path(recipe.output)
    assert Recipe.load(folder / "recipe.yaml") == recipe
    assert (folder / "versions.json").is_file()
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["before"]["pairs"]["pairs"] == 6
    assert "after" not in metrics


def test_a_resumed_run_ends_like_one_that_was_never_stopped(recipe, tmp_path, monkeypatch):
    whole = run(recipe, output=tmp_path / "whole")
    step = runner.SentenceTransformerTrainer.training_step
    steps = []

    def stop_at_the_third(self, *arguments, **options):
        steps.append(1)
        if len(steps) == 3:
            raise KeyboardInterrupt
        return step(self, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(runner.SentenceTransformerTrainer, "training_step", stop_at_the_third)
        with pytest.raises(KeyboardInterrupt):
            run(recipe, output=tmp_path / "parts")
    assert not (tmp_path / "parts" / "modules.json").exists()
    with pytest.raises(InputValueError, match=r"training\.learning_rate was 0\.01 and is 0\.02; resume with the same"):
        run(with_(recipe, training={"learning_rate": 0.02}), output=tmp_path / "parts", resume=True)
    resumed = run(recipe, output=tmp_path / "parts", resume=True)
    assert resumed.before == whole.before
    assert resumed.after == whole.after
    assert same_weights(resumed.output, whole.output)
    with pytest.raises(InputFileError, match="is finished, so there is nothing to resume"):
        run(recipe, output=tmp_path / "parts", resume=True)


def test_resume_begins_a_run_that_is_not_there(recipe):
    assert run(recipe, resume=True).after["pairs"]["pairs"] == 6


def test_a_folder_in_use_is_refused(recipe, tmp_path):
    output = tmp_path / "mine"
    output.mkdir()
    (output / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(InputFileError, match="is not empty: give another folder, or resume or overwrite"):
        run(recipe, output=output)
    with pytest.raises(InputFileError, match="is not the folder of a run .* so it is not overwritten"):
        run(recipe, output=output, overwrite=True)
    with pytest.raises(InputFileError, match="is not the folder of a run, so there is nothing to resume"):
        run(recipe, output=output, resume=True)
    with pytest.raises(InputFileError, match="is a file, not a folder"):
        run(recipe, output=output / "thesis.txt")
    with pytest.raises(InputValueError, match="resume and overwrite contradict each other"):
        run(recipe, output=output, resume=True, overwrite=True)
    assert [entry.name for entry in output.iterdir()] == ["thesis.txt"]


def test_a_run_is_overwritten_but_never_its_own_input(recipe):
    folder = run(recipe).output
    (folder / "stale.txt").write_text("", encoding="utf-8")
    with pytest.raises(InputFileError, match="is not empty"):
        run(recipe)
    with pytest.raises(InputFileError, match="is not overwritten, because .* is inside it"):
        run(recipe.replace(model=str(folder)), overwrite=True)
    run(recipe, overwrite=True)
    assert not (folder / "stale.txt").exists()


def test_a_mistake_in_the_recipe_leaves_the_folder_alone(recipe):
    folder = run(recipe).output
    (folder / "stale.txt").write_text("", encoding="utf-8")
    with pytest.raises(InputValueError, match="unknown augmenter 'negatoin': did you mean 'negation'"):
        run(recipe.replace(augmentation={"name": "negatoin"}), overwrite=True)
    with pytest.raises(InputValueError, match="loss: .*marjin"):
        run(with_(recipe, loss={"marjin": 1}), overwrite=True)
    assert (folder / "stale.txt").exists()


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"loss": {"name": "infonc"}}, InputValueError, "unknown loss 'infonc'"),
        ({"loss": {"temperature": 0}}, InputValueError, "loss: temperature is 0"),
        ({"model": "/no/such/folder"}, InputFileError, "model: '/no/such/folder' is neither a folder with a model nor"),
        ({"evaluation": {"test": ["stbs"]}}, InputValueError, "unknown task 'stbs': did you mean 'sts'"),
        ({"evaluation": {"dev": "/no/such.tsv"}}, InputFileError, r"^/no/such\.tsv: no such file"),
        ({"training": {"scheduler": "linaer"}}, InputValueError, "training: .*linaer"),
        ({"training": {"batch_size": 1}}, InputValueError, r"training\.batch_size is 1: a contrastive loss compares"),
        ({"data": {"limit": 1}}, InputValueError, "there is only one training row: a contrastive loss compares"),
        (
            {"training": {"arguments": {"per_device_train_batch_size": 3}}},
            InputValueError,
            r"training\.arguments\.per_device_train_batch_size: use the recipe's own key for it, training\.batch_size",
        ),
        (
            {"training": {"arguments": {"dataloader_num_worker": 3}}},
            InputValueError,
            r"did you mean 'training\.arguments\.dataloader_num_workers'",
        ),
        (
            {"augmentation": None, "loss": {"name": "opposition"}},
            InputValueError,
            r"^loss: OppositionLoss takes the columns \(claim, denial, contrary, equivalent\), and the rows will have "
            r"\(anchor, positive\): change",
        ),
        (
            {"loss": {"name": "retention"}},
            InputValueError,
            r"^loss: RetentionLoss takes the columns \(sentence\), and the rows will have \(anchor, positive, neg",
        ),
        ({"augmentation": None, "data": {"files": ["/no/such.txt"]}}, InputFileError, r"no such file: /no/such\.txt"),
        (
            {"augmentation": None, "data": {"column": "body"}},
            InputValueError,
            "no column 'body': the columns are 'text': check data.column",
        ),
    ],
)
def test_what_a_recipe_names_must_be_there(recipe, changes, error, message):
    with pytest.raises(error, match=message):
        run(with_(recipe, **changes))
    assert not list(Path(recipe.output).glob("checkpoints/*"))


def test_without_augmentation_sentences_are_paired_with_themselves(recipe):
    folder = run(with_(recipe, augmentation=None, evaluation={"dev": None, "test": []})).output
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["before"] == metrics["after"] == {}
    assert metrics["data"] == {
        "sentences": 12,
        "rows": 12,
        "without_negative": 0,
        "positive_changed": 0.0,
        "rewrites": {},
    }
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "Scores: not measured." in card
    assert "Every sentence was paired with itself" in card


def test_a_loss_of_sentence_transformers_by_name(recipe):
    recipe = recipe.replace(loss={"name": "multiple-negatives-ranking", "scale": 10.0})
    folder = run(recipe).output
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "MultipleNegativesRankingLoss" in card
    assert '"scale": 10.0' in card
    with pytest.raises(InputValueError, match="loss: unknown MultipleNegativesRankingLoss argument 'scal'"):
        run(recipe.replace(loss={"name": "multiple-negatives-ranking", "scal": 1}), overwrite=True)


def test_a_negative_augmenter_alone_gives_triplets(recipe):
    folder = run(with_(recipe, augmentation={"name": "negation"})).output
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "Training rows (anchor, positive, negative)" in card


def test_the_global_generators_decide_nothing_before_training(recipe, tmp_path):
    first = run(recipe, output=tmp_path / "a")
    random.seed(99)
    torch.manual_seed(99)
    assert same_weights(run(recipe, output=tmp_path / "b").output, first.output)


@pytest.mark.parametrize(("name", "pairs"), [("quickstart", "pairs"), ("quickstart_zh", "pairs-zh")])
def test_the_quickstart_runs_end_to_end(name, pairs, tmp_path):
    root = Path(__file__).parents[2] / "recipes" / f"{name}.yaml"
    overrides = ["training.max_steps=2", "data.limit=100", "training.arguments={disable_tqdm: true}"]
    result = run(Recipe.load(root, overrides), output=tmp_path / "quick")
    assert result.after[pairs]["pairs"] >= 100
    assert yaml.safe_load((result.output / "recipe.yaml").read_text(encoding="utf-8"))["training"]["max_steps"] == 2
    assert os.listdir(result.output / "checkpoints")


def test_types_of_data_columns(recipe, tmp_path):
    (tmp_path / "numbers.jsonl").write_text('{"text": 1}\n{"text": 2}\n', encoding="utf-8")
    with pytest.raises(InputTypeError, match=r"data\.column: .*numbers\.jsonl, line 1: 'text' holds int, not a string"):
        run(with_(recipe, data={"files": [str(tmp_path / "numbers.jsonl")]}))
