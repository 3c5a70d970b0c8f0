"""The English lexicon: its contexts and what is read from it, and a wordnet instead of it."""

import subprocess
import sys

import pytest

from sda_hf import AntonymSubstitute, SynonymReplacement
from sda_hf.errors import InputValueError, MissingPackageError
from sda_hf.grammar.english import lexicon, thesaurus
from sda_hf.grammar.english.rules.substitution import inflected, takes_ending
from sda_hf.grammar.english.thesaurus import antonyms, related, synonyms

from ..tables import rows

PARTS = {"ADJ", "ADV", "NOUN", "VERB"}


def test_the_contexts_are_well_formed():
    given, *entries = rows("en", "antonym_contexts.tsv")
    assert given == ["pos", "word", "antonym", "frames", "prepositions", "only", "never"]
    assert len(entries) >= 700
    assert entries == sorted(entries)
    assert len({tuple(entry) for entry in entries}) == len(entries)
    for pos, word, antonym, frames, *_ in entries:
        assert pos in PARTS | {"ADP", "DET"}
        assert word.islower()
        assert antonym.islower()
        assert word != antonym
        assert frames


@pytest.mark.parametrize("name", ["antonym_contexts.tsv"])
def test_the_lists_that_contexts_name_exist(name):
    named = {item[1:] for entry in rows("en", name)[1:] for item in " ".join(entry[5:]).split() if item.startswith("@")}
    assert all(lexicon.words("antonym-nouns", item) for item in named)


def test_no_word_is_both_antonym_and_synonym():
    clashes = {key: set(others) & set(antonyms().get(key, ())) for key, others in synonyms().items()}
    assert {key: both for key, both in clashes.items() if both} == {}


def test_antonyms_go_both_ways():
    assert "cold" in related("antonym", "embedded", "ADJ", "hot")
    assert "hot" in related("antonym", "embedded", "ADJ", "cold")
    assert related("antonym", "embedded", "NOUN", "spoon") == ()


@pytest.mark.parametrize(
    ("base", "tag", "form"),
    [
        ("cold", "JJR", "colder"),
        ("big", "JJS", "biggest"),
        ("happy", "JJR", "happier"),
        ("expensive", "JJR", "more expensive"),
        ("careful", "JJS", "most careful"),
        ("bad", "JJR", "worse"),
        ("good", "JJS", "best"),
        ("slowly", "RBR", "more slowly"),
        ("slow", "RBR", "slower"),
        ("sell", "VBD", "sold"),
        ("forget", "VBG", "forgetting"),
        ("lose", "VBZ", "loses"),
        ("enemy", "NNS", "enemies"),
        ("wife", "NNS", "wives"),
        ("cold", "JJ", "cold"),
    ],
)
def test_inflected(base, tag, form):
    assert inflected(base, tag) == form


@pytest.mark.parametrize(("word", "takes"), [("simple", True), ("narrow", True), ("modern", False), ("real", False)])
def test_takes_ending(word, takes):
    assert takes_ending(word) is takes


# -- a wordnet -----------------------------------------------------------------------------------

LMF = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.0.dtd">
<LexicalResource xmlns:dc="http://purl.org/dc/elements/1.1/">
  <Lexicon id="tiny" label="Tiny" language="en" email="a@b.example" license="none" version="1" url="">
    <LexicalEntry id="e1"><Lemma writtenForm="blorb" partOfSpeech="a"/>
      <Sense id="s1" synset="y1"><SenseRelation relType="antonym" target="s2"/></Sense></LexicalEntry>
    <LexicalEntry id="e2"><Lemma writtenForm="frimp" partOfSpeech="a"/>
      <Sense id="s2" synset="y2"><SenseRelation relType="antonym" target="s1"/></Sense></LexicalEntry>
    <LexicalEntry id="e3"><Lemma writtenForm="cold" partOfSpeech="a"/>
      <Sense id="s3" synset="y3"><SenseRelation relType="antonym" target="s2"/></Sense></LexicalEntry>
    <LexicalEntry id="e4"><Lemma writtenForm="chilly" partOfSpeech="a"/><Sense id="s4" synset="y3"/></LexicalEntry>
    <Synset id="y1" ili="" partOfSpeech="a"/>
    <Synset id="y2" ili="" partOfSpeech="a"/>
    <Synset id="y3" ili="" partOfSpeech="a"/>
  </Lexicon>
</LexicalResource>
"""


@pytest.fixture
def no_data(tmp_path, monkeypatch):
    wn = pytest.importorskip("wn")
    monkeypatch.setattr(wn.config, "data_directory", tmp_path / "wn")
    thesaurus.wordnet.cache_clear()
    thesaurus._of_wordnet.cache_clear()
    yield wn
    thesaurus.wordnet.cache_clear()
    thesaurus._of_wordnet.cache_clear()


def test_wordnet_without_data_is_refused(no_data):
    with pytest.raises(MissingPackageError, match="wn has none: run python -m wn download"):
        AntonymSubstitute(lexicon="wordnet")


def test_wordnet_with_data(no_data, tmp_path):
    (tmp_path / "tiny.xml").write_text(LMF, encoding="utf-8")
    no_data.add(tmp_path / "tiny.xml", progress_handler=None)
    assert AntonymSubstitute(lexicon="wordnet").augment(["The old soup was cold."]) == ["The old soup was frimp."]
    assert SynonymReplacement(lexicon="wordnet").augment(["The old soup was cold."]) == ["The old soup was chilly."]


def test_wordnet_without_the_package():
    code = "import sys; sys.modules['wn'] = None; import sda_hf; sda_hf.AntonymSubstitute(lexicon='wordnet')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "MissingPackageError: lexicon='wordnet' needs the package wn: run pip install sda-hf[wordnet]" in done.stderr


def test_refuses_another_lexicon():
    with pytest.raises(InputValueError, match="lexicon='thesaurus' is not allowed: give one of 'embedded', 'wordnet'"):
        AntonymSubstitute(lexicon="thesaurus")
