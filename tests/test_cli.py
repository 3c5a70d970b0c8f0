from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sda_hf.augmentation import Crop, Negation
from sda_hf.augmentation.options import augmenters_of
from sda_hf.cli import main

ROOT = Path(__file__).parents[1]


def cli(*arguments, cwd, **environment):
    """The command line in a process of its own: exit code, output, errors."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1", "COLUMNS": "120", **environment}
    return subprocess.run(
        [sys.executable, "-m", "sda_hf", *map(str, arguments)], cwd=cwd, capture_output=True, text=True, env=variables
    )


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in.txt").write_text("He travelled widely in Europe.\nThe door is locked.\n", encoding="utf-8")
    (tmp_path / "pairs.tsv").write_text(
        "sentence1\tsentence2\tscore\nThe door is locked.\tThe door is not locked.\t1\n"
        "The door is locked.\tA door is locked.\t5\nHe left.\tThe door is locked.\t0\n",
        encoding="utf-8",
    )
    (tmp_path / "run.yaml").write_text(
        "model: {build: {layers: 1, hidden_size: 16, heads: 2, intermediate_size: 32, vocab_size: 100}}\n"
        "data: {files: in.txt}\n"
        "training: {max_steps: 1, batch_size: 2}\n"
        "evaluation: {test: pairs.tsv}\n",
        encoding="utf-8",
    )
    return tmp_path


def test_help_and_version(folder):
    done = cli("--help", cwd=folder)
    assert done.returncode == 0
    for command in ("train", "evaluate", "augment"):
        assert command in done.stdout
    version = cli("--version", cwd=folder)
    assert version.stdout.startswith("sda-hf 0.")


def test_help_loads_nothing_heavy(folder):
    program = (
        "import sys\nfrom sda_hf.cli import app\n"
        "try: app(['train', '--help'])\n"
        "except SystemExit: pass\n"
        "sys.exit(bool({'torch', 'spacy', 'datasets', 'transformers', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "nowhere.yaml"], "error: nowhere.yaml: no such recipe file"),
        (["train", "bad.yaml"], "error: bad.yaml, line 2: not valid YAML"),
        (["train", "run.yaml", "--set", "training.sed=1"], "did you mean 'training.seed'?"),
        (["train", "run.yaml", "--set", "training.batch_size=many"], "training.batch_size: 'many' is not an integer"),
        (["train", "run.yaml", "--set", "x"], "error: --set 'x': give KEY=VALUE"),
        (["train", "run.yaml", "--set", "data.files=no.txt"], "data.files: no such file: "),
        (["train", "run.yaml", "--set", "augmentation.name=negatoin"], "did you mean 'negation'?"),
        (["train", "run.yaml", "--set", "evaluation.test=stbs"], "unknown task 'stbs': did you mean 'sts"),
        (["train", "run.yaml", "--set", "model=no/such/model"], "error: model: 'no/such/model' is neither a folder"),
        (
            ["train", "run.yaml", "--output", "."],
            "is not empty: give another folder, or --resume or --overwr",
        ),
        (["train", "run.yaml", "--resume", "--overwrite"], "error: --resume and --overwrite contradict each other"),
        (["train", "run.yaml", "--seeds", "a"], "error: --seeds 'a': give distinct non-negative integers"),
        (["sweep", "run.yaml", "--grid", "x"], "error: --grid 'x': give KEY=VALUE,VALUE"),
        (["augment", "in.txt", "in.txt", "--augmenter", "negation"], "in.txt is the input itself"),
        (["augment", "in.txt", "run.yaml", "--augmenter", "negation"], "run.yaml already exists: give another name"),
        (["augment", "in.txt", "o.tsv", "--augmenter", "crop", "--column", "x"], "'text': check --column"),
        (["augment", "in.txt", "o.jsonl", "--augmenter", "crop", "--language", "xx"], "error: --language 'xx' is not"),
        (["augment", "in.txt", "o.jsonl", "--augmenter", "crop", "--safe-csv"], "o.jsonl: --safe-csv is for .csv"),
        (["evaluate", "no-model", "--tasks", "pairs.tsv"], "error: cannot load no-model as a sentence encoder"),
        (["evaluate", "no-model", "--tasks", "stbs"], "unknown task 'stbs': did you mean 'sts"),
        (["augment", "in.txt", "out.txt", "--augmenter", "negatoin"], "did you mean 'negation'?"),
        (["augment", "no.txt", "out.txt", "--augmenter", "negation"], "error: no.txt: no such file"),
        (["augment", "in.txt", "out.jsonl", "--augmenter", "negation", "--column", "x"], "no column 'x'"),
        (["augment", "in.txt", "out.jsonl", "--augmenter", ""], "--augmenter '' is empty: give names separated by"),
        (["augment", "in.txt", "out.jsonl", "--augmenter", " , "], "--augmenter ' , ' is empty: give names"),
        (
            ["augment", "in.txt", "out.doc", "--augmenter", "negation"],
            "out.doc: unknown format '.doc': known are .txt,",
        ),
        (
            ["augment", "latin-1.txt", "out.txt", "--augmenter", "negation"],
            "latin-1.txt, line 2: not UTF-8 (byte 0xe9)",
        ),
        (["augment", "open.csv", "out.txt", "--augmenter", "negation"], "open.csv, line 2: a quotation mark opens a"),
        (["augment", "lines.csv", "out.txt", "--augmenter", "punctuation-insertion"], "out.txt, row 1: "),
        (
            ["augment", "in.txt", "out.jsonl", "--augmenter", "negation", "--parser", "en_none"],
            "'en_none' is not installed",
        ),
        (
            ["augment", "in.txt", "out.jsonl", "--augmenter", "negation", "--coverage", "ful"],
            "error: --coverage 'ful' is not allowed: give one of 'sound', 'full'",
        ),
        (
            ["augment", "in.txt", "out.jsonl", "--augmenter", "crop,masking", "--sentences", "all"],
            "--sentences has no effect on crop, masking: leave it out, or add an augmenter that rewrites clauses",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistake_is_one_line_and_exit_code_2(folder, monkeypatch, capsys, arguments, message):
    (folder / "bad.yaml").write_text("model: m\ndata: {files: [}\n", encoding="utf-8")
    (folder / "latin-1.txt").write_bytes("He left.\nCafé.\n".encode("latin-1"))
    (folder / "open.csv").write_text('text\n"He left.\n', encoding="utf-8")
    (folder / "lines.csv").write_text('text\n"He left,\nand she came."\n', encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["sda-hf", *arguments])
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", folder / "cache")
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    printed = capsys.readouterr()
    errors = [line for line in printed.err.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert message in errors[0]
    assert printed.err.splitlines()[-1] == errors[0]
    assert printed.out == ""


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (
            "--plots and --sentence need",
            ["evaluate", "no-model", "--tasks", "pairs.tsv", "--report", "out", "--plots"],
        ),
        (
            "--plots and --sentence need",
            ["evaluate", "no-model", "--tasks", "pairs.tsv", "--report", "out", "--sentence", "He left."],
        ),
        ("--plots needs", ["sweep", "run.yaml", "--grid", "training.seed=1,2", "--plots"]),
        ("--plots needs", ["train", "run.yaml", "--output", "out", "--plots"]),
        ("--plot needs", ["augment", "in.txt", "out", "--augmenter", "negation", "--plot", "shares.png"]),
    ],
)
def test_plots_without_matplotlib_are_refused_before_anything_is_done(folder, monkeypatch, capsys, options, arguments):
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["sda-hf", *arguments])
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert f"error: {options} matplotlib: pip install 'sda-hf[plots]'" in capsys.readouterr().err
    assert not (folder / "out").exists()


@pytest.mark.parametrize(
    "arguments",
    [["card", "x" * 300], ["train", "run.yaml", "--output", "x" * 300], ["train", "run.yaml", "--output", "in.txt/a"]],
)
def test_what_the_system_refuses_about_a_path_is_one_line(folder, monkeypatch, capsys, arguments):
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["sda-hf", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    assert line.endswith(("File name too long", "in.txt is a file, not a folder"))


def test_a_mistake_leaves_no_traceback(folder):
    done = cli("train", "run.yaml", "--set", "training.sed=1", cwd=folder)
    assert done.returncode == 2
    assert done.stderr.startswith("error: run.yaml: unknown recipe key 'training.sed': did you mean 'training.seed'?")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_usage_mistake_has_exit_code_2(folder):
    done = cli("train", "run.yaml", "--ouput", "x", cwd=folder)
    assert done.returncode == 2
    assert "--output" in done.stderr
    assert "Traceback" not in done.stderr


def test_only_the_first_process_speaks(folder):
    done = cli("train", "nowhere.yaml", cwd=folder, RANK="1")
    assert done.returncode == 2
    assert done.stderr == ""


def test_ctrl_c_exits_130(folder):
    program = (
        "import sys, sda_hf.cli as cli, sda_hf.training.recipe as recipe\n"
        "def stop(*_, **__): raise KeyboardInterrupt\n"
        "recipe.Recipe.load = stop\n"
        "sys.argv = ['sda-hf', 'train', 'run.yaml']\n"
        "cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 130
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_train_and_evaluate(folder):
    done = cli("train", "run.yaml", "--output", "out", "--set", "training.seed=1", cwd=folder)
    assert done.returncode == 0, done.stderr
    metrics = json.loads((folder / "out" / "metrics.json").read_text(encoding="utf-8"))
    before, after = (metrics[when]["pairs"]["spearman"] for when in ("before", "after"))
    row = next(line for line in done.stdout.splitlines() if "pairs" in line)
    assert [cell.strip() for cell in row.strip("│").split("│")] == [
        "pairs",
        "spearman",
        f"{before:.2f}",
        f"{after:.2f}",
        f"{after - before:+.2f}",
    ]
    assert done.stdout.replace("\n", "").endswith(f"Model, card and metrics: {folder / 'out'}")
    assert metrics["seed"] == 1

    scored = cli("evaluate", "out", "--tasks", "pairs.tsv", cwd=folder)
    assert scored.returncode == 0, scored.stderr
    row = next(line for line in scored.stdout.splitlines() if "out" in line)
    assert [cell.strip() for cell in row.strip("│").split("│")] == ["out", f"{after:.2f}"]


def test_augment_learns_from_the_file_what_it_needs(folder):
    done = cli("augment", "in.txt", "out.jsonl", "--augmenter", "tfidf-negatives", cwd=folder)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["text"] for row in rows] == ["He travelled widely in Europe.", "The door is locked."]
    assert all(row["tfidf-negatives"] not in (None, row["text"]) for row in rows)


def test_augment_lists_what_there_is(folder):
    done = cli("augment", "--list", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout == cli("augmenters", cwd=folder).stdout
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("negation\t")]
    assert "negative" in line
    assert "LREC-COLING 2024" in line
    assert "Her brother didn't buy the big old house." in line


def test_augment(folder):
    names = "negation,punctuation-insertion"
    done = cli("augment", "in.txt", "out.jsonl", "--augmenter", names, "--coverage", "full", cwd=folder)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert rows[0] == {
        "text": "He travelled widely in Europe.",
        "negation": "He didn't travel widely in Europe.",
        "punctuation-insertion": "He, travelled widely in Europe.",
    }
    assert len(rows) == 2
    assert done.stdout.startswith("2 sentences ")
    assert "100.00" in done.stdout
    assert done.stdout.endswith("Written: out.jsonl\n")


def test_augment_takes_coverage_and_sentences(folder):
    (folder / "reviews.txt").write_text("The train was late. We waited.\n", encoding="utf-8")
    names = "punctuation-insertion,negation,crop"
    options = ["--augmenter", names, "--coverage", "full", "--sentences", "all"]
    done = cli("augment", "reviews.txt", "out.jsonl", *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    row = json.loads((folder / "out.jsonl").read_text(encoding="utf-8"))
    assert row["punctuation-insertion"] == "The train, was late. We, waited."
    assert row["negation"] == "The train wasn't late. We waited."


def test_augmenters_of_the_command_line_get_the_options_that_they_take():
    built = augmenters_of(["negation", "crop"], seed=2, parser="en_core_web_sm", coverage="full", sentences="random")
    assert built["negation"] == Negation(seed=2, parser="en_core_web_sm", coverage="full", sentences="random")
    assert built["crop"] == Crop(seed=2, parser="en_core_web_sm")
    assert augmenters_of(["negation"]) == {"negation": Negation()}
