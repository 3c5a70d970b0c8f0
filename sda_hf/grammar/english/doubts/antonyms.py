"""Doubts about antonyms."""

from __future__ import annotations

from sda_hf.grammar.english.doubts.doubt import Doubt

DOUBTS: tuple[Doubt, ...] = ()
