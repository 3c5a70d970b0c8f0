"""Label schemes: a parsed document of either kind becomes the same words, in Universal Dependencies terms.

Two schemes are known, told apart by the labels of the parser: Universal Dependencies as in the English
Web Treebank (de Marneffe et al., 2021, Computational Linguistics 47(2)) and the ClearNLP labels of the
spaCy core models (en_core_web_*).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from sda_hf.errors import InputValueError
from sda_hf.syntax.clause import Word

if TYPE_CHECKING:
    from spacy.tokens import Span

Scheme = Callable[[Sequence[Word]], list[Word]]

BE_FORMS = frozenset("be am is are was were been being 's 're 'm ’s ’re ’m".split())  # noqa: RUF001

# Prefixes of verbs that are written with a hyphen.
PREFIXES = frozenset("anti co counter de e fore inter mis non off out over pre re self sub un under up".split())

# ClearNLP relation → Universal relation, where the tree itself is the same. Prepositions stay heads
# there: no rule looks inside a prepositional phrase, only at its extent.
CORE_LABELS = {
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


def universal(words: Sequence[Word]) -> list[Word]:
    """Universal Dependencies: only the root label is spelled differently by spaCy."""
    return [_relabelled(w, "root") if w.label == "ROOT" else w for w in words]


def core(words: Sequence[Word]) -> list[Word]:
    """ClearNLP labels: the copula is the head there, and conjuncts hang in a chain."""
    heads = [w.head for w in words]
    labels = [w.label for w in words]
    for word in words:
        complement = _complement(word, words)
        if complement is not None:
            _promote(word.index, complement.index, heads, labels)
        elif word.label == "attr" and any(w.label == "expl" and w.head == word.head for w in words):
            labels[word.index] = "nsubj"  # "there is a way": the way is what there is
    _flatten_conjuncts(heads, labels)
    return [
        Word(w.index, w.text, w.tag, CORE_LABELS.get(label, label), head, w.start, w.end)
        for w, head, label in zip(words, heads, labels, strict=True)
    ]


def _complement(word: Word, words: Sequence[Word]) -> Word | None:
    """What a copula in head position predicates: "tall" of "is", or None if it is no copula."""
    if word.text.lower() not in BE_FORMS or not word.tag.startswith("VB") or word.label in ("aux", "auxpass"):
        return None
    children = [w for w in words if w.head == word.index and w.index != word.index]
    if any(w.label == "expl" and w.text.lower() == "there" for w in children):
        return None
    for label in ("acomp", "attr"):
        found = [w for w in children if w.label == label]
        if found:
            return found[0]
    preposition = next((w for w in children if w.label == "prep" and w.index > word.index), None)
    if preposition is None:
        return None
    return next((w for w in words if w.head == preposition.index and w.label == "pobj"), None)


def _promote(copula: int, complement: int, heads: list[int], labels: list[str]) -> None:
    """Make the complement the head, as Universal Dependencies have it, the copula its dependent."""
    parent = heads[complement]
    if parent != copula:  # "in the garden": the preposition becomes a case mark of its noun
        heads[parent], labels[parent] = complement, "case"
    is_root = heads[copula] == copula
    above, label = heads[copula], labels[copula]
    for i, head in enumerate(heads):
        if head == copula and i not in (copula, complement):
            heads[i] = complement
    heads[complement] = complement if is_root else above
    labels[complement] = label
    heads[copula], labels[copula] = complement, "cop"


def _flatten_conjuncts(heads: list[int], labels: list[str]) -> None:
    """Every conjunct and its conjunction hang on the first one's side, as in Universal Dependencies."""
    conjuncts = [i for i, label in enumerate(labels) if label == "conj"]
    for i in conjuncts:
        previous = heads[i]
        for j in range(len(heads)):
            # "cc" stands before the conjunct that it joins, and hangs on that conjunct.
            if labels[j] == "cc" and heads[j] == previous and previous < j < i:
                heads[j] = i
    for i in conjuncts:
        while labels[heads[i]] == "conj":
            heads[i] = heads[heads[i]]


def _relabelled(word: Word, label: str) -> Word:
    return Word(word.index, word.text, word.tag, label, word.head, word.start, word.end)


def scheme_of(labels: Collection[str]) -> Scheme:
    """The scheme that a parser's labels belong to.

    Raises:
        InputValueError: neither scheme's passive or object labels are among them.
    """
    if "obj" in labels or "obl" in labels:
        return universal
    if "dobj" in labels or "nsubjpass" in labels:
        return core
    raise InputValueError(
        f"the parser's labels are of no known scheme ({', '.join(sorted(labels)[:8])} ...): use a pipeline with "
        "Universal Dependencies or with the labels of the spaCy core models"
    )


def words_of(sentence: Span, scheme: Scheme, text: str) -> list[Word]:
    """The words of a parsed sentence of `text`, white space left out."""
    kept = [t for t in sentence if not t.is_space]
    position = {t.i: i for i, t in enumerate(kept)}
    words = []
    for i, token in enumerate(kept):
        head = token.head
        while head.is_space and head.head.i != head.i:
            head = head.head
        end = token.idx + len(token.text)
        written = text[token.idx : end]
        words.append(Word(i, written, token.tag_, token.dep_, position.get(head.i, i), token.idx, end))
    return scheme(_with_prefixes(words))


def _depth(word: Word, words: Sequence[Word]) -> int:
    """How many heads stand above a word."""
    depth = 0
    while word.head != word.index:
        word = words[word.head]
        depth += 1
    return depth


def _with_prefixes(words: Sequence[Word]) -> list[Word]:
    """ "co", "-", "founded", which tokenizers cut apart, as the one word that they are."""
    group_of = list(range(len(words)))
    for i in range(len(words) - 2):
        prefix, hyphen, stem = words[i : i + 3]
        glued = prefix.end == hyphen.start and hyphen.end == stem.start and stem.text.isalpha()
        if hyphen.text == "-" and glued and prefix.text.lower() in PREFIXES:
            group_of[i] = group_of[i + 1] = i + 2
    if group_of == list(range(len(words))):
        return list(words)
    kept = sorted(set(group_of))
    place = {old: new for new, old in enumerate(kept)}
    merged = []
    for last in kept:
        parts = [w for w in words if group_of[w.index] == last]
        outer = min(parts, key=lambda w: _depth(w, words))
        text = "".join(w.text for w in parts)
        head = place[group_of[outer.head]]
        merged.append(Word(place[last], text, parts[-1].tag, outer.label, head, parts[0].start, parts[-1].end))
    return merged
