"""Label schemes of Chinese: that of the embedded pipeline, UD Chinese GSD, and that of zh_core_web_*.

GSD has labels of Universal Dependencies, but not always as other Chinese treebanks use them. Both are converted to
what HK and PUD have: negation and adverbs are `advmod`, complements of result and direction `compound:vv`, localizers
`case:loc`, times `obl:tmod`, final particles `discourse:sp`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.tags import upos_of
from sda_hf.syntax.clause import Word
from sda_hf.syntax.schemes import Scheme, with_root

NEGATIONS = frozenset("不 没 没有 未 别 勿 莫 未曾 不曾 从未 并未 并不 并非 毫不 决不 绝不 不再 尚未".split())
NOT_HAVING = frozenset("没 没有 未有 并没有 还没 还没有 从没 从来没有".split())
# Adverbs that GSD calls subordinators, as it does conjunctions.
ADVERBS = frozenset("也 都 就 还 才 则 便 却 又 亦 再 只 均 还是 只是 也都 都还 就是 也就 便是 甚至 反而".split())
LOCALIZERS = frozenset(
    "上 下 里 内 外 中 前 后 间 旁 边 底 侧 处 上面 下面 里面 外面 前面 后面 旁边 中间 之间 之上 之下 之中 之内 之外 "
    "之前 之后 以上 以下 以内 以外 以前 以后 期间 附近 左右 上方 下方 内部 一带 时 当中 身上 脚下".split()
)

# Chinese Stanford Dependencies (Chang et al., 2009, "Discriminative Reordering with Chinese Grammatical Relations
# Features") in their Universal spelling → Universal Dependencies.
LABELS = {
    "ROOT": "root",
    "acl": "acl:relcl",
    "advcl:loc": "advcl",
    "advmod:dvp": "advmod",
    "advmod:loc": "advmod",
    "advmod:rcomp": "compound:vv",
    "amod:ordmod": "amod",
    "aux:asp": "aux",
    "aux:ba": "case",
    "aux:modal": "aux",
    "aux:prtmod": "mark",
    "auxpass": "aux:pass",
    "compound:nn": "nmod",
    "compound:vc": "compound",
    "dobj": "obj",
    "etc": "case",
    "mark:clf": "clf",
    "name": "flat:name",
    "neg": "advmod",
    "nmod:assmod": "nmod",
    "nmod:poss": "nmod",
    "nmod:prep": "obl",
    "nmod:range": "obl",
    "nmod:tmod": "obl:tmod",
    "nmod:topic": "dislocated",
    "nsubj:xsubj": "nsubj",
    "nsubjpass": "nsubj:pass",
    "parataxis:prnmod": "parataxis",
}
INFIXES = ("不", "得", "了")  # what stands between a verb and the complement of its result
NEGATED = ("xcomp", "ccomp")
PATIENTS = ("dobj", "nsubj", "nmod:prep", "dep")


def from_gsd(words: Sequence[Word]) -> list[Word]:
    """Convert the words of a parse in the labels of GSD."""
    words = [replace(w, pos=upos_of(w.tag, w.label)) for w in _with_one_root(with_root(words))]
    words = _with_negated_verbs(words)
    return [_relabelled(word, words) for word in words]


def _with_one_root(words: list[Word]) -> list[Word]:
    """Attach to the first root what has no head because the parser attached it to white space."""
    roots = [w.index for w in words if w.head == w.index]
    if len(roots) == 1 and words[roots[0]].label == "root":
        return words
    first = replace(words[roots[0]], label="root")
    rest = {i: replace(words[i], head=first.index, label="parataxis") for i in roots[1:]}
    return [first if w.index == first.index else rest.get(w.index, w) for w in words]


def _with_negated_verbs(words: list[Word]) -> list[Word]:
    """Make the verb after 没有 the head of it: GSD has 没有 as a verb, and what it negates as its complement."""
    for negation in words:
        if negation.pos != "VERB" or simplified(negation.text) not in NOT_HAVING:
            continue
        children = [w for w in words if w.head == negation.index and w is not negation]
        verb = next((w for w in children if w.label in NEGATED and w.index > negation.index), None)
        if (
            verb is None
            or simplified(verb.text) in NOT_HAVING
            or any(w.label == "obj" for w in children)
            or _has_own_subject(verb, negation, words)
        ):
            continue
        words = [_promoted(w, verb, negation) for w in words]
    return words


def _has_own_subject(verb: Word, negation: Word, words: Sequence[Word]) -> bool:
    """Whether a subject stands between 没有 and the verb: 没有人来."""
    return any(w.head == verb.index and w.label == "nsubj" and w.index > negation.index for w in words)


def _promoted(word: Word, verb: Word, negation: Word) -> Word:
    if word.index == verb.index:
        above = verb.index if negation.head == negation.index else negation.head
        return replace(word, head=above, label=negation.label)
    if word.index == negation.index:
        return replace(word, head=verb.index, label="advmod", pos="ADV")
    return replace(word, head=verb.index) if word.head == negation.index else word


def _relabelled(word: Word, words: Sequence[Word]) -> Word:
    form, label, pos = simplified(word.text), word.label, word.pos
    after_head = word.head < word.index
    if label in ("mark", "advmod") and form in ADVERBS:
        label, pos = "advmod", "ADV"
    elif label == "aux" and form in NEGATIONS:
        label = "advmod"
    elif label == "mark" and after_head and pos in ("VERB", "ADJ"):
        between = words[word.head + 1 : word.index]
        label = "compound:vv" if all(w.text in INFIXES for w in between) else "xcomp"
    elif label in ("case", "acl", "mark") and after_head and form in LOCALIZERS:
        label, pos = "case:loc", "ADP"
    elif label == "nmod:tmod" and words[word.head].pos not in ("NOUN", "PROPN", "PART"):
        label = "obl:tmod"
    elif label == "discourse" and pos == "PART":
        label = "discourse:sp"
    feats = "Polarity=Neg" if label == "advmod" and form in NEGATIONS | NOT_HAVING else word.feats
    return replace(word, label=label, pos=pos, feats=feats)


GSD = Scheme(frozenset({"nmod:tmod", "obl:patient", "clf"}), from_gsd)


def from_core(words: Sequence[Word]) -> list[Word]:
    """Convert the words of a zh_core_web parse. Heads stay, but for 把, which marks its noun rather than the verb."""
    heads = [w.head for w in words]
    labels = [_label(w) for w in words]
    for ba in (w for w in words if w.label == "aux:ba"):
        nouns = [w for w in words if w.head == ba.head and ba.index < w.index < ba.head and w.label in PATIENTS]
        if nouns:
            noun = nouns[-1].index
            heads[ba.index], labels[noun] = noun, "obl:patient"
    return [
        replace(w, label=label, head=head, feats="Polarity=Neg" if w.label == "neg" else w.feats)
        for w, head, label in zip(words, heads, labels, strict=True)
    ]


def _label(word: Word) -> str:
    if word.label == "case" and word.tag == "LC":
        return "case:loc"
    if word.label == "discourse" and word.tag == "SP":
        return "discourse:sp"
    if word.label == "mark" and word.tag == "DEC":
        return "mark:rel"
    if word.label == "mark" and word.tag == "DEV":
        return "mark:adv"
    return LABELS.get(word.label, word.label)


CORE = Scheme(frozenset({"dobj", "nsubjpass"}), from_core)
