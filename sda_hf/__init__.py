"""Rule-based sentence rewrites and contrastive losses for sentence embeddings, with Hugging Face libraries.

Importing this package loads neither torch nor spaCy: every public name is loaded when it is first used.
"""

from __future__ import annotations

import importlib
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sda_hf import augmentation, evaluation, losses, training
    from sda_hf.augmentation import (
        AdjectiveAntonymSwitch,
        AffirmativeAuxiliary,
        AntonymSubstitute,
        Augmenter,
        BackTranslation,
        Crop,
        DoubleNegation,
        Edit,
        Masking,
        ModalVerbs,
        Negation,
        OneOf,
        Paraphrase,
        PunctuationInsertion,
        PunctuationNoise,
        RandomContextualWords,
        RandomInsertion,
        RandomPunctuation,
        RandomSwap,
        Rewrite,
        Skip,
        Sometimes,
        SubjectObjectSwitch,
        SynonymReplacement,
        TfidfNegatives,
        Triplets,
        WordDeletion,
        WordRepetition,
        augment_in_shards,
        drop_unchanged,
    )

__version__ = version("sda-hf")

_MODULES = ("augmentation", "evaluation", "losses", "training")

__all__ = [
    "AdjectiveAntonymSwitch",
    "AffirmativeAuxiliary",
    "AntonymSubstitute",
    "Augmenter",
    "BackTranslation",
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
    "TfidfNegatives",
    "Triplets",
    "WordDeletion",
    "WordRepetition",
    "augment_in_shards",
    "augmentation",
    "drop_unchanged",
    "evaluation",
    "losses",
    "training",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'sda_hf' has no attribute {name!r}")
    if name in _MODULES:
        return importlib.import_module(f"sda_hf.{name}")
    return getattr(importlib.import_module("sda_hf.augmentation"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
