"""Reading files of rows: formats, quoting, encodings and damaged files."""

import contextlib
import csv
import gzip
import json
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.evaluation.data.files import FORMATS, LISTED, find, read_rows, split_name

ROWS = [
    {"sentence1": "It rains.", "sentence2": "It pours.", "score": "4.2"},
    {"sentence1": "下雨了。", "sentence2": "Es regnet 🌧", "score": "3"},
]
HEADER = "sentence1\tsentence2\tscore\n"


def write(path, text):
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "wb") as file:
        file.write(text.encode("utf-8"))
    return path


def write_rows(path, rows):
    ending = split_name(path)[1].removesuffix(".gz")
    if ending == ".parquet":
        import pyarrow
        import pyarrow.parquet

        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
        return path
    if ending == ".jsonl":
        return write(path, "".join(json.dumps(row) + "\n" for row in rows))
    between = "\t" if ending == ".tsv" else ","
    return write(path, "\n".join(between.join(cells) for cells in [rows[0], *(row.values() for row in rows)]) + "\n")


def values(path):
    return [row for _, row in read_rows(path)]


def cells(path):
    return [tuple(row.values()) for row in values(path)]


@pytest.mark.parametrize("ending", FORMATS)
def test_all_formats_give_the_same_rows(tmp_path, ending):
    assert values(write_rows(tmp_path / f"pairs{ending}", ROWS)) == ROWS


@pytest.mark.parametrize("ending", FORMATS)
def test_places_of_rows(tmp_path, ending):
    first = {".parquet": "row 1", ".jsonl": "line 1"}.get(ending.removesuffix(".gz"), "line 2")
    assert read_rows(write_rows(tmp_path / f"pairs{ending}", ROWS))[0][0] == first


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
def test_unusual_text_is_unchanged(tmp_path, ending, text):
    rows = [{"sentence1": text, "sentence2": "b", "score": "1"}]
    assert values(write_rows(tmp_path / f"pairs{ending}", rows)) == rows


@pytest.mark.parametrize(
    "text",
    ['"', '"quoted"', 'an "inner" word', '"open', 'close"', '""', '"""', '"a,b"', "a\rb"],
)
def test_tsv_has_no_quoting(tmp_path, text):
    assert cells(write(tmp_path / "pairs.tsv", f"{HEADER}{text}\tb\t1\nc\td\t2\n")) == [
        (text, "b", "1"),
        ("c", "d", "2"),
    ]


def test_csv_is_quoted(tmp_path):
    path = tmp_path / "pairs.csv"
    text = ['a "b", c', "two\nlines\r\nand\ttab", "1"]
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["sentence1", "sentence2", "score"], text, ["c", "d", "2"]])
    assert cells(path) == [tuple(text), ("c", "d", "2")]
    assert [place for place, _ in read_rows(path)] == ["line 4", "line 5"]


@pytest.mark.parametrize("ending", [".tsv", ".csv", ".jsonl", ".tsv.gz", ".csv.gz", ".jsonl.gz"])
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
def test_byte_order_marks_line_endings_and_blank_lines(tmp_path, ending, before, line_end, after):
    path = write_rows(tmp_path / f"pairs{ending}", ROWS)
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rb") as file:
        text = file.read().decode("utf-8")
    write(path, before + text.rstrip("\n").replace("\n", line_end) + after)
    assert values(path) == ROWS


def test_a_byte_order_mark_inside_is_text(tmp_path):
    assert cells(write(tmp_path / "pairs.tsv", f"{HEADER}\ufeffa\tb\t1\n")) == [("\ufeffa", "b", "1")]


def test_a_blank_line_keeps_line_numbers(tmp_path):
    path = write(tmp_path / "pairs.tsv", f"{HEADER}a\tb\t1\n\nc\td\t2\n")
    assert [place for place, _ in read_rows(path)] == ["line 2", "line 4"]


@pytest.mark.parametrize("ending", [".tsv", ".csv", ".jsonl"])
@pytest.mark.parametrize("text", ["", "\n", "\ufeff"])
def test_an_empty_file_has_no_rows(tmp_path, ending, text):
    assert read_rows(write(tmp_path / f"pairs{ending}", text)) == []


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("p.tsv", "a\tb\nc\td\te\n", r"p\.tsv, line 2: the row has 3 cells, the header 2"),
        ("p.tsv", "a\tb\nc\td\ne\n", r"p\.tsv, line 3: the row has 1 cells, the header 2"),
        ("p.csv", "a,b\nc,d,e\n", r"p\.csv, line 2: the row has 3 cells, the header 2"),
        ("p.csv", 'a,b\n"c"d,e\n', r"p\.csv, line 2: ',' expected after '\"'"),
        ("p.csv", 'a,b\n"c,d\n', r"p\.csv, line 2: unexpected end of data"),
        ("p.tsv", "a\tb\ta\n", r"p\.tsv: duplicate column in the header: a, b, a"),
        ("p.jsonl", '{"a": 1}\n{"a": \n', r"p\.jsonl, line 2: invalid JSON"),
        ("p.jsonl", '{"a": 1}\n[1, 2]\n', r"p\.jsonl, line 2: expected a JSON object, got \[1, 2\]"),
    ],
)
def test_malformed_files(tmp_path, name, text, message):
    with pytest.raises((InputValueError, InputFileError), match=message):
        read_rows(write(tmp_path / name, text))


@pytest.mark.parametrize("ending", [".tsv", ".csv", ".jsonl"])
@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_other_encodings(tmp_path, ending, encoding):
    path = tmp_path / f"pairs{ending}"
    path.write_bytes("sentence1\né\n".encode(encoding))
    with pytest.raises(InputFileError, match=r"pairs\.\w+ is not UTF-8: save it as UTF-8"):
        read_rows(path)


@pytest.mark.parametrize("ending", [".tsv.gz", ".parquet"])
def test_files_that_are_not_gzipped(tmp_path, ending):
    path = tmp_path / f"pairs{ending}"
    path.write_bytes(b"sentence1\tsentence2\n")
    with pytest.raises(InputFileError, match=r"cannot read .*pairs"):
        read_rows(path)


@pytest.mark.parametrize("ending", [".tsv.gz", ".parquet"])
def test_truncated_files(tmp_path, ending):
    path = write_rows(tmp_path / f"pairs{ending}", ROWS)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputFileError, match=r"cannot read .*pairs"):
        read_rows(path)


@pytest.mark.parametrize(
    ("where", "byte", "message"),
    # An invalid block type after the ten bytes of the header; a wrong checksum.
    [(10, 0b111, "Error -3"), (-6, 0, "CRC check failed")],
)
def test_damaged_files(tmp_path, where, byte, message):
    packed = bytearray(gzip.compress(f"{HEADER}a\tb\t1\n".encode()))
    packed[where] = byte
    path = tmp_path / "pairs.tsv.gz"
    path.write_bytes(bytes(packed))
    with pytest.raises(InputFileError, match=rf"cannot read .*pairs\.tsv\.gz: {message}"):
        read_rows(path)


@pytest.mark.parametrize("name", ["pairs.txt", "pairs", ".tsv", "pairs.tsv.zip"])
def test_unknown_formats(tmp_path, name):
    with pytest.raises(InputValueError, match=rf"{re.escape(name)}: unknown file format: use one of \.tsv, \.tsv\.gz"):
        read_rows(tmp_path / name)


def test_a_missing_file(tmp_path):
    (tmp_path / "pears.tsv").touch()
    with pytest.raises(InputFileError, match=r"no pairs\.tsv in .*: it holds pears\.tsv$"):
        read_rows(tmp_path / "pairs.tsv")


def test_a_folder_in_place_of_the_file(tmp_path):
    (tmp_path / "pairs.tsv").mkdir()
    with pytest.raises(InputFileError, match=r"no pairs\.tsv in"):
        read_rows(tmp_path / "pairs.tsv")


def test_deeply_nested_json(tmp_path):
    with pytest.raises(InputFileError, match=r"cannot read .*p\.jsonl: maximum recursion depth"):
        read_rows(write(tmp_path / "p.jsonl", "[" * 100_000))


def test_find(tmp_path):
    (tmp_path / "b-test.jsonl.gz").touch()
    assert find(tmp_path, "b-test") == tmp_path / "b-test.jsonl.gz"


@pytest.mark.parametrize("ending", FORMATS)
def test_find_one_level_below_and_no_deeper(tmp_path, ending):
    (tmp_path / "one" / "two").mkdir(parents=True)
    (tmp_path / "one" / "two" / f"a-test{ending}").touch()
    with pytest.raises(InputFileError, match=r"no a-test\{.*\} in .*: it holds one$"):
        find(tmp_path, "a-test")
    (tmp_path / "one" / f"a-test{ending}").touch()
    assert find(tmp_path, "a-test") == tmp_path / "one" / f"a-test{ending}"


@pytest.mark.parametrize("name", ["zh_stsb-dev.tsv", "zh-stsb-dev.tsv", "zh_stsb_dev.tsv"])
@pytest.mark.parametrize("stem", ["zh-stsb-dev", "zh_stsb_dev"])
def test_hyphens_and_underscores_are_interchangeable(tmp_path, name, stem):
    (tmp_path / name).touch()
    assert find(tmp_path, stem) == tmp_path / name


@pytest.mark.parametrize("name", ["a-test.txt", "a-test", "xa-test.tsv", "a-test.zip", "A-test.tsv", "a-test-b.tsv"])
def test_find_ignores_other_names(tmp_path, name):
    (tmp_path / name).touch()
    (tmp_path / "a-test.tsv").mkdir()  # a folder with the right name
    with pytest.raises(InputFileError, match=r"no a-test\{\.tsv,.*,\.parquet\} in .*: it holds "):
        find(tmp_path, "a-test")


def test_find_in_an_empty_folder(tmp_path):
    with pytest.raises(InputFileError, match=r"no a-test\{\.tsv,.*,\.parquet\} in .*: it holds nothing$"):
        find(tmp_path, "a-test")


def test_find_lists_a_few(tmp_path):
    for number in range(LISTED + 5):
        (tmp_path / f"{number:03}.txt").touch()
    with pytest.raises(InputFileError, match=r"it holds 000\.txt, .*, 019\.txt and 5 more$"):
        find(tmp_path, "a-test")


def test_find_lists_up_to_twenty(tmp_path):
    for number in range(LISTED):
        (tmp_path / f"{number:03}.txt").touch()
    with pytest.raises(InputFileError, match=r"018\.txt, 019\.txt$"):
        find(tmp_path, "a-test")


def test_find_in_a_missing_folder(tmp_path):
    (tmp_path / "file").touch()
    for folder in ("nowhere", "file"):
        with pytest.raises(InputFileError, match=rf"no a-test\{{.*\}} in .*{folder}: the folder does not exist$"):
            find(tmp_path / folder, "a-test")


@pytest.mark.parametrize("second", ["a-test.tsv.gz", "a_test.csv", "below/a-test.tsv"])
def test_find_two(tmp_path, second):
    (tmp_path / "below").mkdir()
    (tmp_path / "a-test.tsv").touch()
    (tmp_path / second).touch()
    held = " and ".join(sorted(["a-test.tsv", second]))
    with pytest.raises(InputFileError, match=rf"{re.escape(str(tmp_path))} holds {re.escape(held)}: keep one of them$"):
        find(tmp_path, "a-test")


def test_names_that_are_too_long(tmp_path):
    too_long = tmp_path / ("long" * 100)
    with pytest.raises(InputFileError, match=r"^cannot look for a-test in .*: .*File name too long"):
        find(too_long, "a-test")
    with pytest.raises(InputFileError, match=r"^cannot read .*: .*File name too long"):
        read_rows(too_long.with_suffix(".tsv"))


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\r\n\ufeff"), min_size=1, max_size=8)
TABLES = st.lists(st.builds(lambda a, b: {"a": a, "b c": b}, TEXT, TEXT), min_size=1, max_size=4)


@settings(max_examples=40, deadline=None)
@given(ending=st.sampled_from(FORMATS), rows=TABLES)
def test_round_trip(ending, rows):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"pairs{ending}"
        if ending.startswith(".csv"):
            opener = gzip.open if path.suffix == ".gz" else open
            with opener(path, "wt", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, ["a", "b c"])
                writer.writeheader()
                writer.writerows(rows)
        else:
            write_rows(path, rows)
        assert values(path) == rows


@settings(max_examples=60, deadline=None)
@given(place=st.integers(0, 10_000), byte=st.integers(0, 255), ending=st.sampled_from(FORMATS))
def test_a_changed_byte_gives_rows_or_an_input_error(place, byte, ending):
    with tempfile.TemporaryDirectory() as folder:
        path = write_rows(Path(folder) / f"pairs{ending}", ROWS)
        held = bytearray(path.read_bytes())
        held[place % len(held)] = byte
        path.write_bytes(bytes(held))
        # Any other error fails the test.
        with contextlib.suppress(InputFileError, InputValueError):
            assert all(isinstance(row, dict) for row in values(path))
