"""Chinese: where its words and marks stand. It has no clause-level rules yet."""

from __future__ import annotations

import re
from typing import ClassVar

from sda_hf.grammar.base import GRAMMARS, Grammar
from sda_hf.grammar.tokens import Span, runs

# Chinese characters and marks stand for themselves; what stands between them (a Latin word, a number, an address, an
# emoji) is one word.
HAN = (
    "\u2e80-\u2fff\u3001-\u303f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
    "\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
CHARACTERS = re.compile(f"[{HAN}]|[^\\s{HAN}]+")


class Chinese(Grammar):
    """Characters as words, without spaces between them."""

    marks: ClassVar[dict[str, str]] = {"chinese": "。，！？；：", "chinese-calm": "。，；："}
    default_marks = "english"  # EdaCSE takes them for Chinese, too
    space = ""

    def runs(self, text: str) -> list[Span]:
        """The start and end of each character, and of what stands between Chinese ones.

        Example:
            >>> Chinese().runs("我用GPT-4写。")
            [(0, 1), (1, 2), (2, 7), (7, 8), (8, 9)]
        """
        return runs(text, CHARACTERS)


GRAMMARS.register("zh")(Chinese())
