"""Two real processes under accelerate launch, on the CPU."""

import json
import os
import subprocess
import sys

import pytest

OVERRIDES = [
    "augmentation.positive.coverage=full",  # every sentence is a row
    "augmentation.negative.coverage=full",
    "loss.gather_across_devices=true",
    "loss.projection=mlp",
    "training.batch_size=2",
    "training.arguments.use_cpu=true",
    "training.arguments.ddp_backend=gloo",
    "training.arguments.dataloader_drop_last=true",
]


@pytest.mark.slow
@pytest.mark.parametrize("streaming", [False, True])
def test_accelerate_launch_trains_on_two_processes(recipe_file, tmp_path, streaming):
    launch = [sys.executable, "-m", "accelerate.commands.launch", "--num_processes", "2", "--multi_gpu"]
    launch += ["--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no", "--main_process_port", "0"]
    command = [*launch, "-m", "sda_hf", "train", str(recipe_file), "--output", str(tmp_path / "run")]
    for override in [*OVERRIDES, f"data.streaming={streaming}"]:
        command += ["--set", override]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "HF_DATASETS_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    training = json.loads((tmp_path / "run" / "metrics.json").read_text())["training"]
    # 12 rows in batches of 2 on 2 processes are 3 steps an epoch.
    assert training["steps"] == 4
    assert training["epochs"] == (None if streaming else round(4 / 3, 4))
    assert (tmp_path / "run" / "checkpoints" / "checkpoint-4" / "loss.safetensors").is_file()
