"""`Clause` → edits, one folder a language: pure functions, no randomness but the generator handed in."""
