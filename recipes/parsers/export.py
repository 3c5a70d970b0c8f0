"""A trained pipeline → the embedded one: no training vocabulary, no paths, with its scores and licence.

python export.py best-model en_ewt-dev.conllu.gz --output ../../sda_hf/syntax/pipelines/en_ud
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import spacy
from evaluate import scores
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


def stripped(nlp: Language) -> Language:
    """The same components over a vocabulary that holds the labels alone."""
    config = nlp.config.copy()
    config["paths"] = dict.fromkeys(config["paths"])
    small = Language.from_config(config) if nlp.lang == "xx" else spacy.blank(nlp.lang).from_config(config)
    for name, component in nlp.pipeline:
        small.get_pipe(name).from_bytes(component.to_bytes(exclude=["vocab"]), exclude=["vocab"])
        for label in getattr(component, "labels", ()):
            small.vocab.strings.add(label)
    small.meta.update(META)
    return small


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trained", type=Path)
    parser.add_argument("treebank", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args()
    small = stripped(spacy.load(args.trained))
    kept = {p.name: p.read_bytes() for p in args.output.glob("*") if p.name in ("README.md", "LICENSE")}
    shutil.rmtree(args.output, ignore_errors=True)
    small.to_disk(args.output)
    measured = scores(spacy.load(args.output), args.treebank)
    small.meta["performance"] = measured
    (args.output / "meta.json").write_text(json.dumps(small.meta, indent=2) + "\n", encoding="utf-8")
    for name, content in kept.items():
        (args.output / name).write_bytes(content)
    size = sum(p.stat().st_size for p in args.output.rglob("*") if p.is_file())
    print(json.dumps(measured, indent=2), f"{size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
