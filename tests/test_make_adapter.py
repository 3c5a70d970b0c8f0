"""The script that compresses the mean of several runs into an adapter: `recipes/sees_not/make_adapter.py`."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest
import torch

from sda_hf.training import Recipe
from sda_hf.training.encoder import make_encoder

ROOT = Path(__file__).parents[1]
SENTENCES = ["The soup was hot.", "She left early.", "Nobody knows why the train was late."]
TINY = "model={build: {layers: 2, hidden_size: 16, heads: 2, intermediate_size: 32, vocab_size: 200}}"


@pytest.fixture(scope="module")
def script():
    pytest.importorskip("peft")
    spec = importlib.util.spec_from_file_location("make_adapter", ROOT / "recipes" / "sees_not" / "make_adapter.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def folders(tmp_path):
    """A model, two runs that changed its linear layers, and the model with the mean of their weights."""
    model = make_encoder(Recipe.load("quickstart", [TINY]), SENTENCES, "cpu")
    model.save(str(tmp_path / "before"))
    generator, before = torch.Generator().manual_seed(0), {}
    changes = [{}, {}]
    for name, weights in model.named_parameters():
        if weights.dim() == 2 and "embeddings" not in name:
            before[name] = weights.detach().clone()
            for change in changes:
                change[name] = 0.1 * torch.randn(weights.shape, generator=generator)
    means = {name: (changes[0][name] + changes[1][name]) / 2 for name in before}
    for folder, change in (("one", changes[0]), ("two", changes[1]), ("mean", means)):
        for name, weights in model.named_parameters():
            if name in before:
                weights.data = before[name] + change[name]
        model.save(str(tmp_path / folder))
    return tmp_path


def run(script, folders, monkeypatch, *options):
    words = ["make_adapter.py", str(folders / "before"), str(folders / "one"), str(folders / "two"), *options]
    monkeypatch.setattr("sys.argv", [*words, "--output", str(folders / "adapter")])
    script.main()


def test_an_adapter_of_full_rank_is_the_mean_of_the_runs(script, folders, monkeypatch):
    from sentence_transformers import SentenceTransformer

    run(script, folders, monkeypatch, "--rank", "16", "--base", "me/base")
    config = json.loads((folders / "adapter" / "adapter_config.json").read_text(encoding="utf-8"))
    assert (config["r"], config["lora_alpha"], config["base_model_name_or_path"]) == (16, 16, "me/base")
    model = SentenceTransformer(str(folders / "before"), device="cpu")
    untouched = model.encode(SENTENCES)
    model.load_adapter(str(folders / "adapter"))
    expected = SentenceTransformer(str(folders / "mean"), device="cpu").encode(SENTENCES)
    np.testing.assert_allclose(model.encode(SENTENCES), expected, atol=1e-5)
    assert np.abs(untouched - expected).max() > 0.01


def test_does_not_overwrite(script, folders, monkeypatch, capsys):
    (folders / "adapter").mkdir()
    with pytest.raises(SystemExit):
        run(script, folders, monkeypatch)
    assert "exists already: give another folder, or remove it" in capsys.readouterr().err
