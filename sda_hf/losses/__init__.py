"""Losses for sentence-transformers' trainer."""

from sda_hf.losses.margin_negation_infonce import MarginNegationInfoNCELoss

__all__ = ["MarginNegationInfoNCELoss"]
