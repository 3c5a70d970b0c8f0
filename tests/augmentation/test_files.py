import csv
import gzip
import json
import os
import signal
import subprocess
import sys
import time

import pyarrow.parquet
import pytest
import spacy
from datasets import load_dataset

import sda_hf
from sda_hf.augmentation.files import augment_file
from sda_hf.errors import InputError, InputFileError, InputValueError
from sda_hf.files import read_rows, write_rows

TEXTS = ["He left.", "Hello!", 'She said "no", twice.', "It rains."]
NEGATION = {"negation": sda_hf.Negation()}


def write_jsonl(path, texts):
    path.write_text("".join(json.dumps({"text": t, "id": i}) + "\n" for i, t in enumerate(texts)), encoding="utf-8")
    return path


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet"])
def test_reads_and_writes_every_format(tmp_path, suffix):
    source = write_jsonl(tmp_path / "in.jsonl", TEXTS)
    both = {"negation": sda_hf.Negation(), "must": sda_hf.ModalVerbs(phrases=["must"], coverage="full")}
    first = augment_file(source, tmp_path / f"a.{suffix}", both)
    assert (first.rows, first.counts["must"].changed) == (4, 3)
    again = augment_file(tmp_path / f"a.{suffix}", tmp_path / "b.jsonl", {"negation-2": sda_hf.Negation()})
    assert again.counts["negation-2"].changed == first.counts["negation"].changed
    rows = load_dataset("json", data_files=str(tmp_path / "b.jsonl"), split="train", cache_dir=str(tmp_path / "c"))
    assert rows["text"] == TEXTS
    assert rows["must"][0] == "He must have left."
    assert rows["negation-2"][3] == "It doesn't rain."
    assert rows["negation-2"][1] is None


def test_txt_output_is_line_by_line_and_exact(tmp_path):
    source = tmp_path / "in.txt"
    source.write_bytes("\ufeffHe left.\r\nHello!\r\n\r\nHe saw \u2028 it.\n".encode())
    summary = augment_file(source, tmp_path / "out.txt", NEGATION)
    assert summary.rows == 4
    out = (tmp_path / "out.txt").read_bytes().decode().split("\n")
    assert out == ["He didn't leave.", "", "", "He didn't see \u2028 it.", ""]


def test_summary_adds_up(tmp_path):
    source = write_jsonl(tmp_path / "in.jsonl", TEXTS * 300)
    seen = []
    summary = augment_file(source, tmp_path / "o.jsonl", NEGATION, progress=lambda *rows: seen.append(rows))
    assert [sum(numbers) for numbers in zip(*seen, strict=True)] == [summary.rows, summary.changed] == [1200, 900]
    counts = summary.counts["negation"]
    assert sum(counts.rules.values()) == counts.changed
    assert counts.changed + sum(counts.skips.values()) == 1200
    assert counts.rules["do-support: past tense"] == 600
    assert counts.skips == {"no claim to negate": 300}
    whole, *parts = summary.table_rows()
    assert whole == ("negation", "", 900, 75.0)
    assert ("negation", "skipped: no claim to negate", 300, 25.0) in parts


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("in.csv", b"body\nHe left.\n", r"in\.csv: no text column: looked for 'text', .* name one with column"),
        ("in.csv", b"text,id\nHe left.\n", r"in\.csv, line 2: the row has 1 cells, the header 2"),
        (
            "in.csv",
            b'text\nHe left.\n"She won.\n',
            r"in\.csv, line 3: a quotation mark opens a cell that is never closed",
        ),
        ("in.csv", b"text,id,text\na,1,b\n", r"in\.csv: duplicate column 'text'"),
        (
            "in.txt",
            "He left.\nCafé.\n".encode("latin-1"),
            r"in\.txt, line 2: not UTF-8 \(byte 0xe9\): save the file as",
        ),
        ("in.txt", "He left.\n".encode("utf-16"), r"in\.txt, line 1: not UTF-8 but UTF-16: save the file as UTF-8"),
        ("in.jsonl", b'{"text": "He left."}\n{"text": \n', r"in\.jsonl, line 2: invalid JSON"),
        ("in.jsonl", b"[1]\n", r"in\.jsonl, line 1: expected a JSON object, got \[1\]"),
        (
            "in.jsonl",
            b'{"text": "a"}\n{"text": null}\n',
            r"in\.jsonl, line 2: column 'text' is None \(NoneType\), not a str",
        ),
        (
            "in.jsonl",
            b'{"text": "a"}\n{"id": 3}\n',
            r"in\.jsonl, line 2: column 'text' is None \(NoneType\), not a str",
        ),
        ("in.parquet", b"nonsense", r"cannot read .*in\.parquet: Parquet"),
        (
            "in.jsonl",
            b'{"text": "a"}\n{"text": "a", "negation": "b"}\n',
            "a column 'negation' exists already: rename it",
        ),
        ("in.doc", b"", r"unknown format '.doc': known are .txt, .csv"),
    ],
)
def test_bad_input_leaves_no_output(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        augment_file(tmp_path / name, tmp_path / "out.jsonl", NEGATION)
    assert sorted(p.name for p in tmp_path.iterdir()) == [name]


def test_missing_files_and_folders(tmp_path):
    with pytest.raises(InputFileError, match=r"in.txt: no such file"):
        augment_file(tmp_path / "in.txt", tmp_path / "out.jsonl", NEGATION)
    (tmp_path / "in.txt").write_text("He left.")
    with pytest.raises(InputFileError, match="there is no folder"):
        augment_file(tmp_path / "in.txt", tmp_path / "no" / "out.jsonl", NEGATION)


def test_refuses_augmenters_with_different_parses(tmp_path):
    source = write_jsonl(tmp_path / "in.jsonl", ["He left."])
    with pytest.raises(InputValueError, match="no augmenter: give at least one"):
        augment_file(source, tmp_path / "out.jsonl", {})
    with pytest.raises(InputValueError, match="give one augmenter, or write .jsonl"):
        augment_file(source, tmp_path / "out.txt", {**NEGATION, "modal": sda_hf.ModalVerbs()})
    with pytest.raises(InputValueError, match="Negation and ModalVerbs differ in language or parser"):
        augment_file(source, tmp_path / "out.jsonl", {**NEGATION, "other": sda_hf.ModalVerbs(parser=spacy.blank("en"))})


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet", "csv.gz", "tsv.gz", "jsonl.gz", "parquet.gz"])
def test_quotation_marks_survive_every_format(tmp_path, suffix):
    texts = ['He said "no".', '"No," he said.', '"Yes."', 'He said ""no"".', '"', "It's 5\" long."]
    source = write_jsonl(tmp_path / "in.jsonl", texts)
    augment_file(source, tmp_path / f"a.{suffix}", NEGATION)
    augment_file(tmp_path / f"a.{suffix}", tmp_path / "b.jsonl", {"again": sda_hf.Negation()})
    rows = [row for _, row in read_rows(tmp_path / "b.jsonl")]
    assert [row["text"] for row in rows] == texts
    assert [row["negation"] or None for row in rows] == [row["again"] for row in rows]
    assert rows[0]["again"] == 'He didn\'t say "no".'


def test_large_cells(tmp_path):
    texts = ["He left.", "x" * 200_000]
    with (tmp_path / "in.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["text"], *([text] for text in texts)])
    summary = augment_file(tmp_path / "in.csv", tmp_path / "out.csv", NEGATION)
    assert summary.counts["negation"].skips == {"over 20,000 characters": 1}
    assert [row["text"] for _, row in read_rows(tmp_path / "out.csv")] == texts


@pytest.mark.parametrize(
    ("name", "what"), [("out.txt", "row 2: .* contains a line break"), ("out.tsv", "row 2: .* contains a line break")]
)
def test_a_text_with_a_line_break_stays_one_row(tmp_path, name, what):
    write_rows(tmp_path / "in.csv", [{"text": "He left."}, {"text": "He left,\nand she came."}, {"text": "It rains."}])
    kept = {"noise": sda_hf.PunctuationInsertion(on_skip="keep")}
    with pytest.raises(InputValueError, match=rf"{name}, {what}.*: write \.jsonl, \.csv or \.parquet"):
        augment_file(tmp_path / "in.csv", tmp_path / name, kept)
    assert not (tmp_path / name).exists()
    augment_file(tmp_path / "in.csv", tmp_path / "out.csv", kept)
    assert [row["text"] for _, row in read_rows(tmp_path / "out.csv")] == [
        "He left.",
        "He left,\nand she came.",
        "It rains.",
    ]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "jsonl"])
def test_a_column_missing_in_the_first_rows_is_kept(tmp_path, suffix):
    lines = [{"text": "Hello!"}] * 1200 + [{"text": "He left.", "source": "news", "year": 1999}]
    write_rows(tmp_path / "in.jsonl", lines)
    augment_file(tmp_path / "in.jsonl", tmp_path / f"out.{suffix}", NEGATION)
    *_, (_, last) = read_rows(tmp_path / f"out.{suffix}")
    year = "1999" if suffix in ("csv", "tsv") else 1999
    assert last == {"text": "He left.", "source": "news", "year": year, "negation": "He didn't leave."}


def test_parquet_types_are_preserved(tmp_path):
    table = pyarrow.table({"text": ["He left."], "id": pyarrow.array([7], pyarrow.int8())})
    pyarrow.parquet.write_table(table, tmp_path / "in.parquet")
    augment_file(tmp_path / "in.parquet", tmp_path / "out.parquet", NEGATION)
    assert pyarrow.parquet.read_table(tmp_path / "out.parquet") == table.append_column(
        "negation", pyarrow.array(["He didn't leave."])
    )


def test_the_last_suffix_determines_the_format(tmp_path):
    source = write_jsonl(tmp_path / "in.jsonl", ["He left."])
    augment_file(source, tmp_path / "a.tsv.csv", NEGATION)
    assert (tmp_path / "a.tsv.csv").read_text() == "text,id,negation\nHe left.,0,He didn't leave.\n"
    augment_file(source, tmp_path / "b.TSV", NEGATION)
    assert (tmp_path / "b.TSV").read_text() == "text\tid\tnegation\nHe left.\t0\tHe didn't leave.\n"
    augment_file(source, tmp_path / "c.tsv.gz", NEGATION)
    assert gzip.decompress((tmp_path / "c.tsv.gz").read_bytes()) == (tmp_path / "b.TSV").read_bytes()


def test_an_empty_table_keeps_its_columns(tmp_path):
    (tmp_path / "in.csv").write_text("text,id\n")
    for suffix, content in {"csv": b"text,id,negation\n", "jsonl": b""}.items():
        assert augment_file(tmp_path / "in.csv", tmp_path / f"out.{suffix}", NEGATION).rows == 0
        assert (tmp_path / f"out.{suffix}").read_bytes() == content
    augment_file(tmp_path / "in.csv", tmp_path / "out.parquet", NEGATION)
    assert pyarrow.parquet.read_schema(tmp_path / "out.parquet").names == ["text", "id", "negation"]


@pytest.mark.slow
def test_a_killed_run_keeps_the_old_file(tmp_path):
    source = tmp_path / "in.txt"
    source.write_text("He left the house early.\n" * 200_000)
    target = tmp_path / "out.jsonl"
    target.write_text("old")
    code = (
        "import sys, sda_hf; from sda_hf.augmentation.files import augment_file; "
        "augment_file(sys.argv[1], sys.argv[2], {'negation': sda_hf.Negation()}, overwrite=True)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(source), str(target)])
    deadline = time.monotonic() + 60
    while not any(p.stat().st_size for p in tmp_path.glob(".out.jsonl.*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert target.read_text() == "old"


def test_parquet_with_only_nulls_in_the_first_chunk(tmp_path):
    source = write_jsonl(tmp_path / "in.jsonl", ["Hello!"] * 1200 + ["He left."])
    augment_file(source, tmp_path / "out.parquet", NEGATION)
    table = pyarrow.parquet.read_table(tmp_path / "out.parquet")
    assert table.column("negation").to_pylist()[-1] == "He didn't leave."
