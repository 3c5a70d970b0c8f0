"""Several seeds of one recipe."""

import json
import statistics

import pytest

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.training import run
from sda_hf.training.recipe import Hub
from sda_hf.training.sweep.seeds import parse_seeds, run_seeds, seed_rows


def test_each_seed_has_a_run_and_the_summary_its_spread(recipe, tmp_path):
    summary = run_seeds(recipe, [0, 5], output=tmp_path / "runs")
    values = []
    for seed in (0, 5):
        folder = tmp_path / "runs" / f"seed-{seed}"
        assert (folder / "modules.json").is_file()
        metrics = json.loads((folder / "metrics.json").read_text())
        assert metrics["seed"] == seed
        values.append(metrics["after"]["pairs"]["spearman"])
    assert values[0] != values[1]
    alone = run(recipe.replace(training=recipe.training.replace(seed=5)))
    assert alone.after["pairs"]["spearman"] == values[1], "a seed is what it is alone"
    after = summary["tasks"]["pairs"]["spearman"]["after"]
    assert after == {"values": values, "mean": statistics.fmean(values), "std": statistics.stdev(values)}
    assert json.loads((tmp_path / "runs" / "seeds.json").read_text()) == summary
    rows = seed_rows(summary)
    assert [row["seed"] for row in rows] == ["0", "5", "mean ± std"]
    assert rows[-1]["after"] == f"{after['mean']:.2f} ± {after['std']:.2f}"


def test_resume_keeps_finished_seeds_and_adds_new_ones(recipe, tmp_path):
    first = run_seeds(recipe, [1], output=tmp_path / "runs")
    model = tmp_path / "runs" / "seed-1" / "model.safetensors"
    written = model.stat().st_mtime_ns
    both = run_seeds(recipe, [1, 2], output=tmp_path / "runs", resume=True)
    assert model.stat().st_mtime_ns == written
    values = both["tasks"]["pairs"]["spearman"]["after"]["values"]
    assert values[0] == first["tasks"]["pairs"]["spearman"]["after"]["values"][0]
    assert first["tasks"]["pairs"]["spearman"]["after"]["std"] is None
    assert [row["seed"] for row in seed_rows(first)] == ["1"]


@pytest.mark.parametrize("text", ["", "0,0", "a", "1.5", "-1", ","])
def test_refuses_what_are_no_seeds(text):
    with pytest.raises(InputValueError, match="give distinct non-negative integers"):
        parse_seeds(text)


def test_several_seeds_are_not_pushed_to_one_repository(recipe, tmp_path):
    pushed = recipe.replace(hub=Hub(repo_id="me/name"))
    with pytest.raises(InputValueError, match=r"hub: several runs would be pushed to me/name: remove it, and push"):
        run_seeds(pushed, [0, 1], tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_folders_are_checked_before_the_first_run(recipe, tmp_path):
    run_seeds(recipe, [1], output=tmp_path / "runs")
    other = recipe.replace(training=recipe.training.replace(learning_rate=0.5))
    with pytest.raises(InputValueError, match=r"the finished run in .*seed-1 has a different recipe \(training\)"):
        run_seeds(other, [0, 1], output=tmp_path / "runs", resume=True)
    with pytest.raises(InputFileError, match=r"seed-1 is not empty: give another folder"):
        run_seeds(recipe, [0, 1], output=tmp_path / "runs")
    assert not (tmp_path / "runs" / "seed-0").exists()
    with pytest.raises(InputFileError, match=r"seed-1 is the folder of a single run, which runs with several seeds"):
        run_seeds(recipe, [0, 1], output=tmp_path / "runs" / "seed-1")
