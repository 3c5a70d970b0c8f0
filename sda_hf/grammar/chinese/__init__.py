"""Chinese: its embedded pipeline, and how text without a parse is split. It has no clause-level rules yet."""

from __future__ import annotations

import dataclasses
import importlib
import re
from pathlib import Path
from typing import ClassVar

from sda_hf.grammar.base import GRAMMARS, Grammar
from sda_hf.grammar.chinese.schemes import CORE, GSD
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.tags import tag_table
from sda_hf.grammar.tokens import Span, runs
from sda_hf.syntax.parsers import Parser, ParserName, SpacyParser
from sda_hf.syntax.schemes import TagTable

# Each Chinese character or punctuation mark is a word of its own; anything between them (a Latin word, a number, an
# address, an emoji) is one word.
HAN = (
    "\u2e80-\u2fff\u3001-\u303f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
    "\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
CHARACTERS = re.compile(f"[{HAN}]|[^\\s{HAN}]+")


class Chinese(Grammar):
    """The embedded pipeline finds words; without a parse every character is one. There are no spaces in between."""

    pipeline = Path(__file__).parent / "pipeline"
    schemes = (CORE,)
    tags: ClassVar[TagTable] = tag_table()
    marks: ClassVar[dict[str, str]] = {"chinese": "。，！？；：", "chinese-calm": "。，；："}
    default_marks = "english"  # as EdaCSE does for Chinese, too
    space = ""

    def parser(self, name: ParserName = None) -> Parser:
        """Return the parser that the user chose; `None` is the embedded pipeline."""
        importlib.import_module("sda_hf.grammar.chinese.pipes")  # registers with spaCy, which is slow to import
        parser = super().parser(name)
        assert isinstance(parser, SpacyParser)
        # A pipeline with the labels of GSD has those of Universal Dependencies, too, in another sense.
        labels = parser.nlp.get_pipe("parser").labels  # type: ignore[attr-defined]
        return dataclasses.replace(parser, scheme=GSD) if GSD.labels.issubset(labels) else parser

    def normalize(self, text: str) -> str:
        """Return the text in simplified script, which the embedded pipeline has learnt, with the same length."""
        return simplified(text)

    def runs(self, text: str) -> list[Span]:
        """Return the start and end of each Chinese character, and of each run of text between them.

        Example:
            >>> Chinese().runs("我用GPT-4写。")
            [(0, 1), (1, 2), (2, 7), (7, 8), (8, 9)]
        """
        return runs(text, CHARACTERS)


GRAMMARS.register("zh")(Chinese())
