from __future__ import annotations

import gzip
import json
import re

import pytest
from datasets import Dataset

from sda_hf.augmentation import DoubleNegation, Negation, PunctuationInsertion, Triplets
from sda_hf.errors import InputFileError, InputTypeError, InputValueError
from sda_hf.training.data import load_sentences, make_rows
from sda_hf.training.recipe import Data

TEXTS = ["He left.", "She stayed, too.", "“Why?” 😀"]


def written(folder, name):
    path = folder / name
    bare = name.removesuffix(".gz")
    if bare.endswith(".txt"):
        content = "\n".join([*TEXTS, "", "   "]) + "\n"
    elif bare.endswith(".csv"):
        content = "id,text\n" + "".join(f'{i},"{text}"\n' for i, text in enumerate(TEXTS)) + '9,""\n'
    elif bare.endswith(".tsv"):
        content = "text\tid\n" + "".join(f"{text}\t{i}\n" for i, text in enumerate(TEXTS))
    elif bare.endswith(".jsonl"):
        content = "".join(json.dumps({"text": text}) + "\n" for text in [*TEXTS, None])
    else:
        Dataset.from_dict({"text": [*TEXTS, None]}).to_parquet(path)
        return str(path)
    data = content.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return str(path)


@pytest.mark.parametrize(
    "name", ["a.txt", "a.txt.gz", "a.csv", "a.csv.gz", "a.tsv", "a.jsonl", "a.jsonl.gz", "a.parquet"]
)
def test_sentences_of_every_kind_of_file(tmp_path, name):
    sentences = load_sentences(Data(files=(written(tmp_path, name),)))
    assert sentences.column_names == ["anchor"]
    assert list(sentences["anchor"]) == TEXTS


def test_patterns_columns_and_limits(tmp_path):
    for number in (2, 1):
        (tmp_path / f"part-{number}.csv").write_text(f"body,text\nb{number},t{number}\n", encoding="utf-8")
    data = Data(files=(str(tmp_path / "part-*.csv"),), column="body")
    assert list(load_sentences(data)["anchor"]) == ["b1", "b2"]
    assert list(load_sentences(Data(files=data.files, limit=1))["anchor"]) == ["t1"]
    assert list(load_sentences(Data(files=data.files, limit=9))["anchor"]) == ["t1", "t2"]


@pytest.mark.parametrize(
    ("files", "options", "error", "message"),
    [
        ({}, {"files": "x.txt"}, InputFileError, "data.files: no such file: x.txt"),
        ({}, {"files": "x-*.txt"}, InputFileError, "data.files: no such file: x-*.txt"),
        ({"a.doc": "x"}, {}, InputValueError, "a.doc' is of no known kind; known: .txt, .csv, "),
        (
            {"a.txt": "x", "b.csv": "text\nx\n"},
            {},
            InputValueError,
            "files of one kind are taken together; given: .csv, .txt",
        ),
        ({"a.txt": "\n \n"}, {}, InputValueError, "data: column 'text' holds no sentence"),
        ({"a.txt": b"caf\xe9"}, {}, InputFileError, "a.txt: cannot be read: 'utf-8' codec can't decode"),
        (
            {"a.csv": "body,id\nx,1\n"},
            {},
            InputValueError,
            "none of text, sentence, anchor, sentence1 among the columns body, id",
        ),
        ({"a.csv": "body,id\nx,1\n"}, {"column": "bod"}, InputValueError, "no column 'bod' among the columns body, id"),
        ({"a.csv": "body,id\nx,1\n"}, {"column": "id"}, InputTypeError, "data.column: 'id' holds int64, not strings"),
        ({"a.jsonl": "{"}, {}, InputFileError, "a.jsonl: cannot be read: "),
    ],
)
def test_bad_data(tmp_path, monkeypatch, files, options, error, message):
    monkeypatch.chdir(tmp_path)
    for name, content in files.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(error, match=re.escape(message)):
        load_sentences(Data(**{"files": sorted(files), **options}))


def test_rows_are_triplets_without_those_that_have_no_negative():
    sentences = Dataset.from_dict({"anchor": ["He travelled widely in Europe.", "...", "The door is locked."]})
    rows = make_rows(sentences, Triplets(PunctuationInsertion(), Negation()))
    assert rows.dataset.column_names == ["anchor", "positive", "negative"]
    assert list(rows.dataset["negative"]) == ["He didn't travel widely in Europe.", "The door isn't locked."]
    assert rows.figures() == {"sentences": 3, "rows": 2, "without_negative": 1, "positive_changed": 1.0}


def test_rows_of_single_augmenters():
    sentences = Dataset.from_dict({"anchor": ["He travelled widely in Europe.", "..."]})
    pairs = make_rows(sentences, PunctuationInsertion()).dataset
    assert pairs.column_names == ["anchor", "positive"]
    assert list(pairs["anchor"]) == ["He travelled widely in Europe.", "..."]
    triplets = make_rows(sentences, Negation()).dataset
    assert triplets[:] == {
        "anchor": ["He travelled widely in Europe."],
        "positive": ["He travelled widely in Europe."],
        "negative": ["He didn't travel widely in Europe."],
    }
    assert make_rows(sentences, Negation(on_skip="drop")).dataset[:] == triplets[:]


def test_rows_need_a_negative_and_known_columns():
    sentences = Dataset.from_dict({"anchor": ["...", "!"]})
    with pytest.raises(InputValueError, match="no sentence could be rewritten"):
        make_rows(sentences, Negation())
    with pytest.raises(InputValueError, match="columns are positive and negative, not hard"):
        make_rows(sentences, Negation(output_column="hard"))


def test_rows_that_are_all_unchanged_are_refused():
    sentences = Dataset.from_dict({"anchor": ["今天下雨。", "🙂", "12 + 5"]})
    with pytest.raises(InputValueError, match="none of the 3 sentences was changed, so every row is a sentence and"):
        make_rows(sentences, DoubleNegation())
    assert make_rows(sentences, None).changed == 0
