"""Harmonise the Chinese treebanks: one script, one tag set and the labels of UD Chinese GSDSimp.

    python zh_treebanks.py --output train.conllu zh_gsd_ud1-train.conllu.gz zh_pud.conllu.gz zh_hk.conllu.gz ...
    python zh_treebanks.py --tags-only --output dev.conllu zh_gsdsimp-dev.conllu.gz

GSD in its old annotation has the words and most of the tree of today's; classifiers, names, 把, chains of clauses and
punctuation are attached in another way, which rules undo here. The tag of a word is its XPOS; where the universal part
of speech is not the usual one of that XPOS, it follows after a hyphen (RB-SCONJ).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from string import ascii_letters

import conllu
import udapi
from treebank import read_sentences
from udapi.block.ud.fixpunct import FixPunct
from zh_units import FULL_WIDTH

from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.tags import UPOS, XPOS_OF_UPOS, upos_of

# Units of time and money stay modifiers of a noun (三年计划), if it is not another unit (三年五月).
NO_CLASSIFIERS = frozenset("年 月 日 时 分 秒 世纪 年代 号 元 岁 点 届 期".split())
PUNCTUATION = {
    ",": "，,",
    "EC": "、",
    ":": "：:",
    "/": "·",
    ".": "。？！；.?!;…",
    "(": "（(《「『〈【",
    ")": "）)》」』〉】",
    "``": "“‘",
    "''": '”’"',
}
CLAUSAL = frozenset("VV JJ VC MD SFV".split())
NOMINAL = frozenset("NN NNP SFN NNB CD FW PRD PRP".split())
# Adverbs and conjunctions that GSD calls subordinators ("mark").
MARKS = frozenset(
    "并 而 也 但 所 都 则 就 还 来 以 亦 又 但是 便 却 才 然而 不过 并且 甚至 于是 所以 即 而且 因而 因此 且 故 "
    "还是 不仅 不但 如果 虽然 只要 只有 才能 即使 由于 因为 可是 去 便是 连 反而 否则 无论 不论 既 只是 也是 "
    "那么".split()
)
LABELS = {
    "case:suff": "compound",
    "case:pref": "case",
    "case:dec": "case",
    "case:loc": "case",
    "case:aspect": "aux",
    "obl:tmod": "nmod:tmod",
    "obl:agent": "obl",
    "obj:periph": "obj",
    "compound:vv": "mark",
    "compound:dir": "mark",
    "mark:prt": "mark",
    "nsubj:outer": "nsubj",
    "csubj:pass": "csubj",
    "advmod:df": "advmod",
    "fixed": "flat:name",
    "reparandum": "parataxis",
}


class Sentence:
    """A tree under repair; heads are indices of words, the root's head is -1."""

    def __init__(self, tokens: conllu.TokenList) -> None:
        self.tokens = [t for t in tokens if isinstance(t["id"], int)]
        self.forms = [simplified(t["form"]) for t in self.tokens]
        self.upos = [t["upos"] for t in self.tokens]
        self.xpos = [
            t["xpos"] if t["xpos"] in UPOS else xpos_of(t, form)
            for t, form in zip(self.tokens, self.forms, strict=True)
        ]
        self.heads = [t["head"] - 1 for t in self.tokens]
        self.labels = [t["deprel"] for t in self.tokens]

    def children(self, head: int) -> list[int]:
        return [i for i, h in enumerate(self.heads) if h == head]

    def attach(self, child: int, head: int, label: str) -> None:
        """Attach a word, unless that closes a circle."""
        above = head
        while above >= 0:
            if above == child:
                return
            above = self.heads[above]
        self.heads[child], self.labels[child] = head, label

    def swap(self, child: int, head: int) -> None:
        """Make a child the head of its head."""
        self.heads[child], self.labels[child] = self.heads[head], self.labels[head]
        self.heads[head] = child


def xpos_of(token: conllu.Token, form: str) -> str:
    """Return the XPOS that GSD would give, from what treebanks without one say."""
    upos, label = token["upos"], token["deprel"]
    if upos == "PUNCT":
        return next((xpos for xpos, marks in PUNCTUATION.items() if form in marks), "HYPH")
    if upos == "NOUN":
        return "NNB" if label == "clf" else "NN"
    if upos == "VERB":
        return "VC" if form == "是" else "VV"
    if upos == "PRON":
        return "PRD" if form[0] in "这那此" else "WP" if form in ("什么", "谁", "哪", "哪里", "怎么") else "PRP"
    if upos == "PART":
        by_form = {"的": "DEC", "之": "DEC", "地": "DEV", "得": "DEV", "们": "SFN"}
        return by_form.get(form, "UH")
    if upos == "AUX":
        return "VC" if label == "cop" else "AS" if form in "了着过" else "BB" if form == "被" else "MD"
    if upos == "ADP":
        return "BB" if form in "把将" else "IN"
    return XPOS_OF_UPOS[upos]


def relabel(s: Sentence) -> None:
    """Rename labels, and tell apart those that the old annotation has under one name."""
    for i, label in enumerate(s.labels):
        xpos, head = s.xpos[i], s.heads[i]
        if xpos == "DEC" and label == "acl:relcl" and head < i:
            label = "mark:rel"
        elif xpos == "IN" and label == "acl" and head < i:
            label = "case"
        elif label == "acl" and xpos in CLAUSAL:
            # with 的 and a noun after it, it is a relative clause
            relative = head > i and any(s.labels[c] == "mark:rel" for c in s.children(i))
            label = "acl:relcl" if relative else "advcl"
        elif label == "advmod" and xpos == "NN":
            label = "obl"
        elif label == "det" and xpos not in ("DT", "PRP", "PRD", "WP"):
            label = "nmod"
        elif label == "flat":
            label = "flat:foreign" if xpos == "FW" else "flat:name"
        elif label == "compound" and xpos in NOMINAL and head > i and s.xpos[head] != "SFN":
            label = "nmod"
        elif xpos == "RB" and s.forms[i] in MARKS and label in ("advmod", "cc", "dep"):
            label = "mark"
        s.labels[i] = LABELS.get(label, label)


def classifiers(s: Sentence) -> None:
    """一 →(nummod) 个 →(nmod) 人 becomes 一 →(nummod) 人 and 个 →(clf) 一."""
    for i, form in enumerate(s.forms):
        noun = s.heads[i]
        if s.xpos[i] != "NNB" or noun <= i or (form in NO_CLASSIFIERS and s.xpos[noun] != "NNB"):
            continue
        if s.labels[i] not in ("nmod", "det", "clf"):
            continue
        for child in s.children(i):
            if child < i and s.labels[child] in ("nummod", "det", "amod"):
                s.attach(child, noun, s.labels[child])
                if s.labels[child] == "nummod":
                    s.attach(i, child, "clf")
        if s.heads[i] == noun:
            s.labels[i] = "clf"
        for child in s.children(i):
            s.heads[child] = noun if child != i and s.labels[child] != "punct" else s.heads[child]


def names(s: Sentence) -> None:
    """The first part of a name is its head: 吴 汤兴, 赫伯特 · 乔治 · 威尔斯."""
    inner = {next_part(s, i) for i in range(len(s.forms)) if s.xpos[i] == "NNP"}
    for i, xpos in enumerate(s.xpos):
        if xpos != "NNP" or i in inner:
            continue
        parts = [i]
        while (following := next_part(s, parts[-1])) is not None:
            parts.append(following)
        last = parts[-1]
        if len(parts) == 1 or any(s.heads[p] != last for p in parts[:-1]):
            continue
        s.swap(i, last)
        for child in s.children(last):
            s.heads[child] = i
        for part in parts[1:]:
            s.heads[part], s.labels[part] = i, "flat:name"


def appositions(s: Sentence) -> None:
    """What a name is stands before it and is the head: 球星 →(appos) 尼古拉 becomes 尼古拉 →(appos) 球星."""
    for i, label in enumerate(s.labels):
        name = s.heads[i]
        if label != "appos" or name < i:
            continue
        s.swap(i, name)
        s.labels[name] = "appos"
        for child in s.children(name):
            if child < i or (child > name and s.labels[child] in ("case", "mark:rel", "conj")):
                s.heads[child] = i


def next_part(s: Sentence, i: int) -> int | None:
    """Return the next part of a personal name."""
    n = len(s.forms)
    if i + 2 < n and s.forms[i + 1] == "·" and s.xpos[i + 2] in ("NNP", "FW"):
        return i + 2
    surname = i + 1 < n and len(s.forms[i]) == 1 and s.xpos[i] == s.xpos[i + 1] == "NNP"
    return i + 1 if surname and len(s.forms[i + 1]) <= 2 and s.heads[i] == i + 1 else None


def patients(s: Sentence) -> None:
    """把 is a case marker of its noun, the patient."""
    for i, xpos in enumerate(s.xpos):
        if xpos != "BB" or s.labels[i] != "aux:caus":
            continue
        verb = s.heads[i]
        nouns = [c for c in s.children(verb) if i < c < verb and s.labels[c] in ("obj", "nsubj", "obl", "nmod", "iobj")]
        if nouns:
            s.labels[nouns[-1]] = "obl:patient"
            s.attach(i, nouns[-1], "case")
        else:
            s.labels[i] = "case"


def adverbials(s: Sentence) -> None:
    """地 marks the word before it; 得 extends the verb before it."""
    for i, xpos in enumerate(s.xpos):
        if xpos == "DEV" and i:
            s.attach(i, i - 1, "compound:ext" if s.forms[i] == "得" else "mark:adv")


def clause_chains(s: Sentence) -> None:
    """In a chain of clauses the first is the head, not the last."""
    for head in range(len(s.forms)):
        chain = [c for c in s.children(head) if c < head and s.labels[c] == "dep" and s.xpos[c] != "XX"]
        clauses = [
            c for c in chain if s.xpos[c] in CLAUSAL or any(s.labels[d] in ("nsubj", "cop") for d in s.children(c))
        ]
        if not clauses:
            continue
        first = clauses[0]
        s.swap(first, head)
        s.labels[head] = "parataxis"
        for child in s.children(head):
            if child in clauses[1:]:
                s.heads[child], s.labels[child] = first, "parataxis"
            elif child < first:
                s.heads[child] = first
    for i, label in enumerate(s.labels):
        if label == "dep":
            s.labels[i] = "parataxis" if s.xpos[i] in CLAUSAL or s.heads[i] < i else "nmod"


def tag_of(xpos: str, upos: str) -> str:
    """Return the tag: XPOS, and the universal part of speech if it is an unusual one for it."""
    return xpos if UPOS.get(xpos) == upos else f"{xpos}-{upos}"


def repaired(tokens: conllu.TokenList) -> Sentence:
    s = Sentence(tokens)
    clause_chains(s)
    patients(s)
    adverbials(s)
    relabel(s)
    classifiers(s)
    names(s)
    appositions(s)
    s.upos = [upos_of(x, label) for x, label in zip(s.xpos, s.labels, strict=True)]
    return s


def lines_of(s: Sentence, full_width: bool) -> Iterator[str]:
    for i, token in enumerate(s.tokens):
        form = s.forms[i]
        if full_width and s.upos[i] == "PUNCT":
            form = form.translate(FULL_WIDTH)
        tag = tag_of(s.xpos[i], s.upos[i])
        apart = (token["misc"] or {}).get("SpaceAfter") != "No"
        # the old GSD has lost the spaces between words in Latin letters
        latin = form[-1] in ascii_letters and i + 1 < len(s.forms) and s.forms[i + 1][0] in ascii_letters
        misc = "_" if apart or latin else "SpaceAfter=No"
        yield f"{i + 1}\t{form}\t_\t{s.upos[i]}\t{tag}\t_\t{s.heads[i] + 1}\t{s.labels[i]}\t_\t{misc}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path, nargs="+")
    parser.add_argument("--tags-only", action="store_true", help="leave the tree and the punctuation as they are")
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args()
    blocks = []
    for path in args.treebanks:
        for tokens in read_sentences(path):
            s = Sentence(tokens) if args.tags_only else repaired(tokens)
            blocks.append("\n".join(lines_of(s, full_width=not args.tags_only)) + "\n\n")
    text = "".join(blocks)
    if not args.tags_only:
        document = udapi.Document()
        document.from_conllu_string(text)
        FixPunct().process_document(document)
        text = document.to_conllu_string()
    args.output.write_text(text, encoding="utf-8")
    print(f"{len(blocks)} sentences")


if __name__ == "__main__":
    main()
