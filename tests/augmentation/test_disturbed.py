"""Augmentation that is killed, runs out of disk, or reads damaged files."""

import random
import subprocess
import sys
import time

import psutil
import pytest

import sda_hf
from sda_hf.augmentation.files import augment_file
from sda_hf.errors import InputFileError, InputValueError
from sda_hf.files import read_rows, write_rows

NEGATION = {"negation": sda_hf.Negation()}
FORMATS = ["txt", "csv", "tsv", "jsonl", "parquet", "csv.gz"]
LIMITED = """
import resource, sys
from sda_hf import cli
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
cli.main()
"""
SAVE = """
import resource, sys
from sda_hf import TfidfNegatives
from sda_hf.errors import InputError
fitted = TfidfNegatives().fit([f"word{i} other{i}" for i in range(500)])
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
try:
    fitted.save_pretrained(sys.argv[1])
except InputError as error:
    sys.exit(f"error: {error}")
"""
POOL = """
from datasets import Dataset
import sda_hf
rows = Dataset.from_dict({"text": [f"He left the house {i} times." for i in range(200_000)]})
print("begins", flush=True)
rows.map(sda_hf.Negation(), batched=True, num_proc=2, load_from_cache_file=False)
"""


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_output_is_not_overwritten_unasked(tmp_path):
    (tmp_path / "in.txt").write_text("He left.\n")
    (tmp_path / "out.txt").write_text("old")
    with pytest.raises(InputFileError, match=r"out\.txt already exists: give another name, or overwrite it"):
        augment_file(tmp_path / "in.txt", tmp_path / "out.txt", NEGATION)
    assert (tmp_path / "out.txt").read_text() == "old"
    augment_file(tmp_path / "in.txt", tmp_path / "out.txt", NEGATION, overwrite=True)
    assert (tmp_path / "out.txt").read_text() == "He didn't leave.\n"


def test_the_input_is_never_overwritten(tmp_path):
    (tmp_path / "in.txt").write_text("He left.\n")
    (tmp_path / "link.txt").symlink_to("in.txt")
    for target in ("in.txt", "link.txt"):
        with pytest.raises(InputValueError, match="is the input itself, which is not overwritten"):
            augment_file(tmp_path / "in.txt", tmp_path / target, NEGATION, overwrite=True)
    assert (tmp_path / "in.txt").read_text() == "He left.\n"


@pytest.mark.slow
@pytest.mark.parametrize("suffix", FORMATS)
def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path, suffix):
    source = tmp_path / "in.txt"
    generator = random.Random(0)
    source.write_text("".join(f"He left {generator.getrandbits(128):x}.\n" for _ in range(500)))
    command = ["augment", str(source), str(tmp_path / f"out.{suffix}"), "--augmenter", "negation"]
    done = subprocess.run([sys.executable, "-c", LIMITED, *command], capture_output=True, text=True)
    assert done.returncode == 2, done.stderr[-2000:]
    assert (
        done.stderr == f"error: cannot write {tmp_path}/out.{suffix}: File too large: free some space, then try again\n"
    )
    assert names(tmp_path) == ["in.txt"]


@pytest.mark.slow
def test_a_full_disk_while_an_augmenter_is_saved(tmp_path):
    done = subprocess.run([sys.executable, "-c", SAVE, str(tmp_path / "una")], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: cannot write {tmp_path}/")
    assert done.stderr.endswith("free some space, then try again\n")
    assert done.stderr.count("\n") == 1
    assert names(tmp_path) == []


def test_saved_augmenters_may_be_read_by_all_who_may_read_their_folder(tmp_path):
    sda_hf.TfidfNegatives().fit(["He left.", "She won."]).save_pretrained(tmp_path / "una")
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "una").iterdir()}
    (tmp_path / "new").touch()
    assert modes == {(tmp_path / "new").stat().st_mode & 0o777}


def test_damaged_parquet_is_an_error_and_never_other_text(tmp_path):
    path = tmp_path / "in.parquet"
    write_rows(path, [{"text": f"He left the house {i} times, é.", "id": i} for i in range(2000)])
    whole, rows = path.read_bytes(), list(read_rows(path))
    generator = random.Random(0)
    refused = 0
    for _ in range(100):
        damaged = bytearray(whole)
        for _ in range(generator.choice([1, 5, 100])):
            damaged[generator.randrange(len(damaged))] = generator.randrange(256)
        path.write_bytes(damaged)
        try:
            assert list(read_rows(path)) == rows
        except InputFileError:
            refused += 1
    assert refused >= 90


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0, 2], ids=["at once", "at work"])
def test_the_processes_of_a_pool_end_with_their_parent(tmp_path, seconds, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    parent = subprocess.Popen([sys.executable, "-c", POOL], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    parent.stdout.readline()
    deadline = time.monotonic() + 60
    while len(workers := psutil.Process(parent.pid).children(recursive=True)) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(seconds)
    parent.kill()
    parent.communicate()
    deadline = time.monotonic() + 10
    while alive := [one for one in workers if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]:
        assert time.monotonic() < deadline, alive
        time.sleep(0.1)
    assert len(workers) == 3
