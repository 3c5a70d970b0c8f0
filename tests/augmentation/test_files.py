import os
import signal
import subprocess
import sys
import time

import pyarrow.parquet
import pytest
from datasets import load_dataset

import sda_hf
from sda_hf.augmentation.files import augment_file

TEXTS = ["He left.", "Hello!", 'She said "no", twice.', "It rains."]
NEGATED = ["He didn't leave.", None, None, "It doesn't rain."]


def write_jsonl(path, texts):
    import json

    path.write_text("".join(json.dumps({"text": t, "id": i}) + "\n" for i, t in enumerate(texts)), encoding="utf-8")
    return path


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet"])
def test_every_format_in_and_out(tmp_path, suffix):
    source = write_jsonl(tmp_path / "in.jsonl", TEXTS)
    both = {"negation": sda_hf.Negation(), "must": sda_hf.ModalVerbs(phrases=["must"])}
    first = augment_file(source, tmp_path / f"a.{suffix}", both)
    assert (first.rows, first.counts["must"].changed) == (4, 3)
    again = augment_file(tmp_path / f"a.{suffix}", tmp_path / "b.jsonl", {"negation-2": sda_hf.Negation()})
    assert again.counts["negation-2"].changed == first.counts["negation"].changed
    rows = load_dataset("json", data_files=str(tmp_path / "b.jsonl"), split="train", cache_dir=str(tmp_path / "c"))
    assert rows["text"] == TEXTS
    assert rows["must"][0] == "He must have left."
    assert rows["negation-2"][3] == "It doesn't rain."
    assert rows["negation-2"][1] is None


def test_text_stays_parallel_and_exact(tmp_path):
    source = tmp_path / "in.txt"
    source.write_bytes("\ufeffHe left.\r\nHello!\r\n\r\nHe saw \u2028 it.\n".encode())
    summary = augment_file(source, tmp_path / "out.txt", {"negation": sda_hf.Negation()})
    assert summary.rows == 4
    out = (tmp_path / "out.txt").read_bytes().decode().split("\n")
    assert out == ["He didn't leave.", "", "", "He didn't see \u2028 it.", ""]


def test_summary_adds_up(tmp_path):
    source = write_jsonl(tmp_path / "in.jsonl", TEXTS * 300)
    seen = []
    summary = augment_file(source, tmp_path / "o.jsonl", {"negation": sda_hf.Negation()}, progress=seen.append)
    assert sum(seen) == summary.rows == 1200
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
        ("in.csv", b"body\nHe left.\n", "no text column: looked for 'text'"),
        ("in.csv", b"text,id\nHe left.\n", r"in.csv, line 2: 2 columns are named in the header"),
        ("in.jsonl", b'{"text": "He left."}\n{"text": \n', r"in.jsonl, line 2: no JSON"),
        ("in.jsonl", b"[1]\n", "a row must be an object, got list"),
        ("in.jsonl", b'{"text": null}\n', r"row 0 of column 'text' is None \(NoneType\)"),
        ("in.parquet", b"nonsense", "is no Parquet file"),
        ("in.jsonl", b'{"text": "a", "negation": "b"}\n', "a column 'negation' is there already"),
        ("in.doc", b"", r"unknown format '.doc': known are .txt, .csv"),
    ],
)
def test_bad_files_leave_nothing_behind(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises((ValueError, TypeError), match=message):
        augment_file(tmp_path / name, tmp_path / "out.jsonl", {"negation": sda_hf.Negation()})
    assert sorted(p.name for p in tmp_path.iterdir()) == [name]


def test_missing_files_and_folders(tmp_path):
    negation = {"negation": sda_hf.Negation()}
    with pytest.raises(OSError, match=r"in.txt: no such file"):
        augment_file(tmp_path / "in.txt", tmp_path / "out.jsonl", negation)
    (tmp_path / "in.txt").write_text("He left.")
    with pytest.raises(OSError, match="there is no folder"):
        augment_file(tmp_path / "in.txt", tmp_path / "no" / "out.jsonl", negation)
    with pytest.raises(ValueError, match="give one augmenter, or write .jsonl"):
        augment_file(tmp_path / "in.txt", tmp_path / "out.txt", {**negation, "modal": sda_hf.ModalVerbs()})


def test_a_killed_run_leaves_the_old_file(tmp_path):
    source = tmp_path / "in.txt"
    source.write_text("He left the house early.\n" * 200_000)
    target = tmp_path / "out.jsonl"
    target.write_text("old")
    code = (
        "import sys, sda_hf; from sda_hf.augmentation.files import augment_file; "
        "augment_file(sys.argv[1], sys.argv[2], {'negation': sda_hf.Negation()})"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(source), str(target)])
    deadline = time.monotonic() + 60
    while not any(p.stat().st_size for p in tmp_path.glob(".out.jsonl.*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert target.read_text() == "old"


def test_parquet_with_an_empty_first_column(tmp_path):
    source = write_jsonl(tmp_path / "in.jsonl", ["Hello!"] * 1200 + ["He left."])
    augment_file(source, tmp_path / "out.parquet", {"negation": sda_hf.Negation()})
    table = pyarrow.parquet.read_table(tmp_path / "out.parquet")
    assert table.column("negation").to_pylist()[-1] == "He didn't leave."
