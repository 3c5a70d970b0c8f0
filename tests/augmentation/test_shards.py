import dataclasses
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from datasets import Dataset, Value

from sda_hf.augmentation import Negation, TfidfNegatives, Triplets
from sda_hf.augmentation.sda import ModalVerbs
from sda_hf.augmentation.shards import augment_in_shards
from sda_hf.files import Owner

TEXTS = [
    f"{who} {what} on day {i}." for i, (who, what) in enumerate([("He", "left"), ("Hello", "you"), ("She", "won")] * 9)
]


def rows(count=27, **columns):
    return Dataset.from_dict({"id": list(range(count)), "text": TEXTS[:count], **columns})


def files(folder):
    return sorted(path.name for path in folder.iterdir())


def names(count):
    return ["manifest.json", *(f"shard-{i:05d}.parquet" for i in range(count))]


def test_equals_map_over_the_whole_dataset(tmp_path):
    dataset = rows()
    folder = tmp_path / "new" / "folder [*]"
    done = augment_in_shards(dataset, Negation(), folder, shard_size=2)
    assert done.to_list() == dataset.map(Negation(), batched=True).to_list()
    assert done.column_names == ["id", "text", "negative"]
    assert files(folder) == names(14)
    assert None in done["negative"]


@pytest.mark.parametrize("shard_size", [1, 5, 27, 1000])
def test_results_do_not_depend_on_the_shard_size(tmp_path, shard_size):
    done = augment_in_shards(rows(), ModalVerbs(), tmp_path, shard_size=shard_size)
    assert done["positive"][:] == ModalVerbs().augment(TEXTS)


def test_a_shard_without_any_value_has_the_column_of_the_others(tmp_path):
    dataset = Dataset.from_dict({"text": ["Hello!", "Oh!", "He left."]})
    done = augment_in_shards(dataset, Negation(), tmp_path, shard_size=2)
    assert done["negative"][:] == [None, None, "He didn't leave."]
    assert done.features["negative"] == Value("string")


def test_dropped_rows_and_empty_shards(tmp_path):
    dataset = Dataset.from_dict({"text": ["Hello!", "Oh!", "He left."]})
    done = augment_in_shards(dataset, Negation(on_skip="drop"), tmp_path, shard_size=2)
    assert done.to_list() == [{"text": "He left.", "negative": "He didn't leave."}]


def test_no_rows_at_all(tmp_path):
    dataset = rows().select(range(0))
    for _ in range(2):
        done = augment_in_shards(dataset, Negation(), tmp_path / "none")
        assert (len(done), done.column_names) == (0, ["id", "text", "negative"])
    dropped = Dataset.from_dict({"text": ["Hello!"]})
    done = augment_in_shards(dropped, Negation(on_skip="drop"), tmp_path / "dropped")
    assert (len(done), done.column_names) == (0, ["text", "negative"])


def test_triplets_and_several_processes(tmp_path):
    triplets = Triplets(ModalVerbs(), Negation(), on_skip="null")
    dataset = rows()
    done = augment_in_shards(dataset, triplets, tmp_path, shard_size=10, num_proc=2)
    assert done.to_list() == dataset.map(triplets, batched=True).to_list()


def test_existing_shards_are_not_computed_again(tmp_path, monkeypatch):
    whole = augment_in_shards(rows(), Negation(), tmp_path, shard_size=10).to_list()
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    (tmp_path / "shard-00001.parquet").unlink()
    dead = dataclasses.replace(Owner.this_process(), start="1")
    (tmp_path / f".shard-00001.parquet.{dead.pid}-1@{dead.host}.00000000.part").write_bytes(b"half")
    seen = []
    real = Negation.__call__
    monkeypatch.setattr(Negation, "__call__", lambda self, batch: seen.append(batch["id"]) or real(self, batch))
    assert augment_in_shards(rows(), Negation(), tmp_path, shard_size=10).to_list() == whole
    assert seen == [list(range(10, 20))]
    after = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert {name for name in after if after[name] != before[name]} == {"shard-00001.parquet"}


def test_recognizes_the_rows_however_they_were_loaded(tmp_path):
    whole = augment_in_shards(rows(), Negation(), tmp_path / "out", shard_size=10).to_list()
    rows().to_parquet(tmp_path / "rows.parquet")
    loaded = Dataset.from_parquet(str(tmp_path / "rows.parquet"))
    backwards = rows().select(reversed(range(len(TEXTS))))
    turned = backwards.select(reversed(range(len(TEXTS)))).with_format("numpy")
    (tmp_path / "out" / "shard-00002.parquet").unlink()
    for same in (loaded, turned):
        assert augment_in_shards(same, Negation(), tmp_path / "out", shard_size=10).to_list() == whole
    with pytest.raises(OSError, match="out contains shards of another dataset: give a new folder"):
        augment_in_shards(backwards, Negation(), tmp_path / "out", shard_size=10)


def test_refuses_the_folder_of_another_run(tmp_path, monkeypatch):
    augment_in_shards(rows(), Negation(), tmp_path, shard_size=10)
    for dataset, augmenter, size, other in [
        (rows(20), Negation(), 10, "dataset"),
        (rows().rename_column("id", "key"), Negation(), 10, "dataset"),
        (rows(), Negation(seed=1), 10, "augmenter, or version of sda-hf"),
        (rows(), Negation(), 9, "shard_size"),
        (rows(3), Negation(), 9, "dataset and another shard_size"),
    ]:
        with pytest.raises(OSError, match=f"contains shards of another {other}: give a new folder, or the arguments"):
            augment_in_shards(dataset, augmenter, tmp_path, shard_size=size)
    assert files(tmp_path) == names(3)
    monkeypatch.setattr("sda_hf.augmentation.config.package_version", lambda: "99")
    with pytest.raises(OSError, match="another augmenter, or version of sda-hf"):
        augment_in_shards(rows(), Negation(), tmp_path, shard_size=10)


def test_refuses_folders_with_other_files(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(OSError, match=r"contains files, but no manifest.json of augment_in_shards: give a new folder"):
        augment_in_shards(rows(), Negation(), tmp_path)
    with pytest.raises(OSError, match=r"notes.txt is a file: give a folder"):
        augment_in_shards(rows(), Negation(), tmp_path / "notes.txt")
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(OSError, match=r"manifest.json cannot be read .*: give a new folder"):
        augment_in_shards(rows(), Negation(), tmp_path)
    assert files(tmp_path) == ["manifest.json", "notes.txt"]


def test_refuses_unsupported_arguments(tmp_path):
    with pytest.raises(TypeError, match=r"takes a datasets.Dataset, got IterableDataset: give one split"):
        augment_in_shards(rows().to_iterable_dataset(), Negation(), tmp_path)
    with pytest.raises(TypeError, match="takes an augmenter, got str: 'negation'"):
        augment_in_shards(rows(), "negation", tmp_path)
    for size in (0, True, 2.0):
        with pytest.raises(ValueError, match=f"shard_size={size!r}: give an integer above 0"):
            augment_in_shards(rows(), Negation(), tmp_path, shard_size=size)
    with pytest.raises(ValueError, match=r"TfidfNegatives is not fitted: call fit"):
        augment_in_shards(rows(), TfidfNegatives(), tmp_path)
    with pytest.raises(ValueError, match=r"Triplets with on_skip='drop' returns fewer rows: give on_skip='null'"):
        augment_in_shards(rows(), Triplets(ModalVerbs(), Negation()), tmp_path)
    with pytest.raises(ValueError, match="a column 'negative' exists already: rename it first"):
        augment_in_shards(rows(negative=TEXTS), Negation(), tmp_path)
    with pytest.raises(ValueError, match="a column 'text' exists already"):
        augment_in_shards(rows(), Negation(output_column="text"), tmp_path)
    with pytest.raises(ValueError, match="no column 'body': the columns are 'id', 'text'"):
        augment_in_shards(rows(), Negation(input_column="body"), tmp_path)
    assert files(tmp_path) == []


def test_a_run_that_fails_at_once_does_not_claim_the_folder(tmp_path):
    texts = Dataset.from_dict({"text": ["Hello!"]})
    with pytest.raises(ValueError, match="no rewrite of 'Hello!'"):
        augment_in_shards(texts, Negation(on_skip="raise"), tmp_path)
    assert files(tmp_path) == []
    assert augment_in_shards(texts, Negation(), tmp_path)["negative"][:] == [None]


SLOW = """
import sys, time
from datasets import Dataset
from sda_hf.augmentation import Negation
from sda_hf.augmentation.shards import augment_in_shards

real = Negation.__call__
def slow(self, batch):
    print(batch["id"][0], flush=True)
    time.sleep(0.2)
    return real(self, batch)
Negation.__call__ = slow
rows = Dataset.from_parquet(sys.argv[1])
done = augment_in_shards(rows, Negation(), sys.argv[2], shard_size=5)
print("rows", len(done))
"""


@pytest.mark.slow
def test_sigkill_loses_one_shard_at_most(tmp_path):
    rows().to_parquet(tmp_path / "rows.parquet")
    out = tmp_path / "out"
    command = [sys.executable, "-c", SLOW, str(tmp_path / "rows.parquet"), str(out)]
    killed = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    deadline = time.monotonic() + 120
    while not (out / "shard-00001.parquet").exists():
        assert time.monotonic() < deadline
        assert killed.poll() is None
        time.sleep(0.01)
    os.kill(killed.pid, signal.SIGKILL)
    begun = [int(line) for line in killed.communicate()[0].split()]
    assert killed.returncode == -signal.SIGKILL
    there = [name for name in files(out) if not name.startswith(".")]
    assert there == names(len(there) - 1)
    assert len(begun) - (len(there) - 1) <= 1
    assert json.loads((out / "manifest.json").read_text(encoding="utf-8"))["rows"] == len(TEXTS)
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    starts = list(range(0, len(TEXTS), 5))
    assert again.stdout.split("\n")[:-2] == [str(start) for start in starts[len(there) - 1 :]]
    assert again.stdout.endswith(f"rows {len(TEXTS)}\n")
    assert files(out) == names(len(starts))
    done = augment_in_shards(rows(), Negation(), out, shard_size=5)
    assert done["negative"][:] == Negation()({"text": TEXTS})["negative"]
