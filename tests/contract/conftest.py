"""What the contract needs that is made first: a vocabulary, models, and a parse of all texts."""

import pytest

from sda_hf.augmentation import TfidfNegatives
from sda_hf.augmentation.base import views

from .languages import ENGLISH, NEEDS, SAMPLES, make


@pytest.fixture(scope="session", autouse=True)
def _needed(tmp_path_factory, made_models):
    """Provide the vocabulary and the models that some augmenters need."""
    folder = tmp_path_factory.mktemp("contract") / "vocabulary"
    TfidfNegatives().fit([text for text in ENGLISH.texts if text]).save_pretrained(folder)
    NEEDS.update(made_models)
    NEEDS["tfidf-negatives"] = {"vocabulary": str(folder)}


@pytest.fixture(scope="session")
def viewed(_needed):
    """All texts of every language, parsed once for every augmenter."""
    return {
        language: list(views(sample.texts + sample.nasty, [make("negation", language)]))
        for language, sample in SAMPLES.items()
    }
