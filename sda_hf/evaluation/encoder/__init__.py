"""Sentence encoders: loading them, embedding texts with them, looking inside."""
