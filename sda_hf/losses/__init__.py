"""Losses for sentence-transformers' trainer; their names are in `__init__.pyi`.

A loss of your own subclasses `SentenceLoss`, and `register("its-name")` makes it usable in recipes.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
