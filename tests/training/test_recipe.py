from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from sda_hf.errors import InputFileError, InputTypeError, InputValueError
from sda_hf.training import Recipe
from sda_hf.training.recipe import Build, Data, Evaluation, Hub, Lora, Model, Training, TrainingSet
from sda_hf.training.recipe.fields import inner_section, named_section

ROOT = Path(__file__).parents[2]
LEAST = "model: some/model\ndata: {files: a.txt}\n"


def load(tmp_path: Path, text: str, *overrides: str) -> Recipe:
    path = tmp_path / "r.yaml"
    path.write_text(text, encoding="utf-8")
    return Recipe.load(path, overrides)


def test_the_least_recipe_has_the_documented_defaults(tmp_path):
    recipe = load(tmp_path, LEAST)
    assert recipe.model == "some/model"
    assert recipe.training == Training()
    assert recipe.evaluation == Evaluation()
    assert recipe.loss == {"name": "margin-negation-infonce"}
    assert recipe.augmentation is None


def test_paths_are_seen_from_the_recipe_file(tmp_path):
    (tmp_path / "encoder").mkdir()
    recipe = load(
        tmp_path,
        "model: encoder\ndata: {files: [../b.txt, c-*.txt, 'https://x.org/d.txt']}\noutput: out\n"
        "evaluation: {dev: stsb-dev, data_dir: ../sts, "
        "test: [stsb, pairs.tsv, 'triples:t.jsonl', 'mteb:NevIR', {path: x/y.csv, name: my.csv}]}\n",
    )
    assert recipe.model == str(tmp_path / "encoder")
    assert recipe.data.files == (str(tmp_path.parent / "b.txt"), str(tmp_path / "c-*.txt"), "https://x.org/d.txt")
    assert recipe.output == str(tmp_path / "out")
    assert recipe.evaluation.dev == "stsb-dev"
    assert recipe.evaluation.test == (
        "stsb",
        str(tmp_path / "pairs.tsv"),
        f"triples:{tmp_path / 't.jsonl'}",
        "mteb:NevIR",
        {"path": str(tmp_path / "x/y.csv"), "name": "my.csv"},
    )
    assert recipe.evaluation.data_dir == str(tmp_path.parent / "sts")


def test_paths_in_overrides_are_seen_from_the_working_folder(tmp_path, monkeypatch):
    here = tmp_path / "here"
    (here / "encoder").mkdir(parents=True)
    monkeypatch.chdir(here)
    recipe = load(tmp_path, LEAST, "model=encoder", "data.files=b.txt", "evaluation.test=[p.tsv, stsb]")
    assert recipe.model == str(here / "encoder")
    assert recipe.data.files == (str(here / "b.txt"),)
    assert recipe.evaluation.test == (str(here / "p.tsv"), "stsb")
    assert recipe.output == str(here / "outputs" / "r")


def test_a_parser_folder_in_the_augmentation_is_a_path(tmp_path):
    (tmp_path / "pipe").mkdir()
    nested = "augmentation: {name: one-of, augmenters: [{name: negation, parser: pipe}]}\n"
    with pytest.raises(InputValueError, match=r"names the parser '.*pipe', which is a path: .* give trust_parser=True"):
        load(tmp_path, LEAST + nested)
    recipe = Recipe.load(tmp_path / "r.yaml", trust_parser=True)
    assert recipe.augmentation["augmenters"][0]["parser"] == str(tmp_path / "pipe")


def test_a_parser_that_was_typed_is_trusted(tmp_path):
    recipe = load(tmp_path, LEAST, "augmentation={name: negation, parser: en_core}")
    assert recipe.augmentation["parser"] == "en_core"
    with pytest.raises(InputValueError, match="names the parser 'en_core', which is not installed"):
        load(tmp_path, LEAST + "augmentation: {name: negation, parser: en_core}\n", "augmentation.seed=1")


@pytest.mark.parametrize(
    ("override", "value"),
    [
        ("training.learning_rate=3e-5", 3e-5),
        ("training.learning_rate=3E-5", 3e-5),
        ("training.learning_rate=.5", 0.5),
        ("training.learning_rate=1", 1.0),
        ("training.seed=7", 7),
        ("training.bf16=true", True),
        ("training.max_length=null", None),
        ("training.arguments={gradient_checkpointing: true}", {"gradient_checkpointing": True}),
        ("training.arguments.adam_epsilon=1e-7", {"adam_epsilon": 1e-7}),
    ],
)
def test_override(tmp_path, override, value):
    field = override.split("=")[0].split(".")[1]
    found = getattr(load(tmp_path, LEAST, override).training, field)
    assert found == value
    assert type(found) is type(value)


def test_overrides_build_and_replace_sections(tmp_path):
    recipe = load(tmp_path, "model: {build: {layers: 4}}\ndata: {files: a.txt}\n", "model.build.heads=8")
    assert recipe.model == Model(build=Build(layers=4, heads=8))
    assert load(tmp_path, "model: {build: {}}\ndata: {files: a.txt}\n", "model=/").model == "/"
    assert load(tmp_path, LEAST + "augmentation: {name: negation}\n", "augmentation=null").augmentation is None
    assert load(tmp_path, LEAST + "augmentation: {name: negation}\n", "augmentation.seed=3").augmentation == {
        "name": "negation",
        "seed": 3,
    }


@pytest.mark.parametrize(
    ("text", "overrides", "error", "message"),
    [
        (
            LEAST + "training: {learnin_rate: 1}",
            [],
            InputValueError,
            "unknown recipe key 'training.learnin_rate': did you mean 'training.learning_rate'?",
        ),
        (
            LEAST + "learning_rate: 1",
            [],
            InputValueError,
            "unknown recipe key 'learning_rate': did you mean 'training.learning_rate'?",
        ),
        (LEAST + "qqqq: 1", [], InputValueError, "unknown recipe key 'qqqq': Known here: augmentation, data, "),
        ("model: {build: {layer: 1}}\ndata: {files: a}", [], InputValueError, "did you mean 'model.build.layers'?"),
        (LEAST + "training: {batch_size: many}", [], InputTypeError, "training.batch_size: 'many' is not an integer"),
        (LEAST + "training: {batch_size: 1.5}", [], InputTypeError, "training.batch_size: 1.5 is not an integer"),
        (LEAST + "training: {batch_size: true}", [], InputTypeError, "training.batch_size: True is not an integer"),
        (LEAST + "training: {batch_size: null}", [], InputTypeError, "training.batch_size: null is not an integer"),
        (
            LEAST + "training: {batch_size: 0}",
            [],
            InputValueError,
            "training.batch_size: 0 is out of range: it must be at least 1",
        ),
        (
            LEAST + "training: {warmup_ratio: 2}",
            [],
            InputValueError,
            "training.warmup_ratio: 2 is out of range: it must be at least 0 and at most 1",
        ),
        (
            LEAST + "training: {learning_rate: .nan}",
            [],
            InputTypeError,
            "training.learning_rate: nan is not a finite number",
        ),
        (LEAST + "training: {bf16: 1}", [], InputTypeError, "training.bf16: 1 is not true or false"),
        (LEAST + "training: [1]", [], InputTypeError, "training: [1] is not a mapping"),
        (
            LEAST + "training: {arguments: {x: 2020-01-01}}",
            [],
            InputTypeError,
            "training.arguments.x: datetime.date(2020, 1, 1) is not a string, number, list or mapping",
        ),
        (
            LEAST + "evaluation: {test: [1]}",
            [],
            InputTypeError,
            "evaluation.test.0: 1 is not a string or a mapping",
        ),
        (LEAST + "loss: margin", [], InputTypeError, "loss: 'margin' is not a mapping"),
        (LEAST + "augmentation: {nam: x}", [], InputValueError, "augmentation: needs a `name`; given: nam"),
        (
            "model: {build: {pooling: men}}\ndata: {files: a}",
            [],
            InputValueError,
            "model.build.pooling: 'men' is not known: did you mean 'mean'? Known: mean, cls, max",
        ),
        (
            "model: {build: {heads: 3}}\ndata: {files: a}",
            [],
            InputValueError,
            "model.build.hidden_size: 128 is not a multiple of model.build.heads (3)",
        ),
        ("model: 3\ndata: {files: a}", [], InputTypeError, "model: 3 is not a string or a mapping"),
        ("data: {files: a}", [], InputValueError, "model: missing; give the encoder: a Hub id, a folder, or a mapping"),
        (
            "model: m",
            [],
            InputValueError,
            "data: missing; give the sentences: a mapping with files, dataset or generator",
        ),
        (
            "model: m\ndata: {}",
            [],
            InputValueError,
            "data: give one of data.files, data.dataset and data.generator; given: none of them",
        ),
        ("model: m\ndata: {files: a, dataset: b}", [], InputValueError, "given: files and dataset"),
        ("", [], InputTypeError, "a recipe must be a mapping of keys to values, not NoneType"),
        ("- a", [], InputTypeError, "a recipe must be a mapping of keys to values, not list"),
        (LEAST + "training:\n  - a\n b", [], InputValueError, "r.yaml, line 5: not valid YAML"),
        (LEAST + "model: other", [], InputValueError, "r.yaml, line 3: not valid YAML: duplicate key 'model'"),
        ("model: \x01", [], InputValueError, "r.yaml: not valid YAML"),
        (
            LEAST,
            ["training"],
            InputValueError,
            "override 'training': give KEY=VALUE, such as training.learning_rate=3e-5",
        ),
        (LEAST, ["=3"], InputValueError, "override '=3': give KEY=VALUE"),
        (LEAST, ["training.seed=["], InputValueError, "override 'training.seed=[', line 1: not valid YAML"),
        (LEAST, ["training.sed=1"], InputValueError, "did you mean 'training.seed'?"),
        (
            LEAST,
            ["model.build.layers=3"],
            InputTypeError,
            "override 'model.build.layers=3': model is 'some/model', not a mapping",
        ),
    ],
)
def test_bad_recipe(tmp_path, text, overrides, error, message):
    with pytest.raises(error, match=re.escape(message)) as raised:
        load(tmp_path, text, *overrides)
    assert "\n" not in str(raised.value)


def test_bad_file(tmp_path):
    with pytest.raises(InputFileError, match=r"nowhere\.yaml: no such recipe file"):
        Recipe.load(tmp_path / "nowhere.yaml")
    with pytest.raises(InputFileError, match="cannot be read: Is a directory"):
        Recipe.load(tmp_path)
    (tmp_path / "latin.yaml").write_bytes(b"model: caf\xe9")
    with pytest.raises(InputFileError, match="not a UTF-8 text file"):
        Recipe.load(tmp_path / "latin.yaml")


def test_sections_are_checked_in_python_too():
    with pytest.raises(InputTypeError, match=r"training\.seed: '1' is not an integer"):
        Training(seed="1")
    with pytest.raises(InputValueError, match="given: none of them"):
        Recipe(model="m", data=Data())


@pytest.mark.parametrize("path", sorted(ROOT.glob("recipes/*.yaml")), ids=lambda path: path.stem)
def test_every_recipe_loads_and_loads_again_from_its_resolved_form(path, tmp_path):
    recipe = Recipe.load(path)
    (tmp_path / "elsewhere.yaml").write_text(recipe.to_yaml(), encoding="utf-8")
    assert Recipe.load(tmp_path / "elsewhere.yaml") == recipe


def test_a_resolved_recipe_is_plain_yaml(tmp_path):
    recipe = load(tmp_path, LEAST + "evaluation: {test: [stsb, sickr]}\n", "training.learning_rate=3e-5")
    plain = yaml.safe_load(recipe.to_yaml())
    assert plain["training"]["learning_rate"] == 3e-5
    assert plain["evaluation"]["test"] == ["stsb", "sickr"]
    assert Recipe.from_dict(plain) == recipe


@pytest.mark.parametrize("section", [Recipe, Model, Build, Data, TrainingSet, Lora, Training, Evaluation, Hub])
def test_every_field_is_documented(section):
    for name, field in section.model_fields.items():
        assert field.description, name


def field_rows(section, place=""):
    """The rows of the table of fields in recipes/README.md, from the descriptions in the code."""
    for name, field in section.model_fields.items():
        if place.endswith(".NAME.") and inner_section(field):  # described above, for a recipe with one dataset
            yield f"| `{place}{name}` | {field.description.rstrip('.')} |"
            continue
        description = " ".join(field.description.split()).rstrip(".")
        description = description if description.startswith('"') else description[0].lower() + description[1:]
        default = field.default
        plain = isinstance(default, (bool, int, float, str))
        shown = f" [{str(default).lower() if isinstance(default, bool) else default}]" if plain else ""
        yield f"| `{place}{name}` | {description}{shown} |"
        if inner := inner_section(field):
            yield from field_rows(inner, f"{place}{name}.")
        if named := named_section(field):
            yield from field_rows(named, f"{place}{name}.NAME.")


def test_the_readme_of_the_recipes_describes_every_field_as_the_code_does():
    readme = (ROOT / "recipes" / "README.md").read_text(encoding="utf-8")
    assert "\n".join(field_rows(Recipe)) in readme


def test_a_model_name_that_no_file_system_takes_is_a_name(tmp_path):
    assert load(tmp_path, LEAST, f"model={'m' * 300}").model == "m" * 300


def test_the_augmenters_of_a_composite():
    config = {"name": "triplets", "positive": {"name": "one-of", "augmenters": [{"name": "a"}, {"name": "b"}]}}
    data = Data(files=["x.txt"])
    nested = Recipe(model="m", data=data, augmentation={**config, "negative": {"name": "c"}})
    assert nested.augmenters == [{"name": "a"}, {"name": "b"}, {"name": "c"}]
    assert Recipe(model="m", data=data, augmentation={"name": "a", "seed": 1}).augmenters == [{"name": "a", "seed": 1}]
    assert Recipe(model="m", data=data).augmenters == []
