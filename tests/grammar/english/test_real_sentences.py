"""Properties of every rewrite of 20,000 real sentences, parsed from raw text: web text and Wikipedia."""

import gzip
import itertools
import re
from pathlib import Path

import pytest

import sda_hf
from sda_hf.grammar.base import parsed

SHARED = Path(__file__).parents[3].parent / "shared" / "data"
WEB, WIKIPEDIA = SHARED / "ud" / "en_ewt-train.conllu.gz", SHARED / "text" / "en_wiki.txt.gz"
COUNT = 20_000
pytestmark = pytest.mark.slow
NEGATION = re.compile(
    r"n[’']t\b|\b(?:do|does|did|ca|wo|could|would|should|is|was|have|ai)nt\b|"
    r"\b(?:not|cannot|never|no|nope|nobody|nothing|none|noone|nowhere|neither|nor|hardly|scarcely|barely|seldom|rarely)\b",
    re.IGNORECASE,
)
AUGMENTERS = {
    "negation": sda_hf.Negation(),
    "full negation": sda_hf.Negation(contractions=False),
    "prefix": sda_hf.Negation(method="prefix"),
    "modal": sda_hf.ModalVerbs(),
    "intensifier": sda_hf.ModalVerbs(scope=("adjective", "verb")),
    "auxiliary": sda_hf.AffirmativeAuxiliary(),
    "double": sda_hf.DoubleNegation(),
    "double v1": sda_hf.DoubleNegation(variant="v1"),
    "marks": sda_hf.PunctuationInsertion(strategy="random"),
    "marks v1": sda_hf.PunctuationInsertion(variant="v1", strategy="random"),
}


def sentences():
    with gzip.open(WEB, "rt", encoding="utf-8") as lines:
        yield from (line.removeprefix("# text = ").rstrip("\n") for line in lines if line.startswith("# text = "))
    with gzip.open(WIKIPEDIA, "rt", encoding="utf-8") as lines:
        yield from (line.strip() for line in lines)


@pytest.fixture(scope="module")
def rewrites():
    if not (WEB.exists() and WIKIPEDIA.exists()):
        pytest.skip(f"no real sentences under {SHARED}")
    texts = list(itertools.islice(sentences(), COUNT))
    assert len(texts) == COUNT
    changed = {name: [] for name in AUGMENTERS}
    for text, clauses in zip(texts, parsed(texts), strict=True):
        for name, augmenter in AUGMENTERS.items():
            rewrite = augmenter.rewrite_views([(text, clauses)])[0]
            if rewrite.skipped is None:
                changed[name].append(rewrite)
            else:
                assert rewrite.text == text
    return changed


def new(pattern: re.Pattern, rewrite) -> bool:
    """Whether the rewrite has more matches than the original."""
    return len(pattern.findall(rewrite.text)) > len(pattern.findall(rewrite.original))


def test_text_outside_the_edits_is_unchanged(rewrites):
    for r in itertools.chain.from_iterable(rewrites.values()):
        edits = sorted(r.edits, key=lambda e: (e.start, e.end))
        position = 0
        for edit in edits:
            untouched = r.original[position : edit.start]
            assert untouched in r.text, r
            position = edit.end
        assert r.text.endswith(r.original[position:]), r


def test_no_new_double_space_or_space_before_a_comma(rewrites):
    bad = re.compile(r"  |\s[,.;:!?…]+(?=\s|$)|^\s|\s$")
    assert [r for rs in rewrites.values() for r in rs if new(bad, r)] == []


def test_no_doubled_negation(rewrites):
    bad = re.compile(r"\bnot not\b|\bno not?\b|n[’']t n[’']t|n[’']t not\b|\b(don[’']t|can[’']t) \1\b", re.IGNORECASE)
    for name, rs in rewrites.items():
        if name != "double v1":  # which writes "can't not"
            assert [r for r in rs if new(bad, r)] == [], name


def test_no_doubled_auxiliary(rewrites):
    bad = re.compile(r"\b(must|should|do|does|did|have to|has to|had to|need to|needs to|to) \1\b", re.IGNORECASE)
    assert [r for rs in rewrites.values() for r in rs if new(bad, r)] == []


@pytest.mark.parametrize("name", ["negation", "full negation", "prefix"])
def test_a_negation_changes_the_count_of_negations_by_one(rewrites, name):
    def difference(r):
        return abs(len(NEGATION.findall(r.text)) - len(NEGATION.findall(r.original)))

    # One negation of two words, one within a word that is countable, and a tag that follows.
    others = ("neither", "few", "either", "tag question", "any", "some", "no one", "nor")
    odd = [r for r in rewrites[name] if difference(r) != 1]
    answered = [r for r in odd if any(e.id == "answer-denied" for e in r.edits)]  # "Yes, I do." → "No, I don't."
    unexplained = [r for r in odd if r not in answered and not any(w in e.rule for e in r.edits for w in others)]
    assert unexplained == []
    assert len(odd) / len(rewrites[name]) < 0.005


def test_no_new_contraction_with_full_forms(rewrites):
    assert [r for r in rewrites["full negation"] if new(re.compile(r"n[’']t\b"), r)] == []


@pytest.mark.parametrize("name", ["marks", "marks v1"])
def test_punctuation_keeps_the_words_and_is_balanced(rewrites, name):
    word = re.compile(r"\w+")
    for r in rewrites[name]:
        assert word.findall(r.text) == word.findall(r.original), r
        assert r.text.count('"') % 2 <= r.original.count('"') % 2, r  # a mark alone may have got its partner
        if name == "marks":
            assert not new(re.compile(r"([,;:])\1"), r), r


def test_negating_twice_never_doubles(rewrites):
    bad = re.compile(r"\bnot not\b|n[’']t n[’']t|n[’']t not\b|\bdid not did\b|\b(don[’']t) \1\b", re.IGNORECASE)
    once = rewrites["negation"][::4]
    for first, second in zip(once, sda_hf.Negation().rewrite([r.text for r in once]), strict=True):
        assert len(bad.findall(second.text)) <= len(bad.findall(first.original)), (first.original, second.text)


def test_the_share_of_changed_sentences_does_not_fall(rewrites):
    share = {name: len(rs) / COUNT for name, rs in rewrites.items()}
    assert share["negation"] > 0.65
    assert share["modal"] > 0.62
    assert share["double"] > 0.59
    assert share["marks"] > 0.87
