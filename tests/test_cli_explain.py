"""`sda-hf explain`, `augmenters` and `recipes`: what people read, and what pipes get."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from sda_hf.augmentation import Negation
from sda_hf.augmentation.explanation import explain
from sda_hf.cli import app, main
from sda_hf.commands.explain import lines_of
from sda_hf.errors import InputFileError
from sda_hf.registry import AUGMENTERS
from sda_hf.training import Recipe
from sda_hf.training.recipe.packaged import recipe_names

ROOT = Path(__file__).parents[1]


def printed(*arguments):
    """What a command prints in a pipe."""
    result = CliRunner().invoke(app, [*arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_clause_each_rewrite_and_each_skip():
    assert printed("explain", "She can't swim.", "--augmenter", "negation", "--augmenter", "antonym-substitute") == (
        "She can't swim.\n"
        "  predicate  swim\n"
        "  subject    She\n"
        "  mood       declarative\n"
        "  negation   n't\n"
        "\n"
        "negation  (negative)\n"
        "→ She can swim.\n"
        "  \"can't\" → 'can'  (negation removed: n't)\n"
        "\n"
        "antonym-substitute  (negative)\n"
        "  skipped: no word with an antonym\n"
    )


def test_every_sentence_is_shown_and_the_main_one_named():
    lines = printed("explain", "Thanks! The train was late.", "--augmenter", "negation").splitlines()
    assert lines[1] == "  sentence   Thanks!"
    assert "  mood       fragment" in lines
    assert "  sentence   The train was late. (the main one)" in lines


def test_chinese():
    lines = printed("explain", "他会游泳。", "--language", "zh", "--augmenter", "negation").splitlines()
    assert "→ 他不会游泳。" in lines
    assert "  subject    他" in lines


def test_a_text_in_another_language_is_not_read():
    lines = printed("explain", "他会游泳。", "--augmenter", "negation").splitlines()
    assert "  not read: not in language 'en': give language='zh'" in lines
    assert lines[-1] == "  skipped: not in language 'en': give language='zh'"


def test_by_default_all_rules():
    explained = json.loads(printed("explain", "He said he would come.", "--json"))
    rules = [name for name in AUGMENTERS if getattr(AUGMENTERS.get(name), "needs", None) == "clause"]
    assert [rewrite["augmenter"] for rewrite in explained["rewrites"]] == rules


def test_json():
    explained = json.loads(printed("explain", "He said he would come.", "--augmenter", "negation, crop", "--json"))
    assert explained["clauses"] == [
        {
            "text": "He said he would come.",
            "main": True,
            "predicate": "said",
            "subject": "He",
            "mood": "declarative",
            "negation": None,
            "skipped": None,
        }
    ]
    negation, crop = explained["rewrites"]
    assert negation == {
        "augmenter": "negation",
        "role": "negative",
        "text": "He didn't say he would come.",
        "rule": "do-support: past tense",
        "skipped": None,
        "edits": [
            {
                "old": "said",
                "start": 3,
                "end": 7,
                "new": "didn't say",
                "rule": "do-support: past tense",
                "id": "do-support",
                "doubt": "",
            }
        ],
    }
    assert crop["role"] == "positive"


def test_the_clause_is_shown_for_augmenters_that_need_none():
    assert "  predicate  said" in printed("explain", "He said he would come.", "--augmenter", "crop").splitlines()


def test_only_differences_are_coloured():
    explained = explain("The shop   opened early.", {"negation": Negation()})
    (line,) = [line for line in lines_of(explained) if line.plain.startswith("→")]
    assert [line.plain[span.start : span.end] for span in line.spans if "green" in str(span.style)] == ["didn't open"]


def test_colours_on_a_terminal_and_none_in_a_pipe(tmp_path):
    for terminal in (True, False):
        with (tmp_path / "out.txt").open("w", encoding="utf-8") as file:
            console = Console(file=file, force_terminal=terminal, color_system="standard" if terminal else "auto")
            for line in lines_of(explain("It rains.", {"negation": Negation()})):
                console.print(line)
        assert ("\x1b[" in (tmp_path / "out.txt").read_text(encoding="utf-8")) is terminal


def test_control_characters_are_shown():
    assert "\x1b" not in printed("explain", "It \x1b[2J rains.", "--augmenter", "negation")


def test_an_empty_text():
    assert printed("explain", " ", "--augmenter", "negation").splitlines()[-1] == "  skipped: empty text"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--language", "xx"], "unknown language 'xx'"),
        (["--augmenter", "negatoin"], "did you mean 'negation'?"),
        (["--augmenter", ","], "--augmenter is empty: give a name such as negation"),
        (["--augmenter", "tfidf-negatives"], "--augmenter tfidf-negatives learns from a corpus, which one text is not"),
        (["--augmenter", "crop", "--coverage", "full"], "--coverage has no effect on crop"),
    ],
)
def test_mistakes(arguments, message, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["sda-hf", "explain", "It rains.", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_an_explanation_of_one_text_takes_one_text():
    with pytest.raises(TypeError, match="explain takes one text, got list"):
        explain(["It rains."], {"negation": Negation()})


def test_a_rewrite_in_a_notebook():
    shown = Negation().explain("He <b>left</b> early.")._repr_html_()
    assert "<b>" not in shown
    shown = Negation().explain("The shop opened early.")._repr_html_()
    assert ">opened</del>" in shown
    assert ">didn&#x27;t open</ins> early." in shown
    assert "do-support: past tense" in shown
    assert "skipped: not a clause" in Negation().explain("Great food!")._repr_html_()


def test_augmenters_in_a_pipe():
    lines = [line.split("\t") for line in printed("augmenters").splitlines()]
    assert [name for name, *_ in lines] == list(AUGMENTERS)
    assert {len(cells) for cells in lines} == {4}
    (negation,) = [cells for cells in lines if cells[0] == "negation"]
    assert negation[1] == "negative"
    assert "LREC-COLING 2024" in negation[2]
    assert negation[3] == "Her brother didn't buy the big old house."


def test_recipes_in_a_pipe():
    rows = dict(line.split("\t") for line in printed("recipes").splitlines())
    assert list(rows) == recipe_names()
    assert rows["quickstart"].startswith("A complete run with embedded data and parser")
    assert rows["consert_cutoff"].startswith("ConSERT (Yan et al., ACL 2021), feature cutoff of the second view, with")


def test_on_a_narrow_terminal_nothing_is_cut(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm")  # a dumb one has 80 columns
    monkeypatch.setattr(sys, "argv", ["sda-hf", "recipes"])
    with pytest.raises(SystemExit):
        main()
    lines = re.sub("\x1b\\[\\d*m", "", capsys.readouterr().out).splitlines()
    assert set(recipe_names()) <= {line.strip() for line in lines}
    assert max(map(len, lines)) <= 60
    assert "…" not in "".join(lines)


def test_a_recipe_by_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    recipe = Recipe.load("quickstart", ["training.max_steps=2"])
    assert recipe.output == str(tmp_path / "outputs" / "quickstart")
    assert recipe.data.files == (str(ROOT / "recipes" / "quickstart" / "sentences.txt"),)
    (tmp_path / "quickstart").mkdir()  # a run folder, say
    assert Recipe.load("quickstart", ["training.max_steps=2"]) == recipe
    assert Recipe.load("quickstart", ["output=here"]).output == str(tmp_path / "here")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("quickstrat", "quickstrat: no such recipe file: did you mean quickstart?"),
        ("recipes/quickstart.yaml", "recipes/quickstart.yaml: no such recipe file: did you mean quickstart?"),
        ("folder", "folder: cannot be read: Is a directory"),
    ],
)
def test_no_such_recipe(name, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputFileError, match=message.replace("?", r"\?")):
        Recipe.load(name)


def test_recipes_travel_with_the_package(tmp_path):
    """What the build puts into a wheel runs without the checkout."""
    built, elsewhere = tmp_path / "lib", tmp_path / "elsewhere"
    elsewhere.mkdir()
    command = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", str(built)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    environment = {**os.environ, "PYTHONPATH": str(built)}

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "sda_hf", *arguments], cwd=elsewhere, env=environment, capture_output=True, text=True
        )

    assert [line.split("\t")[0] for line in run("recipes").stdout.splitlines()] == recipe_names()
    done = run("train", "sda_minilm")
    assert done.returncode == 2
    assert done.stderr.startswith("error: data.files: no such file: ")
    assert "give your own with --set data.files=FILE --set evaluation.data_dir=DIR (null: the Hub)" in done.stderr
    assert not list(elsewhere.iterdir())
