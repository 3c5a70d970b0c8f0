"""The commands `evaluate` and `sweep`: their output, their files, and one line per user error."""

from __future__ import annotations

import csv
import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from sda_hf.cli import main

ROOT = Path(__file__).parents[1]
SENTENCES = ["The door is locked.", "The door is not locked.", "A dog sleeps.", "It rains in the old town."]
PAIRS = [(0, 1, 1.0), (0, 2, 0.0), (2, 2, 5.0), (1, 3, 2.0), (3, 3, 4.5)]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Folders of two small models, and folders that are not models."""
    from transformers import BertConfig, BertForSequenceClassification

    from sda_hf.training.encoder import build
    from sda_hf.training.recipe import Build

    top = tmp_path_factory.mktemp("models")
    for name, width in (("narrow", 16), ("wide", 32)):
        spec = Build(layers=1, hidden_size=width, heads=2, intermediate_size=32, vocab_size=100, max_length=32)
        build(spec, SENTENCES * 2).save_pretrained(str(top / name))
    (top / "empty").mkdir()
    (top / "file").write_text("no model", encoding="utf-8")
    shutil.copytree(top / "narrow", top / "damaged")
    (top / "damaged" / "model.safetensors").write_bytes(b"nonsense and more of it")
    BertForSequenceClassification(BertConfig.from_pretrained(top / "narrow")).save_pretrained(top / "classifier")
    for file in top.glob("narrow/tokenizer*"):
        shutil.copy(file, top / "classifier")
    _add_model_with_nan(top)
    return top


def _add_model_with_nan(top):
    from safetensors.torch import load_file, save_file

    shutil.copytree(top / "narrow", top / "nan")
    file = top / "nan" / "model.safetensors"
    weights = load_file(file)
    weights["embeddings.word_embeddings.weight"][:] = float("nan")
    save_file(weights, file, metadata={"format": "pt"})


@pytest.fixture
def folder(models, tmp_path, monkeypatch):
    """A working directory with the models and some data."""
    for path in models.iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "data").mkdir()
    lines = [f"{SENTENCES[first]}\t{SENTENCES[second]}\t{score}" for first, second, score in PAIRS]
    text = "\n".join(["sentence1\tsentence2\tscore", *lines]) + "\n"
    for name in ("pairs.tsv", "data/stsb-test.tsv", "data/stsb-dev.tsv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "range.tsv").write_text(text.replace("4.5", "nan"), encoding="utf-8")
    (tmp_path / "columns.tsv").write_text(text.replace("score", "gold"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


@pytest.fixture
def cli(folder, monkeypatch, capsys):
    """Run the command line in this process; return exit code, output and errors."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["sda-hf", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err

    return run


def table(text):
    """Return the rows of the first printed table."""
    lines = [line for line in text.splitlines() if line.startswith(("│", "┃"))]
    return [[cell.strip() for cell in line.strip("│┃").replace("┃", "│").split("│")] for line in lines]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["empty"], "error: cannot load empty as a sentence encoder"),
        (["file"], "error: cannot load file as a sentence encoder"),
        (["damaged"], "error: cannot load damaged as a sentence encoder"),
        (["classifier"], "error: classifier is a BertForSequenceClassification, not a sentence encoder: give a"),
        (["nobody/no-such-model"], "error: cannot load nobody/no-such-model as a sentence encoder"),
        (["nan"], "contains NaN or infinity"),
        (["narrow", "./narrow"], "error: duplicate model among narrow, ./narrow: give each model once"),
        (["narrow", "--tasks", ","], "error: --tasks is empty: give at least one task"),
        (["narrow", "--tasks", "stbs"], "error: unknown task 'stbs': did you mean 'sts"),
        (["narrow", "--tasks", "pairs.txt"], "error: pairs.txt: unknown file format: use one of .tsv"),
        (["narrow", "--tasks", "nowhere.tsv"], "error: nowhere.tsv: no such file"),
        (["narrow", "--tasks", "range.tsv"], "line 6, score: expected a finite number, got 'nan'"),
        (
            ["narrow", "--tasks", "columns.tsv"],
            "line 2: no column 'score'; the columns are 'sentence1', 'sentence2', 'gold'",
        ),
        (["narrow", "--tasks", "sickr", "--data-dir", "data"], "error: no sickr-test{"),
        (["narrow", "--tasks", "sickr", "--data-dir", "nowhere"], "nowhere: the folder does not exist"),
        (
            ["narrow", "--tasks", "sickr", "--data-dir", "data", "--skip-missing"],
            "error: the rows of all tasks are missing",
        ),
        (["narrow", "--aggregate", "median"], "error: --aggregate is 'median': use one of all, mean, wmean"),
        (["narrow", "--plots"], "error: --plots and --sentence need a folder: add --report DIR"),
        (["narrow", "--sentence", "It rains."], "error: --plots and --sentence need a folder"),
        (["narrow", "--report", "file"], "error: cannot create file: File exists: use another folder for the report"),
        (
            ["narrow", "--tasks", "pairs.tsv", "--cache", "file"],
            "error: cannot write measurements in file: File exists",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_user_errors_are_one_line_and_exit_code_2(cli, arguments, message):
    if "--tasks" not in arguments:
        arguments = [*arguments, "--tasks", "pairs.tsv"]
    if "--cache" not in arguments:
        arguments = [*arguments, "--cache", "cache"]
    code, out, err = cli("evaluate", *arguments)
    errors = [line for line in err.splitlines() if line.startswith("error: ")]
    assert (code, out, len(errors)) == (2, "", 1)
    assert message in errors[0]
    assert err.splitlines()[-1] == errors[0]


@pytest.mark.slow
def test_a_real_process_prints_no_traceback(folder):
    done = subprocess.run(
        [sys.executable, "-m", "sda_hf", "evaluate", "damaged", "--tasks", "pairs.tsv", "--no-cache"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"},
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("error: ")
    assert done.stdout == ""


def test_two_models_with_a_report(cli, folder):
    from sda_hf.evaluation import evaluate

    given = ("narrow", "wide", "--tasks", "pairs.tsv,stsb, sickr", "--data-dir", "data", "--skip-missing")
    code, out, _ = cli("evaluate", *given, "--report", "new/report", "--cache", "cache")
    assert code == 0
    expected = {name: evaluate(folder / name, ["pairs.tsv", "stsb"], folder / "data") for name in ("narrow", "wide")}
    assert table(out)[:3] == [
        ["model", "pairs"],
        *([name, f"{expected[name]['pairs']['spearman']:.2f}"] for name in ("narrow", "wide")),
    ]
    assert "wide - narrow, STS-B: " in out
    assert "Not measured: sickr: no sickr-test{" in out
    assert "Cached, " not in out
    assert out.splitlines()[-1] == "Written: new/report/results.md, new/report/results.csv, new/report/results.json"
    found = json.loads((folder / "new/report/results.json").read_text(encoding="utf-8"))
    for name in expected:
        for task in expected[name]:
            assert found["models"][name][0]["metrics"][task] == pytest.approx(expected[name][task])
    assert "SimCSE-BERT-base" in (folder / "new/report/results.md").read_text(encoding="utf-8")
    _, again, _ = cli("evaluate", *given, "--cache", "cache")
    for name in ("narrow", "wide"):
        assert f"Cached, with the date of the measurement: {name}: pairs (" in again
    assert "wide - narrow, STS-B: " in again


def test_without_a_cache(cli, folder, monkeypatch):
    monkeypatch.setattr("sda_hf.evaluation.scoring.cache.default_folder", lambda: folder / "default")
    for _ in range(2):
        code, out, _ = cli("evaluate", "narrow", "--tasks", "pairs.tsv", "--no-cache")
        assert (code, "Cached, " in out, (folder / "default").exists()) == (0, False, False)
    cli("evaluate", "narrow", "--tasks", "pairs.tsv")
    assert len(list((folder / "default").iterdir())) == 1


def test_names_are_not_markup(cli, folder):
    (folder / "run[bold]").symlink_to(folder / "narrow")
    code, out, _ = cli("evaluate", "run[bold]", "--tasks", "pairs.tsv", "--no-cache")
    assert code == 0
    assert table(out)[1][0] == "run[bold]"


def test_plots(cli, folder):
    pytest.importorskip("matplotlib", reason="plots need the extra")
    code, out, _ = cli("evaluate", "narrow", "--tasks", "pairs.tsv", "--report", "a", "--plots", "--no-cache")
    assert code == 0
    assert "Nothing to plot: neither cosines nor the geometry were measured, and no model has dev scores\n" in out
    given = ("--tasks", "geometry", "--data-dir", "data", "--report", "b", "--plots", "--no-cache")
    code, out, _ = cli("evaluate", "narrow", *given)
    assert code == 0
    assert out.splitlines()[-1].endswith("b/results.json, b/alignment-uniformity.png")
    assert (folder / "b" / "alignment-uniformity.png").read_bytes().startswith(b"\x89PNG")


# -- sweep -------------------------------------------------------------------------------------------


@pytest.fixture
def recipe(folder, monkeypatch):
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", folder / "datasets")
    (folder / "in.txt").write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    (folder / "run.yaml").write_text(
        "model: narrow\ndata: {files: in.txt}\nloss: {name: nt-xent}\ntraining: {max_steps: 1, batch_size: 2}\n"
        "evaluation: {test: pairs.tsv}\noutput: swept\n",
        encoding="utf-8",
    )
    return "run.yaml"


@pytest.mark.slow
def test_sweep(cli, folder, recipe):
    given = ("sweep", recipe, "--grid", "loss.temperature=0.05,0.5", "--seeds", "0,1")
    code, out, err = cli(*given)
    assert code == 0, err
    summary = json.loads((folder / "swept" / "sweep.json").read_text(encoding="utf-8"))
    rows = []
    for point in summary["points"]:
        values = point["tasks"]["pairs"]["spearman"]["after"]["values"]
        shown = f"{statistics.fmean(values):.2f} ± {statistics.stdev(values):.2f}"
        rows.append([str(point["parameters"]["loss.temperature"]), shown])
    assert table(out) == [["loss.temperature", "pairs"], *rows]
    folder = (folder / "swept").absolute()
    assert out.splitlines()[-1] == f"Written: {folder / 'sweep.csv'}, {folder / 'sweep.md'}"
    with (folder / "sweep.csv").open(encoding="utf-8", newline="") as lines:
        assert [row["loss.temperature"] for row in csv.DictReader(lines)] == ["0.05", "0.5"]
    code, _, err = cli(*given)
    assert code == 2
    assert "is not empty: give another folder, or --resume or --overwrite" in err.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--grid", "loss.temperature"], "error: --grid 'loss.temperature': give KEY=VALUE,VALUE"),
        (["--grid", "loss.temprature=1"], "did you mean"),
        (["--grid", "training.seed=0,1"], "error: --grid: training.seed cannot be part of a grid; give seeds instead"),
        (["--grid", "loss.temperature=0.1", "--seeds", "a"], "error: --seeds 'a': give distinct non-negative integers"),
        (
            ["--grid", "loss.temperature=0.1", "--resume", "--overwrite"],
            "error: --resume and --overwrite contradict",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_user_errors_of_a_sweep(cli, folder, recipe, arguments, message):
    code, out, err = cli("sweep", recipe, *arguments)
    errors = [line for line in err.splitlines() if line.startswith("error: ")]
    assert (code, out, len(errors)) == (2, "", 1)
    assert message in errors[0]
    assert not (folder / "swept").exists()
