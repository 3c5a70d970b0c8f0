"""Two processes with 32 rows each equal one process with 64: the loss and every gradient, over a real gloo group."""

import socket
import subprocess
import sys

import pytest
import torch
from torch import distributed, nn

from sda_hf.losses import (
    MarginNegationInfoNCELoss,
    NTXentLoss,
    OppositionLoss,
    RetentionLoss,
    SimCSEEdaCSELoss,
)

CASES = {
    "own": (MarginNegationInfoNCELoss, {"negatives": "own"}, 3),
    "batch": (MarginNegationInfoNCELoss, {"negatives": "batch"}, 4),
    "two positives": (MarginNegationInfoNCELoss, {"negatives": "batch", "positives": 2}, 4),
    "nt-xent": (NTXentLoss, {}, 4),
    "edacse": (SimCSEEdaCSELoss, {}, 3),
    "opposition": (OppositionLoss, {}, 4),
    "opposition in the batch": (OppositionLoss, {"in_batch": True}, 4),
    "retention": (RetentionLoss, {}, 1),
}
ROWS, WIDTH = 64, 8


def columns(count):
    generator = torch.Generator().manual_seed(5)
    return [torch.randn(ROWS, WIDTH, generator=generator, dtype=torch.float64) for _ in range(count)]


def encoder():
    with torch.random.fork_rng():
        torch.manual_seed(2)
        return nn.Linear(WIDTH, WIDTH, dtype=torch.float64)


def total(loss):
    return sum(loss.values()) if isinstance(loss, dict) else loss


def step(case, rows, gather):
    cls, config, count = CASES[case]
    model = encoder()
    loss = cls(model, gather_across_devices=gather, **config)
    given = [column[rows] for column in columns(count)]
    labels = given[0] if cls is RetentionLoss else None
    value = total(loss.compute_loss_from_embeddings([model(column) for column in given], labels))
    value.backward()
    return [value.detach(), *(p.grad for p in model.parameters())]


def worker(rank, port, path):
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=2)
    half = ROWS // 2
    results = {case: step(case, slice(rank * half, (rank + 1) * half), gather=True) for case in CASES}
    for tensors in results.values():
        for tensor in tensors:  # what a distributed trainer does
            distributed.all_reduce(tensor)
            tensor /= 2
    if rank == 0:
        torch.save(results, path)
    distributed.destroy_process_group()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def of_two_processes(tmp_path_factory):
    """The results of every case, from one start of the processes: the imports take longer than all cases together."""
    path, port = tmp_path_factory.mktemp("processes") / "results.pt", free_port()
    commands = [[sys.executable, __file__, str(rank), str(port), str(path)] for rank in (0, 1)]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for command in commands]
    errors = [process.communicate(timeout=200)[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], errors
    return torch.load(path)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_two_processes_match_one(case, of_two_processes):
    for one, two in zip(step(case, slice(None), gather=False), of_two_processes[case], strict=True):
        torch.testing.assert_close(one, two, rtol=1e-12, atol=1e-12)


if __name__ == "__main__":
    worker(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
