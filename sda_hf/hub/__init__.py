"""What goes to the Hub with a model."""

from sda_hf.hub.card import ModelCard

__all__ = ["ModelCard"]
