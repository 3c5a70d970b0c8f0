"""Annotation schemes of English: Penn Treebank tags, and the labels of the spaCy core models (en_core_web_*)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sda_hf.grammar.english import lexicon
from sda_hf.syntax.clause import Word
from sda_hf.syntax.schemes import Scheme, TagTable

VERBAL = frozenset({"cop", "aux", "auxpass", "mark"})
BE = lexicon.words("verbs", "be")
# ClearNLP relation → Universal relation, where the tree itself is the same. Prepositions stay heads, because the rules
# use only the extent of a prepositional phrase, not its inner structure.
LABELS = {
    "ROOT": "root",
    "nsubjpass": "nsubj:pass",
    "csubjpass": "csubj:pass",
    "auxpass": "aux:pass",
    "dobj": "obj",
    "dative": "iobj",
    "neg": "advmod",
    "relcl": "acl:relcl",
    "prep": "obl",
    "agent": "obl:agent",
    "prt": "compound:prt",
    "poss": "nmod:poss",
    "predet": "det:predet",
    "nn": "compound",
    "npadvmod": "obl:unmarked",
    "intj": "discourse",
    "preconj": "cc:preconj",
    "oprd": "xcomp",
    "acomp": "xcomp",
    "attr": "xcomp",
}


def penn_tags() -> TagTable:
    """Return UPOS and features for each Penn Treebank tag, from `lexicon/tags.tsv`.

    Example:
        >>> penn_tags()["NNS"]
        ('NOUN', 'Number=Plur')
    """
    return {tag: (pos, feats) for tag, pos, feats in lexicon.rows("tags.tsv")}


def from_core(words: Sequence[Word]) -> list[Word]:
    """Convert the words of a ClearNLP parse, in which the copula is the head and conjuncts form a chain."""
    heads = [w.head for w in words]
    labels = [w.label for w in words]
    for word in words:
        complement = _complement(word, words)
        if complement is not None:
            _promote(word.index, complement.index, heads, labels)
        elif word.label == "attr" and any(w.label == "expl" and w.head == word.head for w in words):
            labels[word.index] = "nsubj"  # "there is a way": the way is what there is
    _flatten_conjuncts(heads, labels)
    _demote_prepositions(words, heads, labels)
    _attach_commas(words, heads, labels)
    _lower_small_clauses(words, heads, labels)
    _raise_main_clause(words, heads, labels)
    return [
        replace(w, label=LABELS.get(label, label), head=head)
        for w, head, label in zip(words, heads, labels, strict=True)
    ]


CORE = Scheme(frozenset({"dobj", "nsubjpass"}), from_core)


def _complement(word: Word, words: Sequence[Word]) -> Word | None:
    """Return the complement of a copula that is a head, such as "tall" for "is"; None if it is not a copula."""
    if word.lower not in BE or not word.tag.startswith("VB") or word.label in ("aux", "auxpass"):
        return None
    children = [w for w in words if w.head == word.index and w.index != word.index]
    if any(w.label == "expl" and w.lower == "there" for w in children):
        return None
    for label in ("acomp", "attr"):
        found = [w for w in children if w.label == label]
        if found:
            return found[0]
    preposition = next((w for w in children if w.label == "prep" and w.index > word.index), None)
    if preposition is None:
        return next((w for w in children if w.label == "advmod" and w.tag == "WRB"), None)  # "How are you?"
    return next((w for w in words if w.head == preposition.index and w.label == "pobj"), None)


def _promote(copula: int, complement: int, heads: list[int], labels: list[str]) -> None:
    """Make the complement the head and the copula its dependent, as in Universal Dependencies."""
    parent = heads[complement]
    if parent != copula:  # "in the garden": the preposition becomes a case marker of its noun
        heads[parent], labels[parent] = complement, "case"
    is_root = heads[copula] == copula
    above, label = heads[copula], labels[copula]
    for i, head in enumerate(heads):
        if head == copula and i not in (copula, complement):
            heads[i] = complement
    heads[complement] = complement if is_root else above
    labels[complement] = label
    heads[copula], labels[copula] = complement, "cop"


def _demote_prepositions(words: Sequence[Word], heads: list[int], labels: list[str]) -> None:
    """Make the noun of a prepositional phrase its head, as in Universal Dependencies; the last preposition first."""
    for word in reversed(words):
        i = word.index
        if labels[i] not in ("prep", "agent"):
            continue
        noun = next((j for j, label in enumerate(labels) if label == "pobj" and heads[j] == i), None)
        if noun is None:
            continue
        above = heads[i]
        inner = labels[above] == "prep" and not any(labels[j] == "pobj" and heads[j] == above for j in range(noun))
        nominal = words[above].tag.startswith(("NN", "PRP", "CD"))
        labels[noun] = "pobj" if inner else "obl:agent" if labels[i] == "agent" else "nmod" if nominal else "obl"
        for j, head in enumerate(heads):
            if head == i:
                heads[j] = noun
        heads[noun], heads[i], labels[i] = above, noun, "case"


def _attach_commas(words: Sequence[Word], heads: list[int], labels: list[str]) -> None:
    """Attach a comma after a dependent that precedes its head to that dependent, as in Universal Dependencies."""
    for word in words:
        i = word.index
        if word.text == "," and labels[i] == "punct" and 0 < i < heads[i]:
            above = i - 1
            while heads[above] not in (above, heads[i]):
                above = heads[above]
            if heads[above] == heads[i]:
                heads[i] = above


def _lower_small_clauses(words: Sequence[Word], heads: list[int], labels: list[str]) -> None:
    """Make "family" in "made the family happy" an object, and "happy" a complement without a subject of its own."""
    for i, word in enumerate(words):
        inside = [j for j, head in enumerate(heads) if head == i and j != i]
        if labels[i] != "ccomp" or not word.tag.startswith("JJ") or {labels[j] for j in inside} & VERBAL:
            continue
        labels[i] = "xcomp"
        for j in inside:
            if labels[j] == "nsubj":
                heads[j], labels[j] = heads[i], "dobj"


def _raise_main_clause(words: Sequence[Word], heads: list[int], labels: list[str]) -> None:
    """Make "we will stay" the main clause of "If it snows we will stay": small models may take the first one."""
    root = next(i for i, head in enumerate(heads) if head == i)
    marks = [i for i, head in enumerate(heads) if head == root and (labels[i] == "mark" or words[i].tag == "WRB")]
    if not marks or marks[0] != 0 or words[-1].text == "?":
        return
    claims = [i for i in range(root + 1, len(words)) if labels[i] == "ccomp" and heads[i] == root]
    if len(claims) != 1 or not any(
        labels[i].startswith("nsubj") and heads[i] == claims[0] for i in range(root, claims[0])
    ):
        return
    (claim,) = claims
    heads[claim], labels[claim], heads[root], labels[root] = claim, "ROOT", claim, "advcl"
    if labels[-1] == "punct" and heads[-1] == root:
        heads[-1] = claim


def _flatten_conjuncts(heads: list[int], labels: list[str]) -> None:
    """Attach every conjunct to the first one and every conjunction to its conjunct, as in Universal Dependencies."""
    conjuncts = [i for i, label in enumerate(labels) if label == "conj"]
    for i in conjuncts:
        previous = heads[i]
        for j in range(len(heads)):
            # "cc" precedes the conjunct that it joins.
            if labels[j] == "cc" and heads[j] == previous and previous < j < i:
                heads[j] = i
    for i in conjuncts:
        while labels[heads[i]] == "conj":
            heads[i] = heads[heads[i]]
