"""Pipelines of a known architecture, run on arrays of many sentences at once instead of token by token."""
