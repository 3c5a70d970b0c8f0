"""A file of sentences, uploaded and rewritten."""

import csv
import json

import pytest

from sda_hf.demo.batch import PREVIEW_ROWS, counted, preview, rewrite_upload
from sda_hf.errors import InputFileError, InputValueError


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_a_column_for_each_augmenter(tmp_path):
    source = write(tmp_path / "in.txt", "I am here.\nGreat food!\n")
    told = []
    done = rewrite_upload(source, tmp_path, ["negation"], progress=lambda rows, changed: told.append((rows, changed)))
    rows = [json.loads(line) for line in done.path.read_text(encoding="utf-8").splitlines()]
    assert done.path.name == "in-rewritten.jsonl"
    assert rows == [
        {"text": "I am here.", "negation": "I am not here."},
        {"text": "Great food!", "negation": None},
    ]
    assert told == [(2, 1)]
    shown = counted(done.summary)
    assert shown.startswith("<p>2 rows in ")
    assert "<strong>negation</strong>: 1 rewritten; skipped: not a clause: no finite verb (1)</li>" in shown


def test_spreadsheets_run_no_cell(tmp_path):
    source = write(tmp_path / "in.csv", 'text\n"=1+1 is here."\n')
    done = rewrite_upload(source, tmp_path, ["negation"], suffix=".csv")
    with done.path.open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["text"] == "'=1+1 is here."


def test_the_preview_shows_text(tmp_path):
    source = write(tmp_path / "in.jsonl", json.dumps({"text": "<script>", "<b>": None}) + "\n")
    shown = preview(source)
    assert '<th scope="col" dir="auto">&lt;b&gt;</th>' in shown
    assert '<td dir="auto">&lt;script&gt;</td><td class="sda-none">none</td>' in shown
    assert "<caption>All rows</caption>" in shown


def test_the_preview_is_short(tmp_path):
    shown = preview(write(tmp_path / "in.txt", "a" * 300 + "\n" + "b\n" * 50))
    assert shown.count("<tr>") == PREVIEW_ROWS + 1
    assert "a" * 200 + "…" in shown
    assert "a" * 201 not in shown


@pytest.mark.parametrize(
    ("name", "text", "options", "error", "message"),
    [
        ("in.txt", "a", {"names": []}, InputValueError, "no augmenter is chosen: choose one or more"),
        ("in.txt", "a", {"suffix": ".xls"}, InputValueError, "format '.xls' is not offered: choose one of .jsonl"),
        ("in.csv", "a,b\n1,2\n", {}, InputValueError, "column"),
        ("in.jsonl", "{", {}, InputFileError, "line 1"),
    ],
)
def test_mistakes(tmp_path, name, text, options, error, message):
    with pytest.raises(error, match=message):
        rewrite_upload(write(tmp_path / name, text), tmp_path, **{"names": ["negation"], **options})
    assert [path.name for path in tmp_path.iterdir()] == [name]
