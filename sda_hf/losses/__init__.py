"""Losses for sentence-transformers' trainer."""

from sda_hf.losses.heads import ProjectionHead
from sda_hf.losses.margin_negation_infonce import MarginNegationInfoNCELoss
from sda_hf.losses.nt_xent import NTXentLoss
from sda_hf.losses.simcse_edacse import SimCSEEdaCSELoss

__all__ = ["MarginNegationInfoNCELoss", "NTXentLoss", "ProjectionHead", "SimCSEEdaCSELoss"]
