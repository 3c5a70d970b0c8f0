"""A grid of settings: what is refused before the first run, what the runs give, and how a sweep goes on."""

import json
import os
import shutil
import signal
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sda_hf.errors import InputError, InputFileError, InputTypeError, InputValueError
from sda_hf.training import Recipe, run, runner
from sda_hf.training.interruption import Interrupted
from sda_hf.training.sweep.grid import grid_points, parse_grid
from sda_hf.training.sweep.run import run_sweep
from sda_hf.training.sweep.tables import sweep_rows

SHORT = ["training.max_steps=1"]
GRID = {"loss.margin": ["0.0", "0.5"]}
FOLDERS = ["margin=0.0", "margin=0.5"]


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def folders(recipe_file):
    """The names that the points of a grid get."""
    return lambda grid: [point.folder for point in grid_points(recipe_file, grid, ())]


def test_every_point_has_its_runs_and_its_figures(recipe_file, tmp_path):
    top = tmp_path / "sweep"
    summary = run_sweep(recipe_file, GRID, [0, 3], top, SHORT)
    assert read(top / "sweep.json") == summary
    assert sorted(path.name for path in top.iterdir()) == [*FOLDERS, "sweep.json"]
    assert {key: summary[key] for key in ("recipe", "grid", "seeds")} == {
        "recipe": "tiny.yaml",
        "grid": GRID,
        "seeds": [0, 3],
    }
    assert [point["parameters"] for point in summary["points"]] == [{"loss.margin": 0.0}, {"loss.margin": 0.5}]
    assert [point["folder"] for point in summary["points"]] == FOLDERS
    rows = sweep_rows(summary)
    for point, row in zip(summary["points"], rows, strict=True):
        assert point["tasks"] == read(top / point["folder"] / "seeds.json")["tasks"]
        runs = [read(top / point["folder"] / f"seed-{seed}" / "metrics.json") for seed in (0, 3)]
        after = [one["after"]["pairs"]["spearman"] for one in runs]
        dev = [100 * best(top / point["folder"] / f"seed-{seed}") for seed in (0, 3)]
        assert point["dev"] == {"values": dev, "mean": statistics.fmean(dev), "std": statistics.stdev(dev)}
        assert row == {
            "loss.margin": point["parameters"]["loss.margin"],
            "pairs": statistics.fmean(after),
            "pairs std": statistics.stdev(after),
            "dev": statistics.fmean(dev),
            "dev std": statistics.stdev(dev),
        }
    alone = run(
        Recipe.load(recipe_file, [*SHORT, "loss.margin=0.5", "training.seed=3", f"output={tmp_path / 'alone'}"])
    )
    assert alone.after["pairs"]["spearman"] == after[1], "a point is what it is alone"
    assert read(tmp_path / "alone" / "metrics.json")["training"]["losses"] == runs[1]["training"]["losses"]


def best(folder):
    """The best dev score, as the trainer itself wrote it down."""
    return read(folder / "checkpoints" / "checkpoint-1" / "trainer_state.json")["best_metric"]


@pytest.mark.slow
def test_resume_trains_what_is_missing_and_takes_further_values(recipe_file, tmp_path):
    top = tmp_path / "sweep"
    first = run_sweep(recipe_file, GRID, [0, 1], top, SHORT)
    kept = {path: path.stat().st_mtime_ns for path in top.glob("*/seed-*/model.safetensors")}
    removed = top / FOLDERS[1] / "seed-0"
    shutil.rmtree(removed)
    again = run_sweep(recipe_file, GRID, [0, 1], top, SHORT, resume=True)
    assert again == first
    changed = [path for path, time in kept.items() if path.stat().st_mtime_ns != time]
    assert [path.parent for path in changed] == [removed]
    wider = {"loss.margin": ["0.25", *GRID["loss.margin"]]}
    more = run_sweep(recipe_file, wider, [0, 1], top, SHORT, resume=True)
    assert [point["folder"] for point in more["points"]] == ["margin=0.25", *FOLDERS]
    assert more["points"][1:] == first["points"]
    assert read(top / "sweep.json") == more


def test_overwrite_removes_the_runs_of_thegrid_points(recipe_file, tmp_path):
    top, grid = tmp_path / "sweep", {"loss.margin": ["0.5"]}
    first = run_sweep(recipe_file, grid, [0], top, SHORT)
    assert first["points"][0]["dev"]["std"] is None
    trace = top / FOLDERS[1] / "seed-0" / "trace"
    trace.touch()
    other = run_sweep(recipe_file, grid, [0], top, ["training.max_steps=2"], overwrite=True)
    assert not trace.exists()
    assert other["points"] != first["points"]
    assert read(top / "sweep.json") == other


@pytest.mark.slow
def test_ctrl_c_in_the_second_point_leaves_the_first_recorded(recipe_file, tmp_path, monkeypatch):
    top, two = tmp_path / "sweep", ["training.max_steps=2"]
    trainings, said = [], []

    class CtrlC(runner.FiniteLoss):
        def on_step_begin(self, args, state, control, **rest):
            trainings.append(args.output_dir)
            if len(set(trainings)) == 2:
                os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(runner, "FiniteLoss", CtrlC)
        with pytest.raises(Interrupted, match=r"stopped at step 1 of 2 and saved in .*margin=0\.5/seed-0/checkpoints"):
            run_sweep(recipe_file, GRID, [0], top, two, on_interrupt=lambda: said.append("stop"))
    assert said == ["stop"]
    recorded = read(top / "sweep.json")
    assert recorded["grid"] == GRID
    assert [point["folder"] for point in recorded["points"]] == FOLDERS[:1]
    model = top / FOLDERS[0] / "seed-0" / "model.safetensors"
    written = model.stat().st_mtime_ns
    whole = run_sweep(recipe_file, GRID, [0], top, two, resume=True)
    assert model.stat().st_mtime_ns == written
    assert whole["points"][0] == recorded["points"][0]
    assert whole == run_sweep(recipe_file, GRID, [0], tmp_path / "whole", two)


def test_a_sweep_without_tasks_has_parameters_alone(recipe_file, tmp_path):
    settings = [*SHORT, "evaluation.dev=null", "evaluation.test=[]", f"output={tmp_path / 'mine'}"]
    summary = run_sweep(recipe_file, {"loss.margin": ["0.5"]}, [0], settings=settings)
    assert summary["points"] == [{"parameters": {"loss.margin": 0.5}, "folder": FOLDERS[1], "tasks": {}, "dev": None}]
    assert read(tmp_path / "mine" / "sweep.json") == summary
    assert sweep_rows(summary) == [{"loss.margin": 0.5}]


def test_the_best_dev_score_is_told_without_keep_best_too(recipe_file, tmp_path):
    settings = ["evaluation.keep_best=false", "evaluation.every_steps=1"]
    summary = run_sweep(recipe_file, {"loss.margin": ["0.5"]}, [0], tmp_path / "sweep", settings)
    state = tmp_path / "sweep" / FOLDERS[1] / "seed-0" / "checkpoints" / "checkpoint-4" / "trainer_state.json"
    key = "eval_pairs_spearman_cosine"
    scores = [100 * log[key] for log in read(state)["log_history"] if key in log]
    assert len(scores) == 4
    assert summary["points"][0]["dev"]["values"] == [max(scores)]


@pytest.mark.parametrize(
    ("settings", "grid"),
    [
        (["loss.margin=0.1,0.3"], {"loss.margin": ["0.1", "0.3"]}),
        ([" a.b = 1 , x y "], {"a.b": ["1", "x y"]}),
        (
            ["a=[1, 2],{b: [3, 4], c: 5}", "d='x,y',\"z,\",null"],
            {"a": ["[1, 2]", "{b: [3, 4], c: 5}"], "d": ["'x,y'", '"z,"', "null"]},
        ),
        (["model=a/b,org/c.d-e", "b=k=v,-1e-5"], {"model": ["a/b", "org/c.d-e"], "b": ["k=v", "-1e-5"]}),
    ],
)
def test_grid_of_texts(settings, grid):
    assert parse_grid(settings) == grid
    assert list(parse_grid(settings)) == list(grid)


# A recipe refuses integers of more than 64 bits, NUL and lone surrogates.
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=5)
INTEGERS = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.one_of(INTEGERS, TEXTS, st.lists(TEXTS)), min_size=1))
def test_values_come_back_whole(values):
    values = [value for i, value in enumerate(values) if value not in values[:i]]
    texts = [json.dumps(value) for value in values]
    assert parse_grid([f"key={','.join(texts)}"]) == {"key": texts}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ([], r"^grid: empty; give a key and its values, such as loss\.margin=0\.1,0\.3$"),
        (["loss.margin"], r"grid 'loss\.margin': give KEY=VALUE,VALUE, such as"),
        (["=1"], r"grid '=1': give KEY=VALUE,VALUE"),
        (["a="], r"grid: a has no value; give at least one, such as a=1,2"),
        (["a=1", "b=1", "a=2"], r"grid 'a=2': a is given twice; give all its values at once"),
        (["a=0.1,0.3,0.10"], r"grid: a has the value 0\.10 twice; give each value once"),
        (["a=1,,2"], r"grid 'a=1,,2', line 1: not valid YAML"),
        (["a=[1,2"], r"grid 'a=\[1,2', line 1: not valid YAML"),
        (["a=1] #"], r"grid 'a=1\] #': unbalanced brackets: put the value in quotes"),
        (["training.seed=0,1"], r"grid: training\.seed cannot be part of a grid; give seeds instead"),
        (["output=a,b"], r"grid: output cannot be part of a grid; give the output instead"),
    ],
)
def test_refused_grids(settings, message):
    with pytest.raises(InputValueError, match=message):
        parse_grid(settings)


@pytest.mark.parametrize("values", ["0.1,0.3", [0.1, 0.3]])
def test_values_are_a_list_of_strings(recipe_file, values):
    with pytest.raises(InputTypeError, match=r"grid: loss\.margin is .*; give a list of strings, such as"):
        run_sweep(recipe_file, {"loss.margin": values}, [0])


def test_folders_are_named_by_the_last_parts_in_the_order_of_the_grid(folders):
    grid = {"loss.margin": ["0.1", "0.3"], "augmentation.negative.seed": ["0", "1"]}
    assert folders(grid) == ["margin=0.1,seed=0", "margin=0.1,seed=1", "margin=0.3,seed=0", "margin=0.3,seed=1"]


def test_whole_keys_where_the_last_parts_clash(folders):
    grid = {"augmentation.negative.seed": ["1"], "augmentation.positive.seed": ["2"], "loss.margin": ["0.1"]}
    assert folders(grid) == ["augmentation.negative.seed=1,augmentation.positive.seed=2,margin=0.1"]


def test_characters_that_are_no_good_in_names_are_replaced_and_nothing_is_shared(folders):
    values = ["a/b", "a-b", "a b", "'a-b '", "x" * 300, "x" * 301]
    names = folders({"training.arguments.run_name": values, "evaluation.test": ["[a.tsv, b.tsv]"]})
    assert len(set(names)) == len(values)
    assert all(len(name) <= 160 and not set(name) & set("/ '[]") for name in names)
    assert all(name.startswith("run_name=a-b,test=-a.tsv,-b.tsv--") for name in names[:3])
    assert folders({"training.arguments.run_name": ["a-b"]}) == ["run_name=a-b"]


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"loss.margin": ["0.1", "wide"]}, r"^point loss\.margin=wide: .*margin is 'wide'"),
        ({"loss.margn": ["0.1"]}, r"^point loss\.margn=0\.1: .*did you mean 'margin'"),
        ({"loss.name": ["margin-negation-infonce", "nt-xnt"]}, r"^point loss\.name=nt-xnt: .*did you mean 'nt-xent'"),
        (
            {"loss.margin": ["0.1"], "training.lr": ["1", "2"]},
            r"^point loss\.margin=0\.1, training\.lr=1: .*unknown recipe key 'training\.lr'",
        ),
        ({"training.batch_size": ["4", "0"]}, r"^point training\.batch_size=0: .*0 is out of range"),
        ({"training.scheduler": ["linear", "steep"]}, r"^point training\.scheduler=steep: .*steep"),
        (
            {"augmentation.negative.name": ["negation", "denial"]},
            r"^point augmentation\.negative\.name=denial: augmentation: .*'denial'",
        ),
        ({"loss": ["{name: nt-xent}"], "loss.margin": ["0.1"]}, r"^point .*NTXentLoss argument 'margin'"),
        (
            {"loss.temperature": ["0.1", "0.2"], "loss": ["{name: nt-xent}"]},
            r"^grid: temperature=0\.1.* and temperature=0\.2.* are the same point: give different values",
        ),
        ({"training.arguments.run_name": ["a", "A"]}, r"^grid: run_name=a and run_name=A are the same point"),
        ({"evaluation.test": ["[{name: dev, path: pairs.tsv}]"]}, r"'dev' is already a column of the results"),
        ({}, r"^grid: empty"),
    ],
)
def test_bad_points_are_refused_before_the_first_run(recipe_file, tmp_path, grid, message):
    with pytest.raises(InputError, match=message):
        run_sweep(recipe_file, grid, [0], tmp_path / "sweep")
    assert not (tmp_path / "sweep").exists()


@pytest.mark.parametrize("seeds", [[], [0, 0], [-1]])
def test_refused_seeds(recipe_file, seeds):
    with pytest.raises(InputValueError, match="give distinct non-negative integers"):
        run_sweep(recipe_file, GRID, seeds)


@pytest.mark.parametrize("projection", ["none", "mlp", "mlp2bn"])
def test_losses_with_a_head_are_no_bad_points_and_draw_nothing_of_the_host(folders, projection):
    import torch

    before = torch.random.get_rng_state()
    assert folders({"loss.projection": [projection]}) == [f"projection={projection}"]
    assert torch.equal(torch.random.get_rng_state(), before)


@pytest.fixture
def finished(recipe_file, tmp_path):
    """A sweep of one point, finished."""
    run_sweep(recipe_file, {"loss.margin": ["0.0"]}, [0], tmp_path / "sweep", SHORT)
    return tmp_path / "sweep"


def test_resume_refuses_another_sweep(recipe_file, finished):
    written = (finished / "sweep.json").read_bytes()
    other = recipe_file.with_name("other.yaml")
    shutil.copy(recipe_file, other)
    both = {"loss.margin": ["0.0"], "training.batch_size": ["4"]}
    for recipe, grid, message in (
        (recipe_file, both, r'with \{"loss\.margin": \["0\.0"\]\}, not of .*"training\.batch_size"'),
        (
            recipe_file,
            {"loss.margin": ["0.5"]},
            "resume with the same recipe and keys and at least the same values",
        ),
        (other, {"loss.margin": ["0.0"]}, r"sweep\.json is of tiny\.yaml .* not of other\.yaml"),
    ):
        with pytest.raises(InputValueError, match=message):
            run_sweep(recipe, grid, [0], finished, SHORT, resume=True)
    with pytest.raises(InputValueError, match=r"margin=0\.0/seed-0 has a different recipe \(training\)"):
        run_sweep(recipe_file, GRID, [0], finished, ["training.max_steps=2"], resume=True)
    with pytest.raises(InputFileError, match="is not empty: give another folder, or resume or overwrite"):
        run_sweep(recipe_file, GRID, [0], finished, SHORT)
    with pytest.raises(InputValueError, match="resume and overwrite contradict each other"):
        run_sweep(recipe_file, GRID, [0], finished, SHORT, resume=True, overwrite=True)
    assert (finished / "sweep.json").read_bytes() == written
    assert sorted(path.name for path in finished.iterdir()) == ["margin=0.0", "sweep.json"]


@pytest.mark.parametrize("how", ["resume", "overwrite"])
def test_a_folder_of_something_else_is_left_alone(recipe_file, tmp_path, how):
    with pytest.raises(InputFileError, match=r"is not the folder of a sweep \(it has no sweep\.json\): give another"):
        run_sweep(recipe_file, GRID, [0], tmp_path, SHORT, **{how: True})
    with pytest.raises(InputFileError, match="is a file, not a folder"):
        run_sweep(recipe_file, GRID, [0], recipe_file, SHORT, **{how: True})
    assert not (tmp_path / "sweep.json").exists()


def test_only_the_main_process_writes(recipe_file, tmp_path, monkeypatch):
    monkeypatch.setenv("RANK", "1")
    summary = run_sweep(recipe_file, {"loss.margin": ["0.5"]}, [0], tmp_path / "sweep", SHORT)
    assert summary["points"][0]["dev"] is None
    assert [path.name for path in (tmp_path / "sweep").iterdir()] == FOLDERS[1:]


def test_rows_take_the_first_metric_and_every_task():
    def spread(mean):
        return {"after": {"values": [mean], "mean": mean, "std": None}}

    points = [
        {
            "parameters": {"evaluation.test": "a"},
            "tasks": {"a": {"accuracy": spread(80.0), "f1": spread(1.0)}},
            "dev": None,
        },
        {
            "parameters": {"evaluation.test": "b"},
            "tasks": {"b": {"spearman": spread(70.0)}},
            "dev": {"values": [60.0], "mean": 60.0, "std": None},
        },
    ]
    none = {"a": None, "a std": None, "b": None, "b std": None, "dev": None, "dev std": None}
    rows = sweep_rows({"points": points})
    assert rows == [
        {"evaluation.test": "a", **none, "a": 80.0},
        {"evaluation.test": "b", **none, "b": 70.0, "dev": 60.0},
    ]
    assert [list(row) for row in rows] == [["evaluation.test", *none]] * 2
    assert sweep_rows({"points": []}) == []
