"""Find the claim of a sentence: its predicate, verb group and subject."""

from __future__ import annotations

from sda_hf.grammar.english import lexicon
from sda_hf.grammar.english.labels import (
    AUXILIARIES,
    CLAUSAL,
    EMBEDDED,
    FINITE,
    LOOSE_CLAUSES,
    PARTICIPLES,
    PRENOMINAL,
    SUBJECTS,
    SUBORDINATE,
)
from sda_hf.syntax.clause import Phrase, Tree, VerbGroup, Word

NEGATORS = lexicon.words("adverbs", "negators")
NOT_VERBS = lexicon.words("verbs", "not-verbs")
QUOTES = frozenset('"“”„«»')


def is_auxiliary(word: Word) -> bool:
    """Whether the word is an auxiliary or the copula of its head."""
    return word.label.split(":")[0] in AUXILIARIES and word.tag != "TO" and word.lower not in NEGATORS


def predicate_of(tree: Tree) -> Word:
    """Return the predicate of the main claim.

    Where "she said" or "said she" follows a quotation, this is the predicate of the quotation; after a heading or a
    name ("Speaker: I agree."), it is that of the clause that follows.
    """
    root = tree.root
    if verb_group(tree, root) is None:
        loose = [w for w in tree.children(root) if w.label in LOOSE_CLAUSES]
        claim = next((w for w in loose if verb_group(tree, w) and subject_of(tree, w)), None)
        return claim or _stray_predicate(tree) or root
    subject = subject_of(tree, root)
    if any(is_auxiliary(w) for w in tree.children(root)):
        return root
    limit = min(subject.first.index, root.index) if subject else root.index
    said = [w for w in tree.children(root) if w.label == "ccomp" and w.index < limit]
    if said and (subject or any(w.text in QUOTES for w in tree.words[:limit])):
        return said[0]
    return root


def _stray_predicate(tree: Tree) -> Word | None:
    """Return the predicate of the first finite verb below a verbless root that is in no embedded clause, if any.

    Small parsers sometimes make a noun the root of "Cisco pared spending" and attach the verb to it.
    """
    root = tree.root
    for word in tree.words:
        if word.tag not in FINITE or word.lower in NOT_VERBS:
            continue
        above = [word, *tree.above(word)]
        if not any(w.label.split(":")[0] in EMBEDDED for w in above) and above[-1] is root:
            predicate = tree.words[word.head] if is_auxiliary(word) else word
            return predicate if predicate is not root else None
    return None


def verb_group(tree: Tree, predicate: Word) -> VerbGroup | None:
    """Return the auxiliaries of a predicate, and the predicate if it is a verb; None if there is neither."""
    group = [w for w in tree.children(predicate) if is_auxiliary(w)]
    # "doesn't smoke", with "smoke" tagged as a noun: with an auxiliary and no copula, it is a verb.
    served = any(w.label.startswith("aux") for w in group) and not any(w.label == "cop" for w in group)
    verbal = predicate.tag.startswith("VB") or predicate.tag == "MD" or served
    # "Attached is the file": the participle is fronted, and "is" is the verb.
    fronted = predicate.tag in PARTICIPLES and any(w.index > predicate.index and w.tag in FINITE for w in group)
    if verbal and not fronted:
        group.append(predicate)
    if not group:
        return None
    group.sort(key=lambda w: w.index)
    return VerbGroup(tuple(group), predicate if predicate in group else None)


def subject_of(tree: Tree, predicate: Word) -> Phrase | None:
    """Return the subject phrase, preferring a nominal to a clausal subject and an outer to an inner one."""
    found = tree.children(predicate, *SUBJECTS)
    found.sort(key=lambda w: (not w.label.startswith("nsubj"), w.label != "nsubj:outer", w.index))
    if not found:
        return None
    if found[0].label.startswith("csubj"):
        expletive = [w for w in tree.children(predicate) if w.label == "expl"]
        return tree.phrase((expletive or found)[0])
    return tree.phrase(found[0])


def stray_subject(tree: Tree, predicate: Word, verbs: VerbGroup | None) -> Phrase | None:
    """Return the subject of a verb mistaken for a noun ("my father cooks") or of a stray verb: all words before it."""
    root = tree.root
    if verbs is None or predicate.label in LOOSE_CLAUSES:
        return None
    if predicate is not root:
        return _run(tree, 0, verbs.first.index - 1, root.index) if root.tag.startswith("NN") else None
    inner = [w for w in tree.children(root) if w.index < root.index and w.label in PRENOMINAL]
    asks = verbs.first is not root and verbs.first.index < min((w.index for w in inner), default=0)
    start = verbs.first.index + 1 if asks else 0
    noun = tree.words[root.index - 1].tag.startswith("NN")
    found = bool(inner) and noun and (asks or verbs.words == (root,))
    return _run(tree, start, root.index - 1, root.index - 1) if found else None


def _run(tree: Tree, start: int, end: int, head: int) -> Phrase | None:
    """Return the words from `start` to `end` as a phrase, without punctuation at its edges or trailing adverbs."""
    words = tree.words
    while start < end and not words[start].text[:1].isalnum():
        start += 1
    while end > start and (words[end].tag.startswith("RB") or not words[end].text[:1].isalnum()):
        end -= 1
    if not start <= head <= end or words[end].tag == "CC":
        return None
    return Phrase(words[head], words[start], words[end])


def negators_of(tree: Tree, predicate: Word, verbs: VerbGroup) -> tuple[Word, ...]:
    """Return the "not" or "n't" of the verb group: inside it, directly after it, or fused with a verb."""
    heads = {predicate.index, *(w.index for w in verbs.words)}
    limit = max(predicate.index, verbs.words[-1].index)
    found = []
    for word in tree.words[verbs.first.index + 1 : limit + 2]:
        if word.lower not in NEGATORS:
            continue
        fused = word.start == tree.words[word.index - 1].end and word.index - 1 in heads
        adjacent = word.index == verbs.first.index + 1  # "is not nearly done"
        if word.head in heads or fused or adjacent:
            found.append(word)
    return tuple(found)


def coordinated_groups(tree: Tree, predicate: Word) -> tuple[VerbGroup, ...]:
    """Return the verb groups of the conjuncts without a subject of their own."""
    groups: list[VerbGroup] = []
    for word in tree.children(predicate):
        if word.label != "conj" or word.index < predicate.index or subject_of(tree, word) is not None:
            continue
        group = verb_group(tree, word)
        if group is not None:
            groups += [group, *coordinated_groups(tree, word)]
    return tuple(groups)


def subordinate_clauses(tree: Tree, predicate: Word) -> tuple[Phrase, ...]:
    """Return the outermost subordinate clauses of the predicate and of its arguments."""
    found: list[Word] = []
    stack = [predicate]
    while stack:
        for child in tree.children(stack.pop()):
            if child.label in SUBORDINATE:
                found.append(child)
            elif child.label not in CLAUSAL:
                stack.append(child)
    return tuple(_clause_phrase(tree, w) for w in sorted(found, key=lambda w: w.index))


def _clause_phrase(tree: Tree, head: Word) -> Phrase:
    """Return the phrase of a subordinate clause, including the "as soon" of "as soon as it rained"."""
    above = tree.words[head.head]
    if above.label != "advmod":
        return tree.phrase(head)
    whole = tree.phrase(above)
    return Phrase(head, whole.first, whole.last)
