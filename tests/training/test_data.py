from __future__ import annotations

import csv
import functools
import gzip
import http.server
import json
import re
import threading

import pytest
from datasets import Dataset

from sda_hf.augmentation import DoubleNegation, Negation, PunctuationInsertion, Triplets
from sda_hf.augmentation.files import augment_file
from sda_hf.errors import InputFileError, InputTypeError, InputValueError
from sda_hf.run_files import DataStatistics, RewriteStatistics
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


QUOTED = ['He said "no".', '"No," he said.', '"Yes."', 'He said ""no"".', '"']


@pytest.mark.parametrize("suffix", ["txt", "csv", "tsv", "jsonl", "parquet", "csv.gz", "tsv.gz"])
def test_what_augment_writes_is_what_is_trained_on(tmp_path, suffix):
    (tmp_path / "in.txt").write_text("\n".join(QUOTED) + "\n", encoding="utf-8")
    kept = PunctuationInsertion(proportion=0.0, on_skip="keep")
    augment_file(tmp_path / "in.txt", tmp_path / f"out.{suffix}", {"rewritten": kept})
    column = "text" if suffix == "txt" else "rewritten"
    assert list(load_sentences(Data(files=(str(tmp_path / f"out.{suffix}"),), column=column))["anchor"]) == QUOTED


def test_files_that_changed_are_read_again(tmp_path):
    path = tmp_path / "a.tsv"
    for text in ("He left.", "She won."):
        path.write_text(f"text\tid\n{text}\t1\n", encoding="utf-8")
        assert list(load_sentences(Data(files=(str(path),)))["anchor"]) == [text]
    assert (
        load_sentences(Data(files=(str(path),)))._fingerprint == load_sentences(Data(files=(str(path),)))._fingerprint
    )


def test_large_cells_and_odd_values(tmp_path):
    texts = ["x" * 200_000, "NA", "null", "1", "two\nlines"]
    with (tmp_path / "a.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["text"], *([text] for text in texts)])
    assert list(load_sentences(Data(files=(str(tmp_path / "a.csv"),)))["anchor"]) == texts


def test_a_file_from_the_network(tmp_path, monkeypatch):
    for name in ("huggingface_hub.constants.HF_HUB_OFFLINE", "datasets.config.HF_HUB_OFFLINE"):
        monkeypatch.setattr(name, False)
    monkeypatch.setattr("datasets.config.DOWNLOADED_DATASETS_PATH", str(tmp_path / "downloads"))
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    (tmp_path / "a.tsv.gz").write_bytes(gzip.compress(b'text\tid\n"No," he said.\t1\n'))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        assert list(load_sentences(Data(files=(f"{address}/a.tsv.gz",)))["anchor"]) == ['"No," he said.']
        with pytest.raises(InputFileError, match=rf"data.files: {address}/b.txt: cannot be downloaded: "):
            load_sentences(Data(files=(f"{address}/b.txt",)))
        server.shutdown()


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
        ({"a.doc": "x"}, {}, InputValueError, "a.doc: unknown format '.doc': known are .txt, .csv, "),
        (
            {"a.txt": "x", "b.csv": "text\nx\n"},
            {},
            InputValueError,
            "data.files: give files of one format; given: .csv, .txt",
        ),
        ({"a.txt": "\n \n"}, {}, InputValueError, "data.files: no text in a.txt: every row is blank"),
        (
            {"a.txt": b"tea\ncaf\xe9\n"},
            {},
            InputFileError,
            "a.txt, line 2: not UTF-8 (byte 0xe9): save the file as UTF-8",
        ),
        ({"a.txt": "tea\n".encode("utf-16")}, {}, InputFileError, "a.txt, line 1: not UTF-8 but UTF-16: save the file"),
        (
            {"a.csv": "body,id\nx,1\n"},
            {},
            InputValueError,
            "a.csv: no text column: looked for 'text', 'sentence', 'anchor', 'sentence1', the columns are 'body', "
            "'id': name one with data.column",
        ),
        (
            {"a.csv": "body,id\nx,1\n"},
            {"column": "bod"},
            InputValueError,
            "no column 'bod': the columns are 'body', 'id': check data.column",
        ),
        (
            {"a.jsonl": '{"text": "x", "id": 1}\n'},
            {"column": "id"},
            InputTypeError,
            "data.column: a.jsonl, line 1: 'id' holds int, not a string",
        ),
        ({"a.jsonl": '{"text": "x\\ud83d"}'}, {}, InputValueError, "data.files: a.jsonl, line 1: half a character"),
        ({"a.jsonl": "{"}, {}, InputFileError, "a.jsonl, line 1: invalid JSON: "),
        (
            {"a.csv": 'text\n"x\n'},
            {},
            InputFileError,
            "a.csv, line 2: a quotation mark opens a cell that is never closed",
        ),
        ({"a.csv": "text,text\nx,y\n"}, {}, InputValueError, "a.csv: duplicate column 'text'"),
        ({"a.tsv": "text\tid\nx\t1\ny\n"}, {}, InputValueError, "a.tsv, line 3: the row has 1 cells, the header 2"),
        (
            {"a.csv": "text\nx\n", "b.csv": "body\ny\n"},
            {},
            InputValueError,
            "b.csv: no column 'text': the columns are 'body': check data.column",
        ),
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
    rewritten = {"negative": RewriteStatistics(augmenter="negation", texts=3, changed=0.5, rules={}, skips={})}
    assert rows.statistics(rewritten) == DataStatistics(
        sentences=3, rows=2, without_negative=1, positive_changed=1.0, rewrites=rewritten
    )


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
