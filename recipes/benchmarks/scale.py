"""Sentences a second, peak memory of a process and digest of the output, on processes and on Ray nodes.

    OMP_NUM_THREADS=1 python recipes/benchmarks/scale.py SENTENCES.txt.gz [--rows 1000000] [--only processes,nodes]

The sentences are repeated, with numbers in them, until there are enough. Each line of the table is a job in processes
of its own: `sda-hf augment --num-proc N`, and `--engine ray` on a cluster of N nodes of one core on 127.0.0.1. The
digest is that of the sorted rows: it is the same in each line, or the exit code is 1. What a billion sentences would
take is worked out from the rates.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import itertools
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import ray_nodes

from sda_hf.files import read_rows

BILLION = 10**9


def write_input(source: Path, target: Path, rows: int) -> None:
    """Write the sentences of a file, again and again with another number in them."""

    def repeated() -> Iterator[str]:
        for number in itertools.count():
            for _, row in read_rows(source):
                text = str(row["text"])
                yield text if not number else f"{text.rstrip('.')} ({number})." if text else text

    with target.open("w", encoding="utf-8", errors="surrogatepass") as file:
        file.writelines(f"{text}\n" for text in itertools.islice(repeated(), rows))


def digest_of(place: Path) -> tuple[str, int]:
    """Return a digest of the sorted rows of a file, or of the files of a folder, and their size."""
    files = [place] if place.is_file() else sorted(place.glob("part-*"))
    lines = sorted(hashlib.blake2b(line, digest_size=16).digest() for file in files for line in file.open("rb"))
    return hashlib.blake2b(b"".join(lines), digest_size=8).hexdigest(), sum(file.stat().st_size for file in files)


@contextlib.contextmanager
def memory_watched(roots: Callable[[], list[int]]) -> Iterator[dict[str, int]]:
    """Yield the peak memory of processes and their children in bytes: of one of each kind, and of all together."""
    peaks: dict[str, int] = {}
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.5):
            total = 0
            for root in roots():
                with contextlib.suppress(psutil.Error):
                    for process in [psutil.Process(root), *psutil.Process(root).children(recursive=True)]:
                        with contextlib.suppress(psutil.Error):
                            kind, used = _kind(process), process.memory_info().rss
                            peaks[kind] = max(peaks.get(kind, 0), used)
                            total += used
            peaks["all"] = max(peaks.get("all", 0), total)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield peaks
    finally:
        ended.set()
        watcher.join()


def _kind(process: psutil.Process) -> str:
    words = process.cmdline()
    if "MapWorker" in " ".join(words):
        return "worker"
    if process.name() in ("raylet", "gcs_server") or (words[:1] and words[0].startswith("ray::")):
        return "ray"
    parent = process.parent()
    return "worker" if parent is not None and parent.cmdline() == words else "driver"


def run(words: list[str], roots: list[int]) -> tuple[float, dict[str, int]]:
    """Run a command; return how long it took, and the peaks of memory."""
    began = time.perf_counter()
    job = subprocess.Popen([sys.executable, "-m", "sda_hf", "augment", *words], stdout=subprocess.DEVNULL)
    with memory_watched(lambda: [job.pid, *roots]) as peaks:
        if job.wait() != 0:
            raise SystemExit(f"exit code {job.returncode}: sda-hf augment {' '.join(words)}")
    return time.perf_counter() - began, peaks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sentences", type=Path, help="a file of sentences")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--only", default="processes,nodes", help="what to work on")
    parser.add_argument("--counts", default="1,2", help="numbers of processes and of nodes")
    parser.add_argument("--augmenter", default="modal-verbs,negation")
    args = parser.parse_args()
    os.environ.setdefault("RAY_AUTH_MODE", "disabled")
    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as place:
        top = Path(place)
        write_input(args.sentences, top / "in.txt", args.rows)
        print(f"{'':14} seconds  rows/s  bytes/row  peak MiB of processes         digest", flush=True)
        for kind, count in itertools.product(args.only.split(","), map(int, args.counts.split(","))):
            out = top / (f"{kind}-{count}" + (".jsonl" if kind == "processes" else ""))
            words = [str(top / "in.txt"), str(out), "--augmenter", args.augmenter, "--quiet"]
            if kind == "processes":
                seconds, peaks = run([*words, f"--num-proc={count}"], [])
            else:
                with ray_nodes.cluster([1] * count) as nodes:
                    more = ["--engine", "ray", "--address", nodes.address, f"--num-proc={count}"]
                    seconds, peaks = run([*words, *more], [node.pid for node in nodes.processes])
            name = f"{count} {kind}" if count > 1 else f"1 {kind.removesuffix('es' if kind == 'processes' else 's')}"
            found[name], size = digest_of(out)
            memory = ", ".join(f"{kind} {peak / 2**20:.0f}" for kind, peak in sorted(peaks.items()))
            rate = args.rows / seconds
            print(f"{name:14} {seconds:7.0f} {rate:7.0f} {size / args.rows:10.0f}  {memory:27}  {found[name]}")
            print(
                f"{'':14} 10⁹ rows: {BILLION / rate * count / 3600:,.0f} core hours, "
                f"{size / args.rows * BILLION / 1e12:.2f} TB",
                flush=True,
            )
    sys.exit(len(set(found.values())) != 1)


if __name__ == "__main__":
    main()
