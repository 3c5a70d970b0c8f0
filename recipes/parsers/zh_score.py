"""Score the Chinese pipeline on a treebank, from raw text, one core.

    OMP_NUM_THREADS=1 python zh_score.py ../../sda_hf/grammar/chinese/pipeline zh_gsdsimp-dev.conllu.gz

F1 of words, universal parts of speech and arcs as in the CoNLL 2018 shared task: a word is right if it has the
characters of a gold word, an arc if both its words are right (or it is the root's). `root_exact` and `root_aligned`
are those of `score.py`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import conllu
from score import Span, is_aligned, parsed, run
from spacy.language import Language
from spacy.tokens import Doc
from treebank import read_sentences
from zh_units import text_and_words

import sda_hf.grammar.chinese.pipes  # noqa: F401 - registers with spaCy
from sda_hf.grammar.chinese.tags import upos_of

Row = tuple[Span, str, Span | None, str]


def gold_rows(sentence: conllu.TokenList, words: list[Span]) -> list[Row]:
    """Return the span, part of speech, head's span (None for the root) and label of each word."""
    return [
        (span, token["upos"], words[token["head"] - 1] if token["head"] else None, token["deprel"])
        for span, token in zip(words, sentence, strict=True)
    ]


def found_rows(doc: Doc) -> list[Row]:
    """Return the same of what a pipeline found."""
    rows: list[Row] = []
    for token in doc:
        if token.is_space:
            continue
        root = token.head.i == token.i
        head = None if root else (token.head.idx, token.head.idx + len(token.head))
        label = "root" if root else token.dep_
        rows.append(((token.idx, token.idx + len(token)), upos_of(token.tag_, label), head, label))
    return rows


def compare(gold: list[Row], found: list[Row], counts: Counter[str]) -> None:
    counts["gold"] += len(gold)
    counts["found"] += len(found)
    by_span = {row[0]: row for row in gold}
    for span, upos, head, label in found:
        if span not in by_span:
            continue
        _, gold_upos, gold_head, gold_label = by_span[span]
        counts["words"] += 1
        counts["upos"] += upos == gold_upos
        counts["uas"] += head == gold_head
        counts["las"] += head == gold_head and label == gold_label
    gold_roots, roots = ([row[0] for row in rows if row[2] is None] for rows in (gold, found))
    counts["root_exact"] += roots == gold_roots
    counts["root_aligned"] += is_aligned(roots, gold_roots)


def scores(nlp: Language, path: Path, repeats: int = 3) -> dict[str, float]:
    golds = []
    texts = []
    for sentence in read_sentences(path):
        text, words = text_and_words(sentence)
        texts.append(text)
        golds.append(gold_rows(sentence, words))
    docs, seconds = parsed(nlp, texts, repeats)
    counts: Counter[str] = Counter()
    for gold, doc in zip(golds, docs, strict=True):
        compare(gold, found_rows(doc), counts)
    f1 = {name: 200 * counts[name] / (counts["gold"] + counts["found"]) for name in ("words", "upos", "uas", "las")}
    roots = {name: 100 * counts[name] / len(texts) for name in ("root_exact", "root_aligned")}
    rounded = {name: round(value, 2) for name, value in (f1 | roots).items()}
    return rounded | {"characters_per_second": round(sum(map(len, texts)) / seconds)}


if __name__ == "__main__":
    run(__doc__, scores)
