"""Properties of every rewrite of the quickstart's sentences."""

import re
from pathlib import Path

import pytest

import sda_hf
from sda_hf.augmentation.base import views

SENTENCES = (
    (Path(__file__).parents[3] / "recipes" / "quickstart" / "sentences.txt").read_text(encoding="utf-8").split("\n")
)
SENTENCES = [s for s in SENTENCES if s]
NEGATIVE = re.compile(
    r"n[’']t\b|\b(?:not|cannot|never|no|nobody|nothing|none|nowhere|hardly|scarcely|barely|seldom|rarely)\b",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def rewrites():
    augmenters = {
        "negation": sda_hf.Negation(),
        "full negation": sda_hf.Negation(contractions=False),
        "modal": sda_hf.ModalVerbs(),
        "auxiliary": sda_hf.AffirmativeAuxiliary(),
        "double": sda_hf.DoubleNegation(),
        "double v1": sda_hf.DoubleNegation(variant="v1"),
        "marks": sda_hf.PunctuationInsertion(strategy="random"),
        "marks v1": sda_hf.PunctuationInsertion(variant="v1", strategy="random"),
    }
    parsed = list(views(SENTENCES, list(augmenters.values())))
    return {name: augmenter.rewrite_views(parsed) for name, augmenter in augmenters.items()}


def changed(rewrites):
    return [r for r in rewrites if r.skipped is None]


def test_most_clauses_are_rewritten(rewrites):
    def share_of(rs):
        return len(changed(rs)) / sum(r.skipped != "not a clause: no finite verb" for r in rs)

    share = {name: share_of(rs) for name, rs in rewrites.items()}
    assert share["negation"] > 0.81
    assert share["modal"] > 0.7
    assert share["double"] > 0.6
    assert share["marks"] > 0.97


def test_rules_are_never_in_conflict(rewrites):
    assert [r.original for rs in rewrites.values() for r in rs if r.skipped == "rules in conflict"] == []


def test_no_new_double_space_or_space_before_a_mark(rewrites):
    bad = re.compile(r"  |\s[,.;:!?](?=\s|$)|^\s|\s$")
    for rs in rewrites.values():
        for r in changed(rs):
            assert len(bad.findall(r.text)) <= len(bad.findall(r.original)), r


def test_no_doubled_negation_or_word(rewrites):
    bad = re.compile(r"\bnot not\b|n[’']tn[’']t|n[’']t n[’']t|n[’']t not\b|\b(do|does|did|must|to) \1\b", re.IGNORECASE)
    for name, rs in rewrites.items():
        for r in changed(rs):
            if name != "double v1":  # which writes "can't not"
                assert len(bad.findall(r.text)) <= len(bad.findall(r.original)), r


def test_punctuation_keeps_the_words(rewrites):
    for name in ("marks", "marks v1"):
        for r in changed(rewrites[name]):
            assert re.findall(r"\w+", r.text) == re.findall(r"\w+", r.original)
            assert r.text.count('"') % 2 == r.original.count('"') % 2


@pytest.mark.parametrize("name", ["negation", "full negation"])
def test_a_negation_changes_polarity_once(rewrites, name):
    differences = [
        abs(len(NEGATIVE.findall(r.text)) - len(NEGATIVE.findall(r.original))) for r in changed(rewrites[name])
    ]
    # "neither ... nor" and "no longer" count as one negation, and the "no" of "no one" is counted as well.
    assert sum(d == 1 for d in differences) / len(differences) > 0.985


def test_no_new_contraction_with_full_forms(rewrites):
    for r in changed(rewrites["full negation"]):
        assert len(re.findall(r"n[’']t", r.text)) <= len(re.findall(r"n[’']t", r.original)), r


def test_a_double_negation_begins_with_a_phrase_of_the_papers(rewrites):
    phrases = tuple(p.lower().removeprefix("it is ") for p in sda_hf.DoubleNegation().phrases)
    for r in changed(rewrites["double"]):
        assert any(p in r.text.lower() for p in phrases) or r.rule == "command: don't fail to", r


def test_capitals_stay_at_the_start(rewrites):
    for rs in rewrites.values():
        for r in changed(rs):
            if r.original[:1].isupper():
                assert r.text.lstrip('"(')[:1].isupper(), r
