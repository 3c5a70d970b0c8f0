"""Text → parsed document → `Clause`. Knows parsers and label schemes, nothing of rewriting."""
