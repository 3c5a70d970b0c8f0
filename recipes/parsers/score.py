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
from collections.abc import Callable, Sequence
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc
from spacy.training import Example
from treebank import read_sentences, to_doc

Span = tuple[int, int]
Scores = Callable[[Language, Path], dict[str, float]]


def roots(doc: Doc) -> list[Span]:
    return [(t.idx, t.idx + len(t)) for t in doc if t.dep_ == "ROOT"]


def is_aligned(found: Sequence[Span], gold: Sequence[Span]) -> bool:
    """Whether there is exactly one root, and it overlaps with the gold root."""
    ((start, end),) = gold
    return len(found) == 1 and found[0][0] < end and start < found[0][1]


def parsed(nlp: Language, texts: Sequence[str], repeats: int) -> tuple[list[Doc], float]:
    """Return the parses of texts, and the seconds of the fastest of several runs over them."""
    list(nlp.pipe(texts[:200]))
    seconds = []
    docs: list[Doc] = []
    for _ in range(repeats):
        began = time.process_time()
        docs = list(nlp.pipe(texts))
        seconds.append(time.process_time() - began)
    return docs, min(seconds)


def scores(nlp: Language, path: Path, repeats: int = 3) -> dict[str, float]:
    golds = [to_doc(nlp, [s]) for s in read_sentences(path)]
    docs, seconds = parsed(nlp, [g.text for g in golds], repeats)
    result = Scorer(nlp).score([Example(d, g) for d, g in zip(docs, golds, strict=True)])
    pairs = [(roots(d), roots(g)) for d, g in zip(docs, golds, strict=True)]
    shares = {name: result[name] for name in ("tag_acc", "dep_uas", "dep_las")}
    shares["root_exact"] = sum(found == gold for found, gold in pairs) / len(docs)
    shares["root_aligned"] = sum(is_aligned(found, gold) for found, gold in pairs) / len(docs)
    rounded = {name: round(100 * share, 2) for name, share in shares.items()}
    return rounded | {"words_per_second": round(sum(map(len, docs)) / seconds)}


def run(doc: str | None, scores: Scores) -> None:
    """Print the scores of the pipeline and treebank that the command line names."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pipeline")
    parser.add_argument("treebank", type=Path)
    args = parser.parse_args()
    print(json.dumps(scores(spacy.load(args.pipeline), args.treebank), indent=2))


if __name__ == "__main__":
    run(__doc__, scores)
