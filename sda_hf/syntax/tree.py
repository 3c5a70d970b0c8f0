"""Words and their dependency tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

# Punctuation marks that are not part of a phrase when they are at its edge.
EDGE_MARKS = frozenset(",;:-–，、；：")  # noqa: RUF001


_set = object.__setattr__


@dataclass(frozen=True, slots=True, init=False)
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

    # As a frozen dataclass would write it, but in less time: there are millions of words.
    def __init__(  # noqa: PLR0913
        self,
        index: int,
        text: str,
        tag: str,
        label: str,
        head: int,
        start: int,
        end: int,
        pos: str = "",
        feats: str = "",
    ) -> None:
        _set(self, "index", index)
        _set(self, "text", text)
        _set(self, "tag", tag)
        _set(self, "label", label)
        _set(self, "head", head)
        _set(self, "start", start)
        _set(self, "end", end)
        _set(self, "pos", pos)
        _set(self, "feats", feats)
        lower = text.lower()
        _set(self, "lower", lower if lower.isascii() else lower.replace("’", "'"))  # noqa: RUF001

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

    __slots__ = ("_children", "_phrases", "words")

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self._children: dict[int, list[Word]] = {}
        self._phrases: dict[int, Phrase] = {}
        for word in words:
            if word.head != word.index:
                self._children.setdefault(word.head, []).append(word)

    @property
    def root(self) -> Word:
        """The root, or the first word if the parser found none."""
        return next((w for w in self.words if w.label == "root"), self.words[0])

    def children(self, word: Word, *labels: str) -> list[Word]:
        """The dependents of a word with one of these relations (any, if none is given; subtypes count)."""
        found = self._children.get(word.index, ())
        if not labels:
            return list(found)
        return [w for w in found if w.label in labels or (":" in w.label and w.label.split(":")[0] in labels)]

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
        found = self._phrases.get(head.index)
        if found is None:
            found = self._phrases[head.index] = self._phrase(head)
        return found

    def _phrase(self, head: Word) -> Phrase:
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
