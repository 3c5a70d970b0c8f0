"""Writing rows: what is written is read again, and what a format cannot hold is refused."""

import csv
import datetime
import gzip
import json
import tempfile
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
from datasets import load_dataset
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.files import read_rows, write_rows

TABLES = [".csv", ".tsv", ".jsonl", ".parquet"]
PACKED = ["", ".gz"]
# What a TSV file or a line of text can hold: no tab, no line break; what starts a file is its byte-order mark.
PLAIN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\r\n\ufeff"), max_size=12)
QUOTED = st.text(st.sampled_from("a\"', \\"), max_size=6)
ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff"), max_size=12)
BROKEN = st.text(st.sampled_from('a",\t\r\n'), max_size=6)


def written_and_read(name, rows, **options):
    with tempfile.TemporaryDirectory() as folder:
        write_rows(Path(folder) / name, rows, **options)
        return [row for _, row in read_rows(Path(folder) / name)]


@settings(max_examples=80)
@given(
    ending=st.sampled_from(TABLES),
    packed=st.sampled_from(PACKED),
    rows=st.lists(st.fixed_dictionaries({"text": PLAIN | QUOTED, "b c": PLAIN | QUOTED}), min_size=1, max_size=4),
)
@example(ending=".tsv", packed="", rows=[{"text": 'He said "no"', "b c": '"He said ""no"""'}])
def test_rows_come_back_from_every_format(ending, packed, rows):
    assert written_and_read(f"rows{ending}{packed}", rows) == rows


@settings(max_examples=80)
@given(
    ending=st.sampled_from([".csv", ".jsonl", ".parquet"]),
    rows=st.lists(st.fixed_dictionaries({"text": ANY | BROKEN, "b\nc": ANY | BROKEN}), min_size=1, max_size=4),
)
def test_line_breaks_and_tabs_come_back_from_formats_that_hold_them(ending, rows):
    assert written_and_read(f"rows{ending}", rows) == rows


@settings(max_examples=50)
@given(text=ANY | BROKEN, ending=st.sampled_from([".tsv", ".txt"]))
def test_a_text_of_one_line_comes_back_and_another_is_refused(text, ending):
    rows = [{"text": "before"}, {"text": text}, {"text": "after"}]
    refused = {".txt": "\n\r", ".tsv": "\n\r\t"}[ending]
    if set(text) & set(refused) or (ending == ".tsv" and not text):
        with pytest.raises(InputValueError, match=rf"rows{ending}, row 2: .*: write \.jsonl, \.csv or \.parquet"):
            written_and_read(f"rows{ending}", rows)
    else:
        assert written_and_read(f"rows{ending}", rows) == rows


@settings(max_examples=50)
@given(text=st.text(st.characters(), max_size=8).map(lambda text: f"a{text}"))
def test_lone_surrogates_come_back_from_json(text):
    assert written_and_read("rows.jsonl", [{"text": text}]) == [{"text": text}]


@pytest.mark.parametrize("packed", PACKED)
def test_other_readers_read_the_same(tmp_path, packed):
    rows = [{"text": 'He said "no", twice.', "id": "n1"}, {"text": "“Why?” 😀", "id": "n2"}, {"text": "", "id": "n3"}]
    loaders = {
        ".csv": ("csv", {"keep_default_na": False}),
        ".tsv": ("csv", {"keep_default_na": False, "sep": "\t", "quoting": csv.QUOTE_NONE}),
        ".jsonl": ("json", {}),
        ".parquet": ("parquet", {}),
    }
    if packed:
        del loaders[".parquet"]  # which `datasets` does not unpack
    for ending, (builder, options) in loaders.items():
        path = tmp_path / f"rows{ending}{packed}"
        write_rows(path, rows)
        loaded = load_dataset(builder, data_files=str(path), split="train", cache_dir=str(tmp_path / "c"), **options)
        assert loaded.to_list() == rows, ending


def test_the_last_suffix_before_gz_is_the_format(tmp_path):
    for name, expected in {
        "a.tsv.csv": b"a,b\n1,2\n",
        "b.TSV": b"a\tb\n1\t2\n",
        "c.csv.jsonl": b'{"a": 1, "b": "2"}\n',
    }.items():
        write_rows(tmp_path / name, [{"a": 1, "b": "2"}])
        assert (tmp_path / name).read_bytes() == expected
    write_rows(tmp_path / "d.tsv.gz", [{"a": 1, "b": "2"}])
    assert gzip.decompress((tmp_path / "d.tsv.gz").read_bytes()) == b"a\tb\n1\t2\n"
    with pytest.raises(
        InputValueError, match=r"e\.json: unknown format '\.json': known are \.txt, \.csv, \.tsv, \.jsonl"
    ):
        write_rows(tmp_path / "e.json", [{"a": 1}])


def test_a_packed_file_depends_on_its_rows_alone(tmp_path):
    for name in ("a.csv.gz", "b.csv.gz"):
        write_rows(tmp_path / name, [{"a": 1}])
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


def test_values_that_are_not_text(tmp_path):
    row = {"n": None, "b": True, "f": 0.5, "l": ["é", 1], "d": {"a": None}, "t": datetime.date(2024, 5, 1)}
    strings = {"n": "", "b": "True", "f": "0.5", "l": '["é", 1]', "d": '{"a": null}', "t": "2024-05-01"}
    assert written_and_read("a.csv", [row]) == written_and_read("a.tsv", [row]) == [strings]
    assert written_and_read("a.jsonl", [row]) == [row | {"t": "2024-05-01"}]
    assert written_and_read("a.txt", [{"n": None}, {"n": 1}]) == [{"text": ""}, {"text": "1"}]
    for ending in (".csv", ".tsv", ".jsonl", ".txt"):
        with pytest.raises(InputValueError, match=r"bytes \(b'ab'\) cannot be written as text: write \.parquet"):
            write_rows(tmp_path / f"b{ending}", [{"a": b"ab"}])
    assert written_and_read("b.parquet", [{"a": b"ab", "t": row["t"]}]) == [{"a": b"ab", "t": row["t"]}]


LATE = [{"text": "a"}] * 20_000 + [{"text": "b", "late": "c"}]


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet"])
def test_a_column_that_comes_late_is_named_beforehand_or_refused(tmp_path, ending):
    path = tmp_path / f"rows{ending}"
    with pytest.raises(
        InputValueError, match=r"row 20001: its column 'late' is not among those of the file \('text'\)"
    ):
        write_rows(path, LATE)
    assert list(tmp_path.iterdir()) == []
    schema = pyarrow.schema([("text", pyarrow.string()), ("late", pyarrow.string())])
    write_rows(path, LATE, columns=schema.names, schema=schema)
    *_, (_, before), (_, last) = read_rows(path)
    assert before == {"text": "a", "late": None if ending == ".parquet" else ""}
    assert last == {"text": "b", "late": "c"}


def test_no_rows(tmp_path):
    schema = pyarrow.schema([("a", pyarrow.string()), ("b", pyarrow.int64())])
    for ending, content in {".csv": b"a,b\n", ".tsv": b"a\tb\n", ".jsonl": b"", ".txt": b""}.items():
        write_rows(tmp_path / f"e{ending}", [], columns=["a", "b"])
        assert (tmp_path / f"e{ending}").read_bytes() == content
    write_rows(tmp_path / "e.parquet", [], schema=schema)
    assert pyarrow.parquet.read_schema(tmp_path / "e.parquet") == schema
    with pytest.raises(InputValueError, match=r"f\.parquet: no rows: a Parquet file needs at least one"):
        write_rows(tmp_path / "f.parquet", [])


@pytest.mark.parametrize(
    ("ending", "rows", "message"),
    [
        (".txt", [{"a": "1", "b": "2"}], r"row 1: a \.txt file has one column, the row has 2 \(a, b\)"),
        (".tsv", [{"a\tb": "1"}], r"header: 'a\\tb' contains a tab, which a cell of a \.tsv file cannot"),
        (".tsv", [{"a": "x"}, {"a": "one\ntwo"}], r"row 2: 'one\\ntwo' contains a line break, which a cell of a \.tsv"),
        (".txt", [{"a": "x" * 80 + "\r"}], r"row 1: 'x{57}\.\.\.' contains a line break"),
        (".parquet", [{"a": 1}, {"a": "x"}], r"column 'a' cannot be stored as Parquet"),
        (".parquet", [{"a": "\ud800"}], r"column 'a' cannot be stored as Parquet, .* surrogates not allowed"),
        (".parquet", [{"a": 1}] * 20_000 + [{"a": "x"}], r"rows\.parquet: cannot be stored as Parquet"),
    ],
)
def test_what_a_format_cannot_hold_leaves_what_was_there(tmp_path, ending, rows, message):
    path = tmp_path / f"rows{ending}"
    path.write_text("old")
    with pytest.raises(InputValueError, match=message):
        write_rows(path, rows)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_places_that_cannot_be_written(tmp_path):
    with pytest.raises(InputFileError, match=r"rows\.csv: there is no folder .*no: create it first"):
        write_rows(tmp_path / "no" / "rows.csv", [{"a": 1}])
    (tmp_path / "rows.csv").mkdir()
    with pytest.raises(InputValueError, match=r"rows\.csv is a folder: give the name of a file"):
        write_rows(tmp_path / "rows.csv", [{"a": 1}])
    with pytest.raises(InputFileError, match=r"^cannot write .*File name too long"):
        write_rows(tmp_path / f"{'long' * 100}.csv", [{"a": 1}])


def test_rows_are_written_as_they_come(tmp_path):
    """A million rows would not be held: the file grows while they are asked for."""
    sizes = []

    def rows():
        for number in range(20_000):
            yield {"text": "It rains.", "id": number}
            if number % 5_000 == 4_999:
                sizes.append(sum(path.stat().st_size for path in tmp_path.iterdir()))

    write_rows(tmp_path / "rows.jsonl", rows())
    assert sizes == sorted(set(sizes))
    assert sizes[0] > 100_000
    assert json.loads((tmp_path / "rows.jsonl").read_text().splitlines()[-1]) == {"text": "It rains.", "id": 19_999}
