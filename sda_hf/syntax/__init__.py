"""Text → parse → `Clause`, for any language. Knows parsers and label schemes, but no word of any language."""
