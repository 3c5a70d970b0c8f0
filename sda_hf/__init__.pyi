from . import augmentation as augmentation
from . import evaluation as evaluation
from . import losses as losses
from . import training as training
from .augmentation import *  # noqa: F403 - their names are in augmentation/__init__.pyi

__version__: str
