"""Every recipe: its parts exist, and it trains for two steps, on a tiny encoder and a few sentences."""

import re
from pathlib import Path

import pytest
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Pooling

from sda_hf.training import Recipe, run
from sda_hf.training.run_folder import RunFolder
from sda_hf.training.runner import Run

RECIPES = sorted((Path(__file__).parents[2] / "recipes").glob("*.yaml"))
# The others only with the slow tests.
TRAINED_ALWAYS = ("sda2024_bert_ensemble", "sda2024_zh_mv", "sees_not", "una_roberta")
# Two negations inside a sentence have few places to go: the last sentences of both have one.
ENGLISH = ("Everyone knew the answer.", "We must leave now.")
CHINESE = (
    "他昨天去了北京。",
    "我的哥哥会修这辆自行车。",
    "这家公司关闭了两家商店。",
    "孩子们在公园里踢足球。",
    "图书馆星期天九点开门。",
    "她已经读完了这本书。",
    "今天的天气很好。",
    "这本书是我的。",
    "大家都知道答案。",
    "我们必须马上走。",
)
TINY = "model={build: {layers: 1, hidden_size: 16, heads: 2, intermediate_size: 32, vocab_size: 200, max_length: 32}}"


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_the_parts_of_a_recipe_exist(path):
    recipe = Recipe.load(path, [TINY, "training.arguments={use_cpu: true}", "training.lora=null"])
    run = Run(recipe, RunFolder(recipe.output), None)
    dev = recipe.evaluation.dev if isinstance(recipe.evaluation.dev, list) else [recipe.evaluation.dev]
    assert [task.name for task in run.dev] == [Path(task).stem for task in dev]
    assert len(run.tests) >= len(recipe.evaluation.test) > 0
    model = SentenceTransformer(modules=[Pooling(2)], device="cpu")
    for part in run.parts.values():
        assert (part.augmenter is None) == (part.spec.augmentation is None)
        assert part.loss(model).model is model


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[] if path.stem in TRAINED_ALWAYS else pytest.mark.slow)
        for path in RECIPES
    ],
)
def test_recipe_runs(path, recipe_file, tmp_path, made_models):
    sentences = recipe_file.with_name("sentences.txt")
    if "_zh" in path.stem or "edacse" in path.stem:
        sentences.write_text("\n".join(CHINESE), encoding="utf-8")
    else:
        sentences.write_text(sentences.read_text() + "\n".join(ENGLISH), encoding="utf-8")
    overrides = [
        TINY,
        *data_of(Recipe.load(path), sentences),
        "evaluation={test: []}",
        "training.max_steps=2",
        "training.lora=null",  # which takes a named encoder
        "training.batch_size=4",
        "training.arguments={disable_tqdm: true, use_cpu: true}",
    ]
    recipe = Recipe.load(path, overrides)
    if not recipe.datasets:
        recipe = recipe.replace(augmentation=with_made_models(recipe.augmentation, made_models))
    output = run(recipe, output=tmp_path / "run").output
    assert (output / "modules.json").is_file()
    assert not list(output.glob("*.bin"))


def data_of(recipe, sentences):
    """Overrides that give the recipe a few sentences, and few rows of its generators."""
    for name, one in recipe.training_sets.items():
        place = f"datasets.{name}.data" if name else "data"
        if one.data.generator is not None:
            yield f"{place}.generator.count=8"
        else:
            yield f"{place}={{files: {sentences}}}"


def with_made_models(config, made_models):
    """The configuration of an augmenter with models that are here in the place of those on the Hub."""
    if not isinstance(config, dict):
        return config
    inner = {key: with_made_models(value, made_models) for key, value in config.items()}
    return inner | made_models.get(config.get("name"), {})


def test_the_recipe_of_an_adapter_is_that_of_all_weights():
    whole, adapter = (
        Recipe.load(RECIPES[0].with_name(f"{name}.yaml"), ["output=out"]) for name in ("sees_not", "sees_not_lora")
    )
    changes = {"learning_rate": 3e-3, "lora": {}}
    assert adapter == whole.replace(training=whole.training.replace(**changes))


def test_every_recipe_stands_in_the_readme():
    readme = RECIPES[0].with_name("README.md").read_text(encoding="utf-8")
    named = set()
    for start, choices, end in re.findall(r"`(\w*)(?:\{([^}`]+)\})?(\w*)\.yaml`", readme):
        named |= {f"{start}{choice}{end}" for choice in choices.split(",")}
    assert {path.stem for path in RECIPES} <= named
