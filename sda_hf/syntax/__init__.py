"""From text to a parse to a `Clause`, for any language: parsers and label schemes, but no words of any language."""
