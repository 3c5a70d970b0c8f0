"""From a recipe to a trained, scored and saved model; the public names are in `__init__.pyi`.

A recipe can be read without torch: what needs it is loaded on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
