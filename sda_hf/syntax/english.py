"""English: the words of a sentence → its main `Clause`."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace

from sda_hf.syntax.clause import Clause, Mood, Phrase, VerbGroup, Word

FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
NEGATORS = frozenset({"not", "n't", "nt"})
SUBJECTS = ("nsubj", "csubj")
AUXILIARIES = ("aux", "cop")
SUBORDINATE = ("advcl", "ccomp", "acl:relcl", "advcl:relcl")
CLAUSAL = frozenset({*SUBORDINATE, "csubj", "csubj:pass", "acl", "parataxis", "conj", "list"})
EMBEDDED = frozenset({"acl", "advcl", "ccomp", "csubj", "xcomp", "parataxis"})
INNER = ("compound", "nmod:poss", "det", "amod")
NO_VERBS = frozenset({"am", "thank"})  # "11:45 AM"
LOOSE = ("parataxis", "list", "appos", "ccomp", "dislocated")
SUBJECT_PRONOUNS = frozenset("i you he she it we they there who this that these those".split())
# A plain form without a subject is a command, but for these set phrases.
FORMULAE = frozenset({"thank", "thanks", "congratulations", "welcome"})
FINITE_BE = frozenset({"am", "are", "is", "was", "were", "'m", "'re", "'s"})
DO = frozenset({"do", "does", "did"})
# What a tag question is made of: "doesn't he", "shall we", "is there".
OPERATORS = FINITE_BE | frozenset(
    "has have had do does did can ca could will wo would shall sha should must might may need".split()
)
TAG_PRONOUNS = frozenset("i you he she it we they there this that".split())
QUOTES = frozenset('"“”„«»')
# Without a subject these leave out "I": "Hope to see you soon."
FEELINGS = frozenset("hope wish guess miss agree hate love doubt suppose appreciate".split())
CLOSING = frozenset("\"'”’)]»")  # noqa: RUF001
LATIN_END = "\u0250"
END_MARKS = frozenset(".!?…。！？")  # noqa: RUF001


def clause_of(text: str, words: Sequence[Word]) -> Clause | None:
    """The main clause of a sentence; None if it has no word, or is mostly in another script."""
    letters = [c for w in words for c in w.text if c.isalnum()]
    if 2 * sum(c < LATIN_END for c in letters) <= len(letters):
        return None
    words = _with_verb(words)
    tree = Tree(words)
    root = tree.claim(next((w for w in words if w.label == "root"), words[0]))
    verbs = tree.verb_group(root)
    expletive = next((w for w in tree.children[root.index] if w.label == "expl"), None)
    subject = tree.subject(root) or tree.stray_subject(root, verbs)
    first = verbs.first if verbs else None
    inverted = first is not None and (
        first.index < expletive.index
        if expletive and expletive.lower == "there"
        else subject is not None and first.index < subject.first.index
    )
    end_mark = _end_mark(words)
    tag = _tag_question(words, end_mark, root)
    if subject is not None and not inverted and _asks_politely(verbs, words):
        subject = None  # someone who is called: "Anna, please wait."
    mood = _mood(verbs, subject, inverted, None if tag else end_mark, words)
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
        coordinated=tuple(g for g in tree.coordinated(root) if g.first not in tag) if verbs else (),
        subordinate=tree.subordinate(root),
        end_mark=end_mark,
        tag=tag,
    )


def _with_verb(words: Sequence[Word]) -> Sequence[Word]:
    """The words with a root that has a subject but no verb read as the verb that its form can be.

    "Nothing changes": small parsers find the subject and still tag the verb as a noun.
    """
    root = next((w for w in words if w.label == "root"), words[0])
    children = [w for w in words if w.head == root.index and w.index != root.index]
    subjects = [w for w in children if w.label.startswith("nsubj") and w.index < root.index]
    nominal = any(w.label.split(":")[0] in ("det", "amod", "case", "nummod", *AUXILIARIES) for w in children)
    inner = [w for w in children if w.label in INNER and w.index < root.index]
    finite = any(w.label == "conj" and w.tag.startswith("VB") and not _has_subject(w, words) for w in children)
    verbal = finite or any(w.label == "obj" for w in children)
    if root.tag not in ("NN", "NNS") or not _is_verb_form(root.lower):
        return words
    if not (subjects and not nominal) and not (verbal and inner and words[root.index - 1].tag.startswith("NN")):
        return words
    tag = "VBZ" if root.lower.endswith("s") else "VBD" if root.lower.endswith("ed") else "VBP"
    return [replace(w, tag=tag) if w is root else w for w in words]


def _has_subject(word: Word, words: Sequence[Word]) -> bool:
    return any(w.head == word.index and w.label.split(":")[0] in ("nsubj", "csubj", "expl") for w in words)


@functools.lru_cache(maxsize=65_536)
def _is_verb_form(form: str) -> bool:
    import lemminflect

    return "VERB" in lemminflect.getAllLemmas(form.rpartition("-")[2])


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
        if any(_is_auxiliary(w) for w in self.children[root.index]):
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
                served = self.words[word.head] if _is_auxiliary(word) else word
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
        group = [w for w in self.children[predicate.index] if _is_auxiliary(w)]
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


def _is_auxiliary(word: Word) -> bool:
    return word.label.split(":")[0] in AUXILIARIES and word.tag != "TO" and word.lower not in NEGATORS


def _end_mark(words: Sequence[Word]) -> Word | None:
    for word in reversed(words):
        if word.text and all(c in END_MARKS for c in word.text):
            return word
        if word.text not in CLOSING and word.text != "''":
            return None
    return None


def _tag_question(words: Sequence[Word], end_mark: Word | None, predicate: Word) -> tuple[Word, ...]:
    """The words of a tag question behind a statement, between the last comma and the question mark."""
    if end_mark is None or "?" not in end_mark.text:
        return ()
    for length in (2, 3):
        start = end_mark.index - length
        if start > predicate.index + 1 and words[start - 1].text == "," and _is_tag(words[start : end_mark.index]):
            return tuple(words[start : end_mark.index])
    return ()


def _is_tag(words: Sequence[Word]) -> bool:
    operator, *rest = (w.lower for w in words)
    pronouns = [w for w in rest if w in TAG_PRONOUNS]
    return operator in OPERATORS and len(pronouns) == 1 and all(w in NEGATORS for w in rest if w not in pronouns)


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
    if first.tag == "VBN" and len(verbs.words) == 1 and subject is not None and _is_headline(subject, first, words):
        return "fragment"  # a headline: "Ten trapped in mine"
    if subject is None and first.lower in ("let", "lets") and first.tag in ("VB", "VBP", "VBZ"):
        return "imperative"
    negated = any(w.lower in NEGATORS for w in words[first.index + 1 : first.index + 2])
    if subject is None and first.lower == "do" and negated and not inverted and len(verbs.words) > 1:
        return "imperative"
    question = end_mark is not None and "?" in end_mark.text
    asked = subject is not None and subject.head.tag in ("WP", "WDT") and subject.head.label.startswith("nsubj")
    if question or (words[0].tag in ("WP", "WRB", "WDT") and (inverted or asked)):
        return "interrogative"
    if first.lower in OPERATORS and _opens_question(first, subject, inverted, words):
        return "interrogative"  # without its question mark
    if subject is None and first.tag in ("VB", "VBP") and _commands(verbs, words):
        return "imperative"
    return "declarative"


def _opens_question(verb: Word, subject: Phrase | None, inverted: bool, words: Sequence[Word]) -> bool:
    """The finite verb is the first word, or behind a question word, before its subject: "Was it good"."""
    following = words[verb.index + 1 : verb.index + 2]
    missed = subject is None and verb.lower in FINITE_BE and following and following[0].lower in TAG_PRONOUNS
    before = words[: verb.index]
    asks = inverted and verb.lower in DO and any(w.tag in ("WP", "WRB", "WDT") for w in before)
    return asks or (bool(inverted or missed) and all(w.tag in ("CC", "UH") for w in before))


def _is_headline(subject: Phrase, verb: Word, words: Sequence[Word]) -> bool:
    """A passive without its auxiliary."""
    active = any(w.label == "obj" and w.head == verb.index for w in words)
    return subject.head.label == "nsubj:pass" and not active


def _asks_politely(verbs: VerbGroup | None, words: Sequence[Word]) -> bool:
    """ "please" stands before a plain verb."""
    if verbs is None or verbs.first.index == 0 or verbs.first.tag not in ("VB", "VBP"):
        return False
    return words[verbs.first.index - 1].lower == "please"


def _is_infinitive(verb: Word, words: Sequence[Word]) -> bool:
    return verb.index > 0 and verb.tag == "VB" and words[verb.index - 1].lower == "to"


def _commands(verbs: VerbGroup, words: Sequence[Word]) -> bool:
    """A plain form that no subject pronoun of its own stands before, of a verb that one can be told to do."""
    if verbs.first is verbs.main and verbs.first.lower in FEELINGS:
        return False
    if verbs.first.lower in FINITE_BE or (verbs.first.label.startswith("aux") and verbs.first.lower != "do"):
        return False
    own = {w.index for w in verbs.words}
    return not any(w.lower in SUBJECT_PRONOUNS and w.head in own for w in words[: verbs.first.index])
