import pytest

import sda_hf
from sda_hf.grammar.english.morphology import inflect, lemma
from sda_hf.grammar.english.rules.modal_phrases import ModalPhrase


@pytest.mark.parametrize(
    ("form", "tag", "plain"),
    [
        ("travelled", "VBD", "travel"),
        ("found", "VBD", "find"),
        ("founded", "VBD", "found"),
        ("saw", "VBD", "see"),
        ("left", "VBD", "leave"),
        ("leaves", "VBZ", "leave"),
        ("lay", "VBD", "lie"),
        ("lies", "VBZ", "lie"),
        ("had", "VBD", "have"),
        ("does", "VBZ", "do"),
        ("read", "VBD", "read"),
        ("googled", "VBD", "google"),
    ],
)
def test_lemma(form, tag, plain):
    assert lemma(form, tag) == plain


@pytest.mark.parametrize(
    ("plain", "tag", "near", "form"),
    [
        ("travel", "VBN", "travelled", "travelled"),
        ("travel", "VBN", "traveled", "traveled"),
        ("travel", "VBG", "travelled", "travelling"),
        ("travel", "VBG", "traveled", "traveling"),
        ("travel", "VBD", "", "travelled"),
        ("spoil", "VBN", "spoiled", "spoiled"),
        ("go", "VBN", "went", "gone"),
        ("go", "VB", "went", "go"),
        ("be", "VBN", "was", "been"),
        ("have", "VBZ", "", "has"),
        ("panic", "VBD", "", "panicked"),
        ("swim", "VBG", "", "swimming"),
    ],
)
def test_inflect(plain, tag, near, form):
    assert inflect(plain, tag, near) == form


@pytest.mark.parametrize(
    ("phrase", "tag", "expected"),
    [
        ("must", "VBD", "must"),
        ("have to", "VBD", "had to"),
        ("have to", "VBZ", "has to"),
        ("need to", "VBP", "need to"),
        ("can't but", "VBD", "couldn't but"),
        ("cannot help but", "VBD", "could not help but"),
        ("have no choice but to", "VBZ", "has no choice but to"),
        ("be bound to", "VBZ", "is bound to"),
    ],
)
def test_phrases_inflect(phrase, tag, expected):
    assert ModalPhrase.parse(phrase).inflected(tag) == expected


@pytest.mark.parametrize(
    ("text", "negated"),
    [("We forgave the thief.", "We didn't forgive the thief."), ("They forgave us.", "They didn't forgive us.")],
)
def test_a_form_that_is_past_alone_is_past_whatever_its_tag(text, negated):
    assert sda_hf.Negation().explain(text).text == negated
