"""Files that several processes rewrite, and go on with after a kill."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from sda_hf.augmentation import Negation, TfidfNegatives
from sda_hf.augmentation.files import augment_file
from sda_hf.augmentation.pool import WorkFolder
from sda_hf.augmentation.sda import ModalVerbs
from sda_hf.errors import InputFileError, InputValueError
from sda_hf.files import write_rows

TEXTS = [f"{('He left', 'Hello there', 'She won', 'The dog was late')[i % 4]} on day {i}." for i in range(40)]
BOTH = {"negation": Negation(), "modal-verbs": ModalVerbs()}
# Small steps that take their time; each text that is rewritten is written to a file.
SLOW = """
import sys, time
from sda_hf.augmentation import pool
from sda_hf.augmentation.columns_added import AddedColumns
from sda_hf.cli import main
seen = sys.argv.pop(1)
pool.STEP = 4
real = AddedColumns.outcomes
def slow(self, texts):
    time.sleep(0.1)
    with open(seen, "a") as file:
        file.writelines(f"{text}\\n" for text in texts)
    return real(self, texts)
AddedColumns.outcomes = slow
main()
"""


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setattr("sda_hf.augmentation.pool.STEP", 8)


@pytest.fixture
def source(tmp_path):
    write_rows(tmp_path / "in.jsonl", [{"text": text, "id": i} for i, text in enumerate(TEXTS)])
    return tmp_path / "in.jsonl"


def hidden(folder):
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("suffix", ["jsonl", "csv.gz", "parquet"])
@pytest.mark.parametrize("num_proc", [1, 2])
def test_the_output_is_that_of_one_process(tmp_path, source, suffix, num_proc):
    told = []
    alone = augment_file(source, tmp_path / f"alone.{suffix}", BOTH)
    pooled = augment_file(
        source, tmp_path / f"pooled.{suffix}", BOTH, progress=lambda *rows: told.append(rows), num_proc=num_proc
    )
    assert (tmp_path / f"pooled.{suffix}").read_bytes() == (tmp_path / f"alone.{suffix}").read_bytes()
    assert pooled.to_dict() | {"seconds": 0} == alone.to_dict() | {"seconds": 0}
    assert [sum(numbers) for numbers in zip(*told, strict=True)] == [40, alone.changed]
    assert len(told) == 40 // (8 * num_proc) + (40 % (8 * num_proc) > 0)
    assert hidden(tmp_path) == []


def test_dropped_rows_lone_surrogates_and_fitted_augmenters(tmp_path):
    (tmp_path / "in.txt").write_bytes("He left \ud800 early.\nHello!\n\nShe won.\n".encode("utf-8", "surrogatepass"))
    for augmenters in ({"n": Negation(on_skip="drop")}, {"t": TfidfNegatives()}):
        for num_proc in (None, 2):
            augment_file(tmp_path / "in.txt", tmp_path / f"{num_proc}.jsonl", augmenters, num_proc=num_proc)
        assert (tmp_path / "2.jsonl").read_bytes() == (tmp_path / "None.jsonl").read_bytes() != b""
        for num_proc in (None, 2):
            (tmp_path / f"{num_proc}.jsonl").unlink()


def test_no_rows_and_texts_that_may_not_be_skipped(tmp_path):
    (tmp_path / "none.txt").write_text("")
    augment_file(tmp_path / "none.txt", tmp_path / "none.jsonl", BOTH, num_proc=2)
    assert (tmp_path / "none.jsonl").read_bytes() == b""
    (tmp_path / "in.txt").write_text("Hello!\n")
    with pytest.raises(InputValueError, match="no rewrite of 'Hello!'"):
        augment_file(tmp_path / "in.txt", tmp_path / "out.jsonl", {"n": Negation(on_skip="raise")}, num_proc=1)
    with pytest.raises(InputValueError, match="num_proc=0: give the number of processes, from 1"):
        augment_file(tmp_path / "in.txt", tmp_path / "out.jsonl", BOTH, num_proc=0)


def test_existing_outputs_and_the_work_of_other_commands(tmp_path, source, monkeypatch):
    target = tmp_path / "out.jsonl"
    target.write_text("old")
    with pytest.raises(InputFileError, match=r"out\.jsonl already exists"):
        augment_file(source, target, BOTH, num_proc=1)
    assert hidden(tmp_path) == []
    with monkeypatch.context() as broken:  # a run that ends before the output is whole
        broken.setattr(WorkFolder, "publish", lambda self, overwrite: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            augment_file(source, target, BOTH, num_proc=1, overwrite=True)
    assert target.read_text() == "old"
    assert hidden(tmp_path) == [".out.jsonl.sda-hf"]
    target.unlink()
    with pytest.raises(InputFileError, match="holds the unfinished work of another command"):
        augment_file(source, target, {"negation": Negation(seed=1)}, num_proc=1)
    augment_file(source, target, {"negation": Negation(seed=1)}, num_proc=1, overwrite=True)
    assert len(target.read_text().splitlines()) == 40
    assert hidden(tmp_path) == []


def test_a_removal_that_was_cut_short_is_completed(tmp_path, source):
    target = tmp_path / "out.jsonl"
    augment_file(source, target, BOTH, num_proc=1)
    work = WorkFolder(target)
    work.path.mkdir()
    (work.path / "published").touch()
    (work.path / "job.json").write_text("{}")
    with pytest.raises(InputFileError, match=r"out\.jsonl already exists"):
        augment_file(source, target, BOTH, num_proc=1)
    assert hidden(tmp_path) == []


@pytest.mark.slow
def test_a_killed_run_goes_on_and_another_one_waits_its_turn(tmp_path, source):
    target, seen = tmp_path / "out.jsonl", tmp_path / "seen"
    words = ["augment", str(source), str(target), "--augmenter", "negation", "--num-proc", "2"]
    command = [sys.executable, "-c", SLOW, str(seen), *words]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    killed = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    deadline = time.monotonic() + 200
    while len(list(tmp_path.glob(".out.jsonl.sda-hf/outcomes-*"))) < 4:
        assert time.monotonic() < deadline
        assert killed.poll() is None, killed.communicate()
        time.sleep(0.01)
    second = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert second.returncode == 2
    assert "has been writing to it since" in second.stderr
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert not target.exists()
    time.sleep(2)  # its processes end with it
    before = seen.read_text().splitlines()
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    again = seen.read_text().splitlines()[len(before) :]
    assert {*before, *again} == set(TEXTS)
    # A step of two processes at most is done again.
    assert len(before) + len(again) <= len(TEXTS) + 8
    assert len(again) < len(TEXTS) - 8
    assert json.loads(done.stdout)["rows"] == 40
    augment_file(source, tmp_path / "alone.jsonl", {"negation": Negation()})
    assert target.read_bytes() == (tmp_path / "alone.jsonl").read_bytes()
    assert hidden(tmp_path) == []


def test_streams_of_datasets_go_on_from_their_state(source):
    from datasets import Dataset

    rows = Dataset.from_dict({"text": TEXTS, "id": range(40)}).to_iterable_dataset(num_shards=4)
    stream = rows.map(Negation(on_skip="drop"), batched=True, batch_size=3)
    whole = list(stream)
    assert (
        whole
        == Dataset.from_dict({"text": TEXTS, "id": range(40)}).map(Negation(on_skip="drop"), batched=True).to_list()
    )
    assert 0 < len(whole) < 40
    begun, seen = iter(stream), []
    for _ in range(7):
        seen.append(next(begun))
    state = stream.state_dict()
    rest = rows.map(Negation(on_skip="drop"), batched=True, batch_size=3)
    rest.load_state_dict(json.loads(json.dumps(state)))
    assert [*seen, *rest] == whole
