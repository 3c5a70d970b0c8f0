"""A Ray cluster of several nodes on 127.0.0.1, each with a raylet and workers of its own."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

STORE = 100_000_000  # bytes of the object store of a node
PATIENCE, TRIES = 120.0, 3  # seconds for a try


@dataclass
class Nodes:
    """The nodes of a cluster; the first is its head."""

    address: str
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def raylet(self, number: int) -> psutil.Process:
        """The raylet of a node."""
        return next(
            child
            for child in psutil.Process(self.processes[number].pid).children(recursive=True)
            if child.name() == "raylet"
        )

    def workers(self) -> list[psutil.Process]:
        """The processes that rewrite."""
        found = []
        for node in self.processes:
            for child in psutil.Process(node.pid).children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    if "MapWorker" in " ".join(child.cmdline()):
                        found.append(child)
        return found


@contextlib.contextmanager
def cluster(cpus: Sequence[int], **environment: str) -> Iterator[Nodes]:
    """Start a node for each number of CPUs, and end them all."""
    nodes = Nodes(f"127.0.0.1:{_free_port()}")
    with tempfile.TemporaryDirectory(prefix="ray-") as place:
        try:
            for number, count in enumerate(cpus):
                nodes.processes.append(_started(nodes.address, number, count, Path(place), environment))
            yield nodes
        finally:
            for process in nodes.processes:
                _end(process)


def _started(address: str, number: int, cpus: int, place: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start a node; on a busy machine Ray gives up after half a minute, and another try finds more in memory."""
    for _ in range(TRIES):
        process = _start(address, number, cpus, place, environment)
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < deadline:
            if b"Ray runtime started" in (place / f"{number}.log").read_bytes():
                return process
            time.sleep(0.2)
        _end(process)
    said = (place / f"{number}.log").read_text(errors="replace")
    raise RuntimeError(f"node {number} did not start:\n{said}")


def _start(address: str, number: int, cpus: int, place: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    where = ["--head", f"--port={address.rpartition(':')[2]}"] if number == 0 else [f"--address={address}"]
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", *where, f"--num-cpus={cpus}"]
    # Sockets in the folder have names of 107 bytes at most.
    more = [f"--temp-dir={place}"] if number == 0 else []
    more += ["--node-ip-address=127.0.0.1", "--disable-usage-stats", f"--object-store-memory={STORE}"]
    more += ["--include-dashboard=false"] if number == 0 else []
    with (place / f"{number}.log").open("wb") as log:
        return subprocess.Popen(
            [*command, *more],
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**os.environ, "RAY_AUTH_MODE": "disabled", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "1", **environment},
        )


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a node with all its processes."""
    with contextlib.suppress(psutil.Error):
        children = psutil.Process(process.pid).children(recursive=True)
        process.terminate()
        psutil.wait_procs(children, timeout=5)
        for child in children:
            with contextlib.suppress(psutil.Error):
                child.kill()
    process.kill()
    process.wait()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
