"""What a run prints: a bar or a few lines, and the trainer's own logs only if they are asked for."""

import io

import pytest
from transformers import TrainerState

from sda_hf.training import run
from sda_hf.training.progress import TrainingProgress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def logs_of(callback, steps=(1, 2, 3), total=3, dev=None):
    state = TrainerState(max_steps=total, global_step=0)
    callback.on_train_begin(None, state, None)
    for step in steps:
        state.global_step = step
        callback.on_step_end(None, state, None)
        callback.on_log(None, state, None, {"loss": 0.5 / step, "learning_rate": 1e-3})
        if dev is not None:
            callback.on_log(None, state, None, {dev: 0.25})
    callback.on_train_end(None, state, None)


def test_a_bar_on_a_terminal():
    file = Terminal()
    logs_of(TrainingProgress("eval_dev", file), dev="eval_dev")
    shown = file.getvalue()
    assert shown.count("\n") == 1
    assert "Training: 100%" in shown
    assert "3/3" in shown
    assert "loss=0.1667, dev=25.00" in shown


def test_lines_elsewhere():
    file = io.StringIO()
    logs_of(TrainingProgress("eval_dev", file), dev="eval_dev")
    first, _, last = file.getvalue().splitlines()
    assert first.startswith("Training: step 1 of 3, ")
    assert " steps/s, 00:0" in first
    assert first.endswith(" left, loss 0.5000, dev 25.00")
    assert last.startswith("Training: step 3 of 3, ")
    assert last.endswith("steps/s, loss 0.1667, dev 25.00")


def test_one_line_without_a_dev_task(monkeypatch):
    file = io.StringIO()
    logs_of(TrainingProgress(None, file))
    assert len(file.getvalue().splitlines()) == 1
    monkeypatch.setattr("sda_hf.training.progress.PAUSE", 0.0)
    logs_of(TrainingProgress(None, file := io.StringIO()))
    assert [line.split(",")[0] for line in file.getvalue().splitlines()] == [
        f"Training: step {step} of 3" for step in (1, 2, 3)
    ]


def test_only_the_first_process_speaks():
    file = io.StringIO()
    callback, state = TrainingProgress(None, file), TrainerState(max_steps=1, is_world_process_zero=False)
    callback.on_train_begin(None, state, None)
    callback.on_step_end(None, state, None)
    callback.on_log(None, state, None, {"loss": 1.0})
    callback.on_train_end(None, state, None)
    assert file.getvalue() == ""


@pytest.mark.parametrize("verbose", [False, True])
def test_the_logs_of_the_trainer_only_if_asked_for(recipe, tmp_path, capfd, verbose):
    bars = recipe.replace(training=recipe.training.replace(arguments={"use_cpu": True}))
    run(bars, output=tmp_path / "run", verbose=verbose)
    printed = "".join(capfd.readouterr())
    assert ("'train_runtime'" in printed) is verbose
    assert ("Training: step" in printed) is not verbose


def test_no_bar_if_the_recipe_wants_none(recipe, tmp_path, capfd):
    quiet = recipe.replace(training=recipe.training.replace(arguments={"use_cpu": True, "disable_tqdm": True}))
    run(quiet, output=tmp_path / "run")
    printed = "".join(capfd.readouterr())
    assert "Training: step" not in printed
    assert "'loss'" not in printed
