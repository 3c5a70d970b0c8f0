"""Finding the local files of tasks."""

import re

import pytest

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.evaluation.data.local import FORMATS, LISTED, find, split_name


@pytest.mark.parametrize("ending", [*FORMATS, ".TSV", ".Csv.GZ"])
def test_split_name(tmp_path, ending):
    assert split_name(tmp_path / f"my.pairs{ending}") == ("my.pairs", ending.lower())


@pytest.mark.parametrize("name", ["pairs.txt", "pairs", ".tsv", "pairs.tsv.zip"])
def test_unknown_formats(tmp_path, name):
    with pytest.raises(InputValueError, match=rf"{re.escape(name)}: unknown file format: use one of \.tsv, \.tsv\.gz"):
        split_name(tmp_path / name)


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
    with pytest.raises(InputFileError, match=r"no a-test\{\.tsv,.*,\.parquet\.gz\} in .*: it holds "):
        find(tmp_path, "a-test")


def test_find_in_an_empty_folder(tmp_path):
    with pytest.raises(InputFileError, match=r"no a-test\{\.tsv,.*,\.parquet\.gz\} in .*: it holds nothing$"):
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


def test_a_folder_whose_name_is_too_long(tmp_path):
    too_long = tmp_path / ("long" * 100)
    with pytest.raises(InputFileError, match=r"^cannot look for a-test in .*: .*File name too long"):
        find(too_long, "a-test")
