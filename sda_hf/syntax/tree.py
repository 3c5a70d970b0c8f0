"""Words and their dependency tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

# Punctuation marks that are not part of a phrase when they are at its edge.
EDGE_MARKS = frozenset(",;:-–，、；：")  # noqa: RUF001


@dataclass(frozen=True, slots=True)
class Word:
    """A token of a sentence.

    Attributes:
        index: its position in the sentence, from 0.
        text: the form as written.
        tag: the tag, as in the treebank that the parser was trained on (for English, Penn Treebank).
        label: the Universal Dependencies relation to its head; "root" for the root.
        head: the index of its head; its own index for the root.
        start: character offset of its start in the text.
        end: character offset after its end in the text.
        pos: the universal part of speech (UPOS).
        feats: the universal features, as in CoNLL-U: "Number=Plur" or "Tense=Past|VerbForm=Fin".
        lower: the lower-cased form, with a straight apostrophe; computed, because rules ask for it all the time.
    """

    index: int
    text: str
    tag: str
    label: str
    head: int
    start: int
    end: int
    pos: str = ""
    feats: str = ""
    lower: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lower", self.text.lower().replace("’", "'"))  # noqa: RUF001

    def has(self, feature: str) -> bool:
        """Whether the word has a feature.

        Example:
            >>> Word(0, "went", "VBD", "root", 0, 0, 4, "VERB", "Tense=Past|VerbForm=Fin").has("Tense=Past")
            True
        """
        return feature in self.feats.split("|")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A contiguous run of words, both ends included, and the word that heads it."""

    head: Word
    first: Word
    last: Word

    def __contains__(self, word: Word) -> bool:
        return self.first.index <= word.index <= self.last.index


class Tree:
    """The dependency tree of one sentence."""

    __slots__ = ("_children", "words")

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self._children: dict[int, list[Word]] = {}
        for word in words:
            if word.head != word.index:
                self._children.setdefault(word.head, []).append(word)

    @property
    def root(self) -> Word:
        """The root, or the first word if the parser found none."""
        return next((w for w in self.words if w.label == "root"), self.words[0])

    def children(self, word: Word, *labels: str) -> list[Word]:
        """The dependents of a word with one of these relations (any, if none is given; subtypes count)."""
        found = self._children.get(word.index, [])
        return [w for w in found if w.label.split(":")[0] in labels or w.label in labels] if labels else list(found)

    def above(self, word: Word) -> list[Word]:
        """Return the heads of a word, up to the root."""
        heads = []
        while word.head != word.index:
            word = self.words[word.head]
            heads.append(word)
        return heads

    def subtree(self, head: Word) -> set[int]:
        """Return the indices of a word and of all its descendants."""
        inside: set[int] = set()
        stack = [head.index]
        while stack:
            index = stack.pop()
            if index not in inside:
                inside.add(index)
                stack += [w.index for w in self._children.get(index, ())]
        return inside

    def phrase(self, head: Word) -> Phrase:
        """Return the contiguous part of a subtree around its head, without punctuation at its edges."""
        inside = self.subtree(head)
        first = last = head.index
        while first - 1 in inside:
            first -= 1
        while last + 1 in inside:
            last += 1
        while first < head.index and self.words[first].text in EDGE_MARKS:
            first += 1
        while last > head.index and self.words[last].text in EDGE_MARKS:
            last -= 1
        return Phrase(head, self.words[first], self.words[last])
