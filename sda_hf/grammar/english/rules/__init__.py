"""The rules of English: from a `Clause` to edits in lower case, which `surface` then capitalizes."""
