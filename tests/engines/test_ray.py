"""Jobs on a cluster of two nodes, whose processes are killed: nothing is lost, nothing is there twice."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from sda_hf.augmentation import Negation
from sda_hf.augmentation.files import augment_file
from sda_hf.files import read_rows

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not importlib.util.find_spec("ray"), reason="Ray is not installed: pip install sda-hf[ray]"),
]

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("ray_nodes", ROOT / "recipes" / "benchmarks" / "ray_nodes.py")
ray_nodes = importlib.util.module_from_spec(SPEC)
sys.modules["ray_nodes"] = ray_nodes
SPEC.loader.exec_module(ray_nodes)

# Workers that stop at one text while there is a gate, so that jobs are disturbed before they end, and whose disk is
# full at one part while another file is there; and a parser that fails on another text.
SITE = """
import errno, os, pathlib, time
with open("/proc/self/cmdline", "rb") as file:
    if b"default_worker.py" in file.read():
        from sda_hf.augmentation.columns_added import AddedColumns
        from sda_hf.syntax.parsers import SpacyParser
        outcomes, readable = AddedColumns.outcomes, SpacyParser.readable
        def stopping(self, texts):
            while "The door was at place 2 on day 200." in texts and os.path.exists({gate!r}):
                time.sleep(0.05)
            return outcomes(self, texts)
        def failing(self, text):
            if "poison" in text:
                raise RuntimeError("no tree")
            return readable(self, text)
        write = pathlib.Path.write_bytes
        def full(self, content):
            if "part-000003" in self.name and os.path.exists({full!r}):
                raise OSError(errno.ENOSPC, "No space left on device")
            return write(self, content)
        AddedColumns.outcomes, SpacyParser.readable, pathlib.Path.write_bytes = stopping, failing, full
"""
# Small parts, so that there are many.
AUGMENT = """
from sda_hf.engines import ray_job
from sda_hf.cli import main
ray_job.PART = 20
main()
"""
MAPS = """
import sys, ray.data
from sda_hf import ModalVerbs, Negation, OneOf, PunctuationInsertion, Triplets
from sda_hf.engines.ray import augment, Cluster
texts = [f"{who} left on day {i}." if i % 3 else "Hello!" for i, who in enumerate(["He", "She"] * 20)]
both = OneOf(ModalVerbs(), PunctuationInsertion())
with Cluster(sys.argv[1]):
    rows = ray.data.from_items([{"id": i, "text": text} for i, text in enumerate(texts)])
    alone = rows.map_batches(Negation()).take_all()
    assert sorted(str(row["negative"]) for row in alone) == sorted(map(str, Negation().augment(texts))), alone
    expected = Triplets(both, Negation(), on_skip="null")({"text": texts})
    expected = {i: row for i, row in enumerate(zip(*expected.values())) if row[2] is not None}
    for triplets, workers, batch_size in ((Triplets(both, Negation()), 2, 7), (Triplets(both, Negation()), 1, 1000)):
        done = augment(rows, triplets, workers=workers, batch_size=batch_size).take_all()
        found = {row["id"]: (row["anchor"], row["positive"], row["negative"]) for row in done}
        assert found == expected and len(done) == len(expected) < len(texts), done
        assert all(row["text"] == texts[row["id"]] for row in done)
    dropped = augment(rows, Negation(on_skip="drop")).take_all()
    assert [row["id"] for row in sorted(dropped, key=lambda row: row["id"])] == sorted(expected)
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("jobs")


@pytest.fixture(scope="module")
def environment(place):
    (place / "site").mkdir()
    (place / "site" / "sitecustomize.py").write_text(SITE.format(gate=str(place / "gate"), full=str(place / "full")))
    return {
        **os.environ,
        "PYTHONPATH": f"{place / 'site'}{os.pathsep}{ROOT}",
        "RAY_AUTH_MODE": "disabled",
        "HF_HUB_OFFLINE": "1",
        "COLUMNS": "120",
    }


@pytest.fixture(scope="module")
def source(place):
    folder = place / "in"
    folder.mkdir()
    for number, name in enumerate(["a.txt", "b.txt", "b2.txt"]):
        lines = [f"The {'dog' if i % 2 else 'door'} was at place {number} on day {i}." for i in range(130 * number)]
        lines[7:8] = ["It was poison, he said."][: len(lines)]
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def expected(place, source):
    """What this process alone makes of it, but for the text on which the parser fails."""
    whole = b""
    for path in sorted(source.iterdir()):
        augment_file(path, place / "expected.jsonl", {"negation": Negation()}, overwrite=True)
        whole += (place / "expected.jsonl").read_bytes()
    lines = [json.loads(line) for line in whole.splitlines()]
    skipped = [{**row, "negation": None if "poison" in row["text"] else row["negation"]} for row in lines]
    return "".join(f"{json.dumps(row)}\n" for row in skipped).encode()


@pytest.fixture(scope="module")
def nodes(environment):
    with ray_nodes.cluster([2, 1], PYTHONPATH=environment["PYTHONPATH"]) as started:
        yield started


@pytest.fixture
def gate(place):
    (place / "gate").touch()
    yield place / "gate"
    (place / "gate").unlink(missing_ok=True)


def start(source, target, environment, *options):
    words = ["augment", str(source), str(target), "--engine", "ray", "--augmenter", "negation", *options]
    return subprocess.Popen(
        [sys.executable, "-c", AUGMENT, *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def ended(process, code=0):
    out, err = process.communicate(timeout=400)
    assert process.returncode == code, err.decode()[-4000:]
    return out.decode(), err.decode()


def wait_for_parts(target, count, process):
    deadline = time.monotonic() + 300
    while len(list((target / ".sda-hf" / "counts").glob("*.json"))) < count:
        assert time.monotonic() < deadline
        assert process.poll() is None, process.communicate()[1].decode()[-4000:]
        time.sleep(0.05)


def content(target):
    assert sorted(path.name for path in target.iterdir()) == [".sda-hf", *(f"part-{i:06}.jsonl" for i in range(20))]
    assert [path.name for path in (target / ".sda-hf").iterdir()] == ["job.json"]
    return b"".join(path.read_bytes() for path in sorted(target.glob("part-*")))


def test_an_augmenter_goes_into_a_dataset_as_it_is(nodes, environment):
    done = subprocess.run([sys.executable, "-c", MAPS, nodes.address], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]


def test_urls_on_a_cluster_of_this_machine_that_is_stopped_again(environment, source, expected, place):
    target = place / "local"
    words = ["--format", "parquet", "--num-proc", "1"]
    job = start(f"file://{source}", f"file://{target}", environment, *words)
    seen = set()
    while job.poll() is None:
        seen.update(psutil.Process(job.pid).children(recursive=True))
        time.sleep(0.2)
    out, err = ended(job)
    assert f"Written: file://{target}" in out
    assert "390 sentences" in out
    assert err.count("Traceback") == 0
    rows = [row for path in sorted(target.glob("part-*.parquet")) for _, row in read_rows(path)]
    assert rows == [json.loads(line) for line in expected.splitlines()]
    _, alive = psutil.wait_procs(seen, timeout=20)
    assert alive == []


def test_a_killed_worker_and_a_text_that_fails(nodes, gate, environment, source, expected, place):
    target = place / "worker"
    job = start(source, target, environment, "--address", nodes.address, "--json")
    wait_for_parts(target, 2, job)
    nodes.workers()[0].kill()
    gate.unlink()
    out, _ = ended(job)
    assert content(target) == expected
    summary = json.loads(out.splitlines()[-1])
    assert (summary["rows"], summary["changed"]) == (390, 388)
    assert summary["columns"]["negation"]["skips"] == {"internal error: RuntimeError: no tree": 2}


def test_a_killed_driver_is_resumed_and_no_other_job_gets_in(nodes, gate, environment, source, expected, place):
    target = place / "driver"
    job = start(source, target, environment, "--address", nodes.address)
    wait_for_parts(target, 5, job)
    _, refused = ended(start(source, target, environment, "--address", nodes.address), 2)
    assert "has been writing to it since" in refused
    job.send_signal(signal.SIGKILL)
    job.communicate()
    gate.unlink()
    written = {path.name: path.stat().st_mtime_ns for path in target.glob("part-*")}
    _, refused = ended(start(source, target, environment, "--address", nodes.address, "--seed", "1"), 2)
    assert f"error: {target} holds another job (another augmenters, or version of sda-hf): give a new folder" in refused
    out, _ = ended(start(source, target, environment, "--address", nodes.address, "--json"))
    assert content(target) == expected
    assert json.loads(out.splitlines()[-1])["rows"] == 390
    again = {path.name: path.stat().st_mtime_ns for path in target.glob("part-*")}
    # Those that were being written at that moment are written again.
    assert sum(written[name] == again[name] for name in written) >= len(written) - 3
    out, _ = ended(start(source, target, environment, "--address", nodes.address, "--json"))
    assert json.loads(out.splitlines()[-1])["rows"] == 390
    assert again == {path.name: path.stat().st_mtime_ns for path in target.glob("part-*")}


def test_a_full_disk_is_one_line_and_the_job_goes_on_when_there_is_room(nodes, environment, source, expected, place):
    target = place / "full-disk"
    (place / "full").touch()
    _, err = ended(start(source, target, environment, "--address", nodes.address, "--quiet"), 2)
    (place / "full").unlink()
    assert err.splitlines()[-1].startswith(f"error: cannot write {target}/part-000003.jsonl: No space left on device")
    assert "Traceback" not in err
    ended(start(source, target, environment, "--address", nodes.address, "--quiet"))
    assert content(target) == expected


def test_a_killed_node(nodes, gate, environment, source, expected, place):
    target = place / "node"
    job = start(source, target, environment, "--address", nodes.address)
    wait_for_parts(target, 2, job)
    nodes.raylet(1).kill()
    gate.unlink()
    ended(job)
    assert content(target) == expected
