"""English: the words of a sentence → its main `Clause`."""

from __future__ import annotations

from collections.abc import Sequence

from sda_hf.syntax.clause import Clause, Mood, Phrase, VerbGroup, Word

NEGATORS = frozenset({"not", "n't", "nt"})
SUBJECTS = ("nsubj", "csubj")
AUXILIARIES = ("aux", "cop")
SUBORDINATE = ("advcl", "ccomp", "acl:relcl", "advcl:relcl")
CLAUSAL = frozenset({*SUBORDINATE, "csubj", "csubj:pass", "acl", "parataxis", "conj", "list"})
LOOSE = ("parataxis", "list", "appos", "ccomp", "dislocated")
SUBJECT_PRONOUNS = frozenset("i you he she it we they there who this that these those".split())
# A plain form without a subject is a command, but for these set phrases.
FORMULAE = frozenset({"thank", "thanks", "congratulations", "welcome"})
CLOSING = frozenset("\"'”’)]»")  # noqa: RUF001
LATIN_END = "\u0250"
END_MARKS = frozenset(".!?…。！？")  # noqa: RUF001


def clause_of(text: str, words: Sequence[Word]) -> Clause | None:
    """The main clause of a sentence; None if it has no word, or is mostly in another script."""
    letters = [c for w in words for c in w.text if c.isalnum()]
    if 2 * sum(c < LATIN_END for c in letters) <= len(letters):
        return None
    tree = Tree(words)
    root = tree.claim(next((w for w in words if w.label == "root"), words[0]))
    verbs = tree.verb_group(root)
    expletive = next((w for w in tree.children[root.index] if w.label == "expl"), None)
    subject = tree.subject(root)
    first = verbs.first if verbs else None
    inverted = first is not None and (
        first.index < expletive.index
        if expletive and expletive.lower == "there"
        else subject is not None and first.index < subject.first.index
    )
    end_mark = _end_mark(words)
    mood = _mood(verbs, subject, inverted, end_mark, words)
    if mood == "fragment":
        verbs = None
    return Clause(
        text=text,
        words=tuple(words),
        predicate=root,
        verbs=verbs,
        subject=subject,
        expletive=expletive,
        negators=tree.negators(root, verbs) if verbs else (),
        mood=mood,
        inverted=inverted and verbs is not None,
        coordinated=tree.coordinated(root) if verbs else (),
        subordinate=tree.subordinate(root),
        end_mark=end_mark,
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
            return next((w for w in loose if self.verb_group(w) and self.subject(w)), root)
        subject = self.subject(root)
        if subject is not None and not any(_is_auxiliary(w) for w in self.children[root.index]):
            limit = min(subject.first.index, root.index)
            said = [w for w in self.children[root.index] if w.label == "ccomp" and w.index < limit]
            return said[0] if said else root
        return root

    def verb_group(self, predicate: Word) -> VerbGroup | None:
        """The auxiliaries of a predicate, and itself if it is a verb; None if there is neither."""
        group = [w for w in self.children[predicate.index] if _is_auxiliary(w)]
        # "doesn't smoke", with "smoke" read as a noun: under an auxiliary and without a copula it is a verb.
        served = any(w.label.startswith("aux") for w in group) and not any(w.label == "cop" for w in group)
        verbal = predicate.tag.startswith("VB") or predicate.tag == "MD" or served
        if verbal:
            group.append(predicate)
        if not group:
            return None
        group.sort(key=lambda w: w.index)
        return VerbGroup(tuple(group), predicate if verbal else None)

    def subject(self, predicate: Word) -> Phrase | None:
        """The subject phrase: the nominal one before the clausal one, the outer before the inner."""
        found = [w for w in self.children[predicate.index] if w.label.split(":")[0] in SUBJECTS]
        found.sort(key=lambda w: (not w.label.startswith("nsubj"), w.label != "nsubj:outer", w.index))
        if found and found[0].label.startswith("csubj"):
            expletive = [w for w in self.children[predicate.index] if w.label == "expl"]
            return self.phrase((expletive or found)[0])
        return self.phrase(found[0]) if found else None

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
            if word.lower in NEGATORS and (word.head in heads or fused):
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
        return tuple(self.phrase(w) for w in sorted(found, key=lambda w: w.index))


def _is_auxiliary(word: Word) -> bool:
    return word.label.split(":")[0] in AUXILIARIES and word.tag != "TO" and word.lower not in NEGATORS


def _end_mark(words: Sequence[Word]) -> Word | None:
    for word in reversed(words):
        if word.text and all(c in END_MARKS for c in word.text):
            return word
        if word.text not in CLOSING and word.text != "''":
            return None
    return None


def _mood(
    verbs: VerbGroup | None, subject: Phrase | None, inverted: bool, end_mark: Word | None, words: Sequence[Word]
) -> Mood:
    if verbs is None:
        return "fragment"
    first = verbs.first
    if subject is None and (first.tag in ("VBG", "VBN") or first.lower in FORMULAE):
        return "fragment"
    if first.tag == "VBG" or _is_infinitive(first, words):
        return "fragment"
    question = end_mark is not None and "?" in end_mark.text
    if question or (inverted and words[0].tag in ("WP", "WRB", "WDT")):
        return "interrogative"
    if subject is None and first.tag in ("VB", "VBP") and _commands(verbs, words):
        return "imperative"
    return "declarative"


def _is_infinitive(verb: Word, words: Sequence[Word]) -> bool:
    return verb.index > 0 and verb.tag == "VB" and words[verb.index - 1].lower == "to"


def _commands(verbs: VerbGroup, words: Sequence[Word]) -> bool:
    """A plain form that no subject pronoun of its own stands before."""
    own = {w.index for w in verbs.words}
    return not any(w.lower in SUBJECT_PRONOUNS and w.head in own for w in words[: verbs.first.index])
