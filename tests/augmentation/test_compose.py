import pytest
from datasets import Dataset

import sda_hf
from sda_hf.grammar.base import grammar_of
from sda_hf.syntax.parsers import SpacyParser

TEXTS = [f"The {noun} was late on day {i}." for i, noun in enumerate(["train", "bus", "boat", "tram"] * 25)]


def test_one_of_draws_from_all_parts_and_nothing_else():
    parts = sda_hf.PunctuationInsertion(), sda_hf.ModalVerbs(), sda_hf.DoubleNegation()
    chosen = sda_hf.OneOf(*parts)
    by_part = [part.augment(TEXTS) for part in parts]
    counts = [0, 0, 0]
    for i, text in enumerate(chosen.augment(TEXTS)):
        matches = [k for k in range(3) if by_part[k][i] == text]
        assert matches
        counts[matches[0]] += 1
    assert min(counts) > 15


def test_one_of_takes_a_list_too():
    parts = [sda_hf.PunctuationInsertion(), sda_hf.ModalVerbs()]
    assert sda_hf.OneOf(parts) == sda_hf.OneOf(*parts)


def test_every_part_draws_anew_in_each_epoch():
    one = sda_hf.OneOf(sda_hf.ModalVerbs(), sda_hf.DoubleNegation())
    assert one.with_epoch(1).augmenters[0].epoch == 1
    assert one.with_epoch(1).augment(TEXTS) != one.augment(TEXTS)
    some = sda_hf.Sometimes(sda_hf.ModalVerbs(), 0.5)
    assert some.with_epoch(2).augmenter.epoch == 2
    changed = [[r.skipped is None for r in s.rewrite(TEXTS)] for s in (some, some.with_epoch(2))]
    assert changed[0] != changed[1]
    triplets = sda_hf.Triplets(sda_hf.ModalVerbs(), sda_hf.Negation())
    assert triplets.with_epoch(3).positive.epoch == triplets.with_epoch(3).negative.epoch == 3


def test_sometimes_changes_about_the_given_share():
    changed = sum(r.skipped is None for r in sda_hf.Sometimes(sda_hf.ModalVerbs(), 0.3).rewrite(TEXTS))
    assert 15 <= changed <= 45
    same = sum(r.skipped is None for r in sda_hf.ModalVerbs(proportion=0.3).rewrite(TEXTS))
    assert 15 <= same <= 45


def test_triplets_drop_rows_without_a_negative_in_batches():
    ds = Dataset.from_dict({"id": [1, 2, 3], "text": ["He left.", "Hello!", "It rains."]})
    triplets = sda_hf.Triplets(sda_hf.ModalVerbs(phrases=["must"], coverage="full"), sda_hf.Negation())
    rows = ds.map(triplets, batched=True, num_proc=2, remove_columns=ds.column_names)
    assert rows.to_list() == [
        {"anchor": "He left.", "positive": "He must have left.", "negative": "He didn't leave."},
        {"anchor": "It rains.", "positive": "It must rain.", "negative": "It doesn't rain."},
    ]
    single = ds.map(triplets, remove_columns=ds.column_names)
    assert single["negative"][1] is None
    kept = ds.map(
        sda_hf.Triplets(sda_hf.ModalVerbs(), sda_hf.Negation(), on_skip="null"),
        batched=True,
        remove_columns=ds.column_names,
    )
    assert len(kept) == 3
    with pytest.raises(ValueError, match=r"Triplets: no negative of 'Hello!': no claim to negate \(on_skip='raise'\)"):
        sda_hf.Triplets(sda_hf.ModalVerbs(), sda_hf.Negation(), on_skip="raise")({"text": ["Hello!"]})


def test_triplets_parse_each_text_once(monkeypatch):
    parsed = []
    batch = SpacyParser._batch
    monkeypatch.setattr(SpacyParser, "_batch", lambda self, texts: parsed.extend(texts) or batch(self, texts))
    one = sda_hf.OneOf(sda_hf.PunctuationInsertion(), sda_hf.ModalVerbs(), sda_hf.DoubleNegation())
    sda_hf.Triplets(one, sda_hf.Negation())({"text": TEXTS})
    assert parsed == TEXTS


def test_refuses_augmenters_that_cannot_be_combined():
    with pytest.raises(ValueError, match="OneOf mixes positives and negatives"):
        sda_hf.OneOf(sda_hf.ModalVerbs(), sda_hf.Negation())
    with pytest.raises(ValueError, match="OneOf needs at least one augmenter"):
        sda_hf.OneOf()
    with pytest.raises(TypeError, match="OneOf takes augmenters, got str: 'negation'"):
        sda_hf.OneOf("negation")
    with pytest.raises(ValueError, match="all need the same language and parser"):
        sda_hf.OneOf(sda_hf.ModalVerbs(), sda_hf.ModalVerbs(parser="en_core_web_sm"))
    with pytest.raises(ValueError, match="negative= takes an augmenter of negatives, got ModalVerbs"):
        sda_hf.Triplets(sda_hf.ModalVerbs(), sda_hf.ModalVerbs())
    with pytest.raises(ValueError, match="on_skip='keep' is not allowed"):
        sda_hf.Triplets(sda_hf.ModalVerbs(), sda_hf.Negation(), on_skip="keep")
    with pytest.raises(TypeError, match="unexpected keyword argument 'sed'"):
        sda_hf.Sometimes(sda_hf.ModalVerbs(), sed=1)


def test_draws_of_a_composite_stay_those_of_earlier_versions():
    """A field that is added to augmenters must not change what a composite of them draws."""
    phrases = grammar_of("en").phrases["modal-verbs"]["sda2024"]  # the default of earlier versions
    parts = sda_hf.PunctuationInsertion(coverage="full"), sda_hf.ModalVerbs(phrases=phrases, coverage="full")
    texts = ["He travelled widely in Europe.", "She can swim.", "The shop opened early.", "They left."]
    assert sda_hf.OneOf(*parts).augment(texts) == [
        "He had to travel widely in Europe.",
        "She, can swim.",
        "The shop ought to have opened early.",
        "They had to leave.",
    ]
