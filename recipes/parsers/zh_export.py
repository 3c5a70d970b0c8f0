"""Join the trained segmenter, parser and scorer of heads to the embedded Chinese pipeline, with its scores and licence.

python zh_export.py places/model-best words/model-best heads zh_gsdsimp-dev.conllu.gz \
        --output ../../sda_hf/grammar/chinese/pipeline
"""

from __future__ import annotations

import argparse
from pathlib import Path

import spacy
from export import copy_weights, write
from spacy.lang.zh import Chinese
from zh_score import scores

META = {
    "name": "ud",
    "version": "0.2.0",
    "description": "Small Chinese word segmenter, tagger and dependency parser (Universal Dependencies, GSD tags)",
    "license": "CC BY-SA 4.0",
    "sources": [
        {"name": "UD Chinese GSD (train)", "license": "CC BY-SA 4.0", "url": "https://universaldependencies.org"},
        {"name": "UD Chinese HK", "license": "CC BY-SA 4.0", "url": "https://universaldependencies.org"},
        {"name": "UD Chinese CFL", "license": "CC BY-SA 4.0", "url": "https://universaldependencies.org"},
        {"name": "UD Chinese PUD", "license": "CC BY-SA 3.0", "url": "https://universaldependencies.org"},
        {"name": "Sentences of SimCLUE (corpus_1w), machine-parsed", "license": "research use"},
        {"name": "Sentences of the Chinese STS benchmark (train), machine-parsed", "license": "CC BY-SA 4.0"},
    ],
}

README = """# zh_ud: the embedded Chinese pipeline

A spaCy pipeline of {size:.1f} MB. A segmenter tags characters (and runs of letters or digits) with their places in
words; a tagger (tags of UD Chinese GSD) and a dependency parser (Universal Dependencies) share a token-to-vector layer
over the words. A scorer of heads, which sees the whole sentence, corrects the parser. Sentences end at 。！？…, at
their half-width forms and at line breaks.

| on UD Chinese GSDSimp, development set, raw text | |
|---|---:|
| words, F1 | {words:g} |
| universal parts of speech, F1 | {upos:g} |
| unlabelled attachment (UAS), F1 | {uas:g} |
| labelled attachment (LAS), F1 | {las:g} |
| sentences with one root, on the same characters as the gold root, % | {root_exact:g} |
| the same, counting any overlap with the gold root, % | {root_aligned:g} |
| characters per second on one core of the machine that exported it | {characters_per_second:,} |

- **Training data:** UD Chinese GSD (train), HK, CFL and PUD, made alike, and sentences from SimCLUE and from the
  training set of the Chinese STS benchmark, parsed by a larger model that was trained on the same treebanks. No
  pretrained weights are used. The commands are in `recipes/parsers/README.md`.
- **Licence:** CC BY-SA 4.0, with attribution to UD Chinese GSD, HK and CFL (CC BY-SA 4.0) and UD Chinese PUD
  (CC BY-SA 3.0), <https://universaldependencies.org>.

This page is written by `recipes/parsers/zh_export.py`.
"""


def joined(places: spacy.Language, words: spacy.Language, heads: Path) -> spacy.Language:
    """Return one pipeline of the components of two, with a vocabulary that holds only the labels."""
    nlp = Chinese.from_config({"nlp": {"tokenizer": {"@tokenizers": "sda_hf.ChineseUnits.v1"}}})
    for name in ("places", "zh_words", "tok2vec", "tagger", "parser"):
        if name == "zh_words":
            nlp.add_pipe(name)
            continue
        source = places if name == "places" else words
        config = dict(source.config.interpolate()["components"][name])
        nlp.add_pipe(config.pop("factory"), name, config=config)
        copy_weights(source, nlp, name)
    nlp.add_pipe("zh_heads").from_disk(heads)
    nlp.meta.update(META)
    return nlp


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", type=Path)
    parser.add_argument("words", type=Path)
    parser.add_argument("heads", type=Path)
    parser.add_argument("treebank", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args()
    nlp = joined(spacy.load(args.places), spacy.load(args.words), args.heads)
    write(nlp, args.output, args.treebank, scores, README)


if __name__ == "__main__":
    main()
