from sda_hf.augmentation.listing import SENTENCE, entries
from sda_hf.registry import AUGMENTERS


def test_every_augmenter_has_role_source_and_example():
    found = {entry.name: entry for entry in entries()}
    assert list(found) == list(AUGMENTERS)
    for entry in found.values():
        assert entry.role in ("positive", "negative", "positive, negative")
        assert entry.source
        assert entry.example != SENTENCE
        assert not entry.example.startswith("(skips")
    assert found["antonym-substitute"].role == "negative"
    assert found["paraphrase"].example == "(needs tuner007/pegasus_paraphrase)"
