"""Label schemes: convert the parses of different treebanks to Universal Dependencies.

Universal Dependencies (de Marneffe et al., 2021, Computational Linguistics 47(2)) are built in; each language adds the
other schemes that its parsers use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sda_hf.errors import InputValueError
from sda_hf.syntax.clause import Word

if TYPE_CHECKING:
    from spacy.tokens import Span

# The treebank's tag → UPOS and features.
TagTable = Mapping[str, tuple[str, str]]
AUXILIARY_LABELS = ("aux", "cop")


@dataclass(frozen=True, slots=True)
class Scheme:
    """A set of dependency labels, and how to convert them.

    Attributes:
        labels: labels that no other scheme has; any one of them identifies the scheme.
        convert: returns the words with Universal Dependencies labels and heads.
    """

    labels: frozenset[str]
    convert: Callable[[Sequence[Word]], list[Word]]


def with_root(words: Sequence[Word]) -> list[Word]:
    """Return the words of a Universal Dependencies parse, with the root label as the treebanks spell it."""
    return [replace(w, label="root") if w.label == "ROOT" else w for w in words]


UNIVERSAL = Scheme(frozenset({"obj", "obl"}), with_root)


def scheme_of(labels: Collection[str], others: Sequence[Scheme] = ()) -> Scheme:
    """Return the scheme that a parser's labels belong to.

    Args:
        labels: every label that the parser can assign.
        others: the schemes of the language, in addition to Universal Dependencies.

    Raises:
        InputValueError: the labels belong to none of the schemes.
    """
    for scheme in (UNIVERSAL, *others):
        if not scheme.labels.isdisjoint(labels):
            return scheme
    raise InputValueError(
        f"the parser's labels belong to no known scheme ({', '.join(sorted(labels)[:8])} ...): use a pipeline with "
        "Universal Dependencies or with the labels of the spaCy core models"
    )


def words_of(sentence: Span, text: str, tags: TagTable, offset: int = 0) -> Iterator[Word]:
    """Yield the words of a parsed sentence of `text`, without white space.

    Args:
        sentence: a sentence of a parsed document.
        text: the text as the user gave it.
        tags: UPOS and features for each treebank tag, for pipelines that assign only the tag.
        offset: where the document begins in the text.
    """
    kept = [t for t in sentence if not t.is_space]
    position = {t.i: i for i, t in enumerate(kept)}
    for i, token in enumerate(kept):
        head = token.head
        while head.is_space and head.head.i != head.i:
            head = head.head
        start, tag, label = offset + token.idx, token.tag_, token.dep_
        end = start + len(token)
        pos, feats = tags[tag] if tag in tags else (token.pos_, str(token.morph))
        pos = pos_with(label, pos)
        yield Word(i, text[start:end], tag, label, position.get(head.i, i), start, end, pos, feats)


def pos_with(label: str, pos: str) -> str:
    """Return the UPOS of a word with a dependency label: treebanks have one tag for verbs and auxiliaries.

    Example:
        >>> pos_with("aux:pass", "VERB"), pos_with("root", "VERB")
        ('AUX', 'VERB')
    """
    return "AUX" if pos == "VERB" and label.split(":")[0] in AUXILIARY_LABELS else pos
