"""Words of a treebank as places of units, which the segmenter learns."""

from __future__ import annotations

import conllu
from treebank import words_and_spaces

from sda_hf.grammar.chinese.units import units

FULL_WIDTH = str.maketrans(",.;:?!()", "，。；：？！（）")
HALF_WIDTH = {full: half for half, full in FULL_WIDTH.items()}


def text_and_words(sentence: conllu.TokenList) -> tuple[str, list[tuple[int, int]]]:
    """Return the text of a sentence, and the start and end of each word in it."""
    text, boundaries = "", []
    for word, space in zip(*words_and_spaces(sentence), strict=True):
        boundaries.append((len(text), len(text) + len(word["form"])))
        text += word["form"] + " " * space
    return text, boundaries


def places(
    spans: list[tuple[int, int]], words: list[tuple[int, int]]
) -> tuple[list[str], list[tuple[int, int]]] | None:
    """Return the place of each unit, and the first and last unit of each word; None if a word cuts a unit."""
    starts = {start: i for i, (start, _) in enumerate(spans)}
    ends = {end: i for i, (_, end) in enumerate(spans)}
    found, ranges = [""] * len(spans), []
    for start, end in words:
        if start not in starts or end not in ends:
            return None
        first, last = starts[start], ends[end]
        ranges.append((first, last))
        found[first : last + 1] = ["S"] if first == last else ["B", *"I" * (last - first - 1), "E"]
    return (found, ranges) if "" not in found else None


__all__ = ["places", "text_and_words", "units"]
