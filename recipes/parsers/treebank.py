"""Read Universal Dependencies treebanks as spaCy documents."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import conllu
from spacy.language import Language
from spacy.tokens import Doc


def read_sentences(path: Path) -> Iterator[conllu.TokenList]:
    """Yield the sentences of a CoNLL-U file, which may be gzip-compressed."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        yield from conllu.parse_incr(lines)


def words_and_spaces(sentence: conllu.TokenList) -> tuple[list[dict], list[bool]]:
    """Return the syntactic words of a sentence, and whether a space follows each.

    A multi-word token ("don't") carries the space of its last word; its other words have none.
    """
    words: list[dict] = []
    spaces: list[bool] = []
    inside_until, space_after_group = 0, True
    for token in sentence:
        space = (token["misc"] or {}).get("SpaceAfter") != "No"
        if isinstance(token["id"], tuple):
            if token["id"][1] == "-":
                inside_until, space_after_group = token["id"][2], space
            continue
        words.append(token)
        if token["id"] <= inside_until:
            space = token["id"] == inside_until and space_after_group
        spaces.append(space)
    return words, spaces


def to_doc(nlp: Language, sentences: list[conllu.TokenList], has_spaces: bool = True) -> Doc:
    """Return a gold document with the tags (XPOS), heads and labels of consecutive sentences.

    Without spaces, they are unknown, and training takes the words as they are.
    """
    forms: list[str] = []
    spaces: list[bool] = []
    tags: list[str] = []
    heads: list[int] = []
    labels: list[str] = []
    for sentence in sentences:
        offset = len(forms)
        words, word_spaces = words_and_spaces(sentence)
        for i, word in enumerate(words):
            forms.append(word["form"])
            tags.append(word["xpos"] or "")
            root = word["head"] == 0
            heads.append(offset + (i if root else word["head"] - 1))
            labels.append("ROOT" if root else word["deprel"])
        spaces += word_spaces
    known = spaces if has_spaces else None
    return Doc(nlp.vocab, words=forms, spaces=known, tags=tags, heads=heads, deps=labels)
