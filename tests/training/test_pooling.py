"""Pooling as the papers have it, loadable without this package."""

import json
import subprocess
import sys

import pytest
import torch
from sentence_transformers import SentenceTransformer

from sda_hf.errors import InputValueError
from sda_hf.training import Recipe
from sda_hf.training.encoder import make_encoder
from sda_hf.training.recipe import POOLINGS

TEXTS = ["He travelled widely in Europe.", "Rain fell on the hills all night, and on the town."]


def encoder(recipe_file, *overrides):
    recipe = Recipe.load(recipe_file, ["model.build.layers=3", *overrides])
    return make_encoder(recipe, recipe_file.with_name("sentences.txt").read_text().split("\n"), "cpu").eval()


def expected(model, kind):
    """The sentence vectors by hand, from the hidden states of the encoder."""
    features = model.preprocess(TEXTS)
    mask = features["attention_mask"][:, :, None]
    output = model[0].model(
        input_ids=features["input_ids"], attention_mask=features["attention_mask"], output_hidden_states=True
    )
    states = output.hidden_states
    if kind == "cls":
        return states[-1][:, 0]
    if kind == "max":
        return states[-1].masked_fill(mask == 0, -1e9).max(dim=1).values
    layer = {"mean": states[-1], "first-last": (states[1] + states[-1]) / 2, "last-two": (states[-2] + states[-1]) / 2}
    return (layer[kind] * mask).sum(dim=1) / mask.sum(dim=1)


@pytest.mark.parametrize("kind", POOLINGS)
@torch.no_grad()
def test_is_what_it_says(recipe_file, kind):
    model = encoder(recipe_file, f"model.build.pooling={kind}")
    torch.testing.assert_close(model.encode(TEXTS, convert_to_tensor=True), expected(model, kind))


@pytest.mark.parametrize("kind", POOLINGS)
@torch.no_grad()
def test_a_named_model_gets_another_pooling(recipe_file, tmp_path, kind):
    encoder(recipe_file).save(str(tmp_path / "model"))
    text = recipe_file.read_text()
    start, end = text.index("model:"), text.index("data:")
    recipe_file.write_text(f"model: {{name: model, pooling: {kind}}}\n" + text[end:] + text[:start])
    recipe = Recipe.load(recipe_file)
    assert recipe.model.name == str(tmp_path / "model")
    model = make_encoder(recipe, [], "cpu").eval()
    torch.testing.assert_close(model.encode(TEXTS, convert_to_tensor=True), expected(model, kind))


@pytest.mark.slow
def test_loads_without_this_package(recipe_file, tmp_path):
    model = encoder(recipe_file, "model.build.pooling=first-last")
    model.save(str(tmp_path / "saved"))
    code = (
        "import json, sys; sys.modules['sda_hf'] = None\n"
        "from sentence_transformers import SentenceTransformer\n"
        "print(json.dumps(SentenceTransformer(sys.argv[1], device='cpu').encode(sys.argv[2:]).tolist()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "saved"), *TEXTS], capture_output=True, text=True, check=True
    )
    torch.testing.assert_close(torch.tensor(json.loads(done.stdout)), model.encode(TEXTS, convert_to_tensor=True))
    assert isinstance(SentenceTransformer(str(tmp_path / "saved"))[1].layer_weights, torch.Tensor)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("{}", "model: give either build or name"),
        ("{build: {}, name: x}", "model: give either build or name"),
        ("{build: {}, pooling: cls}", r"model\.pooling: only for a named model"),
        ("{name: x, pooling: first}", r"model\.pooling"),
    ],
)
def test_refuses_what_is_no_model(recipe_file, model, message):
    with pytest.raises(InputValueError, match=message):
        Recipe.load(recipe_file, [f"model={model}"])
