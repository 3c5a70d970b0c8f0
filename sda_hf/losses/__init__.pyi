# The public names, each loaded when it is first used.
from .base import SentenceLoss as SentenceLoss
from .config import from_config as from_config
from .config import register as register
from .embedding_augmentation import EmbeddingAugmentation as EmbeddingAugmentation
from .heads import ProjectionHead as ProjectionHead
from .margin_negation_infonce import MarginNegationInfoNCELoss as MarginNegationInfoNCELoss
from .nt_xent import NTXentLoss as NTXentLoss
from .opposition import OppositionLoss as OppositionLoss
from .retention import RetentionLoss as RetentionLoss
from .simcse_edacse import SimCSEEdaCSELoss as SimCSEEdaCSELoss
