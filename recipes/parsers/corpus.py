"""Convert treebanks and machine-made parses to the training and development data of `spacy train`.

    python corpus.py --silver silver.spacy --output train.spacy en_ewt-train.conllu.gz en_pud.conllu.gz
    python corpus.py --output dev.spacy en_ewt-dev.conllu.gz

With --silver, each gold sentence is there twice: alone, and in a text of two to four consecutive ones, so
that the parser learns where sentences end.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import conllu
import spacy
from spacy.tokens import DocBin
from treebank import read_sentences, to_doc


def texts_of_several(sentences: list[conllu.TokenList], rng: random.Random) -> list[list[conllu.TokenList]]:
    """Return runs of two to four consecutive sentences."""
    runs, i = [], 0
    while i < len(sentences):
        n = rng.randint(2, 4)
        runs.append(sentences[i : i + n])
        i += n
    return runs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path, nargs="+")
    parser.add_argument("--silver", type=Path)
    parser.add_argument("--language", default="en")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args()
    nlp = spacy.blank(args.language)
    bin_ = DocBin(attrs=["TAG", "HEAD", "DEP", "SENT_START"])
    for path in args.treebanks:
        sentences = list(read_sentences(path))
        runs = [[s] for s in sentences]
        if args.silver:
            runs += texts_of_several(sentences, random.Random(args.seed))
        for run in runs:
            bin_.add(to_doc(nlp, run))
    if args.silver:
        for doc in DocBin().from_disk(args.silver).get_docs(nlp.vocab):
            bin_.add(doc)
    bin_.to_disk(args.output)
    print(f"{len(bin_)} texts")


if __name__ == "__main__":
    main()
