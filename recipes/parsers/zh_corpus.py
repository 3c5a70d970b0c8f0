"""Convert harmonised treebanks and machine-made parses to the training data of the Chinese pipeline.

    python zh_corpus.py --output train --silver silver.conllu --twice gsd.conllu pud.conllu hk.conllu cfl.conllu
    python zh_corpus.py --output dev dev.conllu

Each call writes two files: the places of units for the segmenter, and the words with their tree for the rest.
"""

from __future__ import annotations

import argparse
import copy
import random
from collections.abc import Iterator
from pathlib import Path

import conllu
import spacy
from spacy.tokens import Doc, DocBin
from treebank import read_sentences, to_doc
from zh_units import HALF_WIDTH, places, text_and_words, units


def varied(sentence: conllu.TokenList, rng: random.Random) -> Iterator[conllu.TokenList]:
    """Yield a sentence, and now and then once more in half-width marks, or without the mark at its end."""
    yield sentence
    if rng.random() < 0.1:
        other = copy.deepcopy(sentence)
        for token in other:
            token["form"] = token["form"].translate(HALF_WIDTH)
        yield other
    last = sentence[-1]
    leaf = all(token["head"] != last["id"] for token in sentence)
    if len(sentence) > 2 and last["xpos"] == "." and leaf and rng.random() < 0.3:
        yield conllu.TokenList(copy.deepcopy(sentence[:-1]))


def places_doc(nlp: spacy.Language, sentence: conllu.TokenList) -> Doc | None:
    text, boundaries = text_and_words(sentence)
    spans = units(text)
    found = places(spans, boundaries)
    if found is None:
        return None
    spaces = [text[end : end + 1] == " " for _, end in spans]
    return Doc(nlp.vocab, words=[text[s:e] for s, e in spans], spaces=spaces, tags=found[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path, nargs="+")
    parser.add_argument("--twice", type=Path, nargs="*", default=[], help="treebanks that count twice")
    parser.add_argument("--silver", type=Path, nargs="*", default=[])
    parser.add_argument("--vary", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", required=True)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    nlp = spacy.blank("zh")
    of_places, of_words = DocBin(attrs=["TAG"]), DocBin(attrs=["TAG", "HEAD", "DEP"])
    for path in [*args.treebanks, *args.twice, *args.twice, *args.silver]:
        for original in read_sentences(path):
            for sentence in varied(original, rng) if args.vary else [original]:
                of_words.add(to_doc(nlp, [sentence], has_spaces=False))
                if (doc := places_doc(nlp, sentence)) is not None:
                    of_places.add(doc)
    of_places.to_disk(f"{args.output}-places.spacy")
    of_words.to_disk(f"{args.output}-words.spacy")
    print(f"{len(of_words)} sentences")


if __name__ == "__main__":
    main()
