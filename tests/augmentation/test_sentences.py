"""Texts of several sentences: which of them are rewritten."""

import pytest

import sda_hf
from sda_hf.augmentation import AntonymSubstitute, ModalVerbs, Negation, OneOf, PunctuationInsertion, Triplets
from sda_hf.grammar.english import English
from sda_hf.syntax.parsers import SpacyParser

TEXT = "Hello there! The train was late. We waited for an hour. She met the driver."
MUST = {"phrases": ("must",)}


def text_of(augmenter, text=TEXT):
    return augmenter.explain(text).text


def test_by_default_the_first_sentence_that_makes_a_claim_is_rewritten():
    for augmenter in (PunctuationInsertion(coverage="full"), PunctuationInsertion(coverage="full", sentences="first")):
        assert text_of(augmenter) == TEXT.replace("train was", "train, was")


def test_a_positive_rewrites_all_sentences_that_make_a_claim():
    expected = "Hello there! The train, was late. We, waited for an hour. She, met the driver."
    assert text_of(PunctuationInsertion(coverage="full", sentences="all")) == expected


def test_every_edit_is_explained():
    rewrite = PunctuationInsertion(coverage="full", sentences="all").explain(TEXT)
    assert [(e.start, e.new) for e in rewrite.edits] == [(TEXT.index(w), ",") for w in (" was", " waited", " met")]
    assert str(rewrite).count("comma after the subject") == 3


def test_what_cannot_be_rewritten_stays_as_it_is():
    text = "Could you wait? The train left early. Why me? It rained."
    expected = "Could you wait? The train must have left early. Why me? It must have rained."
    assert text_of(ModalVerbs(sentences="all", **MUST), text) == expected


@pytest.mark.parametrize("augmenter", [Negation(sentences="all"), AntonymSubstitute(sentences="all")])
def test_a_negative_denies_one_claim(augmenter):
    rewrite = augmenter.explain(TEXT)
    assert rewrite.text in (TEXT.replace("was", "wasn't"), TEXT.replace("late", "early"))
    assert len(rewrite.edits) == 1


def test_a_negative_denies_the_first_claim_that_can_be_denied():
    text = "Trains run. The dog bit him. The dog chased her."
    assert sda_hf.SubjectObjectSwitch().explain(text).skipped == "no object"
    assert (
        text_of(sda_hf.SubjectObjectSwitch(sentences="all"), text) == "Trains run. He bit the dog. The dog chased her."
    )


def test_a_random_sentence_is_one_of_those_that_can_be_rewritten():
    expected = {TEXT.replace(f" {w}", f", {w}") for w in ("was", "waited", "met")}
    augmenter = PunctuationInsertion(coverage="full", sentences="random")
    assert {augmenter.with_epoch(epoch).explain(TEXT).text for epoch in range(30)} == expected
    denied = {TEXT.replace("was", "wasn't"), TEXT.replace("waited", "didn't wait"), TEXT.replace("met", "didn't meet")}
    assert {Negation(sentences="random", epoch=epoch).explain(TEXT).text for epoch in range(30)} == denied


@pytest.mark.parametrize("name", ["punctuation-insertion", "modal-verbs", "double-negation", "negation"])
def test_a_text_of_one_sentence_is_rewritten_the_same_way(name):
    texts = ["The train was late.", "Hello!", "Is it open?", "Nobody came.", "Close the door!"]
    expected = sda_hf.from_config({"name": name}).rewrite(texts)
    for sentences in ("all", "random"):
        assert sda_hf.from_config({"name": name, "sentences": sentences}).rewrite(texts) == expected


def test_the_reason_of_a_skip_is_that_of_the_main_clause():
    text = "Who came? Hello!"
    reason = ModalVerbs(phrases=("can't help",), scope=("adjective",)).explain(text).skipped
    for sentences in ("all", "random"):
        rewrite = ModalVerbs(phrases=("can't help",), scope=("adjective",), sentences=sentences).explain(text)
        assert (rewrite.skipped, rewrite.text) == (reason, text)


def test_a_sentence_that_is_too_long_leaves_the_others():
    text = f"He left and {'came and left and ' * 400}stayed. She met the driver."
    assert Negation().explain(text).skipped == "a sentence of over 1,000 words"
    assert text_of(Negation(sentences="all"), text) == text.replace("She met", "She didn't meet")


def test_an_error_in_one_sentence_fails_the_text(monkeypatch):
    clause = English.clause

    def failing(self, text, words):
        if words[0].text == "She":
            raise RuntimeError("a bug")
        return clause(self, text, words)

    monkeypatch.setattr(English, "clause", failing)
    assert Negation().explain(TEXT).skipped is None
    assert Negation(sentences="all").explain(TEXT).skipped == "internal error: RuntimeError: a bug"
    with pytest.raises(RuntimeError, match="a bug"):
        PunctuationInsertion(coverage="full", sentences="all", on_error="raise").explain(TEXT)


def test_augmenters_that_differ_in_the_sentences_share_one_parse(monkeypatch):
    parsed = []
    batch = SpacyParser._batch
    monkeypatch.setattr(SpacyParser, "_batch", lambda self, texts: parsed.extend(texts) or batch(self, texts))
    triplets = Triplets(PunctuationInsertion(coverage="full", sentences="all"), Negation())
    assert triplets({"text": TEXT}) == {
        "anchor": TEXT,
        "positive": "Hello there! The train, was late. We, waited for an hour. She, met the driver.",
        "negative": TEXT.replace("was", "wasn't"),
    }
    full = {"coverage": "full", "sentences": "all"}
    one_of = OneOf(PunctuationInsertion(**full), ModalVerbs(**full, **MUST))
    assert {len(one_of.with_epoch(epoch).explain(TEXT).edits) for epoch in range(5)} == {3}
    assert parsed == [TEXT] * 6


def test_sentences_is_in_the_config_and_checked():
    config = Negation(sentences="all").get_config_dict()
    assert config["sentences"] == "all"
    assert sda_hf.from_config(config) == Negation(sentences="all")
    with pytest.raises(ValueError, match="sentences='last' is not allowed: give one of 'first', 'all', 'random'"):
        Negation(sentences="last")
