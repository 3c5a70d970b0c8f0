"""Rule-based sentence rewrites and contrastive losses for sentence embeddings, with Hugging Face libraries.

Importing this package loads neither torch nor spaCy: every public name is loaded when it is first used.
"""

from importlib.metadata import version

import lazy_loader

from sda_hf import augmentation

__version__ = version("sda-hf")
__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__, {"augmentation", "evaluation", "losses", "training"}, {"augmentation": augmentation.__all__}
)
