"""The rewriting rules of Chinese."""
