"""A sample of the trials of recipes/benchmarks/kills.py, which ends with 1 if anything is lost, left or different."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[1] / "recipes" / "benchmarks" / "kills.py"


@pytest.mark.slow
@pytest.mark.parametrize(("group", "every"), [("augment", 3), ("pool", 12), ("save", 1), ("train", 40)])
def test_nothing_is_lost_left_or_different(group, every):
    command = [sys.executable, str(TOOL), "--only", group, "--rounds", "1", "--every", str(every), "--rows", "200"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=290)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-2000:]}"
