"""Runs that do not end by themselves: Ctrl-C, a full disk. What was saved stays good, and the run goes on from it."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest
from sentence_transformers import SentenceTransformer

from sda_hf.files import disk_is_full
from sda_hf.training import Recipe, run
from sda_hf.training.interruption import Interrupts
from sda_hf.training.run_folder import RunFolder

# Runs the command line; at the end of a step something happens to the process.
COMMAND = """
import os, resource, signal, sys
import datasets.config
from sda_hf import cli
from sda_hf.training import callbacks, runner

step, event, cache = int(sys.argv[1]), sys.argv[2], sys.argv[3]

class Event(callbacks.FiniteLoss):
    def on_step_begin(self, args, state, control, **rest):
        if state.global_step == step:
            for word in event.split(","):
                if word == "interrupt":
                    os.kill(os.getpid(), signal.SIGINT)
                else:
                    resource.setrlimit(resource.RLIMIT_FSIZE, (int(word), resource.RLIM_INFINITY))

datasets.config.HF_DATASETS_CACHE = cache
runner.FiniteLoss = Event
sys.argv = ["sda-hf", *sys.argv[4:]]
cli.main()
"""
OVERRIDES = ["loss.projection=mlp2bn", "training.max_steps=7"]


def train(recipe_file, output, step, event):
    command = [sys.executable, "-c", COMMAND, str(step), event, str(recipe_file.parent / "cache")]
    command += ["train", str(recipe_file), "--output", str(output)]
    for override in OVERRIDES:
        command += ["--set", override]
    return subprocess.run(command, capture_output=True, text=True, timeout=200)


def losses(folder):
    return json.loads((folder / "metrics.json").read_text())["training"]["losses"]


def last_line(done):
    return done.stderr.strip().splitlines()[-1]


@pytest.mark.slow
def test_ctrl_c_finishes_the_step_saves_it_and_says_where(recipe_file, tmp_path):
    parts = tmp_path / "parts"
    done = train(recipe_file, parts, 4, "interrupt")
    checkpoint = parts / "checkpoints" / "checkpoint-5"
    assert done.returncode == 130
    assert "Interrupted: finishing and saving this step; interrupt again to stop at once." in done.stderr
    assert last_line(done) == (
        f"interrupted: stopped at step 5 of 7 and saved in {checkpoint}: run the same command with --resume to continue"
    )
    assert SentenceTransformer(str(checkpoint), device="cpu").encode("It rains.").shape == (16,)
    recipe = Recipe.load(recipe_file, OVERRIDES)
    whole = run(recipe, output=tmp_path / "whole").output
    run(recipe, output=parts, resume=True)
    assert losses(parts) == losses(whole)


@pytest.mark.slow
def test_ctrl_c_twice_stops_at_once(recipe_file, tmp_path):
    done = train(recipe_file, tmp_path / "run", 4, "interrupt,interrupt")
    assert done.returncode == 130
    assert "saved in" not in done.stderr
    assert "Traceback" not in done.stderr
    assert RunFolder(tmp_path / "run").last_checkpoint() == str(tmp_path / "run" / "checkpoints" / "checkpoint-4")


@pytest.mark.slow
@pytest.mark.parametrize("room", [200, 10_000, 30_000], ids=["loss", "model", "optimizer"])
def test_a_full_disk_leaves_the_last_checkpoint_whole(recipe_file, tmp_path, room):
    parts = tmp_path / "parts"
    done = train(recipe_file, parts, 3, str(room))
    checkpoint = parts / "checkpoints" / "checkpoint-2"
    assert done.returncode == 2, done.stderr[-1000:]
    assert last_line(done) == (
        f"error: no space left for the run in {parts} or for its cache; the last complete checkpoint is {checkpoint}: "
        "free some space, then run the same command with --resume"
    )
    assert "Traceback" not in done.stderr
    assert SentenceTransformer(str(checkpoint), device="cpu").encode("It rains.").shape == (16,)
    assert not (parts / "modules.json").exists()
    recipe = Recipe.load(recipe_file, OVERRIDES)
    whole = run(recipe, output=tmp_path / "whole").output
    run(recipe, output=parts, resume=True)
    assert losses(parts) == losses(whole)


@pytest.mark.slow
def test_a_full_disk_before_the_first_checkpoint(recipe_file, tmp_path):
    done = train(recipe_file, tmp_path / "run", 0, "200")
    assert done.returncode == 2
    assert "no checkpoint was saved yet" in last_line(done)


@pytest.mark.parametrize("written", ["", '{"global_step": 4, "log_his'])
def test_a_checkpoint_that_was_cut_off_is_passed_over(tmp_path, written):
    for step, text in ((2, "{}"), (4, written)):
        folder = tmp_path / "checkpoints" / f"checkpoint-{step}"
        folder.mkdir(parents=True)
        (folder / "trainer_state.json").write_text(text)
    assert RunFolder(tmp_path).last_checkpoint() == str(tmp_path / "checkpoints" / "checkpoint-2")


def test_other_errors_are_not_about_the_disk():
    assert disk_is_full(OSError(28, "No space left on device"))
    assert not disk_is_full(OSError(13, "Permission denied"))
    assert not disk_is_full(RuntimeError("mat1 and mat2 shapes cannot be multiplied"))


def test_the_handler_of_the_host_comes_back():
    before = signal.getsignal(signal.SIGINT)
    interrupts = Interrupts(lambda: None)
    with interrupts.noted():
        os.kill(os.getpid(), signal.SIGINT)
    assert interrupts.seen
    assert signal.getsignal(signal.SIGINT) is before


def test_a_run_outside_the_main_thread_leaves_signals_alone():
    handlers = []

    def target():
        with Interrupts(lambda: None).noted():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=target)
    thread.start()
    thread.join()
    assert handlers == [signal.getsignal(signal.SIGINT)]
