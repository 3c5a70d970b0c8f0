"""Cells that spreadsheets would run as formulas: data by default, and harmless on request."""

import sys

import pytest

import sda_hf
from sda_hf.augmentation.files import augment_file
from sda_hf.cli import main
from sda_hf.errors import InputValueError
from sda_hf.files import read_rows, write_rows
from sda_hf.files.spreadsheets import safe_cell, safe_columns

FORMULAS = [
    "=1+1",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://evil.example","click")',
    "+1",
    "-1",
    "- He left.",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "\uff1d1+1",
]
HARMLESS = ["He left.", "1-1", " =1+1", "'=1", "", "a=b", None, -1, 0.5, ["=1"]]


@pytest.mark.parametrize("value", FORMULAS)
def test_formulas_get_an_apostrophe(value):
    assert safe_cell(value) == f"'{value}"


@pytest.mark.parametrize("value", HARMLESS)
def test_anything_else_stays(value):
    assert safe_cell(value) is value


def test_columns():
    assert safe_columns(["=a", "b"]) == {"=a": "'=a", "b": "b"}
    with pytest.raises(InputValueError, match=r'^columns \'=a\' and "\'=a" would get the same name: rename'):
        safe_columns(["=a", "'=a"])


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "in.jsonl"
    write_rows(path, [{"text": text, "=id": number, "-note": "=x"} for number, text in enumerate(FORMULAS)])
    return path


def cells(path):
    return [list(row.items()) for _, row in read_rows(path)]


@pytest.mark.parametrize("name", ["out.csv", "out.csv.gz"])
def test_files(source, name):
    target = source.parent / name
    augmenters = {"negation": sda_hf.Negation(on_skip="null")}
    augment_file(source, target, augmenters)
    plain = cells(target)
    assert [row[0] for row in plain] == [("text", text) for text in FORMULAS], "data are data by default"
    assert plain[0][1:3] == [("=id", "0"), ("-note", "=x")]
    augment_file(source, target, augmenters, safe_csv=True, overwrite=True)
    assert [row[0] for row in cells(target)] == [("text", f"'{text}") for text in FORMULAS]
    assert cells(target)[0][1:3] == [("'=id", "0"), ("'-note", "'=x")]


def test_rewrites_are_safe_as_well(tmp_path):
    (tmp_path / "in.txt").write_text("- He left.\n", encoding="utf-8")
    augment_file(tmp_path / "in.txt", tmp_path / "out.tsv", {"negation": sda_hf.Negation()}, safe_csv=True)
    assert (tmp_path / "out.tsv").read_text(encoding="utf-8") == "text\tnegation\n'- He left.\t'- He didn't leave.\n"


def test_the_command(tmp_path, monkeypatch):
    (tmp_path / "in.txt").write_text("=1+1\n", encoding="utf-8")
    for option, expected in ((["--safe-csv"], "'=1+1"), ([], "=1+1")):
        target = tmp_path / f"out{len(option)}.csv"
        command = ["sda-hf", "augment", str(tmp_path / "in.txt"), str(target), "--augmenter", "negation", *option]
        monkeypatch.setattr(sys, "argv", command)
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 0
        assert target.read_text(encoding="utf-8").splitlines()[1].split(",")[0] == expected


def test_other_formats(source):
    with pytest.raises(InputValueError, match=r"out\.jsonl: safe_csv is for \.csv and \.tsv files: write one"):
        augment_file(source, source.parent / "out.jsonl", {"negation": sda_hf.Negation()}, safe_csv=True)
