"""`sda-hf augment` with triplets, fields, files of augmenters, copies, standard streams, encodings and delimiters."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sda_hf import ModalVerbs, Negation, PunctuationInsertion
from sda_hf.augmentation.files import augment_file
from sda_hf.cli import main
from sda_hf.evaluation.plots import canvas

ROOT = Path(__file__).parents[1]
TEXTS = ["He left.", "Hello!", "She won."]


@pytest.fixture
def run(tmp_path, monkeypatch, capfdbinary):
    """Run the command in a folder with in.txt: exit code, output, errors."""
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text("".join(f"{text}\n" for text in TEXTS), encoding="utf-8")

    def run(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "argv", ["sda-hf", "augment", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capfdbinary.readouterr()
        return ended.value.code or 0, out.decode("utf-8", "surrogatepass"), err.decode()

    return run


def rows(text):
    return [json.loads(line) for line in text.splitlines()]


def test_triplets_leave_out_rows_without_a_negative(run):
    assert run("in.txt", "out.jsonl", "--triplets", "modal-verbs,negation", "--set", "positive.phrases=[must]")[0] == 0
    assert rows(Path("out.jsonl").read_text(encoding="utf-8")) == [
        {"text": "He left.", "positive": "He must have left.", "negative": "He didn't leave."},
        {"text": "She won.", "positive": "She must have won.", "negative": "She didn't win."},
    ]


def test_triplets_with_every_row(run):
    code, out, _ = run("in.txt", "-", "--triplets", "modal-verbs,negation", "--on-skip", "null", "--quiet")
    assert code == 0
    assert [row["negative"] for row in rows(out)] == ["He didn't leave.", None, "She didn't win."]


def test_a_file_describes_a_composite(run):
    Path("both.yaml").write_text(
        "name: chain\naugmenters:\n- {name: negation, contractions: false}\n- {name: modal-verbs, phrases: [must]}\n",
        encoding="utf-8",
    )
    code, out, _ = run("in.txt", "-", "--augmenter", "both.yaml,negation", "--quiet")
    assert code == 0
    assert rows(out)[0] == {"text": "He left.", "both": "He must not have left.", "negation": "He didn't leave."}


def test_a_file_describes_triplets(run):
    Path("t.yaml").write_text(
        "{name: triplets, positive: {name: punctuation-insertion}, negative: {name: negation}}", encoding="utf-8"
    )
    code, out, _ = run("in.txt", "-", "--augmenter", "t.yaml", "--coverage", "full", "--quiet")
    assert code == 0
    assert rows(out)[0] == {"text": "He left.", "positive": "He, left.", "negative": "He didn't leave."}
    assert len(rows(out)) == 2


def test_fields_and_skips(run):
    settings = ["--set", "negation.contractions=false", "--on-skip", "drop", "--quiet"]
    code, out, _ = run("in.txt", "-", "--augmenter", "negation", *settings)
    assert code == 0
    assert [row["negation"] for row in rows(out)] == ["He did not leave.", "She did not win."]


def test_copies_have_the_draws_of_epochs(run):
    code, out, err = run("in.txt", "-", "--augmenter", "modal-verbs", "--copies", "3", "--seed", "2", "--json")
    assert code == 0
    drawn = [ModalVerbs(seed=2, epoch=epoch).augment(TEXTS) for epoch in range(3)]
    assert [row["modal-verbs"] for row in rows(out)] == [text for texts in drawn for text in texts]
    assert len({tuple(texts) for texts in drawn}) > 1
    assert json.loads(err.splitlines()[-1])["rows"] == 9


def test_copies_in_python(tmp_path):
    (tmp_path / "in.txt").write_text("He left.\n", encoding="utf-8")
    with pytest.raises(ValueError, match="copies=0: give a number from 1"):
        augment_file(tmp_path / "in.txt", tmp_path / "out.txt", {"a": Negation()}, copies=0)
    with pytest.raises(ValueError, match="copies=2: give a number from 1, and num_proc=None"):
        augment_file(tmp_path / "in.txt", tmp_path / "out.txt", {"a": PunctuationInsertion()}, num_proc=2, copies=2)


# -- standard streams ----------------------------------------------------------------------------


def test_standard_streams(run):
    code, out, err = run("-", "-", "--augmenter", "negation", stdin="He left.\nÇa va.\n".encode())
    assert code == 0
    assert [row["text"] for row in rows(out)] == ["He left.", "Ça va."]
    assert "2 sentences" in err
    assert "Written" not in err + out


def test_other_formats_in_a_pipe(run):
    how = ["--input-format", "csv", "--format", "tsv", "--quiet"]
    code, out, _ = run("-", "-", "--augmenter", "negation", *how, stdin=b'text,id\n"He left, early.",1\n')
    assert (code, out) == (0, "text\tid\tnegation\nHe left, early.\t1\tHe didn't leave, early.\n")


def test_compressed_files(run):
    Path("in.csv.gz").write_bytes(gzip.compress(b"text\nHe left.\n"))
    assert run("in.csv.gz", "out.jsonl.gz", "--augmenter", "negation")[0] == 0
    assert rows(gzip.decompress(Path("out.jsonl.gz").read_bytes()).decode())[0]["negation"] == "He didn't leave."


def test_a_reader_that_has_seen_enough(tmp_path):
    (tmp_path / "in.txt").write_text("He left.\n" * 5000, encoding="utf-8")
    command = f"{sys.executable} -m sda_hf augment in.txt - --augmenter crop --quiet | head -n 1"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=tmp_path, capture_output=True, text=True, env=environment
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 1


# -- encodings and delimiters --------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-8", "cp1252", "utf-8-sig"])
def test_encodings(run, encoding):
    Path("in.csv").write_bytes('text,id\r\n"He left the café,\r\nearly.",1\r\nShe won.,2\r\n'.encode(encoding))
    code, out, _ = run("in.csv", "-", "--augmenter", "negation", "--encoding", encoding, "--quiet")
    assert code == 0
    assert rows(out)[0]["text"] == "He left the café,\r\nearly."
    assert rows(out)[1] == {"text": "She won.", "id": "2", "negation": "She didn't win."}


@pytest.mark.parametrize(("name", "delimiter"), [("in.csv", ";"), ("in.csv", "|"), ("in.csv", "\t"), ("in.tsv", ";")])
def test_delimiters(run, name, delimiter):
    Path(name).write_text(f"text{delimiter}id\nHe left, early.{delimiter}1\n", encoding="utf-8")
    code, out, _ = run(name, "-", "--augmenter", "negation", "--delimiter", delimiter, "--quiet")
    assert code == 0
    assert rows(out) == [{"text": "He left, early.", "id": "1", "negation": "He didn't leave, early."}]


def test_an_error_far_into_a_file_in_another_encoding(run):
    Path("big.txt").write_bytes(b"He left.\n" * 200_000 + b"Caf\xe9.\n")
    code, _, err = run("big.txt", "-", "--augmenter", "crop", "--encoding", "ascii")
    assert code == 2
    assert err.splitlines()[-1] == "error: big.txt, line 200001: not ascii: give another --encoding (byte 0xe9)"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["in.txt", "out.txt"], "error: give --augmenter, with names separated by commas, or --triplets"),
        (["in.txt", "o.jsonl", "--augmenter", "crop", "--triplets", "a,b"], "error: give --augmenter, with names"),
        (["in.txt", "o.jsonl", "--triplets", "negation"], "--triplets 'negation': give a positive and a negative"),
        (
            ["in.txt", "o.jsonl", "--triplets", "negation,crop"],
            "positive= takes an augmenter of positives, got Negation",
        ),
        (["in.txt", "o.jsonl", "--augmenter", "opposition-squares"], "fills the columns claim, denial, contrary"),
        (["in.txt", "o.jsonl", "--augmenter", "no.yaml"], "error: --augmenter no.yaml: no such file"),
        (["in.txt", "o.jsonl", "--augmenter", "a/x.yaml,b/x.yaml"], "error: --augmenter a/x.yaml: no such file"),
        (["in.txt", "o.jsonl", "--augmenter", "t.yaml,t2.yaml"], "two augmenters fill the column 'positive'"),
        (["in.txt", "o.jsonl", "--augmenter", "broken.yaml"], "broken.yaml, line 1: not valid YAML"),
        (["in.txt", "o.jsonl", "--augmenter", "crop", "--set", "x"], "--set 'x': give NAME.FIELD=VALUE"),
        (["in.txt", "o.jsonl", "--augmenter", "crop", "--set", "x.y=1"], "unknown augmenter in --set 'x'"),
        (["in.txt", "o.jsonl", "--augmenter", "crop", "--set", "crop.y=1"], "unknown field of crop 'y'"),
        (["in.txt", "o.jsonl", "--augmenter", "crop", "--set", "crop.name.x=1"], "name is 'crop', not a mapping"),
        (
            ["in.txt", "o.jsonl", "--augmenter", "negation", "--on-skip", "keep"],
            "--on-skip 'keep' would make a sentence",
        ),
        (["in.txt", "o.jsonl", "--augmenter", "negation", "--on-skip", "x"], "error: --on-skip 'x' is not allowed"),
        (["in.txt", "o.jsonl", "--augmenter", "negation", "--on-skip", "raise"], "(--on-skip 'raise')"),
        (
            ["in.txt", "o.jsonl", "--augmenter", "crop", "--copies", "2", "--num-proc", "2"],
            "--copies and --num-proc do",
        ),
        (["in.txt", "o.jsonl", "--augmenter", "crop", "--format", "csv"], "--format has no effect without"),
        (["in.txt", "o.jsonl", "--augmenter", "crop", "--input-format", "csv"], "--input-format is for the standard"),
        (["-", "-", "--augmenter", "crop", "--input-format", "doc"], "unknown format '.doc'"),
        (["-", "-", "--augmenter", "crop", "--format", "doc"], "unknown format '.doc'"),
        (["-", "o.jsonl", "--augmenter", "crop", "--column", "x"], "error: standard input: no column 'x'"),
        (["in.txt", "o.jsonl", "--augmenter", "crop", "--encoding", "x"], "--encoding 'x' is not known: give one such"),
        (["in.txt", "o.jsonl", "--augmenter", "crop", "--delimiter", ";"], "--delimiter is for .csv and .tsv"),
        (
            ["l.csv", "o.jsonl", "--augmenter", "crop", "--delimiter", ";;"],
            "--delimiter ';;' is not a single character",
        ),
        (["l.csv", "o.jsonl", "--augmenter", "crop"], "l.csv, line 3: not UTF-8 (byte 0xe9): name its encoding with"),
        (
            ["l.csv", "l.csv", "--augmenter", "crop", "--encoding", "latin-1", "--overwrite"],
            "l.csv is the input itself",
        ),
        (["l.csv", "in.txt", "--augmenter", "crop", "--encoding", "latin-1"], "in.txt already exists: give another"),
        (["open.csv", "o.jsonl", "--augmenter", "crop", "--delimiter", ";"], "error: open.csv, line 2: "),
        (["cut.txt.gz", "o.jsonl", "--augmenter", "crop", "--encoding", "latin-1"], "error: cannot read cut.txt.gz: "),
        (
            ["in.txt", "o.jsonl", "--augmenter", "crop", "--engine", "ray", "--copies", "2"],
            "--copies takes a file, but",
        ),
        (["-", "o", "--augmenter", "crop", "--engine", "ray"], "--engine ray works on files: name them"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes(run, arguments, message):
    Path("l.csv").write_bytes(b"text;id\nHe left.;1\nCaf\xe9.;2\n")
    Path("open.csv").write_text('text;id\n"He left.;1\n', encoding="utf-8")
    Path("cut.txt.gz").write_bytes(gzip.compress(b"He left.\n" * 1000)[:30])
    Path("broken.yaml").write_text("{", encoding="utf-8")
    for name in ("t.yaml", "t2.yaml"):
        Path(name).write_text("{name: triplets, positive: {name: crop}, negative: {name: negation}}", encoding="utf-8")
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    code, out, err = run(*arguments)
    errors = [line for line in err.splitlines() if line.startswith("error: ")]
    assert (code, out, len(errors)) == (2, "", 1)
    assert message in errors[0]
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


def test_a_plot_of_what_became_of_the_texts(run, monkeypatch):
    pytest.importorskip("matplotlib", reason="plots need the extra")
    found = {}
    write = canvas.save
    monkeypatch.setattr(canvas, "save", lambda figure, path: found.update({path: figure}) or write(figure, path))
    source = "".join(f"{text}\n" for text in (*TEXTS, "Is it?")).encode()
    given = ("--augmenter", "negation,punctuation-insertion", "--plot", "shares.png")
    code, out, err = run("-", "out.jsonl", *given, stdin=source)
    assert code == 0, err
    assert out.splitlines()[-2:] == ["Written: out.jsonl", "Written: shares.png"]
    (figure,) = found.values()
    kept = [json.loads(line) for line in Path("out.jsonl").read_text(encoding="utf-8").splitlines()]
    for axes in figure.axes:
        column = axes.get_title(loc="left")
        changed = sum(row[column] not in (None, row["text"]) for row in kept)
        assert axes.patches[0].get_width() == 25 * changed
        assert sum(bar.get_width() for bar in axes.patches) == 100
    assert Path("shares.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("shares.gif", "error: shares.gif: unknown plot format: use one of .png, .svg, .pdf"),
        ("no/shares.png", "error: --plot no/shares.png: the folder no does not exist: create it, or give another path"),
    ],
)
def test_a_plot_that_cannot_be_written_is_refused_first(run, path, message):
    code, _, err = run("-", "out.jsonl", "--augmenter", "negation", "--plot", path, stdin=b"He left.\n")
    assert (code, err.splitlines()[-1]) == (2, message)
    assert not Path("out.jsonl").exists()
