import pickle
import subprocess
import sys

import pytest
import spacy
from datasets.fingerprint import Hasher

import sda_hf
from sda_hf.grammar.base import grammar_of

EMBEDDED_PATH = str(grammar_of("en").pipeline)


def test_embedded_pipeline_is_loaded_once():
    assert grammar_of("en").parser().nlp is grammar_of("en").parser(None).nlp


@pytest.mark.parametrize("parser", [EMBEDDED_PATH, "loaded"])
def test_path_and_loaded_pipeline_rewrite_the_same(parser):
    augmenter = sda_hf.Negation(parser=spacy.load(EMBEDDED_PATH) if parser == "loaded" else parser)
    assert augmenter.augment(["He travelled widely."]) == ["He didn't travel widely."]
    assert len(pickle.dumps(augmenter)) < 4000
    assert Hasher.hash(augmenter) == Hasher.hash(sda_hf.Negation(parser=EMBEDDED_PATH))
    assert augmenter.get_config_dict()["parser"] == EMBEDDED_PATH


def test_a_pipeline_in_memory_works_but_has_no_name():
    nlp = spacy.load(EMBEDDED_PATH)
    nlp._path = None
    augmenter = sda_hf.Negation(parser=nlp)
    assert augmenter.augment(["He travelled widely."]) == ["He didn't travel widely."]
    with pytest.raises(ValueError, match=r"only in memory, .*: save it with nlp.to_disk\(path\)"):
        augmenter.get_config_dict()


@pytest.mark.parametrize(
    ("parser", "message"),
    [
        ("en_core_web_xyz", "'en_core_web_xyz' is not installed: run `python -m spacy download en_core_web_xyz`"),
        ("no/such/folder", "parser 'no/such/folder': no such folder"),
        (".", "is a folder without config.cfg"),
        (spacy.blank("en"), "has no dependency parser"),
        (spacy.blank("de"), "is for language 'de', not for 'en'"),
        (7, "parser=7 is a int: give None for the embedded pipeline"),
    ],
)
def test_bad_parsers(parser, message):
    with pytest.raises((ValueError, OSError, ImportError, TypeError), match=message):
        sda_hf.Negation(parser=parser).augment(["He left."])


def test_unknown_language():
    with pytest.raises(ValueError, match="language='de' is not allowed: give one of 'en'"):
        sda_hf.Negation(language="de")


def test_importing_the_package_loads_no_heavy_modules():
    code = "import sys, sda_hf; sda_hf.Negation; print({'torch', 'spacy', 'datasets'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
