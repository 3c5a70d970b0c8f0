"""The augmenters: what users hold."""

from sda_hf.augmentation.base import Augmenter, ClauseAugmenter, TextAugmenter, register
from sda_hf.augmentation.columns import drop_unchanged
from sda_hf.augmentation.compose import OneOf, Sometimes, Triplets
from sda_hf.augmentation.config import from_config
from sda_hf.augmentation.contextual import RandomContextualWords
from sda_hf.augmentation.generative import BackTranslation, Paraphrase
from sda_hf.augmentation.hub import from_pretrained
from sda_hf.augmentation.lexical import Crop, Masking, RandomSwap, WordDeletion, WordRepetition
from sda_hf.augmentation.noise import PunctuationNoise, RandomPunctuation
from sda_hf.augmentation.rewrite import Rewrite
from sda_hf.augmentation.sda import (
    AffirmativeAuxiliary,
    DoubleNegation,
    ModalVerbs,
    Negation,
    PunctuationInsertion,
)
from sda_hf.augmentation.shards import augment_in_shards
from sda_hf.augmentation.substitution import (
    AdjectiveAntonymSwitch,
    AntonymSubstitute,
    RandomInsertion,
    SubjectObjectSwitch,
    SynonymReplacement,
)
from sda_hf.augmentation.tfidf import TfidfNegatives
from sda_hf.grammar.edits import Edit, Skip

__all__ = [
    "AdjectiveAntonymSwitch",
    "AffirmativeAuxiliary",
    "AntonymSubstitute",
    "Augmenter",
    "BackTranslation",
    "ClauseAugmenter",
    "Crop",
    "DoubleNegation",
    "Edit",
    "Masking",
    "ModalVerbs",
    "Negation",
    "OneOf",
    "Paraphrase",
    "PunctuationInsertion",
    "PunctuationNoise",
    "RandomContextualWords",
    "RandomInsertion",
    "RandomPunctuation",
    "RandomSwap",
    "Rewrite",
    "Skip",
    "Sometimes",
    "SubjectObjectSwitch",
    "SynonymReplacement",
    "TextAugmenter",
    "TfidfNegatives",
    "Triplets",
    "WordDeletion",
    "WordRepetition",
    "augment_in_shards",
    "drop_unchanged",
    "from_config",
    "from_pretrained",
    "register",
]
