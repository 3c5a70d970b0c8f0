"""Reports: measured and published results, averages, comparisons and files."""

import csv
import dataclasses
import json
import re
import statistics

import numpy as np
import pytest

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.evaluation import (
    SEVEN,
    TRANSFER,
    Measured,
    Measurement,
    ModelResult,
    Report,
    difference,
    published_results,
    resolve,
    resolve_all,
)
from sda_hf.evaluation.report.columns import columns_of, published_lines
from sda_hf.evaluation.report.results import make_folder

GOLD = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
GOOD, BAD = np.array([0.1, 0.2, 0.3, 0.5, 0.4]), np.array([0.5, 0.1, 0.2, 0.4, 0.3])


def pairs(spearman, items=GOOD, rows=5):
    return Measurement({"spearman": spearman, "pearson": 0.0, "pairs": rows}, items, GOLD)


def shares(accuracy, items=(1.0, 0.0), **more):
    return Measurement({"accuracy": accuracy, **more, "rows": len(items)}, np.array(items))


def one(name, cached=None, **measurements):
    found = {task.replace("_", "-"): value for task, value in measurements.items()}
    return ModelResult(name, [Measured(found, cached or {})])


def several(name, *runs):
    return ModelResult(name, [Measured(run, {}) for run in runs])


def report(tasks, *models, **more):
    return Report(resolve_all(tasks), models, **more)


def cells(text, start):
    """The cells of the only line of a Markdown text with this beginning."""
    (line,) = [line for line in text.splitlines() if line.startswith(f"| {start}")]
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


# -- published rows ----------------------------------------------------------------------------------


def test_seven_tasks_with_published_rows():
    measured = {name: pairs(50.0 + place) for place, name in enumerate(SEVEN)}
    text = report(["sts"], one("mine", **measured)).markdown()
    assert text.startswith("# Evaluation\n\n## Semantic textual similarity\n\nSpearman × 100. Rows: STS12 5, STS13 5,")
    assert cells(text, "Model") == ["Model", "STS12", "STS13", "STS14", "STS15", "STS16", "STS-B", "SICK-R", "Avg."]
    assert cells(text, "**mine**")[1:] == [*(f"{50 + place:.2f}" for place in range(7)), "53.00"]
    for entry in published_results("sts-average"):
        title = f"{entry.model}{'†' if entry.runs == 1 else ''}{'‡' if entry.selection else ''} ({entry.source})"
        row = cells(text, f"{title} |")
        shown = f"{entry.value:.2f}" + (f" ± {entry.std:.2f}" if entry.std is not None else "")
        assert row[-1] == shown, "the printed mean is taken, not one of the rounded figures"
        for name, cell in zip(SEVEN, row[1:], strict=False):
            figures = [p for p in published_results(name) if (p.model, p.source) == (entry.model, entry.source)]
            assert cell == "" if not figures else cell.startswith(f"{figures[0].value:.2f}")
    assert "† a single run: seeds differ" in text


def test_marks_are_explained_once(monkeypatch):
    entries = published_results("stsb")
    single = next(entry for entry in entries if entry.runs == 1 and not entry.selection)
    chosen = single._replace(selection="best of 10")
    columns = columns_of(resolve_all(["stsb", "sickr"]), one("a", stsb=pairs(1.0), sickr=pairs(1.0)))
    by_task = {"stsb": (single,), "sickr": (chosen,)}
    monkeypatch.setattr("sda_hf.evaluation.tasks.base.published_results", lambda name: by_task[name])
    ((title, *_),) = published_lines("sts", columns)
    assert title == f"{single.model}†‡ ({single.source})"


def test_average_of_some_tasks():
    text = report(["stsb", "sickr"], one("mine", stsb=pairs(80.0), sickr=pairs(70.0))).markdown()
    assert cells(text, "**mine**") == ["**mine**", "80.00", "70.00", "75.00"]
    by_model = {}
    for name in ("stsb", "sickr"):
        for entry in published_results(name):
            by_model.setdefault((entry.model, entry.source), []).append(entry.value)
    for (model, source), values in by_model.items():
        (line,) = [
            line
            for line in text.splitlines()
            if re.match(rf"\| {re.escape(model)}[†‡]* \({re.escape(source)}\) \|", line)
        ]
        assert cells(line, model)[-1] == (f"{statistics.fmean(values):.2f}" if len(values) == 2 else "")


def test_published_accuracies_are_only_in_their_own_column():
    task = resolve("anli")
    mine = one("mine", anli=shares(60.0, chance=50.0, difference=0.1))
    text = report(["anli"], mine).markdown()
    assert cells(text, "Model") == ["Model", "ANLI", "ANLI: Chance"]
    assert cells(text, "**mine**") == ["**mine**", "60.00", "50.00"]
    assert task.published
    for entry in task.published:
        title = f"{entry.model}{'†' if entry.runs == 1 else ''} ({entry.source}) |"
        assert cells(text, title)[1:] == [f"{entry.value:.2f}", ""]


def test_f1_has_a_column_but_no_average():
    measured = {name: shares(80.0) for name in TRANSFER} | {"mrpc": shares(73.0, f1=99.0)}
    text = report(["transfer"], one("mine", **measured)).markdown()
    header, mine = cells(text, "Model"), cells(text, "**mine**")
    assert header == ["Model", "MR", "CR", "SUBJ", "MPQA", "SST2", "TREC", "MRPC", "MRPC: F1", "Avg."]
    assert mine == ["**mine**", *["80.00"] * 6, "73.00", "99.00", "79.00"]


def test_own_files_have_no_published_rows(tmp_path):
    task = resolve({"name": "stsb", "path": str(tmp_path / "own.tsv")})
    others = [resolve(name) for name in SEVEN if name != "stsb"]
    made = Report([task, *others], [one("mine", **{name: pairs(1.0) for name in SEVEN})])
    assert not [row for row in made.rows() if row["task"] == "stsb" and row["source"] != "measured"]
    for line in published_lines("sts", columns_of(made.tasks, made.models[0])):
        assert (line[1], line[-1]) == ("", ""), "no figure on the file, and so no mean over the seven"


# -- measured rows -----------------------------------------------------------------------------------


def test_no_average_over_different_metrics():
    mine = one(
        "mine",
        glue_diagnostic=Measurement({"cosine": 0.9, "pairs": 2}, np.array([0.9, 0.9])),
        sickr_negation=pairs(40.0),
        sickr_triples=shares(60.0, chance=50.0),
    )
    made = report(["glue-diagnostic", "sickr-negation", "sickr-triples"], mine)
    text = made.markdown()
    assert "Mean cosine, Spearman × 100, Accuracy × 100." in text
    assert cells(text, "Model")[-1] == "SICK, triples: Chance"
    assert cells(text, "**mine**") == ["**mine**", "0.900", "40.00", "60.00", "50.00"]
    ((_, rows),) = made.summary()
    assert "avg." not in rows[0]


def test_f1_as_headline():
    """The main score of mteb's bitext tasks is F1."""
    tasks = [resolve("mteb:NevIR"), *resolve_all(["mteb:Tatoeba", "mteb:STS22"])]
    metrics = {"mteb:NevIR": {"f1": 10.0}, "mteb:Tatoeba": {"cosine_spearman": 20.0, "rows": 9}}
    metrics["mteb:STS22"] = {"cosine_spearman": 40.0, "rows": 9}
    model = several("mine", {name: Measurement(found, np.zeros(0)) for name, found in metrics.items()})
    made = Report(tasks, [model])
    text = made.markdown()
    assert cells(text, "Model") == ["Model", "NevIR (MTEB)", "Tatoeba (MTEB)", "STS22 (MTEB)"]
    assert "F1 × 100, Cosine_spearman. Rows: Tatoeba (MTEB) 9, STS22 (MTEB) 9." in text
    assert Report(tasks[1:], [model]).markdown().count("| 30.00 |") == 1


def test_geometry_has_several_columns():
    metrics = {"alignment": 0.2, "uniformity": -2.34567, "length_bias": 0.01, "jaccard": 0.5, "pairs": 2}
    text = report(["geometry"], one("mine", geometry=Measurement(metrics, np.array([0.1, 0.3])))).markdown()
    title = resolve("geometry").title
    assert cells(text, "Model") == [
        "Model",
        title,
        *(f"{title}: {n}" for n in ("Uniformity", "Length bias", "Jaccard")),
    ]
    assert cells(text, "**mine**") == ["**mine**", "0.200", "-2.346", "0.010", "0.500"]


def test_seeds_give_mean_and_deviation():
    runs = [{"stsb": pairs(a), "sickr": pairs(b)} for a, b in ((70.0, 60.0), (72.0, 61.0), (74.0, 65.0))]
    made = report(["stsb", "sickr"], several("runs", *runs))
    assert cells(made.markdown(), "**runs**")[1:] == ["72.00 ± 2.00", "62.00 ± 2.65", "67.00 ± 2.29"]
    row = next(row for row in made.rows() if (row["task"], row["metric"]) == ("sickr", "spearman"))
    assert (row["value"], row["std"], row["runs"]) == (62.0, statistics.stdev([60, 61, 65]), 3)


def test_a_task_named_like_another_column(tmp_path):
    tasks = [resolve({"path": str(tmp_path / f"{name}.tsv")}) for name in ("model", "avg.")]
    made = Report(tasks, [one("mine", **{"model": pairs(1.0), "avg.": pairs(3.0)})])
    ((_, rows),) = made.summary()
    assert rows == [{"model": "mine", "model (2)": "1.00", "avg.": "3.00", "avg. (2)": "2.00"}]


def test_names_are_escaped():
    made = report(["stsb"], one("a|b\\c", stsb=pairs(1.0)), one("other\nname", stsb=pairs(2.0)))
    text = made.markdown()
    assert cells(text, "**a") == ["**a&#124;b&#92;c**", "1.00"]
    assert cells(text, "**other") == ["**other name**", "2.00"]
    assert "## Difference from a&#124;b&#92;c" in text


# -- two models --------------------------------------------------------------------------------------


def test_comparison_with_the_first_model():
    first, second = (
        one("old", stsb=pairs(40.0, BAD), trec=shares(50.0)),
        one("new", stsb=pairs(90.0), trec=shares(50.0)),
    )
    made = report(["stsb", "trec"], first, second)
    expected = difference([pairs(0, BAD)], [pairs(0)], scale=100)
    (name, task, metric, change), (_, _, other, none) = made.differences
    assert (name, task.name, metric, change) == ("new", "stsb", "spearman", expected)
    # By hand: the squared rank differences sum to 2 and 22: 1 - 6 * 2 / 120 and 1 - 6 * 22 / 120.
    assert change.value == pytest.approx(100 * (0.9 - -0.1))
    assert (other, none.value, none.low, none.high) == ("accuracy", 0, 0, 0)
    text = made.markdown()
    assert "## Difference from old\n" in text
    row = cells(text, "new | STS-B")
    assert row[:4] == ["new", "STS-B", "Spearman × 100", "+100.00"]
    assert row[4] == f"{change.low:+.2f} to {change.high:+.2f}"
    line = next(made.changes())
    assert line == f"new - old, STS-B: +100.00 (95 % of bootstrap samples: {change.low:+.2f} to {change.high:+.2f})"
    assert made.to_dict()["differences"][0] == {
        "model": "new",
        "from": "old",
        "task": "stsb",
        "metric": "spearman",
        **expected._asdict(),
    }


def test_cosines_are_compared_on_their_own_scale():
    old, new = (
        one(name, nan_nli=Measurement({"cosine": value, "pairs": 2}, np.array([value, value])))
        for name, value in (("old", 0.9), ("new", 0.75))
    )
    ((*_, change),) = report(["nan-nli"], old, new).differences
    assert change == pytest.approx((-0.15, -0.15, -0.15))


def test_scores_without_rows_are_not_compared():
    models = [several(name, {"mteb:NevIR": Measurement({"paired_accuracy": 1.0}, np.zeros(0))}) for name in "ab"]
    made = Report([resolve("mteb:NevIR")], models)
    assert made.differences == []
    assert "Difference" not in made.markdown()


def test_bootstrap_samples_are_drawn_once(monkeypatch):
    drawn = []
    monkeypatch.setattr(
        "sda_hf.evaluation.report.results.difference",
        lambda *given, **how: drawn.append(1) or difference(*given, **how),
    )
    made = report(["stsb"], one("a", stsb=pairs(1.0)), one("b", stsb=pairs(2.0, BAD)))
    assert (list(made.changes()), made.markdown(), made.to_dict(), len(drawn))[-1] == 1


# -- errors ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tasks", "models", "message"),
    [
        (["stsb"], [], r"the models are named \[\]: give at least one, and each a name of its own"),
        (
            ["stsb"],
            [("a", "stsb"), ("a", "stsb")],
            r"the models are named \['a', 'a'\]: give .*",
        ),
        (["stsb", "sickr"], [("a", "stsb")], r"model 'a' was not measured on 'sickr': measure all models on all tasks"),
        ([], [("a", "stsb")], "tasks is empty: a report needs at least one"),
    ],
)
def test_invalid_reports(tasks, models, message):
    made = [one(name, **{task: pairs(1.0)}) for name, task in models]
    with pytest.raises(InputValueError, match=f"^{message}$"):
        Report([resolve(task) for task in tasks], made)


def test_a_model_without_runs():
    with pytest.raises(InputValueError, match=r"^model 'mine' has no runs: give the measurements of at least one$"):
        ModelResult("mine", [])


# -- files -------------------------------------------------------------------------------------------


def test_files_have_all_measurements(tmp_path):
    models = (
        one('a,"b"', stsb=pairs(12.3456789), trec=shares(50.0, dev_accuracy=1 / 3)),
        several(
            "runs",
            {"stsb": pairs(1.0), "trec": shares(2.0, dev_accuracy=1.0)},
            {"stsb": pairs(3.0), "trec": shares(2.0, dev_accuracy=2.0)},
        ),
    )
    made = report(["stsb", "trec"], *models, left_out={"sickr": "no sickr-test.tsv"})
    files = made.write(tmp_path / "new" / "report")
    assert [file.name for file in files] == ["results.md", "results.csv", "results.json"]
    assert sorted(path.name for path in (tmp_path / "new" / "report").iterdir()) == sorted(file.name for file in files)
    assert files[0].read_text(encoding="utf-8") == made.markdown()
    assert json.loads(files[2].read_text(encoding="utf-8")) == json.loads(json.dumps(made.to_dict()))
    with files[1].open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    for row, expected in zip(rows, made.rows(), strict=True):
        assert row == {key: "" if value is None else str(value) for key, value in expected.items()}
    assert rows[0]["value"] == "12.3456789"
    again = made.write(tmp_path / "new" / "report")
    assert again == files


def test_json_has_every_seed_and_its_origin():
    made = report(
        ["stsb"],
        several("runs", {"stsb": pairs(1.0)}, {"stsb": pairs(2.0)}),
        one("b", {"stsb": "2024-05-01"}, stsb=pairs(3.0)),
    )
    found = made.to_dict()
    assert [run["metrics"]["stsb"]["spearman"] for run in found["models"]["runs"]] == [1.0, 2.0]
    assert found["models"]["b"][0]["from_cache"] == {"stsb": "2024-05-01"}
    assert found["protocols"]["stsb"]["aggregate"] == "all"
    assert len(found["published"]) == len(published_results("stsb"))
    assert list(made.origins()) == ["Cached, with the date of the measurement: b: stsb (2024-05-01)"]


def test_a_file_in_place_of_the_folder(tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    made = report(["stsb"], one("a", stsb=pairs(1.0)))
    for folder in (tmp_path / "file", tmp_path / "file" / "report"):
        with pytest.raises(InputFileError, match=r"^cannot create .*file.*: .*: use another folder for the report$"):
            made.write(folder)
    assert (tmp_path / "file").read_text(encoding="utf-8") == "in the way"
    (tmp_path / "report" / "results.csv").mkdir(parents=True)
    with pytest.raises(InputFileError, match=r"^cannot write .*results\.csv: Is a directory: use another folder for"):
        made.write(tmp_path / "report")


def test_an_existing_folder(tmp_path):
    assert make_folder(tmp_path / "a" / "b") == make_folder(str(tmp_path / "a" / "b"))
    assert (tmp_path / "a" / "b").is_dir()


def test_reports_are_immutable():
    made = report(["stsb"], one("a", stsb=pairs(1.0)))
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.models = []
