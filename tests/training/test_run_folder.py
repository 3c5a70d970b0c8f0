"""The folder of a run: its lock, and what it is like whenever a run is killed."""

import dataclasses
import json
import logging
import os
import subprocess
import sys

import pytest

from sda_hf.errors import InputFileError
from sda_hf.files import Owner
from sda_hf.files.locks import LOCK, folder_lock
from sda_hf.training import Recipe, run
from sda_hf.training.run_folder import RunFolder

ME = Owner.this_process()


def held_by(folder, **other):
    folder.mkdir(exist_ok=True)
    owner = dataclasses.asdict(dataclasses.replace(ME, **other))
    (folder / LOCK).write_text(json.dumps({**owner, "since": "2026-01-02 03:04:05"}))


def names(folder):
    return sorted(path.name for path in folder.iterdir())


# -- the lock --------------------------------------------------------------------------------------


def test_a_folder_in_which_another_process_writes_is_refused(tmp_path):
    command = (
        "import sys, pathlib; from sda_hf.files.locks import folder_lock\n"
        "with folder_lock(pathlib.Path(sys.argv[1])): print('locked', flush=True); input()"
    )
    folder = tmp_path / "run"
    other = subprocess.Popen([sys.executable, "-c", command, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout.readline() == b"locked\n"
    message = rf"run: process {other.pid} on .* has been writing to it since 20.*: wait for it to end, or give another"
    with pytest.raises(InputFileError, match=message), RunFolder(folder).lock():
        pass
    other.communicate(b"\n")
    assert not folder.exists()
    with RunFolder(folder).lock():
        assert names(folder) == [LOCK]


@pytest.mark.parametrize("written", [None, "", '{"pid": 12'], ids=["dead", "empty", "cut off"])
def test_the_lock_of_a_killed_process_is_taken_over(tmp_path, caplog, written):
    folder = tmp_path / "run"
    held_by(folder, start="1")
    if written is not None:
        (folder / LOCK).write_text(written)
    with caplog.at_level(logging.WARNING), folder_lock(folder):
        assert json.loads((folder / LOCK).read_text())["start"] == ME.start
    said = f"taking over {folder} from {ME}, which began at 2026-01-02 03:04:05 and has ended"
    assert [record.getMessage() for record in caplog.records] == ([said] if written is None else [])
    assert names(folder) == []


def test_the_lock_of_another_host_is_kept(tmp_path):
    folder = tmp_path / "run"
    held_by(folder, host="another-host")
    message = (
        rf"process {ME.pid} on another-host .*: if it has ended, delete .*{LOCK}; else wait, or give another folder"
    )
    with pytest.raises(InputFileError, match=message), folder_lock(folder):
        pass
    assert names(folder) == [LOCK]


def test_a_second_run_in_a_folder_is_refused_before_any_work(recipe, tmp_path):
    with RunFolder(recipe.output).lock(), pytest.raises(InputFileError, match="has been writing to it since"):
        run(recipe.replace(model="/no/such/model"))


def test_a_run_that_is_refused_leaves_no_folder(recipe, tmp_path):
    with pytest.raises(InputFileError, match="no such file"):
        run(recipe.replace(data=recipe.data.replace(files=["/no/such.txt"])), output=tmp_path / "a" / "b")
    assert not (tmp_path / "a").exists()


# -- kills -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("written", [[], ["checkpoints/"], ["checkpoints/", "versions.json"]])
def test_a_run_that_was_killed_as_it_claimed_its_folder_can_begin_again(recipe, written):
    folder = RunFolder(recipe.output)
    folder.claim(recipe, overwrite=False)
    for name in {"checkpoints/", "versions.json", "recipe.yaml"} - set(written):
        path = folder.path / name
        path.rmdir() if name.endswith("/") else path.unlink()
    folder.check(recipe, resume=False, overwrite=False)
    folder.check(recipe, resume=True, overwrite=False)
    folder.check(recipe, resume=False, overwrite=True)
    folder.claim(recipe, overwrite=True)
    assert names(folder.path) == ["checkpoints", "recipe.yaml", "versions.json"]


def test_the_files_of_others_are_not_taken_for_a_run_that_began(recipe):
    folder = RunFolder(recipe.output)
    folder.path.mkdir()
    for name in ("versions.json", "recipe.yaml"):
        (folder.path / name).write_text("{}")
        with pytest.raises(InputFileError, match="is not empty"):
            folder.check(recipe, resume=False, overwrite=False)
        (folder.path / name).unlink()


@pytest.mark.parametrize("moves", range(6))
def test_a_run_that_was_killed_as_it_was_overwritten_can_be_overwritten_again(recipe, monkeypatch, moves):
    folder = RunFolder(recipe.output)
    folder.claim(recipe, overwrite=False)
    for name in ("metrics.json", "README.md", "modules.json"):
        (folder.path / name).write_text("{}")
    replace, done = os.replace, []

    def killed(*paths):
        if len(done) == moves:
            raise KeyboardInterrupt
        done.append(replace(*paths))

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            folder.claim(recipe, overwrite=True)
    folder.check(recipe, resume=False, overwrite=True)
    folder.claim(recipe, overwrite=True)
    assert [name for name in names(folder.path) if not name.endswith(".part")] == [
        "checkpoints",
        "recipe.yaml",
        "versions.json",
    ]


def test_half_a_checkpoint_is_removed(recipe):
    folder = RunFolder(recipe.output)
    for step, state in ((2, "{}"), (4, '{"global')):
        (folder.checkpoints / f"checkpoint-{step}").mkdir(parents=True)
        (folder.checkpoints / f"checkpoint-{step}" / "trainer_state.json").write_text(state)
    folder.claim(recipe, overwrite=False)
    assert names(folder.checkpoints) == ["checkpoint-2"]


@pytest.mark.parametrize(
    ("last", "kept"), [(None, ["checkpoint-x"]), (4, ["checkpoint-2", "checkpoint-4", "checkpoint-x"])]
)
def test_checkpoints_of_steps_that_are_repeated_are_removed(recipe, last, kept):
    folder = RunFolder(recipe.output)
    for name in ("2", "4", "5", "10", "x"):
        (folder.checkpoints / f"checkpoint-{name}").mkdir(parents=True)
    folder.remove_checkpoints_after(None if last is None else str(folder.checkpoints / f"checkpoint-{last}"))
    assert names(folder.checkpoints) == kept


def test_a_symbolic_link_is_not_overwritten(recipe, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(InputFileError, match=r"link is a symbolic link, .*: give the folder that it points to, .*real"):
        run(recipe.replace(model="/no/such/model"), output=tmp_path / "link", overwrite=True)


@pytest.mark.slow
def test_a_run_that_was_killed_after_its_last_step_counts_the_whole_run(recipe, tmp_path, monkeypatch):
    recipe = recipe.replace(training=recipe.training.replace(max_steps=5, logging_steps=3))
    whole = run(recipe, output=tmp_path / "whole").output
    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "save_model", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            run(recipe, output=tmp_path / "parts")
    parts = run(recipe, output=tmp_path / "parts", resume=True).output
    one, two = (json.loads((folder / "metrics.json").read_text())["training"] for folder in (whole, parts))
    assert {**one, "seconds": 0, "rows_per_second": 0} == {**two, "seconds": 0, "rows_per_second": 0}
    assert one["steps"] == 5
    spans = [entry["step"] for entry in one["losses"]]
    assert spans == [2, 3, 4, 5]
    logs = [
        [
            line
            for line in (folder / "README.md").read_text().splitlines()
            if line.startswith("| ") and "Step" not in line
        ]
        for folder in (whole, parts)
    ]
    assert logs[0] == logs[1]
    assert Recipe.load(whole / "recipe.yaml").training == recipe.training


def test_saved_models_may_be_read_by_all_who_may_read_the_folder(finished_run):
    folder = finished_run.output
    mode = (folder / "recipe.yaml").stat().st_mode & 0o777
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {path.stat().st_mode & 0o777 for path in files} == {mode}
    assert any(path.name == "model.safetensors" for path in files)
