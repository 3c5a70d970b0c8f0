"""English rewriting rules."""
