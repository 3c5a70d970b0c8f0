"""The embedded English pipeline: its size, its scores on a treebank that it was not trained on, and its README."""

import json
import re
import sys
from pathlib import Path

import pytest

from sda_hf.grammar.base import grammar_of

ROOT = Path(__file__).parents[3]
FOLDER = grammar_of("en").pipeline
DEV = ROOT.parent / "shared" / "data" / "ud" / "en_ewt-dev.conllu.gz"
BARS = {"tag_acc": 93.5, "dep_uas": 84.0, "dep_las": 80.0, "root_aligned": 90.0}
META = json.loads((FOLDER / "meta.json").read_text(encoding="utf-8"))


def test_is_small():
    assert sum(p.stat().st_size for p in FOLDER.rglob("*") if p.is_file()) <= 9_000_000


def test_readme_states_licence_sources_and_the_measured_scores():
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert META["license"] == "CC BY-SA 4.0"
    for fact in ("CC BY-SA 4.0", "UD English EWT", "UD English PUD", "recipes/parsers"):
        assert fact in readme
    for name in BARS:
        assert re.search(rf"\b{META['performance'][name]:g}\b", readme), name


def test_contains_no_local_paths():
    config = (FOLDER / "config.cfg").read_text(encoding="utf-8")
    assert not re.search(r"^\w+ = \"/", config, flags=re.MULTILINE)


@pytest.mark.skipif(not DEV.is_file(), reason=f"the treebank {DEV.name} is not there")
def test_scores_on_held_out_text(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "recipes" / "parsers"), *sys.path])
    from score import scores

    measured = scores(grammar_of("en").parser().nlp, DEV, repeats=1)
    for name, bar in BARS.items():
        assert measured[name] >= bar, name
        assert measured[name] == pytest.approx(META["performance"][name], abs=0.1), name
