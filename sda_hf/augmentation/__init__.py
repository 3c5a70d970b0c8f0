"""The augmenters: what users hold."""

from sda_hf.augmentation.base import Augmenter, Rewrite
from sda_hf.augmentation.compose import OneOf, Sometimes, Triplets
from sda_hf.augmentation.config import from_config
from sda_hf.augmentation.sda import (
    AffirmativeAuxiliary,
    DoubleNegation,
    ModalVerbs,
    Negation,
    PunctuationInsertion,
)
from sda_hf.grammar.edits import Edit, Skip

__all__ = [
    "AffirmativeAuxiliary",
    "Augmenter",
    "DoubleNegation",
    "Edit",
    "ModalVerbs",
    "Negation",
    "OneOf",
    "PunctuationInsertion",
    "Rewrite",
    "Skip",
    "Sometimes",
    "Triplets",
    "from_config",
]
