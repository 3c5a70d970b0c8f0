"""The lists of phrases that augmenters draw from: by name, as a list, or the default of the language."""

import pytest

import sda_hf
from sda_hf.augmentation import from_config
from sda_hf.grammar.base import grammar_of

TEXTS = [f"The {noun} sang on day {i}." for i, noun in enumerate(["girl", "singer", "boy", "teacher"] * 25)]
PAPERS = {
    "modal-verbs": (
        "sda2024",
        "must|should|ought to|have to|need to|can't but|cannot help but|can't help|have no choice but to",
    ),
    "affirmative-auxiliary": ("sda2022", "have to|can't but|can't help|have no choice but to"),
    "double-negation": ("sda2024", "It is not true that|It can't be that|It is not the fact that"),
}


@pytest.mark.parametrize("name", PAPERS)
def test_the_lists_of_the_papers_stay_as_they_were_printed(name):
    paper, phrases = PAPERS[name]
    assert grammar_of("en").phrases[name][paper] == tuple(phrases.split("|"))


@pytest.mark.parametrize("name", PAPERS)
def test_a_list_by_name_stays_a_name_and_rewrites_with_its_phrases(name):
    paper, phrases = PAPERS[name]
    augmenter = from_config({"name": name, "phrases": paper, "coverage": "full"})
    assert augmenter.get_config_dict()["phrases"] == paper
    assert from_config(augmenter.get_config_dict()) == augmenter
    single = [from_config({"name": name, "phrases": [p], "coverage": "full"}) for p in phrases.split("|")]
    by_phrase = [part.augment(TEXTS) for part in single]
    drawn = [
        {number for number, rewrites in enumerate(by_phrase) if rewrites[i] == rewrite}
        for i, rewrite in enumerate(augmenter.augment(TEXTS))
    ]
    assert all(drawn)
    assert len(set.union(*drawn)) > 1


def test_without_a_name_the_phrases_are_those_of_the_default_list():
    assert sda_hf.ModalVerbs().phrases == grammar_of("en").phrases["modal-verbs"]["default"]
    assert sda_hf.ModalVerbs(phrases=["must"]).phrases == ("must",)
    assert sda_hf.ModalVerbs(phrases="default").phrases == "default"


def test_an_unknown_name_is_reported_with_the_nearest_one():
    with pytest.raises(
        sda_hf.errors.InputValueError,
        match="ModalVerbs: phrases: unknown list 'sda2025': did you mean 'sda2024'\\? Known: default, sda2024; "
        "or give a list of phrases",
    ):
        sda_hf.ModalVerbs(phrases="sda2025")
    with pytest.raises(sda_hf.errors.InputValueError, match="unknown list 'sda2024'.* Known: default, sda2022"):
        sda_hf.AffirmativeAuxiliary(phrases="sda2024")
    with pytest.raises(sda_hf.errors.InputValueError, match="unknown list ''"):
        sda_hf.DoubleNegation(phrases="")
