"""Chinese: how its text is split into words. It has no clause-level rules yet."""

from __future__ import annotations

import re
from typing import ClassVar

from sda_hf.grammar.base import GRAMMARS, Grammar
from sda_hf.grammar.tokens import Span, runs

# Each Chinese character or punctuation mark is a word of its own; anything between them (a Latin word, a number, an
# address, an emoji) is one word.
HAN = (
    "\u2e80-\u2fff\u3001-\u303f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
    "\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
CHARACTERS = re.compile(f"[{HAN}]|[^\\s{HAN}]+")


class Chinese(Grammar):
    """Every character is a word, with no spaces in between."""

    marks: ClassVar[dict[str, str]] = {"chinese": "。，！？；：", "chinese-calm": "。，；："}
    default_marks = "english"  # as EdaCSE does for Chinese, too
    space = ""

    def runs(self, text: str) -> list[Span]:
        """Return the start and end of each Chinese character, and of each run of text between them.

        Example:
            >>> Chinese().runs("我用GPT-4写。")
            [(0, 1), (1, 2), (2, 7), (7, 8), (8, 9)]
        """
        return runs(text, CHARACTERS)


GRAMMARS.register("zh")(Chinese())
