"""Models that embed sentences: loading them, embedding with them, looking inside."""
