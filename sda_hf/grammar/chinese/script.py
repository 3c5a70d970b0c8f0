"""Traditional characters to simplified ones, one for one, so that offsets stay."""

from __future__ import annotations

import functools
from pathlib import Path

TABLE = Path(__file__).parent / "lexicon" / "script.txt"


@functools.cache
def simplified_forms() -> dict[str, str]:
    """Return the simplified form of each traditional character.

    Example:
        >>> simplified_forms()["們"]
        '们'
    """
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    traditional, simple = (line for line in lines if not line.startswith("#"))
    return dict(zip(traditional, simple, strict=True))


@functools.cache
def _table() -> dict[int, str]:
    return {ord(traditional): simple for traditional, simple in simplified_forms().items()}


def simplified(text: str) -> str:
    """Return the text in simplified script, character by character: its length stays the same.

    A character with several simplified forms gets the most common one, whatever the word.

    Example:
        >>> simplified("他沒有讀過這本書。")
        '他没有读过这本书。'
    """
    return text.translate(_table())
