import pytest

from sda_hf.augmentation.listing import entries, example_of
from sda_hf.registry import AUGMENTERS


def test_every_augmenter_has_role_source_and_example():
    found = {entry.name: entry for entry in entries()}
    assert list(found) == list(AUGMENTERS)
    for entry in found.values():
        assert entry.role in ("positive", "negative", "positive, negative", "denial, contrary")
        assert entry.source
        assert entry.example != example_of()
        assert not entry.example.startswith("(skips")
    assert found["antonym-substitute"].role == "negative"
    assert found["paraphrase"].example == "(needs tuner007/pegasus_paraphrase)"


def test_the_augmenters_of_chinese_have_chinese_examples():
    found = {entry.name: entry for entry in entries("zh")}
    assert set(AUGMENTERS) - set(found) == {"tfidf-negatives", "random-contextual-words"}
    assert found["crop"].example in example_of("zh") != found["crop"].example
    assert found["paraphrase"].example == "(needs models for language 'zh')"


def test_a_language_is_known_and_has_examples():
    with pytest.raises(ValueError, match="unknown language 'zz'"):
        entries("zz")
