"""Score a pipeline on a treebank, from raw text through its own tokenizer, one core.

    OMP_NUM_THREADS=1 python score.py ../../sda_hf/grammar/english/pipeline en_ewt-dev.conllu.gz

Tag accuracy, UAS and LAS are spaCy's `Scorer`'s. For the root two figures are given. `root_exact`: the one
token that the pipeline calls ROOT has the characters of the gold root; a sentence that is cut in two is
wrong, and so is one whose root the tokenizer cuts in another way than the treebank. `root_aligned`: there is
one ROOT, and it shares characters with the gold root.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc
from spacy.training import Example
from treebank import read_sentences, to_doc


def roots(doc: Doc) -> list[tuple[int, int]]:
    return [(t.idx, t.idx + len(t)) for t in doc if t.dep_ == "ROOT"]


def is_aligned(doc: Doc, gold: Doc) -> bool:
    """Whether exactly one token is labelled ROOT and it overlaps with the gold root."""
    ((start, end),) = roots(gold)
    found = roots(doc)
    return len(found) == 1 and found[0][0] < end and start < found[0][1]


def scores(nlp: Language, path: Path, repeats: int = 3) -> dict[str, float]:
    golds = [to_doc(nlp, [s]) for s in read_sentences(path)]
    texts = [g.text for g in golds]
    list(nlp.pipe(texts[:200]))
    seconds = []
    docs: list[Doc] = []
    for _ in range(repeats):
        began = time.process_time()
        docs = list(nlp.pipe(texts))
        seconds.append(time.process_time() - began)
    result = Scorer(nlp).score([Example(d, g) for d, g in zip(docs, golds, strict=True)])
    exact = sum(roots(d) == roots(g) for d, g in zip(docs, golds, strict=True))
    aligned = sum(is_aligned(d, g) for d, g in zip(docs, golds, strict=True))
    return {
        "tag_acc": round(100 * result["tag_acc"], 2),
        "dep_uas": round(100 * result["dep_uas"], 2),
        "dep_las": round(100 * result["dep_las"], 2),
        "root_exact": round(100 * exact / len(docs), 2),
        "root_aligned": round(100 * aligned / len(docs), 2),
        "words_per_second": round(sum(map(len, docs)) / min(seconds)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pipeline")
    parser.add_argument("treebank", type=Path)
    args = parser.parse_args()
    print(json.dumps(scores(spacy.load(args.pipeline), args.treebank), indent=2))


if __name__ == "__main__":
    main()
