"""`Clause` → edits, one folder per language, behind the interface of `sda_hf.grammar.base.Grammar`."""

from sda_hf.grammar import chinese, english

__all__ = ["chinese", "english"]
