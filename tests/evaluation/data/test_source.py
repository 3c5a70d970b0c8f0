"""Sources: one file, several files, the user's own file, and the Hub (a local folder for `datasets`)."""

import re
from pathlib import Path

import pytest

from sda_hf.errors import InputFileError, InputTypeError, InputValueError
from sda_hf.evaluation import TASKS, PairData, PairTask, Source

SHARED = Path(__file__).parents[3].parent / "shared" / "data"
ON_THE_HUB = {"sentence1": "left", "sentence2": "right", "score": "gold"}


@pytest.fixture
def dataset(tmp_path):
    """A dataset with two splits, laid out as on the Hub."""
    folder = tmp_path / "dataset"
    folder.mkdir()
    (folder / "train.csv").write_text("left,right,gold\na,b,1\n", encoding="utf-8")
    (folder / "test.csv").write_text("left,right,gold\nc,d,2\ne,f,3\n", encoding="utf-8")
    return folder


@pytest.fixture
def asked(monkeypatch):
    """A Hub that cannot be reached and records the requests."""
    import datasets

    calls = []

    def load_dataset(path, name=None, split=None, revision=None):
        calls.append((path, name, split, revision))
        raise ConnectionError("no way")

    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    return calls


def write(path, *scores):
    path.write_text("sentence1\tsentence2\tscore\n" + "".join(f"a\tb\t{score}\n" for score in scores))


def row(score):
    return {"sentence1": "a", "sentence2": "b", "score": score}


def test_one_file(tmp_path):
    write(tmp_path / "mine-test.tsv", 1, 2)
    for folder in (tmp_path, str(tmp_path)):
        assert Source(files=("mine-test",)).read(folder) == (
            str(tmp_path / "mine-test.tsv"),
            [("line 2", row("1")), ("line 3", row("2"))],
        )


def test_several_files(tmp_path):
    write(tmp_path / "b.tsv", 1)
    write(tmp_path / "a.tsv", 2)
    where, rows = Source(files=("b", "a")).read(tmp_path)
    assert where == str(tmp_path)
    assert rows == [("b.tsv, line 2", row("1")), ("a.tsv, line 2", row("2"))]
    write(tmp_path / "a.tsv", "high")
    task = PairTask(name="t", title="T", source=Source(files=("b", "a")))
    message = rf"^{re.escape(str(tmp_path))}, a\.tsv, line 2, score: expected a finite number, got 'high'$"
    with pytest.raises(InputValueError, match=message):
        task.read(tmp_path)


def test_one_of_several_files_is_missing(tmp_path):
    write(tmp_path / "b.tsv", 1)
    with pytest.raises(InputFileError, match=r"no a\{\.tsv,.*\} in .*: it holds b\.tsv$"):
        Source(files=("b", "a")).read(tmp_path)


def test_the_home_folder_is_expanded(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    write(tmp_path / "a.tsv", 1)
    assert Source(files=("a",)).read("~")[0] == str(tmp_path / "a.tsv")


def test_the_users_own_file_has_priority(tmp_path, asked):
    write(tmp_path / "own.tsv", 5)
    write(tmp_path / "a.tsv", 1)
    source = Source(files=("a",), hub_id="me/a", path=tmp_path / "own.tsv")
    assert source.read() == source.read(tmp_path) == source.read("nowhere")
    assert source.read() == (str(tmp_path / "own.tsv"), [("line 2", row("5"))])
    assert asked == []


def test_files_as_a_single_string():
    with pytest.raises(InputTypeError, match=r"^files is 'stsb-test': give a tuple of strings$"):
        Source(files="stsb-test")


@pytest.mark.parametrize("data_dir", [None, "."])
def test_an_empty_source(data_dir):
    with pytest.raises(InputValueError, match=r"^a source needs `files`, `hub_id` or `path`: none is given$"):
        Source().read(data_dir)


def test_the_hub(dataset):
    source = Source(hub_id=str(dataset), hub_columns=ON_THE_HUB, rows=2)
    where, rows = source.read()
    assert where == f"Hub dataset {dataset}"
    assert rows == [
        ("row 1", {"sentence1": "c", "sentence2": "d", "score": 2}),
        ("row 2", {"sentence1": "e", "sentence2": "f", "score": 3}),
    ]
    assert PairTask(name="t", title="T", source=source).read() == PairData(["c", "e"], ["d", "f"], [2.0, 3.0])


def test_several_splits_of_the_hub(dataset):
    source = Source(hub_id=str(dataset), hub_split="train+test")
    assert [cells["gold"] for _, cells in source.read()[1]] == [1, 2, 3]


def test_a_hub_dataset_with_unexpected_columns(dataset):
    task = PairTask(name="t", title="T", source=Source(hub_id=str(dataset)))
    message = r"^Hub dataset .*dataset, row 1: no column 'sentence1'; the columns are 'left', 'right', 'gold'$"
    with pytest.raises(InputValueError, match=message):
        task.read()


def test_a_hub_dataset_of_the_wrong_size(dataset):
    message = (
        rf"^{re.escape(str(dataset))} \(split test\) has 2 rows, the published protocol has 1,379: set data_dir to a "
        r"folder with stsb-test\.tsv \(or \.tsv\.gz, .*\.parquet\.gz\)$"
    )
    with pytest.raises(InputValueError, match=message):
        Source(files=("stsb-test",), hub_id=str(dataset), rows=1379).read()


def test_a_missing_split(dataset):
    with pytest.raises(InputFileError, match=r'^cannot read .* from the Hub: Unknown split "dev".*; change hub'):
        Source(hub_id=str(dataset), hub_split="dev").read()


def test_inconsistent_hub_files(dataset):
    (dataset / "test2.csv").write_text("other\n5\n")
    message = r"^cannot read .* from the Hub: An error occurred while generating the dataset; change .* or set path\Z"
    with pytest.raises(InputFileError, match=message):
        Source(hub_id=str(dataset)).read()


def test_a_hub_dataset_that_is_a_script(tmp_path):
    (tmp_path / f"{tmp_path.name}.py").touch()
    with pytest.raises(InputFileError, match=r"from the Hub: Dataset scripts are no longer supported, .*; change hub"):
        Source(hub_id=str(tmp_path)).read()


def test_the_hub_offline():
    message = (
        r"^cannot read mteb/sts12-sts from the Hub: Couldn't reach 'mteb/sts12-sts' on the Hub .*; "
        r"set data_dir to a folder with sts12-test\.tsv \(or \.tsv\.gz, .*\)$"
    )
    with pytest.raises(InputFileError, match=message):
        TASKS.get("sts12").read()


@pytest.mark.parametrize("error", [ConnectionError("two\n  lines"), ValueError("two lines"), OSError("two lines")])
def test_hub_errors_are_one_line(error, monkeypatch):
    import datasets

    def fail(*args, **options):
        raise error

    monkeypatch.setattr(datasets, "load_dataset", fail)
    with pytest.raises(InputFileError, match=r"^cannot read me/a from the Hub: two lines; set data_dir"):
        Source(files=("a",), hub_id="me/a").read()


def test_local_only_sources():
    with pytest.raises(
        InputFileError, match=r"^a and b: not on the Hub: set data_dir to a folder with a\.tsv and b\.tsv "
    ):
        Source(files=("a", "b")).read()


def test_hub_only_sources(tmp_path, asked):
    with pytest.raises(InputValueError, match=r"^Hub dataset me/a has no local files: omit data_dir$"):
        Source(hub_id="me/a").read(tmp_path)
    assert asked == []


def test_a_folder_rules_out_the_hub(tmp_path, asked):
    with pytest.raises(InputFileError, match=r"^no sickr-test\{.*\} in .*: it holds nothing$"):
        TASKS.get("sickr").read(tmp_path)
    assert asked == []


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("sts12", ("mteb/sts12-sts", None, "test", None)),
        ("stsb", ("mteb/stsbenchmark-sts", None, "test", None)),
        ("stsb-dev", ("mteb/stsbenchmark-sts", None, "validation", None)),
        ("zh-stsb", ("C-MTEB/STSB", None, "test", None)),
        ("zh-stsb-dev", ("C-MTEB/STSB", None, "validation", None)),
        ("pawsx", ("C-MTEB/PAWSX", None, "test", None)),
    ],
)
def test_hub_requests(asked, name, call):
    with pytest.raises(InputFileError, match="no way"):
        TASKS.get(name).read()
    assert asked == [call]


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs shared/data")
def test_the_reference_folder():
    """Its files are one level below and have underscores in their names."""
    where, rows = TASKS.get("zh-stsb").source.read(SHARED)
    assert where == str(SHARED / "sts" / "zh_stsb-test.tsv.gz")
    assert len(rows) == 1361
