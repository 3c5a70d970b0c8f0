"""Doubts about every rule: texts that are not clauses, idioms and fixed forms."""

from __future__ import annotations

from sda_hf.grammar.english.doubts.doubt import Doubt

DOUBTS: tuple[Doubt, ...] = ()
