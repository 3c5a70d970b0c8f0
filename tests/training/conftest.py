"""A small run on real sentences: seconds on one core, nothing downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sda_hf.training import Recipe

if TYPE_CHECKING:
    from sda_hf.training import RunResult

SENTENCES = [
    "He travelled widely in Europe.",
    "The door of the old barn is locked.",
    "She has finished the first chapter.",
    "The company closed two of its shops.",
    "They will paint the kitchen tomorrow.",
    "Rain fell on the hills all night.",
    "The committee rejected the proposal.",
    "A brown dog sleeps under the table.",
    "The museum opens at nine on Sundays.",
    "My brother can repair this bicycle.",
    "The river froze in the second week.",
    "Our neighbours were watching the match.",
]
PAIRS = [
    ("The door is locked.", "The door is not locked.", 1.4),
    ("A dog sleeps under the table.", "A brown dog sleeps under a table.", 4.6),
    ("The museum opens at nine.", "Rain fell on the hills.", 0.2),
    ("She finished the chapter.", "She has finished the first chapter.", 4.5),
    ("They will paint the kitchen.", "They won't paint the kitchen.", 1.2),
    ("The river froze.", "My brother can repair this.", 0.0),
]
RECIPE = """\
model:
  build: {layers: 1, hidden_size: 16, heads: 2, intermediate_size: 32, vocab_size: 200, max_length: 32}
data:
  files: sentences.txt
augmentation:
  name: triplets
  positive: {name: punctuation-insertion}
  negative: {name: negation}
loss:
  name: margin-negation-infonce
  margin: 0.0
training:
  learning_rate: 1e-2
  batch_size: 4
  max_steps: 4
  logging_steps: 1
  arguments: {disable_tqdm: true}
evaluation:
  dev: pairs.tsv
  every_steps: 2
  test: pairs.tsv
"""


def write_recipe(folder: Path) -> Path:
    """Write a recipe and its data into a folder."""
    (folder / "sentences.txt").write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    lines = ["sentence1\tsentence2\tscore", *(f"{first}\t{second}\t{score}" for first, second, score in PAIRS)]
    (folder / "pairs.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    path = folder / "tiny.yaml"
    path.write_text(RECIPE, encoding="utf-8")
    return path


@pytest.fixture
def recipe_file(tmp_path: Path) -> Path:
    """A recipe and its data, in a folder of their own."""
    return write_recipe(tmp_path)


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    """The tiny recipe, trained once per session; tests only read its folder."""
    from sda_hf.training import run

    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path_factory.getbasetemp() / "datasets")
        return run(Recipe.load(write_recipe(folder), [f"output={folder / 'run'}"]))


@pytest.fixture
def recipe(recipe_file: Path) -> Recipe:
    """The recipe, loaded; its run goes to a folder beside it."""
    return Recipe.load(recipe_file, [f"output={recipe_file.parent / 'run'}"])


@pytest.fixture(autouse=True)
def _private_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Datasets are cached per test session, not in the home folder."""
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path_factory.getbasetemp() / "datasets")
