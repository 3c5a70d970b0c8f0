"""The rules of English: `Clause` → edits in small letters, which `surface` gives their capitals."""
