"""The embedded pipeline on arrays finds what spaCy finds with the same pipeline."""

import gzip
import itertools
import pickle
import time
from pathlib import Path

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st

import sda_hf
from sda_hf.grammar.base import grammar_of
from sda_hf.syntax.arrays import decisions, pipeline, tokens
from sda_hf.syntax.arrays.parser import ArrayParser
from sda_hf.syntax.arrays.pipeline import is_known
from sda_hf.syntax.parsers import SpacyParser

ROOT = Path(__file__).parents[3]
SHARED = ROOT.parent / "shared" / "data"
WEB, WIKIPEDIA = SHARED / "ud" / "en_ewt-dev.conllu.gz", SHARED / "text" / "en_wiki.txt.gz"
SENTENCES = (ROOT / "recipes" / "quickstart" / "sentences.txt").read_text(encoding="utf-8").splitlines()
ODD = [
    "",
    " ",
    "\n\t",
    ".",
    "I'm",
    'She said: "Don\'t!" Then she left. Why? Nobody knows.',
    "  He  left \t the\u00a0house.  \n\nShe stayed. ",
    "He left.\r\nShe stayed.\u2028They 🙂 laughed 👩\u200d👩\u200d👧 .",
    "( o:) and (when've:( ))",  # spaCy splits these otherwise than the parts between the spaces
    "'( o:)",
    "e.g. the U.S., Mr. Smith's and p.m., isn't it?",
    "http://a.b/c?d=e and a@b.com cost $5-$10/kg (approx.)...",
    "未来 is 将来 в будущем",
    "\ud800 is a lone surrogate",
    "WHAT A SHAME",
    "- not a list",
]


@pytest.fixture(scope="module")
def fast() -> ArrayParser:
    found = grammar_of("en").parser()
    assert isinstance(found, ArrayParser)
    return found


@pytest.fixture(scope="module", autouse=True)
def _arrays_for_few_texts():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "FEWEST", 1)
        yield


@pytest.fixture(scope="module")
def slow(fast) -> SpacyParser:
    return SpacyParser(fast.nlp, fast.scheme, fast.tags, fast.normalize)


def words(parser, texts):
    return [[list(sentence) for sentence in sentences] for sentences in parser.sentences(texts)]


def test_words_are_those_of_spacy(fast, slow):
    found = words(fast, SENTENCES + ODD)
    assert found == words(slow, SENTENCES + ODD)
    assert [len(sentences) for sentences in found[-len(ODD) :]] == [0, 0, 0, 1, 1, 3, 2, 3, 1, 1, 1, 1, 1, 2, 1, 1]
    assert [(w.text, w.tag, w.label, w.head, w.pos) for w in words(fast, ["He has left."])[0][0]] == [
        ("He", "PRP", "nsubj", 2, "PRON"),
        ("has", "VBZ", "aux", 2, "AUX"),
        ("left", "VBN", "root", 2, "VERB"),
        (".", ".", "punct", 2, "PUNCT"),
    ]


def test_arcs_that_were_moved_up_are_moved_down(fast, slow):
    text = "There are more possible games of chess than there are atoms in the visible universe."
    ((found,),) = words(fast, [text])
    assert [(w.text, found[w.head].text) for w in found if w.label == "advcl"] == [("are", "possible")]
    assert [[found]] == words(slow, [text])


@pytest.mark.slow
@pytest.mark.parametrize("source", [WEB, WIKIPEDIA], ids=lambda path: path.name)
def test_words_of_thousands_of_texts_are_those_of_spacy(fast, slow, source):
    if not source.exists():
        pytest.skip(f"no texts at {source}")
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        kept = (line for line in lines if source == WIKIPEDIA or line.startswith("# text = "))
        texts = [line.removeprefix("# text = ").rstrip("\n") for line in itertools.islice(kept, 6000)]
    assert len(texts) > 1900
    assert [t for t, a, b in zip(texts, words(fast, texts), words(slow, texts), strict=True) if a != b] == []


PIECES = st.sampled_from([*"He left n't 's :) o:) 🙂 . ... ( 1990s né".split(), "\n", "\t", "\u3000"])


@settings(deadline=None, max_examples=150, derandomize=True)
@given(st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=30), st.sampled_from([" ", "", "  "]))
def test_words_of_any_text_are_those_of_spacy(fast, slow, pieces, between):
    text = between.join(pieces)
    assert words(fast, [text, "She stayed."]) == words(slow, [text, "She stayed."])


@pytest.mark.parametrize("size", [1, 3, 100])
def test_words_do_not_depend_on_the_texts_beside(fast, size):
    expected = dict(zip(SENTENCES, words(fast, SENTENCES), strict=True))
    texts = SENTENCES[::-3]
    batches = [texts[i : i + size] for i in range(0, len(texts), size)]
    assert list(itertools.chain.from_iterable(words(fast, batch) for batch in batches)) == [expected[t] for t in texts]


def test_texts_with_a_tie_are_left_to_spacy(fast, slow, monkeypatch):
    by_spacy = []
    parse = SpacyParser.parse
    monkeypatch.setattr(SpacyParser, "parse", lambda self, texts: parse(self, by_spacy.extend(texts) or texts))
    texts = ["He left.", "She has stayed.", "Rain fell on the hills all night."]
    expected = words(fast, texts)
    assert by_spacy == []
    monkeypatch.setattr(decisions, "TIE", 1000)
    assert words(fast, texts) == expected
    assert by_spacy == texts


def test_texts_that_come_alone_or_are_much_longer_are_left_to_spacy(fast, slow, monkeypatch):
    by_spacy = []
    parse = SpacyParser.parse
    monkeypatch.setattr(SpacyParser, "parse", lambda self, texts: parse(self, by_spacy.extend(texts) or texts))
    monkeypatch.setattr(pipeline, "FEWEST", 8)
    long = "The old man saw that the rain fell on the hills, and that the train was late."
    short = [f"{who} left{where}." for who in ("He", "She") for where in ("", " early", " for Rome", " the old house")]
    assert words(fast, [long]) == words(slow, [long])
    assert by_spacy == [long] * 2
    by_spacy.clear()
    texts = [long, *short, "", *short]
    found = words(fast, texts)
    assert by_spacy == [long, ""]
    assert found == words(slow, texts)


def test_forgetting_changes_nothing(fast, monkeypatch):
    expected = words(fast, SENTENCES[:60])
    monkeypatch.setattr(tokens, "REMEMBERED", 10)
    assert [words(fast, [text])[0] for text in SENTENCES[:60]] == expected
    assert len(fast.pipeline._embedding) < 60


def test_a_text_that_fails_is_that_text_alone(fast, monkeypatch):
    call = tokens.Tokenizer.__call__

    def failing(self, text):
        if "poison" in text:
            raise ValueError("cannot split this")
        return call(self, text)

    monkeypatch.setattr(tokens.Tokenizer, "__call__", failing)
    rewrites = sda_hf.Negation().rewrite(["He left.", "It is poison.", "She won."])
    assert [r.skipped for r in rewrites] == [None, "internal error: ValueError: cannot split this", None]
    assert [r.text for r in rewrites] == ["He didn't leave.", "It is poison.", "She didn't win."]


def test_a_long_sentence_takes_bounded_time(fast, slow):
    text = "the old man saw that " * 950 + "it rained."
    began = time.process_time()
    found = words(fast, [text])
    assert time.process_time() - began < 10
    assert found == words(slow, [text])
    assert sum(map(len, found[0])) == 5 * 950 + 3


def test_only_the_embedded_pipeline_runs_on_arrays(fast):
    path = str(grammar_of("en").pipeline)
    assert is_known(fast.nlp)
    assert type(grammar_of("en").parser(path)) is SpacyParser
    assert type(grammar_of("en").parser(spacy.load(path))) is SpacyParser


def test_other_architectures_are_not_known():
    english = spacy.load(grammar_of("en").pipeline)
    assert is_known(english)
    english.get_pipe("parser").cfg["beam_width"] = 2
    assert not is_known(english)
    english.get_pipe("parser").cfg["beam_width"] = 1
    english.config["components"]["tok2vec"]["model"]["encode"]["window_size"] = 2
    assert not is_known(english)
    assert not is_known(spacy.blank("en"))


def test_an_augmenter_stays_small_when_it_was_used(fast):
    augmenter = sda_hf.Negation()
    augmenter.augment(SENTENCES[:10])
    assert len(pickle.dumps(augmenter)) < 4000
