"""Look-ups over the words of one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from sda_hf.syntax.clause import Phrase, VerbGroup, Word
from sda_hf.syntax.english.lexicon import (
    AUXILIARIES,
    CLAUSAL,
    EMBEDDED,
    FINITE,
    INNER,
    LOOSE,
    NEGATORS,
    NO_VERBS,
    QUOTES,
    SUBJECTS,
    SUBORDINATE,
)


class Tree:
    """Look-ups over the words of one sentence."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.children: list[list[Word]] = [[] for _ in words]
        for word in words:
            if word.head != word.index:
                self.children[word.head].append(word)

    def claim(self, root: Word) -> Word:
        """The predicate of the main claim.

        What is said, where "she said" or "said she" follows it; the clause behind a heading or a name
        ("Speaker: I agree.").
        """
        if self.verb_group(root) is None:
            loose = [w for w in self.children[root.index] if w.label in LOOSE]
            claim = next((w for w in loose if self.verb_group(w) and self.subject(w)), None)
            return claim or self.stray_verb(root) or root
        subject = self.subject(root)
        if any(is_auxiliary(w) for w in self.children[root.index]):
            return root
        limit = min(subject.first.index, root.index) if subject else root.index
        said = [w for w in self.children[root.index] if w.label == "ccomp" and w.index < limit]
        if said and (subject or any(w.text in QUOTES for w in self.words[:limit])):
            return said[0]
        return root

    def stray_verb(self, root: Word) -> Word | None:
        """The predicate of the first finite verb under a verbless root that no clause holds, if there is one.

        Small parsers now and then make a noun the root of "Cisco pared spending" and hang the verb on it.
        """
        for word in self.words:
            if word.tag not in FINITE or word.lower in NO_VERBS:
                continue
            above = [word, *self.above(word)]
            if not any(w.label.split(":")[0] in EMBEDDED for w in above) and above[-1] is root:
                served = self.words[word.head] if is_auxiliary(word) else word
                return served if served is not root else None
        return None

    def above(self, word: Word) -> list[Word]:
        """The heads of a word, up to the root."""
        heads = []
        while word.head != word.index:
            word = self.words[word.head]
            heads.append(word)
        return heads

    def verb_group(self, predicate: Word) -> VerbGroup | None:
        """The auxiliaries of a predicate, and itself if it is a verb; None if there is neither."""
        group = [w for w in self.children[predicate.index] if is_auxiliary(w)]
        # "doesn't smoke", with "smoke" read as a noun: under an auxiliary and without a copula it is a verb.
        served = any(w.label.startswith("aux") for w in group) and not any(w.label == "cop" for w in group)
        verbal = predicate.tag.startswith("VB") or predicate.tag == "MD" or served
        # "Attached is the file": the participle stands in front, and "is" is the verb.
        fronted = predicate.tag in ("VBN", "VBG") and any(w.index > predicate.index and w.tag in FINITE for w in group)
        if verbal and not fronted:
            group.append(predicate)
        if not group:
            return None
        group.sort(key=lambda w: w.index)
        return VerbGroup(tuple(group), predicate if predicate in group else None)

    def subject(self, predicate: Word) -> Phrase | None:
        """The subject phrase: the nominal one before the clausal one, the outer before the inner."""
        found = [w for w in self.children[predicate.index] if w.label.split(":")[0] in SUBJECTS]
        found.sort(key=lambda w: (not w.label.startswith("nsubj"), w.label != "nsubj:outer", w.index))
        if found and found[0].label.startswith("csubj"):
            expletive = [w for w in self.children[predicate.index] if w.label == "expl"]
            return self.phrase((expletive or found)[0])
        return self.phrase(found[0]) if found else None

    def stray_subject(self, predicate: Word, verbs: VerbGroup | None) -> Phrase | None:
        """The subject of a verb that was read as a noun ("my father cooks"), or of a stray verb: all before it."""
        root = next((w for w in self.words if w.label == "root"), self.words[0])
        if verbs is None or predicate.label in LOOSE:
            return None
        if predicate is root:
            inner = [w for w in self.children[root.index] if w.index < root.index and w.label in INNER]
            asks = verbs.first is not root and verbs.first.index < min((w.index for w in inner), default=0)
            start = verbs.first.index + 1 if asks else 0
            noun = self.words[root.index - 1].tag.startswith("NN")
            found = bool(inner) and noun and (asks or verbs.words == (root,))
            return self._run(start, root.index - 1, root.index - 1) if found else None
        return self._run(0, verbs.first.index - 1, root.index) if root.tag.startswith("NN") else None

    def _run(self, start: int, end: int, head: int) -> Phrase | None:
        """The words from `start` to `end` as a phrase, without marks at its ends and adverbs behind it."""
        while start < end and not self.words[start].text[:1].isalnum():
            start += 1
        while end > start and (self.words[end].tag.startswith("RB") or not self.words[end].text[:1].isalnum()):
            end -= 1
        if not start <= head <= end or self.words[end].tag == "CC":
            return None
        return Phrase(self.words[head], self.words[start], self.words[end])

    def phrase(self, head: Word) -> Phrase:
        """The contiguous part of a subtree around its head, without marks at its ends."""
        inside = self.subtree(head)
        first = last = head.index
        while first - 1 in inside:
            first -= 1
        while last + 1 in inside:
            last += 1
        while first < head.index and self.words[first].text in (",", ";", ":", "-", "–"):  # noqa: RUF001
            first += 1
        while last > head.index and self.words[last].text in (",", ";", ":", "-", "–"):  # noqa: RUF001
            last -= 1
        return Phrase(head, self.words[first], self.words[last])

    def subtree(self, head: Word) -> set[int]:
        """The indices of a word and all that depends on it."""
        inside: set[int] = set()
        stack = [head.index]
        while stack:
            index = stack.pop()
            if index not in inside:
                inside.add(index)
                stack += [w.index for w in self.children[index]]
        return inside

    def negators(self, predicate: Word, verbs: VerbGroup) -> tuple[Word, ...]:
        """ "not" and "n't" of the verb group: between it and the predicate, or fused with a verb."""
        heads = {predicate.index, *(w.index for w in verbs.words)}
        limit = max(predicate.index, verbs.words[-1].index)
        found = []
        for word in self.words[verbs.first.index + 1 : limit + 2]:
            fused = word.start == self.words[word.index - 1].end and word.index - 1 in heads
            behind = word.index == verbs.first.index + 1  # "is not nearly done"
            if word.lower in NEGATORS and (word.head in heads or fused or behind):
                found.append(word)
        return tuple(found)

    def coordinated(self, predicate: Word) -> tuple[VerbGroup, ...]:
        """Verb groups of the conjuncts that have no subject of their own."""
        groups: list[VerbGroup] = []
        for word in self.children[predicate.index]:
            if word.label != "conj" or word.index < predicate.index or self.subject(word) is not None:
                continue
            group = self.verb_group(word)
            if group is not None:
                groups += [group, *self.coordinated(word)]
        return tuple(groups)

    def subordinate(self, predicate: Word) -> tuple[Phrase, ...]:
        """The outermost subordinate clauses of the predicate and of its arguments."""
        found: list[Word] = []
        stack = [predicate]
        while stack:
            for child in self.children[stack.pop().index]:
                if child.label in SUBORDINATE:
                    found.append(child)
                elif child.label not in CLAUSAL:
                    stack.append(child)
        return tuple(self._clause_phrase(w) for w in sorted(found, key=lambda w: w.index))

    def _clause_phrase(self, head: Word) -> Phrase:
        """The phrase of a subordinate clause, "as soon" of "as soon as it rained" included."""
        above = self.words[head.head]
        if above.label != "advmod":
            return self.phrase(head)
        whole = self.phrase(above)
        return Phrase(head, whole.first, whole.last)


def is_auxiliary(word: Word) -> bool:
    """The word is an auxiliary or a copula of its head."""
    return word.label.split(":")[0] in AUXILIARIES and word.tag != "TO" and word.lower not in NEGATORS
