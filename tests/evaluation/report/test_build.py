"""Building reports: folders of seeds, names in tables, and tasks with missing rows."""

import re
import shutil
import statistics

import pytest

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.evaluation import evaluate
from sda_hf.evaluation.report.build import make_report, names_of, run_folders
from sda_hf.hub.markdown import text
from sda_hf.run_files import SEEDS


@pytest.fixture
def folder(tiny_model, tmp_path):
    """A model, and a run with three seeds and different word vectors."""
    tiny_model.save_pretrained(str(tmp_path / "before"))
    for seed in (0, 1, 7):
        tiny_model[0].embedding.weight.data = tiny_model[0].embedding.weight.data.roll(seed + 1, 0)
        tiny_model.save_pretrained(str(tmp_path / "runs" / f"seed-{seed}"))
    (tmp_path / "runs" / SEEDS).write_text('{"seeds": [0, 1, 7], "tasks": {}}', encoding="utf-8")
    return tmp_path


def test_a_model_and_a_run_with_several_seeds(folder, pairs_file):
    report = make_report([folder / "before", folder / "runs"], [pairs_file])
    assert [(model.name, len(model.runs)) for model in report.models] == [("before", 1), ("runs", 3)]
    expected = [evaluate(folder / "runs" / f"seed-{seed}", [pairs_file])["animals"]["spearman"] for seed in (0, 1, 7)]
    assert report.models[1].values("animals", "spearman") == expected
    ((title, rows),) = report.summary()
    assert title == "Other tasks: Spearman × 100"
    mean, std = statistics.fmean(expected), statistics.stdev(expected)
    assert rows[1] == {"model": "runs", "animals": f"{mean:.2f} ± {std:.2f}"}
    ((model, task, metric, change),) = report.differences
    assert (model, task.name, metric) == ("runs", "animals", "spearman")
    assert change.value == pytest.approx(mean - report.models[0].values("animals", "spearman")[0])


def test_cached_measurements_are_noted(folder, pairs_file):
    given = {"models": [folder / "before"], "tasks": [pairs_file], "cache_dir": folder / "cache"}
    first, second = make_report(**given), make_report(**given)
    assert list(first.origins()) == []
    assert "## Notes" not in first.markdown()
    day = next(iter(second.models[0].runs[0].cached.values()))
    line = f"Cached, with the date of the measurement: before: animals ({day})"
    assert list(second.origins()) == [line]
    assert second.markdown().endswith(f"## Notes\n\n- {line}\n")
    assert second.to_dict()["models"]["before"][0]["from_cache"] == {"animals": day}


def test_missing_tasks(folder, pairs_file):
    (folder / "data").mkdir()
    shutil.copy(pairs_file, folder / "data" / "stsb-test.tsv")
    given = {"models": [folder / "before"], "tasks": ["stsb", "sickr"], "data_dir": folder / "data"}
    with pytest.raises(InputFileError, match=r"^no sickr-test\{.*\} in .*data: it holds stsb-test\.tsv$"):
        make_report(**given)
    report = make_report(**given, skip_missing=True)
    assert [task.name for task in report.tasks] == ["stsb"]
    ((name, reason),) = report.left_out.items()
    assert name == "sickr"
    assert list(report.origins()) == [f"Not measured: sickr: {reason}"]
    assert f"- Not measured: sickr: {text(reason)}\n" in report.markdown()
    assert report.to_dict()["left_out"] == {"sickr": reason}


def test_all_tasks_missing(folder):
    with pytest.raises(InputFileError, match=r"^the rows of all tasks are missing: no stsb-test"):
        make_report([folder / "before"], ["stsb"], folder, skip_missing=True)


def test_invalid_rows_are_not_skipped(folder):
    (folder / "stsb-test.tsv").write_text("sentence1\tsentence2\tscore\na\tb\t9\nc\td\t1\n", encoding="utf-8")
    with pytest.raises(InputValueError, match=r"line 2, score: '9' is out of range: this task's scores go from 0 to 5"):
        make_report([folder / "before"], ["stsb"], folder, skip_missing=True)


def test_unknown_aggregates_are_reported_first(folder):
    with pytest.raises(InputValueError, match=r"^aggregate is 'median': use one of all, mean, wmean$"):
        make_report(["no/such/model"], ["stsb"], folder / "nowhere", aggregate="median")


def test_no_models(pairs_file):
    with pytest.raises(InputValueError, match=r"^models is empty: give at least one folder or Hub id$"):
        make_report([], [pairs_file])


def test_a_missing_seed(folder, pairs_file):
    shutil.rmtree(folder / "runs" / "seed-1")
    with pytest.raises(InputFileError, match=r"^cannot load .*seed-1 as a sentence encoder .*: it is not a folder"):
        make_report([folder / "runs"], [pairs_file])


def test_folders_of_runs(folder):
    assert run_folders(folder / "runs") == [str(folder / "runs" / f"seed-{seed}") for seed in (0, 1, 7)]
    assert run_folders(folder / "before") == [str(folder / "before")]
    assert run_folders("me/model") == ["me/model"]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"seeds": []}', '{"seeds": 3}', '{"seeds": "01"}', "\udcff"])
def test_a_damaged_list_of_seeds(tmp_path, text):
    (tmp_path / SEEDS).write_bytes(text.encode("utf-8", "surrogateescape"))
    start = re.escape(f"cannot read the seeds of the runs in {tmp_path / SEEDS}: ")
    with pytest.raises(InputFileError, match=rf"^{start}."):
        run_folders(tmp_path)


@pytest.mark.parametrize(
    ("models", "names"),
    [
        (["a/one", "b/two"], ["one", "two"]),
        (["a/one", "b/one"], ["a/one", "b/one"]),
        (["a/one/", "b/one//"], ["a/one", "b/one"]),
        (["a/one", "nobody/one"], ["one", "nobody/one"]),
        (["./a", "nobody/model", "model", "x/y/z"], ["a", "nobody/model", "model", "z"]),
        (["a/one", "nobody/two", "b/one"], ["a/one", "nobody/two", "b/one"]),
        (["."], ["here"]),
        (["a/.."], ["here"]),
        (["a", "b", "../here/b/one"], ["a", "b", "one"]),
    ],
)
def test_names(tmp_path, monkeypatch, models, names):
    for name in ("a/one", "b/two", "b/one"):
        (tmp_path / "here" / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    assert names_of(models) == names


@pytest.mark.parametrize("models", [["a", "a/"], ["a", "./a"], ["nobody/m", "nobody/m"], ["a/../a", "a"]])
def test_duplicate_models(tmp_path, monkeypatch, models):
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path)
    given = ", ".join(model.rstrip("/") for model in models)
    with pytest.raises(InputValueError, match=rf"^duplicate model among {re.escape(given)}: give each model once$"):
        names_of(models)


def test_other_aggregates_are_not_compared_with_the_papers(folder, pairs_file):
    """An average over subsets gets no published rows and no interval, but a note."""
    lines = pairs_file.read_text(encoding="utf-8").splitlines()
    rows = [*lines[1:], *lines[1:3]]
    (folder / "data").mkdir()
    text = "\n".join([f"{lines[0]}\tsubset", *(f"{row}\t{'a' if i < 4 else 'b'}" for i, row in enumerate(rows))])
    (folder / "data" / "sts12-test.tsv").write_text(text + "\n", encoding="utf-8")
    given = {"models": [folder / "before", folder / "runs"], "tasks": ["sts12"], "data_dir": folder / "data"}
    pooled, mean = make_report(**given), make_report(**given, aggregate="mean")
    note = (
        "Subsets are not aggregated as in the papers, so that published results and intervals are left out: "
        "STS12 (mean)"
    )
    assert list(pooled.origins()) == []
    assert list(mean.origins()) == [note]
    assert "SimCSE-BERT-base" in pooled.markdown()
    assert "SimCSE-BERT-base" not in mean.markdown()
    assert f"- {note}\n" in mean.markdown()
    assert (len(pooled.differences), mean.differences) == (1, [])
    assert {row["source"] for row in mean.rows()} == {"measured"}
    assert mean.to_dict()["protocols"]["sts12"]["aggregate"] == "mean"
