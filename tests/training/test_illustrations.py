"""The plots of a run: what they show, of one run and of several seeds."""

import json

import pytest

from sda_hf.errors import InputFileError
from sda_hf.training import illustrations
from sda_hf.training.illustrations import draw_run

pytest.importorskip("matplotlib", reason="plots need the extra")

DEV = [{"step": 50, "score": 31.5}, {"step": 100, "score": 33.25}]
NEGATIVE = {"augmenter": "negation", "texts": 3, "changed": 2 / 3, "rules": {"modal": 2}, "skips": {"no verb": 1}}


@pytest.fixture
def drawn(monkeypatch):
    """The figures by file name; the files are written as well."""
    found = {}
    write = illustrations.save_all
    monkeypatch.setattr(
        illustrations, "save_all", lambda figures, folder: found.update(figures) or write(figures, folder)
    )
    return found


def run(folder, **metrics):
    folder.mkdir(parents=True)
    (folder / "metrics.json").write_text(json.dumps({"before": {}, "after": {}, **metrics}), encoding="utf-8")
    return folder


def bars(figure):
    return {axes.get_title(loc="left"): [bar.get_width() for bar in axes.patches] for axes in figure.axes}


def test_a_run(tmp_path, drawn):
    folder = run(tmp_path / "mine", training={"dev": DEV}, data={"rewrites": {"negative": NEGATIVE}})
    assert draw_run(folder) == [folder / "steps.png", folder / "rewrites.png"]
    (line,) = drawn["steps.png"].axes[0].get_lines()
    assert line.get_xydata().tolist() == [[50, 31.5], [100, 33.25]]
    assert [text.get_text() for text in drawn["steps.png"].legends[0].get_texts()] == ["mine"]
    assert bars(drawn["rewrites.png"]) == {"negative: negation": [pytest.approx(200 / 3), pytest.approx(100 / 3)]}
    assert all((folder / name).read_bytes().startswith(b"\x89PNG") for name in drawn)


def test_several_seeds(tmp_path, drawn):
    for seed in (0, 1):
        run(tmp_path / f"seed-{seed}", training={"dev": [{"step": 50, "score": 30.0 + seed}]})
    (tmp_path / "seeds.json").write_text('{"seeds": [0, 1]}', encoding="utf-8")
    assert draw_run(tmp_path) == [tmp_path / "steps.png"]
    assert [line.get_ydata().tolist() for line in drawn["steps.png"].axes[0].get_lines()] == [[30.0], [31.0]]
    labels = [text.get_text() for text in drawn["steps.png"].legends[0].get_texts()]
    assert [label.rsplit(", ", 1)[-1] for label in labels] == ["seed-0", "seed-1"]


def test_several_datasets(tmp_path, drawn):
    record = {"data": {"rewrites": {"negative": NEGATIVE}}}
    assert draw_run(run(tmp_path / "mine", datasets={"web": record, "wiki": record})) == [
        tmp_path / "mine/rewrites.png"
    ]
    assert list(bars(drawn["rewrites.png"])) == ["web, negative: negation", "wiki, negative: negation"]


def test_nothing_to_draw(tmp_path):
    assert draw_run(run(tmp_path / "mine")) == []


def test_a_folder_without_a_run(tmp_path):
    with pytest.raises(InputFileError, match=r"cannot read .*metrics\.json: No such file"):
        draw_run(tmp_path)


@pytest.mark.slow  # it trains
def test_from_the_command_line(tmp_path, monkeypatch, capsys):
    import sys

    from sda_hf.cli import main

    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "datasets")
    command = ["train", "quickstart", "--set", "training.max_steps=2", "--set", "data.limit=8"]
    settings = ["--set", "evaluation.every_steps=1", "--set", "training.batch_size=2"]
    monkeypatch.setattr(sys, "argv", ["sda-hf", *command, *settings, "--output", str(tmp_path / "run"), "--plots"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    folder = tmp_path / "run"
    assert capsys.readouterr().out.splitlines()[-1] == f"Plots: {folder / 'steps.png'}, {folder / 'rewrites.png'}"
    assert (folder / "steps.png").is_file()
