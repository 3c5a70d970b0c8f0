"""From a `Clause` to edits: one folder per language, behind the interface `sda_hf.grammar.base.Grammar`."""

from sda_hf.grammar import chinese, english

__all__ = ["chinese", "english"]
