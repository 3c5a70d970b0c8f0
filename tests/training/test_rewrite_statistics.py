"""How often and how augmenters rewrite, as metrics.json and the model card say it."""

from datasets import Dataset

from sda_hf import Negation, PunctuationInsertion, Triplets
from sda_hf.training.rewrite_statistics import rewrite_statistics


def test_rules_and_skips_are_counted():
    sentences = Dataset.from_dict({"anchor": ["He travelled widely in Europe.", "..."]})
    statistics = rewrite_statistics(Triplets(PunctuationInsertion(), Negation()), sentences)
    negative = statistics["negative"]
    assert (negative.augmenter, negative.texts, negative.changed) == ("negation", 2, 0.5)
    assert sum(negative.rules.values()) == sum(negative.skips.values()) == 1
    assert statistics["positive"].augmenter == "punctuation-insertion"
