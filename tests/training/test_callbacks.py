"""LossState: a run that was killed goes on as if it had not been, its projection head included."""

import json
import signal
import subprocess
import sys

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.losses import NTXentLoss
from sda_hf.training import LossState, run
from sda_hf.training.callbacks import LOSS_STATE

KILLED = """
import os, signal, sys
import datasets.config
from sda_hf.training import Recipe, callbacks, runner

class Killer(callbacks.LossState):
    def on_step_end(self, args, state, control, **rest):
        if state.global_step == int(sys.argv[4]):
            os.kill(os.getpid(), signal.SIGKILL)

datasets.config.HF_DATASETS_CACHE = sys.argv[3]
runner.LossState = Killer
runner.run(Recipe.load(sys.argv[1], sys.argv[5:]), output=sys.argv[2])
"""
OVERRIDES = ["loss.projection=mlp2bn", "training.max_steps=7"]


def losses(folder):
    return json.loads((folder / "metrics.json").read_text())["training"]["losses"]


@pytest.mark.slow
@pytest.mark.parametrize("step", [3, 5])
@pytest.mark.parametrize("name", ["margin-negation-infonce", "nt-xent"])
def test_a_killed_run_goes_on_with_the_losses_of_a_whole_one(recipe_file, tmp_path, name, step):
    from sda_hf.training import Recipe

    overrides = [*OVERRIDES, f"loss.name={name}", *(["loss.negative_every=2"] if name == "nt-xent" else [])]
    text = recipe_file.read_text()
    recipe_file.write_text(text.replace("  margin: 0.0\n", "") if name == "nt-xent" else text)
    recipe = Recipe.load(recipe_file, overrides)
    whole = run(recipe, output=tmp_path / "whole").output
    parts = tmp_path / "parts"
    arguments = [str(recipe_file), str(parts), str(tmp_path / "cache"), str(step), *overrides]
    done = subprocess.run([sys.executable, "-c", KILLED, *arguments], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr[-500:]
    assert not (parts / "modules.json").exists()
    run(recipe, output=parts, resume=True)
    assert losses(parts) == losses(whole)
    assert len(losses(whole)) == 7


def test_a_checkpoint_without_the_loss_is_passed_over(recipe_file, tmp_path):
    from sda_hf.training import Recipe
    from sda_hf.training.run_folder import RunFolder

    folder = run(Recipe.load(recipe_file, OVERRIDES), output=tmp_path / "run").output
    checkpoints = sorted((folder / "checkpoints").glob("checkpoint-*"))
    assert all((entry / LOSS_STATE).is_file() for entry in checkpoints)
    newest = max(checkpoints, key=lambda entry: int(entry.name.split("-")[1]))
    (newest / LOSS_STATE).unlink()
    found = RunFolder(folder)
    assert found.last_checkpoint() == str(newest)
    assert found.last_checkpoint([LOSS_STATE]) != str(newest)
    with pytest.raises(InputFileError, match=r"holds no loss\.safetensors, so the loss would start over"):
        LossState(NTXentLoss(nn.Identity())).load(newest)


def test_the_state_of_another_loss_is_refused(tmp_path):
    save_file({"head.layers.0.weight": torch.zeros(2, 2)}, tmp_path / LOSS_STATE)
    with pytest.raises(
        InputFileError, match=r"is the state of a different loss \(head\.layers\.0\.weight; this one has"
    ):
        LossState(NTXentLoss(nn.Identity())).load(tmp_path)


def test_a_loss_that_is_no_number_stops_the_run(recipe_file, tmp_path):
    from sda_hf.training import Recipe

    recipe = Recipe.load(recipe_file, ["training.learning_rate=1e30"])
    with pytest.raises(InputValueError, match=r"the loss is (nan|inf) at step \d: lower training\.learning_rate"):
        run(recipe, output=tmp_path / "run")
    assert not (tmp_path / "run" / "modules.json").exists()
