"""A sweep as tables and plots: what is printed, what is drawn, and what is left out."""

import csv

import pytest

from sda_hf.errors import InputFileError
from sda_hf.training.sweep.tables import readable_rows, sweep_rows, write_tables


def spread(mean, std=None):
    return {"values": [mean], "mean": mean, "std": std}


def point(parameters, dev=None, **tasks):
    return {
        "parameters": parameters,
        "tasks": {name: {metric: {"before": spread(1.0), "after": found}} for name, (metric, found) in tasks.items()},
        "dev": dev,
    }


SUMMARY = {
    "points": [
        point({"loss.margin": 0.1}, spread(80.0), stsb=("spearman", spread(76.049, 0.5))),
        point({"loss.margin": 0.3}, spread(81.0), stsb=("spearman", spread(-0.004, 0.0))),
        point({"loss.margin": None}, spread(82.0)),
    ]
}


def test_rows_for_people():
    assert readable_rows(SUMMARY) == [
        {"loss.margin": "0.1", "stsb": "76.05 ± 0.50", "dev": "80.00"},
        {"loss.margin": "0.3", "stsb": "0.00 ± 0.00", "dev": "81.00"},
        {"loss.margin": "None", "stsb": "not measured", "dev": "82.00"},
    ]


def test_files(tmp_path):
    files = write_tables(SUMMARY, tmp_path)
    assert files == [tmp_path / "sweep.csv", tmp_path / "sweep.md"]
    with files[0].open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    for row, expected in zip(rows, sweep_rows(SUMMARY), strict=True):
        assert row == {key: "" if value is None else str(value) for key, value in expected.items()}
    assert files[1].read_text(encoding="utf-8").splitlines() == [
        "| Loss.margin | STS-B | Dev |",
        "| --- | --- | --- |",
        "| 0.1 | 76.05 ± 0.50 | 80.00 |",
        "| 0.3 | 0.00 ± 0.00 | 81.00 |",
        "| None | not measured | 82.00 |",
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sweep.csv", "sweep.md"]


def test_values_that_are_no_plain_numbers_come_back_from_the_csv(tmp_path):
    summary = {"points": [point({"evaluation.test": ["a,b", 'c"d']}), point({"evaluation.test": "x|y"})]}
    files = write_tables(summary, tmp_path, plots=True)
    with files[0].open(encoding="utf-8", newline="") as lines:
        assert [row["evaluation.test"] for row in csv.DictReader(lines)] == ["['a,b', 'c\"d']", "x|y"]
    assert "| x&#124;y |" in files[1].read_text(encoding="utf-8")


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(
        InputFileError, match=r"cannot write .*sweep\.csv: No such file or directory: give a folder that"
    ):
        write_tables(SUMMARY, tmp_path / "nowhere")


# -- plots -------------------------------------------------------------------------------------------


@pytest.fixture
def drawn(monkeypatch):
    """What is drawn, by the name of its file."""
    pytest.importorskip("matplotlib", reason="plots need the extra")
    found = {}
    monkeypatch.setattr("sda_hf.evaluation.plots.canvas.save", lambda figure, path: found.update({path.name: figure}))
    return found


def lines_of(figure):
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    lines = [container.lines[0].get_xydata().tolist() for container in figure.axes[0].containers]
    return dict(zip(names, lines, strict=True))


def test_a_plot_of_a_setting(tmp_path, drawn):
    summary = {"points": [*SUMMARY["points"][:2][::-1], point({"loss.margin": 0.2}, spread(79.0))]}
    files = write_tables(summary, tmp_path, plots=True)
    assert files[2:] == [tmp_path / "sweep-loss.margin.png"]
    figure = drawn["sweep-loss.margin.png"]
    assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == ("loss.margin", "score × 100")
    assert lines_of(figure) == {
        "stsb": [[0.1, 76.049], [0.3, -0.004]],
        "dev": [[0.1, 80.0], [0.2, 79.0], [0.3, 81.0]],
    }


def test_a_line_for_each_choice_of_the_other_settings(tmp_path, drawn):
    points = [
        point({"a.x": x, "a.kind": kind}, stsb=("spearman", spread(x + len(kind))))
        for x in (1, 2)
        for kind in ("p", "qq")
    ]
    files = write_tables({"points": points}, tmp_path, plots=True)
    assert [file.name for file in files[2:]] == ["sweep-a.x.png"], "words have no scale"
    assert lines_of(drawn["sweep-a.x.png"]) == {"stsb, kind p": [[1, 2], [2, 3]], "stsb, kind qq": [[1, 3], [2, 4]]}


@pytest.mark.parametrize(
    "values", [[True, False], [1, True], [0.1], ["a", "b"], [[1], [2]], [{"a": 1}, {"a": 2}], [0.1, None]]
)
def test_settings_that_are_not_drawn(tmp_path, drawn, values):
    points = [point({"key": value}, stsb=("spearman", spread(1.0))) for value in values]
    assert len(write_tables({"points": points}, tmp_path, plots=True)) == 2
    assert drawn == {}


def test_a_sweep_without_scores_is_not_drawn(tmp_path, drawn):
    points = [point({"key": value}) for value in (1, 2)]
    assert len(write_tables({"points": points}, tmp_path, plots=True)) == 2
    assert drawn == {}
    assert (tmp_path / "sweep.csv").read_text(encoding="utf-8") == "key\n1\n2\n"


def test_plots_are_files(tmp_path):
    pytest.importorskip("matplotlib", reason="plots need the extra")
    files = write_tables({"points": SUMMARY["points"][:2]}, tmp_path, plots=True)
    assert files[2].read_bytes().startswith(b"\x89PNG")


def test_two_keys_with_one_last_part(tmp_path, drawn):
    points = [
        point({"loss.scale": x, "training.scale": y}, stsb=("spearman", spread(float(x + y))))
        for x in (1, 2)
        for y in (10, 20)
    ]
    write_tables({"points": points}, tmp_path, plots=True)
    assert sorted(drawn) == ["sweep-loss.scale.png", "sweep-training.scale.png"]
    assert lines_of(drawn["sweep-loss.scale.png"]) == {
        "stsb, scale 10": [[1, 11], [2, 12]],
        "stsb, scale 20": [[1, 21], [2, 22]],
    }
