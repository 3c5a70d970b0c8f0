"""Recipes with several datasets: squares beside ordinary sentences, on a tiny encoder."""

from __future__ import annotations

import json
import shutil

import pytest
import torch
import yaml
from datasets import Dataset, DatasetDict
from safetensors.torch import load_file
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer
from sentence_transformers.base.sampler import DefaultBatchSampler
from sentence_transformers.sentence_transformer.losses import MatryoshkaLoss
from torch.utils.data import ConcatDataset

from sda_hf.augmentation import LexiconSquares
from sda_hf.errors import InputFileError, InputTypeError, InputValueError
from sda_hf.files.packaged import recipe_folder
from sda_hf.training import Recipe, run
from sda_hf.training.card import rewrite_card
from sda_hf.training.encoder import make_encoder
from sda_hf.training.parts import texts_of
from sda_hf.training.recipe import Data, TrainingSet
from sda_hf.training.run_folder import RunFolder
from sda_hf.training.runner import Run
from sda_hf.training.streams import Reading
from sda_hf.training.trainer_arguments import OneOfEach

READING = Reading(shards=1, seed=0, redraw=False)
DATASETS = """\
datasets:
  lexicon:
    data: {generator: {name: lexicon-squares, count: 12}}
    loss: {name: opposition}
  natural:
    data: {files: sentences.txt}
    augmentation: {name: opposition-squares}
    loss: {name: opposition, margin: 0.1}
  ordinary:
    data: {files: sentences.txt, license: mit}
    labels: embeddings
    loss: {name: retention, weight: 2}
    batch_size: 6
"""


@pytest.fixture
def several(recipe_file):
    """The tiny recipe with three datasets."""
    text = recipe_file.read_text(encoding="utf-8")
    start, end = text.index("data:\n"), text.index("training:\n")
    recipe_file.write_text(text[:start] + DATASETS + text[end:], encoding="utf-8")
    return recipe_file


def load(path, *overrides):
    return Recipe.load(path, [f"output={path.parent / 'run'}", *overrides])


# -- the recipe --------------------------------------------------------------------------------------


def test_a_recipe_with_several_datasets(several):
    recipe = load(several)
    assert list(recipe.datasets) == list(recipe.training_sets) == ["lexicon", "natural", "ordinary"]
    assert recipe.datasets["ordinary"].data.files == (str(several.with_name("sentences.txt")),)
    assert recipe.augmenters == [{"name": "opposition-squares"}]
    assert recipe.generators == [{"name": "lexicon-squares", "count": 12}]
    plain = yaml.safe_load(recipe.to_yaml())
    assert not {"data", "augmentation", "loss"} & set(plain)
    assert Recipe.from_dict(plain) == recipe
    assert recipe.replace(output="x").datasets == recipe.datasets


def test_a_recipe_with_one_dataset_says_nothing_of_several(recipe):
    assert "datasets" not in recipe.to_dict()
    assert recipe.training_sets[""].loss == recipe.loss


def test_datasets_are_dropped_and_changed_by_overrides(several):
    recipe = load(
        several, "datasets.ordinary=null", "datasets.lexicon.loss.in_batch=true", "datasets.natural.batch_size=2"
    )
    assert list(recipe.datasets) == ["lexicon", "natural"]
    assert recipe.datasets["lexicon"].loss == {"name": "opposition", "in_batch": True}
    assert recipe.datasets["natural"].batch_size == 2
    added = load(several, "datasets.more={data: {files: more.txt}, loss: {name: nt-xent}}")
    assert added.datasets["more"].data.files[0].endswith("/more.txt")


@pytest.mark.parametrize(
    ("overrides", "error", "message"),
    [
        (
            ["datasets.lexicon.los=1"],
            InputValueError,
            "key 'datasets.lexicon.los': did you mean 'datasets.lexicon.loss'",
        ),
        (
            ["datasets.lexicon.data.limt=1"],
            InputValueError,
            r"'datasets.lexicon.data.limt': did you mean .*data.limit'",
        ),
        (["datasets.lexicon.batch_size=0"], InputValueError, r"datasets\.lexicon\.batch_size: 0 is out of range"),
        (["datasets.natural.data.limit=x"], InputTypeError, r"datasets\.natural\.data\.limit: 'x' is not an integer"),
        (
            ["datasets.natural.loss={margin: 1}"],
            InputValueError,
            r"datasets\.natural\.loss: needs a `name`; given: mar",
        ),
        (
            ["datasets.natural.labels=scores"],
            InputValueError,
            r"datasets\.natural\.labels: 'scores' is not known: .*embed",
        ),
        (
            ["datasets.natural.labels=embeddings"],
            InputValueError,
            r"datasets\.natural\.labels: .*; remove augmentation",
        ),
        (
            ["datasets.lexicon.labels=embeddings"],
            InputValueError,
            r"datasets\.lexicon\.labels: a generator makes whole",
        ),
        (["datasets.lexicon.data.files=a"], InputValueError, r"datasets\.lexicon\.data: give one of .*: files and gen"),
        (["datasets.lexicon.data.generator={count: 3}"], InputValueError, r"lexicon\.data\.generator: needs a `name`"),
        (
            ["datasets.more={data: {files: a}}"],
            InputValueError,
            r"datasets\.more\.loss: missing; give name of its loss",
        ),
        (["datasets.more=3"], InputTypeError, r"datasets\.more: 3 is not a mapping"),
        (["datasets.a b={}"], InputValueError, "datasets: the name 'a b' is not allowed: use letters, digits, _ and -"),
        (["datasets=3"], InputTypeError, "datasets: 3 is not a mapping"),
        (["datasets={a: null}"], InputValueError, "datasets: all of them are null; leave at least one"),
        (
            ["data={files: a}"],
            InputValueError,
            r"data: with datasets, each has its own: move it to datasets\.NAME\.data",
        ),
        (["loss={name: nt-xent}"], InputValueError, r"loss: with datasets, each has its own: move it to datasets"),
        (["labels=embeddings"], InputValueError, r"key 'labels': did you mean 'datasets\.NAME\.labels'"),
        (["training.redraw=true"], InputValueError, "training.redraw: there is no augmentation to redraw"),
        (["training.lora={}"], InputValueError, "training.lora: an adapter is saved without the encoder below it"),
        (["model=m", "training.lora.rank=0"], InputValueError, r"training\.lora\.rank: 0 is out of range"),
        (["evaluation.dev=[]"], InputValueError, r"evaluation\.dev: the list is empty; give at least one"),
        (["datasets.natural.augmentation.parser=en_x"], None, ""),
    ],
)
def test_bad_recipe(several, overrides, error, message):
    if error is None:
        assert load(several, *overrides).datasets["natural"].augmentation["parser"] == "en_x", "typed by the user"
        return
    with pytest.raises(error, match=message):
        load(several, *overrides)


@pytest.mark.parametrize(
    "place", ["augmentation: {name: opposition-squares,", "data: {generator: {name: lexicon-squares,"]
)
def test_a_strangers_parser_is_refused(several, place):
    key = place.split("{name")[0]
    text = several.read_text(encoding="utf-8").replace("name: opposition-squares}", "name: opposition-squares, x: 1}")
    text = text.replace(place, place + " parser: /no/such/parser,")
    assert key in text
    several.write_text(text, encoding="utf-8")
    with pytest.raises(InputValueError, match=r"datasets: .* the parser '/no/such/parser', which is a path"):
        load(several)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        (
            "datasets.lexicon.data.generator.name=lexicon",
            r"datasets\.lexicon\.data\.generator: unknown .*lexicon-squares",
        ),
        ("datasets.lexicon.data.generator.count=0", r"datasets\.lexicon\.data\.generator: LexiconSquares: count"),
        ("datasets.natural.augmentation.name=squares", r"datasets\.natural\.augmentation: unknown augmenter 'squares'"),
        (
            "datasets.natural.loss.name=oposition",
            r"datasets\.natural: unknown loss 'oposition': did you mean 'opposition'",
        ),
        (
            "datasets.train={data: {files: a}, loss: {name: nt-xent}}",
            "the name 'train' is an attribute of torch modules",
        ),
    ],
)
def test_a_run_names_the_dataset(several, override, message):
    recipe = load(several, override)
    with pytest.raises(InputValueError, match=message):
        Run(recipe, RunFolder(recipe.output), None)


def test_a_recipe_without_its_files_says_in_one_line_what_to_pass(tmp_path, monkeypatch):
    recipe = tmp_path / "package" / "recipes" / "sees_not.yaml"  # its files are expected two folders up
    recipe.parent.mkdir(parents=True)
    shutil.copy(recipe_folder() / "sees_not.yaml", recipe)
    monkeypatch.setattr("sda_hf.training.runner.make_encoder", lambda *given: pytest.fail("a model is loaded"))
    with pytest.raises(InputFileError) as failed:
        run(Recipe.load(recipe), tmp_path / "run")
    message, data = str(failed.value), tmp_path / "shared" / "data"
    for path, names in (
        (data / "ud" / "en_ewt-train.conllu.gz", ("web_antonyms", "web")),
        (data / "text" / "en_wiki.txt.gz", ("wiki_antonyms", "statements", "encyclopedia")),
    ):
        assert f"{', '.join(f'datasets.{name}.data.files' for name in names)}: no such file: {path}" in message
        assert all(f" --set datasets.{name}.data.files=FILE" in message for name in names)
        assert message.count(str(path)) == 1
    assert f"evaluation.data_dir: no such folder: {data / 'sts'}: give your own with --set " in message
    assert message.endswith(", or leave a dataset out with --set datasets.NAME=null")
    assert not (tmp_path / "run").exists() or not any((tmp_path / "run").glob("[!.]*"))


def test_errors_of_the_rows_name_the_dataset(several):
    with pytest.raises(InputFileError, match=r"^datasets\.natural\.data\.files: no such file: .*nowhere"):
        run(load(several, "datasets.natural.data.files=nowhere.txt"))
    with pytest.raises(InputValueError, match=r"^datasets\.natural\.loss: unknown OppositionLoss argument 'margn'"):
        run(load(several, "datasets.natural.loss={name: opposition, margn: 1}"))


# -- the run -----------------------------------------------------------------------------------------


@pytest.fixture
def result(several):
    return run(load(several))


def test_a_run_on_several_datasets(result):
    metrics = json.loads((result.output / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["training"]["steps"] == 4
    assert metrics["datasets"]["lexicon"]["data"]["rows"] == 12
    assert metrics["datasets"]["natural"]["data"]["sentences"] == 12
    assert metrics["datasets"]["natural"]["data"]["rewrites"]["denial"]["augmenter"] == "negation"
    assert metrics["datasets"]["ordinary"]["data"]["rows"] == 12
    assert list(metrics["datasets"]["lexicon"]["examples"][0]) == ["claim", "denial", "contrary", "equivalent"]
    assert "data" not in metrics
    for entry in metrics["training"]["losses"]:
        assert list(entry["parts"]) == ["lexicon_loss", "natural_loss", "ordinary_own", "ordinary_similarities"]
        assert sum(entry["parts"].values()) == pytest.approx(entry["loss"], abs=3e-4)
    assert result.model.encode(["It rains."]).shape == (1, 16)


def test_the_card_of_several_datasets(result):
    card = (result.output / "README.md").read_text(encoding="utf-8")
    for said in (
        "- `natural`: `OppositionLoss` on ",
        "- `ordinary`: `RetentionLoss` on 12 rows (sentence, label), made from 12 sentences",
        "### lexicon\n\n- Generator: `lexicon-squares`",
        "Every sentence is labelled with its embedding by the encoder before training.",
        "`lexicon`, `natural`: `OppositionLoss`",
        "burges2005ranknet",
        "tung2019similarity",
    ):
        assert said in card
    assert not rewrite_card(result.output)
    (result.output / "README.md").unlink()
    assert rewrite_card(result.output)


def test_a_resumed_run_ends_as_an_unbroken_one(several, result, monkeypatch):
    whole = load_file(result.output / "model.safetensors")
    recipe = load(several, f"output={several.parent / 'again'}")
    run(recipe)
    folder = RunFolder(recipe.output)
    for name in ("metrics.json", "model.safetensors"):
        (folder.path / name).unlink()
    folder.remove_checkpoints_after(str(folder.checkpoints / "checkpoint-2"))
    calls = []
    encode = SentenceTransformer.encode
    monkeypatch.setattr(SentenceTransformer, "encode", lambda *a, **k: calls.append(a[1]) or encode(*a, **k))
    again = run(recipe, resume=True)
    resumed = load_file(again.output / "model.safetensors")
    assert all(torch.equal(resumed[name], value) for name, value in whole.items())
    assert not any("He travelled widely in Europe." in texts for texts in calls), "the labels are taken from the cache"


def test_the_labels_are_those_of_the_untrained_encoder(several):
    recipe = load(several, "evaluation={}", "datasets.lexicon=null", "datasets.natural=null")
    untrained = run(recipe.replace(training=recipe.training.replace(learning_rate=1e-30))).model
    part = Run(recipe, RunFolder(recipe.output), None).parts["ordinary"]
    rows = part.rows(part.load(), untrained, None, 4, READING).dataset
    assert rows.column_names == ["sentence", "label"]
    torch.testing.assert_close(torch.tensor(rows["label"][:]), torch.from_numpy(untrained.encode(rows["sentence"][:])))
    prompted = part.rows(part.load(), untrained, {"ordinary": "the "}, 4, READING).dataset
    expected = untrained.encode(rows["sentence"][:], prompt="the ")
    torch.testing.assert_close(torch.tensor(prompted["label"][:]), torch.from_numpy(expected))
    untrained.truncate_dim = 4
    assert len(part.rows(part.load(), untrained, None, 4, READING).dataset[0]["label"]) == 16


def test_the_default_prompt_of_the_model_is_that_of_training(several, tmp_path, monkeypatch):
    first = run(load(several, f"output={tmp_path / 'encoder'}", "training.max_steps=1", "evaluation={}"))
    first.model.prompts, first.model.default_prompt_name = {"retrieval": "barn: "}, "retrieval"
    first.model.save_pretrained(str(tmp_path / "prompted"))
    seen = []
    preprocess = SentenceTransformer.preprocess

    def noted(model, texts, **options):
        if "prompt" in options:  # not when the card counts tokens
            seen.append(options["prompt"])
        return preprocess(model, texts, **options)

    monkeypatch.setattr(SentenceTransformer, "preprocess", noted)
    overrides = [f"model={tmp_path / 'prompted'}", "evaluation={}"]
    run(load(several, f"output={tmp_path / 'default'}", *overrides))
    assert set(seen) == {"barn: "}, "labels and batches"
    seen.clear()
    run(load(several, f"output={tmp_path / 'typed'}", *overrides, "training.arguments.prompts={natural: 'a: '}"))
    assert {prompt or "" for prompt in seen} == {"a: ", ""}


def test_generated_rows_are_made_once(several, monkeypatch):
    recipe = load(several)
    rows = Run(recipe, RunFolder(recipe.output), None).parts["lexicon"].load()
    monkeypatch.setattr(LexiconSquares, "__iter__", None)
    assert Run(recipe, RunFolder(recipe.output), None).parts["lexicon"].load()[:] == rows[:]


def test_losses_inside_matryoshka_train_on_several_datasets(several):
    recipe = load(several, "evaluation={}")
    checked = Run(recipe, RunFolder(recipe.output), None)
    loaded = {name: part.load() for name, part in checked.parts.items()}
    model = make_encoder(recipe, texts_of(loaded), "cpu")
    rows = {name: part.rows(loaded[name], model, None, 8, READING).dataset for name, part in checked.parts.items()}
    losses = {name: MatryoshkaLoss(model, part.loss(model), [16, 8]) for name, part in checked.parts.items()}
    trainer = SentenceTransformerTrainer(model, checked.arguments, DatasetDict(rows), loss=losses)
    assert trainer.train().global_step == 4


@pytest.mark.parametrize(("left", "steps"), [("natural", 4), ("ordinary", 4)])
def test_one_dataset_may_be_left(several, left, steps):
    drop = [f"datasets.{name}=null" for name in ("lexicon", "natural", "ordinary") if name != left]
    metrics = json.loads((run(load(several, *drop)).output / "metrics.json").read_text(encoding="utf-8"))
    assert list(metrics["datasets"]) == [left]
    assert metrics["training"]["steps"] == steps


def test_every_step_takes_a_batch_of_each():
    datasets = [Dataset.from_dict({"n": list(range(size))}) for size in (7, 20, 9)]
    samplers = [DefaultBatchSampler(range(len(one)), batch_size=2, drop_last=False) for one in datasets]
    batches = list(OneOfEach((2, 5, 3), usual=2)(ConcatDataset(datasets), samplers))
    origins = [[sum(index >= start for start in (7, 27)) for index in batch] for batch in batches]
    assert [origin[0] for origin in origins] == [0, 1, 2] * 3
    assert [len(origin) for origin in origins] == [2, 5, 3] * 3
    assert all(len(set(origin)) == 1 for origin in origins)


def test_the_gradient_of_a_step_is_the_mean_of_the_datasets(several):
    """One step of plain gradient descent, against the losses computed by hand."""
    plain = {"optim": "sgd", "disable_tqdm": True, "max_steps": 1}
    recipe = load(
        several, "training.max_steps=1", "evaluation={}", "training.warmup_ratio=0", "training.max_grad_norm=1e9"
    )
    del plain["max_steps"]
    recipe = recipe.replace(
        model=recipe.model.replace(build=recipe.model.build.replace(dropout=0.0)),
        training=recipe.training.replace(arguments=plain, learning_rate=0.1, scheduler="constant", batch_size=12),
        datasets={name: one.replace(batch_size=12) for name, one in recipe.datasets.items()},
    )
    trained = run(recipe).model
    check = Run(recipe, RunFolder(recipe.output), None)
    loaded = {name: part.load() for name, part in check.parts.items()}
    model = make_encoder(recipe, texts_of(loaded), "cpu").eval()
    total = 0
    for name, part in check.parts.items():
        rows = part.rows(loaded[name], model, None, 64, READING).dataset
        labels = torch.tensor(rows["label"][:]) if "label" in rows.column_names else None
        features = [model.preprocess(rows[column][:]) for column in rows.column_names if column != "label"]
        total = total + part.loss(model)(features, labels) * 1 / 3
    total.backward()
    for (name, now), before in zip(trained.named_parameters(), model.parameters(), strict=True):
        if before.grad is not None:
            torch.testing.assert_close(now, before - 0.1 * before.grad, rtol=1e-4, atol=1e-6, msg=name)


# -- several dev tasks, adapters ---------------------------------------------------------------------


def test_the_mean_of_several_dev_tasks_decides(several):
    pairs = several.with_name("pairs.tsv")
    negated = several.with_name("negated.tsv")
    negated.write_text("sentence\tnegated\nIt rains.\tIt doesn't rain.\nHe left.\tHe didn't leave.\n", encoding="utf-8")
    output = run(load(several, f"evaluation.dev=[{pairs}, 'negated:{negated}']")).output
    training = json.loads((output / "metrics.json").read_text(encoding="utf-8"))["training"]
    state = json.loads((output / "checkpoints/checkpoint-4/trainer_state.json").read_text(encoding="utf-8"))
    logs = [log for log in state["log_history"] if "eval_sequential_score" in log]
    for log, entry in zip(logs, training["dev"], strict=True):
        expected = (log["eval_pairs_spearman_cosine"] + 1 - log["eval_negated_cosine"]) / 2
        assert entry["score"] == pytest.approx(100 * expected)
    assert training["best_score"] == max(entry["score"] for entry in training["dev"])


def test_a_dev_task_without_a_better_end_is_refused(several):
    recipe = load(several, f"evaluation.dev=[{several.with_name('pairs.tsv')}, geometry]")
    with pytest.raises(InputValueError, match="task 'geometry': a lower alignment is better, but does not alone make"):
        Run(recipe, RunFolder(recipe.output), None)


@pytest.fixture
def named(several, tmp_path):
    """The recipe with a named encoder, which is that of an earlier run."""
    encoder = run(load(several, f"output={tmp_path / 'encoder'}", "training.max_steps=1", "evaluation={}")).output
    return lambda *overrides: load(several, f"model={encoder}", "training.batch_size=2", *overrides)


def test_an_adapter_is_trained_and_saved(named):
    pytest.importorskip("peft")
    recipe = named("training.lora={rank: 2, alpha: 4}")
    output = run(recipe).output
    assert (output / "adapter_model.safetensors").is_file()
    assert not (output / "model.safetensors").exists()
    assert json.loads((output / "adapter_config.json").read_text())["r"] == 2
    sentences = ["It rains.", "It doesn't rain."]
    trained = SentenceTransformer(str(output), device="cpu")
    untrained = SentenceTransformer(recipe.model, device="cpu")
    assert abs(trained.encode(sentences) - untrained.encode(sentences)).max() > 1e-4
    base = {
        name.replace(".base_layer", ""): value for name, value in trained.state_dict().items() if "lora" not in name
    }
    assert all(torch.equal(base[name], value) for name, value in untrained.state_dict().items())
    metrics = json.loads((output / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["after"]["pairs"]["spearman"] == pytest.approx(
        {entry["step"]: entry["score"] for entry in metrics["training"]["dev"]}[metrics["training"]["best_step"]]
    ), "the best checkpoint was loaded"


def test_a_resumed_adapter_ends_as_an_unbroken_one(named):
    pytest.importorskip("peft")
    recipe = named("training.lora={rank: 2}", "evaluation.dev=null")
    folder = RunFolder(run(recipe).output)
    whole = load_file(folder.path / "adapter_model.safetensors")
    folder.metrics.unlink()
    folder.remove_checkpoints_after(str(folder.checkpoints / "checkpoint-2"))
    resumed = load_file(run(recipe, resume=True).output / "adapter_model.safetensors")
    assert all(torch.equal(resumed[name], value) for name, value in whole.items())


def test_an_adapter_on_layers_that_do_not_exist(named):
    pytest.importorskip("peft")
    with pytest.raises(InputValueError, match=r"training\.lora: Target modules .*nothing.* not found"):
        run(named("training.lora={target_modules: [nothing]}"))


def test_in_python():
    one = TrainingSet(data=Data(files="a.txt"), loss={"name": "opposition"})
    assert Recipe(model="m", datasets={"one": one}).datasets["one"] is one
    with pytest.raises(InputValueError, match="data: missing; give the sentences"):
        Recipe(model="m", datasets={})
