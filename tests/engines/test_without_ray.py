"""What there is without Ray: every module imports, and what needs it says how to get it."""

import json
import subprocess
import sys
from collections import Counter

import pytest

from sda_hf.augmentation import Negation
from sda_hf.augmentation.counts import Counts, Summary
from sda_hf.engines.inputs import files_of
from sda_hf.engines.job import JobFolder
from sda_hf.errors import InputFileError, InputValueError
from sda_hf.files.folders import folder_of

WITHOUT = """
import sys
sys.modules["ray"] = None
import importlib, pkgutil, sda_hf.engines
for module in pkgutil.iter_modules(sda_hf.engines.__path__, "sda_hf.engines."):
    importlib.import_module(module.name)
from sda_hf.cli import main
main()
"""


def test_it_says_what_to_install(tmp_path):
    (tmp_path / "in.txt").write_text("He left.\n")
    words = ["augment", str(tmp_path / "in.txt"), str(tmp_path / "out"), "--engine", "ray", "--augmenter", "negation"]
    done = subprocess.run([sys.executable, "-c", WITHOUT, *words], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == "error: Ray is not installed: run `pip install sda-hf[ray]`\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.txt"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--engine", "spark"], "--engine 'spark' is not known: give ray, or leave it out and give --num-proc N"),
        (
            ["--engine", "ray", "--safe-csv"],
            "--safe-csv takes a file, but --engine ray works on a folder: leave it out",
        ),
        (["--address", "auto"], "--address has no effect without --engine ray: leave it out, or add that"),
        (["--format", "csv"], "--format has no effect without --engine ray: leave it out, or add that"),
    ],
)
def test_options_that_go_together(tmp_path, monkeypatch, options, message):
    from sda_hf.cli import app

    (tmp_path / "in.txt").write_text("He left.\n")
    with pytest.raises(InputValueError, match=f"^{message}"):
        app(
            ["augment", str(tmp_path / "in.txt"), str(tmp_path / "out.txt"), "--augmenter", "negation", *options],
            standalone_mode=False,
        )


def test_the_files_of_a_job(tmp_path):
    for name in ("b.jsonl", "deep/a.jsonl.gz", "_SUCCESS", ".hidden.jsonl", "notes.md"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).touch()
    names = ["b.jsonl", "deep/a.jsonl.gz"]
    assert files_of(tmp_path / "in") == {name: str(tmp_path / "in" / name) for name in names}
    url = f"file://{tmp_path}/in"
    assert files_of(f"{url}/") == {name: f"{url}/{name}" for name in names}
    assert files_of(f"{url}/b.jsonl") == {"b.jsonl": f"{url}/b.jsonl"}
    (tmp_path / "in" / "c.txt").touch()
    with pytest.raises(InputValueError, match=r"files of several formats, \.jsonl, \.txt: give one"):
        files_of(url)
    with pytest.raises(InputFileError, match="nowhere: no such file, or no file in it: known formats are .txt, .csv"):
        files_of(tmp_path / "nowhere")
    with pytest.raises(InputFileError, match="no://where: Protocol not known: no"):
        files_of("no://where")


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_the_folder_of_a_job(tmp_path, scheme):
    folder = JobFolder(folder_of(f"{scheme}{tmp_path}/out"), ".jsonl")
    facts = {"files": [["a.txt", 2, "x"]], "columns": {"n": "y"}, "column": "text", "format": ".jsonl", "part": 1}
    with folder.locked():
        assert folder.begin(facts, overwrite=False) is None
        counts = json.dumps(Summary(1, 1, 0.0, {"n": Counts(1, Counter(r=1))}).to_dict())
        for _ in range(2):  # a worker that was killed after it wrote
            folder.write(0, b"first\n", counts)
        with pytest.raises(InputFileError, match=r"1 of 2 rows are done, and 1 parts are missing \(part-000001"):
            folder.finish(facts, 2, 2)
        folder.write(1, b"second\n", counts)
        summary = folder.finish(facts, 2, 2)
    assert (summary.rows, summary.changed, summary.counts["n"].rules) == (2, 2, {"r": 2})
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        ".sda-hf",
        "part-000000.jsonl",
        "part-000001.jsonl",
    ]
    again = JobFolder(folder_of(f"{scheme}{tmp_path}/out"), ".jsonl")
    assert again.begin(facts, overwrite=False) == summary
    for key, name in {
        "files": "input",
        "columns": "augmenters, or version of sda-hf",
        "part": "size of the parts",
    }.items():
        with pytest.raises(InputFileError, match=rf"holds another job \(another {name}\): give a new folder, or"):
            again.begin({**facts, key: None}, overwrite=False)
    assert again.begin({**facts, "column": "x"}, overwrite=True) is None
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".sda-hf"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").touch()
    for overwrite in (False, True):
        with pytest.raises(InputFileError, match=r"contains files that are not of a job, such as notes.txt"):
            JobFolder(folder_of(f"{scheme}{tmp_path}/mine"), ".jsonl").begin(facts, overwrite)


def test_draws_do_not_depend_on_batches_or_order():
    texts = [f"{who} left on day {i}." for i, who in enumerate(["He", "She", "Nobody"] * 20)]
    augmenter = Negation(proportion=0.5, seed=3)
    whole = dict(zip(texts, augmenter.augment(texts), strict=True))
    for size in (1, 7, 60):
        backwards = [augmenter.augment(texts[::-1][i : i + size]) for i in range(0, 60, size)]
        assert [text for batch in backwards for text in batch] == [whole[text] for text in texts[::-1]]
