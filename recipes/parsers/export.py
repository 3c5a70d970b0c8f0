"""Export a trained pipeline as the embedded one: no training vocabulary, no paths, with its scores and licence.

python export.py best-model en_ewt-dev.conllu.gz --output ../../sda_hf/grammar/english/pipeline
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import spacy
from score import Scores, scores
from spacy.language import Language

META = {
    "name": "ud",
    "version": "0.1.0",
    "description": "Small English tagger and dependency parser (Universal Dependencies, PTB tags)",
    "license": "CC BY-SA 4.0",
    "sources": [
        {"name": "UD English EWT (train)", "license": "CC BY-SA 4.0", "url": "https://universaldependencies.org"},
        {"name": "UD English PUD", "license": "CC BY-SA 3.0", "url": "https://universaldependencies.org"},
        {"name": "English Wikipedia sentences of WikiSplit, machine-parsed", "license": "CC BY-SA 4.0"},
        {"name": "Sentences of the STS benchmark (train), machine-parsed", "license": "CC BY-SA 4.0"},
        {"name": "all-MiniLM-L6-v2, encoder of the parser that labelled them", "license": "Apache-2.0"},
    ],
}


README = """# en_ud: the embedded English pipeline

A spaCy pipeline of {size:.1f} MB: one token-to-vector layer (width {width}, depth {depth}), a tagger (Penn Treebank
tags) and a dependency parser (Universal Dependencies). Lemmas and inflections come from a lexicon, not from here.

| on UD English EWT, development set, raw text, spaCy's tokenizer | |
|---|---:|
| tag accuracy | {tag_acc:g} |
| unlabelled attachment (UAS) | {dep_uas:g} |
| labelled attachment (LAS) | {dep_las:g} |
| sentences with one root, on the same characters as the gold root, % | {root_exact:g} |
| the same, counting any overlap with the gold root, % | {root_aligned:g} |
| words per second on one core of the machine that exported it | {words_per_second:,} |

The checkpoint was chosen on the same set, so the scores are slightly optimistic.

- **Training data:** UD English EWT (train) and UD English PUD, and machine-made parses of sentences from English
  Wikipedia (WikiSplit) and from the training set of the STS benchmark. The commands are in `recipes/parsers/README.md`.
- **Licence:** CC BY-SA 4.0, with attribution to UD English EWT (CC BY-SA 4.0) and UD English PUD (CC BY-SA 3.0),
  <https://universaldependencies.org>.

This page is written by `recipes/parsers/export.py`.
"""


def copy_weights(source: Language, target: Language, name: str) -> None:
    """Give a component the weights of the trained one of the same name, and the vocabulary its labels."""
    component = source.get_pipe(name)
    target.get_pipe(name).from_bytes(component.to_bytes(exclude=["vocab"]), exclude=["vocab"])
    for label in getattr(component, "labels", ()):
        target.vocab.strings.add(label)


def stripped(nlp: Language) -> Language:
    """Return the same components with a vocabulary that holds only the labels."""
    config = nlp.config.copy()
    config["paths"] = dict.fromkeys(config["paths"])
    small = type(nlp).from_config(config)
    for name in nlp.pipe_names:
        copy_weights(nlp, small, name)
    small.meta.update(META)
    return small


def write(nlp: Language, output: Path, treebank: Path, scores: Scores, readme: str, **facts: int) -> None:
    """Replace the pipeline in a folder, whose licence stays; the scores go to its meta.json and README.md.

    Args:
        nlp: the pipeline.
        output: the folder.
        treebank: what it is scored on.
        scores: how.
        readme: the page, with names in braces for the scores, the size in MB and the facts.
        facts: what else the page says.
    """
    licence = output / "LICENSE"
    kept = licence.read_bytes() if licence.is_file() else b""
    shutil.rmtree(output, ignore_errors=True)
    nlp.to_disk(output)
    measured = scores(spacy.load(output), treebank)
    nlp.meta["performance"] = measured
    (output / "meta.json").write_text(json.dumps(nlp.meta, indent=2) + "\n", encoding="utf-8")
    licence.write_bytes(kept)
    size = sum(p.stat().st_size for p in output.rglob("*") if p.is_file()) / 1e6
    (output / "README.md").write_text(readme.format(size=size, **facts, **measured), encoding="utf-8")
    print(json.dumps(measured, indent=2), f"{size:.2f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trained", type=Path)
    parser.add_argument("treebank", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args()
    small = stripped(spacy.load(args.trained))
    encode = small.config["components"]["tok2vec"]["model"]["encode"]
    write(small, args.output, args.treebank, scores, README, width=encode["width"], depth=encode["depth"])


if __name__ == "__main__":
    main()
