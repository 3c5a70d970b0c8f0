"""Reading rows: what is text and what is structure, and what the error for a damaged file says."""

import contextlib
import csv
import gzip
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.files import read_columns, read_rows, read_schema

ROWS = [
    {"sentence1": "It rains.", "sentence2": "It pours.", "score": "4.2"},
    {"sentence1": "下雨了。", "sentence2": "Es regnet 🌧", "score": "3"},
]
ROOT = Path(__file__).parents[2]
HEADER = "sentence1\tsentence2\tscore\n"
FORMATS = [f"{kind}{packed}" for kind in (".tsv", ".csv", ".jsonl", ".json", ".parquet") for packed in ("", ".gz")]


def write(path, content):
    data = content if isinstance(content, bytes) else content.encode("utf-8")
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def written(path, rows=ROWS):
    """The rows as other programs write them: cells without a character that would have to be quoted."""
    kind = Path(path.name.removesuffix(".gz")).suffix
    if kind == ".parquet":
        sink = pyarrow.BufferOutputStream()
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), sink)
        return write(path, sink.getvalue().to_pybytes())
    if kind in (".jsonl", ".json"):
        return write(path, "".join(json.dumps(row) + "\n" for row in rows))
    between = "\t" if kind == ".tsv" else ","
    return write(path, "\n".join(between.join(cells) for cells in [rows[0], *(row.values() for row in rows)]) + "\n")


def values(path):
    return [row for _, row in read_rows(path)]


def cells(path):
    return [tuple(row.values()) for row in values(path)]


def places(path):
    return [place for place, _ in read_rows(path)]


@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_gives_the_same_rows(tmp_path, ending):
    path = written(tmp_path / f"pairs{ending}")
    assert values(path) == ROWS
    first = "row 1" if "parquet" in ending else "line 1" if "json" in ending else "line 2"
    assert places(path)[0] == first
    assert read_columns(path) == read_schema(path).names == list(ROWS[0])


def test_importing_it_loads_nothing_slow():
    slow = {"torch", "spacy", "pyarrow", "pandas", "datasets", "numpy"}
    program = f"import sys, sda_hf.files; print(*{slow} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("\n", "")


def test_the_format_is_the_last_suffix_in_any_case(tmp_path):
    (tmp_path / "a.tsv.csv").write_text("a\tb,c\n1,2\n")
    assert values(tmp_path / "a.tsv.csv") == [{"a\tb": "1", "c": "2"}]
    (tmp_path / "B.TSV").write_text("a,b\tc\n1\t2\n")
    assert values(tmp_path / "B.TSV") == [{"a,b": "1", "c": "2"}]
    (tmp_path / "c.Jsonl.GZ").write_bytes(gzip.compress(b'{"a": 1}\n'))
    assert values(tmp_path / "c.Jsonl.GZ") == [{"a": 1}]


def test_another_name_tells_the_format(tmp_path):
    written(tmp_path / "pairs.tsv").rename(tmp_path / "0a1b2c")
    assert [row for _, row in read_rows(tmp_path / "0a1b2c", like="https://x.org/pairs.tsv")] == ROWS
    assert read_columns(tmp_path / "0a1b2c", like="pairs.tsv") == list(ROWS[0])


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize(
    "text",
    [
        "a\u2028b",
        "a\x85b",
        "a\x0bb\x0cc",
        "a\u00a0b",
        "'single'",
        "back\\slash",
        "NA",
        "null",
        "#no comment",
        " spaced ",
    ],
)
def test_odd_text_stays_as_it_is(tmp_path, ending, text):
    rows = [{"sentence1": text, "sentence2": "b", "score": "1"}]
    assert values(written(tmp_path / f"pairs{ending}", rows)) == rows


@pytest.mark.parametrize(
    "text",
    ['"', '"quoted"', 'an "inner" word', '"open', 'close"', '""', '"""', '"He said ""no"""', '"a,b"', "a\rb"],
)
def test_tsv_has_no_quoting(tmp_path, text):
    path = write(tmp_path / "pairs.tsv", f"{HEADER}{text}\tb\t1\nc\td\t2\n")
    assert cells(path) == [(text, "b", "1"), ("c", "d", "2")]


def test_csv_is_quoted(tmp_path):
    path = tmp_path / "pairs.csv"
    text = ['a "b", c', "two\nlines\r\nand\ttab", "1"]
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["sentence1", "sentence2", "score"], text, ["c", "d", "2"]])
    assert cells(path) == [tuple(text), ("c", "d", "2")]
    assert places(path) == ["line 4", "line 5"]


def test_a_quotation_mark_inside_a_csv_cell_is_text(tmp_path):
    assert cells(write(tmp_path / "p.csv", 'a,b\na 5" disk,x\n')) == [('a 5" disk', "x")]


@pytest.mark.parametrize("name", ["p.txt", "p.csv", "p.tsv", "p.jsonl", "p.parquet"])
def test_cells_of_any_size(tmp_path, name):
    rows = [{"text": "long " * 100_000}]
    path = tmp_path / name
    if name == "p.txt":
        path.write_text(rows[0]["text"])
    else:
        written(path, rows)
    limit = csv.field_size_limit()
    assert values(path) == rows
    assert csv.field_size_limit() == limit


def test_text_has_a_row_for_each_line(tmp_path):
    path = write(tmp_path / "a.txt", "\ufeffHe left.\r\n\r\n\ufeffHe saw \u2028 it.\rNo\n\n")
    assert cells(path) == [("He left.",), ("",), ("\ufeffHe saw \u2028 it.",), ("No",), ("",)]
    assert places(path)[2:] == ["line 3", "line 4", "line 5"]


@pytest.mark.parametrize("ending", [name for name in FORMATS if "parquet" not in name])
@pytest.mark.parametrize(
    ("before", "line_end", "after"),
    [
        ("", "\n", ""),
        ("", "\n", "\n"),
        ("", "\n", "\n\n\n"),
        ("", "\r\n", "\r\n"),
        ("", "\r\n", "\r\n\r\n"),
        ("\ufeff", "\n", "\n"),
        ("\ufeff", "\r\n", ""),
    ],
)
def test_bom_line_ends_and_blank_last_lines(tmp_path, ending, before, line_end, after):
    path = written(tmp_path / f"pairs{ending}")
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rb") as file:
        text = file.read().decode("utf-8")
    write(path, before + text.rstrip("\n").replace("\n", line_end) + after)
    assert values(path) == ROWS


def test_a_bom_inside_is_text(tmp_path):
    assert cells(write(tmp_path / "pairs.tsv", f"{HEADER}\ufeffa\tb\t1\n")) == [("\ufeffa", "b", "1")]


@pytest.mark.parametrize("ending", [".tsv", ".csv"])
def test_a_blank_line_keeps_line_numbers(tmp_path, ending):
    text = f"{HEADER}a\tb\t1\n\nc\td\t2\n"
    path = write(tmp_path / f"pairs{ending}", text if ending == ".tsv" else text.replace("\t", ","))
    assert places(path) == ["line 2", "line 4"]


@pytest.mark.parametrize("ending", [".txt", ".tsv", ".csv", ".jsonl", ".json"])
@pytest.mark.parametrize("text", ["", "\ufeff"])
def test_an_empty_file_has_no_rows(tmp_path, ending, text):
    assert values(write(tmp_path / f"pairs{ending}", text)) == []


def test_the_sentences_of_a_treebank(tmp_path):
    path = tmp_path / "rows.conllu.gz"
    word = "1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write(f"# sent_id = 1\n# text = Go!\n{word}\n\n# text_en = no\n# text = Geh #2 = 3\n{word}\n\n")
    assert list(read_rows(path)) == [("line 2", {"text": "Go!"}), ("line 6", {"text": "Geh #2 = 3"})]


def test_a_json_array(tmp_path):
    path = write(tmp_path / "p.json", '\n[{"a": 1},\n {"a": [2, null], "b": {"c": 3}}]\n')
    assert list(read_rows(path)) == [("row 1", {"a": 1}), ("row 2", {"a": [2, None], "b": {"c": 3}})]


def test_columns_and_types_of_json_are_those_of_all_rows(tmp_path):
    rows = [{"text": "a"}] * 1500 + [{"text": "b", "id": 1}, {"id": 0.5, "tags": ["x"], "note": None}]
    path = write(tmp_path / "p.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert read_columns(path) == ["text", "id", "tags", "note"]
    assert {field.name: str(field.type) for field in read_schema(path)} == {
        "text": "string",
        "id": "double",
        "tags": str(pyarrow.list_(pyarrow.string())),
        "note": "string",
    }


def test_types_of_parquet(tmp_path):
    table = pyarrow.table({"id": pyarrow.array([1], pyarrow.int8()), "text": ["a"]}, metadata={"huggingface": "{}"})
    pyarrow.parquet.write_table(table, tmp_path / "p.parquet")
    assert read_schema(tmp_path / "p.parquet") == table.schema
    assert read_schema(tmp_path / "p.parquet").metadata is None


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("p.tsv", "a\tb\nc\td\te\n", r"p\.tsv, line 2: the row has 3 cells, the header 2"),
        ("p.tsv", "a\tb\nc\td\ne\n", r"p\.tsv, line 3: the row has 1 cells, the header 2"),
        ("p.csv", "a,b\nc,d,e\n", r"p\.csv, line 2: the row has 3 cells, the header 2"),
        ("p.csv", 'a,b\n"c"d,e\n', r"p\.csv, line 2: ',' expected after '\"'"),
        ("p.csv", 'a,b\nc,d\n"e,f\ng,h\n', r"p\.csv, line 3: a quotation mark opens a cell that is never closed"),
        ("p.tsv", "a\tb\ta\n", r"p\.tsv: duplicate column 'a' among 'a', 'b', 'a': rename one"),
        ("p.csv", "text,id,text\nx,1,y\n", r"p\.csv: duplicate column 'text' among 'text', 'id', 'text': rename one"),
        ("p.jsonl", '{"a": 1}\n{"a": \n', r"p\.jsonl, line 2: invalid JSON"),
        ("p.jsonl", '{"a": 1}\n[1, 2]\n', r"p\.jsonl, line 2: expected a JSON object, got \[1, 2\]"),
        ("p.json", '[{"a": 1},\n', r"p\.json: invalid JSON"),
        ("p.json", '[{"a": 1}, 2]\n', r"p\.json, row 2: expected a JSON object, got 2"),
        ("p.jsonl", "[" * 100_000, r"cannot read .*p\.jsonl: maximum recursion depth"),
    ],
)
def test_what_does_not_fit(tmp_path, name, text, message):
    with pytest.raises((InputValueError, InputFileError), match=message):
        values(write(tmp_path / name, text))


@pytest.mark.parametrize("name", ["p.csv", "p.tsv"])
def test_a_duplicate_column_has_no_columns_and_no_schema(tmp_path, name):
    path = write(tmp_path / name, "a,a\n" if name == "p.csv" else "a\ta\n")
    for read in (read_columns, read_schema):
        with pytest.raises(InputValueError, match="duplicate column 'a'"):
            read(path)


def test_a_duplicate_column_of_parquet(tmp_path):
    table = pyarrow.Table.from_arrays([pyarrow.array([1]), pyarrow.array([2])], names=["a", "a"])
    pyarrow.parquet.write_table(table, tmp_path / "p.parquet")
    for read in (values, read_columns, read_schema):
        with pytest.raises(InputValueError, match="duplicate column 'a'"):
            read(tmp_path / "p.parquet")


def test_a_json_column_of_several_types_has_no_schema(tmp_path):
    path = write(tmp_path / "p.jsonl", '{"id": 1}\n{"id": "one"}\n')
    with pytest.raises(InputValueError, match="column 'id' cannot be stored as Parquet"):
        read_schema(path)


@pytest.mark.parametrize("name", ["p.txt", "p.tsv", "p.csv", "p.jsonl", "p.csv.gz"])
def test_another_encoding(tmp_path, name):
    text = '{"a": 1}\n{"a": 2}\n{"a": "é"}\n' if name == "p.jsonl" else "text\nplain\ncafé\n"
    with pytest.raises(InputFileError, match=rf"{name}, line 3: not UTF-8 \(byte 0xe9\): save the file as UTF-8$"):
        values(write(tmp_path / name, text.encode("latin-1")))
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        with pytest.raises(InputFileError, match=rf"{name}, line 1: not UTF-8 but UTF-16: save the file as UTF-8$"):
            values(write(tmp_path / name, text.encode(encoding)))


@pytest.mark.parametrize("ending", [".tsv.gz", ".parquet", ".parquet.gz"])
def test_not_in_the_format_of_its_name(tmp_path, ending):
    path = tmp_path / f"pairs{ending}"
    path.write_bytes(b"sentence1\tsentence2\n")
    with pytest.raises(InputFileError, match=r"cannot read .*pairs"):
        values(path)


@pytest.mark.parametrize("ending", [".tsv.gz", ".parquet", ".parquet.gz"])
def test_a_cut_file(tmp_path, ending):
    path = written(tmp_path / f"pairs{ending}")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputFileError, match=r"cannot read .*pairs"):
        values(path)


@pytest.mark.parametrize(
    ("where", "byte", "message"),
    # A kind of block that does not exist, behind the ten bytes of the header; a wrong checksum.
    [(10, 0b111, "Error -3"), (-6, 0, "CRC check failed")],
)
def test_a_damaged_file(tmp_path, where, byte, message):
    packed = bytearray(gzip.compress(f"{HEADER}a\tb\t1\n".encode()))
    packed[where] = byte
    path = tmp_path / "pairs.tsv.gz"
    path.write_bytes(bytes(packed))
    with pytest.raises(InputFileError, match=rf"cannot read .*pairs\.tsv\.gz: {message}"):
        values(path)


@pytest.mark.parametrize("name", ["pairs.doc", "pairs", ".tsv", "pairs.tsv.zip", "pairs.gz"])
def test_an_unknown_format(tmp_path, name):
    (tmp_path / name).touch()
    with pytest.raises(InputValueError, match=rf"{re.escape(name)}: unknown format .*: known are \.txt, \.csv, "):
        read_rows(tmp_path / name)


def test_no_such_file(tmp_path):
    (tmp_path / "pears.tsv").touch()
    with pytest.raises(InputFileError, match=r"pairs\.tsv: no such file; did you mean pears\.tsv\?$"):
        read_rows(tmp_path / "pairs.tsv")
    with pytest.raises(InputFileError, match=r"other\.csv: no such file$"):
        read_rows(tmp_path / "nowhere" / "other.csv")
    (tmp_path / "folder.tsv").mkdir()
    with pytest.raises(InputValueError, match=r"folder\.tsv is a folder: give a file$"):
        read_rows(tmp_path / "folder.tsv")
    with pytest.raises(InputFileError, match=r"^cannot read .*: .*File name too long"):
        read_rows(tmp_path / f"{'long' * 100}.tsv")


@settings(max_examples=100)
@given(place=st.integers(0, 10_000), byte=st.integers(0, 255), ending=st.sampled_from([".txt", *FORMATS]))
def test_a_changed_byte_is_an_error_of_one_kind_or_rows(place, byte, ending):
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder) / f"pairs{ending}")
        held = bytearray(path.read_bytes())
        held[place % len(held)] = byte
        path.write_bytes(bytes(held))
        # Any other error is the test's.
        with contextlib.suppress(InputFileError, InputValueError):
            assert all(isinstance(row, dict) for row in values(path))
