"""Every recipe that is there runs: two steps, on a tiny encoder and a few sentences."""

from pathlib import Path

import pytest

from sda_hf.training import Recipe, run

RECIPES = sorted((Path(__file__).parents[2] / "recipes").glob("*.yaml"))
TINY = "model={build: {layers: 1, hidden_size: 16, heads: 2, intermediate_size: 32, vocab_size: 200, max_length: 32}}"


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_recipe_runs(path, recipe_file, tmp_path):
    sentences = recipe_file.with_name("sentences.txt")
    # Two negations inside a sentence have few places to go: these two have one.
    sentences.write_text(sentences.read_text() + "Everyone knew the answer.\nWe must leave now.\n")
    overrides = [
        TINY,
        f"data={{files: {sentences}}}",
        "evaluation={test: []}",
        "training.max_steps=2",
        "training.batch_size=4",
        "training.arguments={disable_tqdm: true, use_cpu: true}",
    ]
    output = run(Recipe.load(path, overrides), output=tmp_path / "run").output
    assert (output / "modules.json").is_file()
    assert not list(output.glob("*.bin"))


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_recipe_stands_in_the_readme(path):
    readme = path.with_name("README.md").read_text(encoding="utf-8")
    stem, _, last = path.stem.rpartition("_")
    assert f"`{path.name}`" in readme or any(
        f"`{stem}_{{" in line and last in line.split("{")[1].split("}")[0].split(",")
        for line in readme.splitlines()
        if f"`{stem}_{{" in line
    )
