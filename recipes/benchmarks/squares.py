"""Write squares of opposition, as rows for the tasks of the group `polarity` or for `squares:FILE`.

    python recipes/benchmarks/squares.py lexicon OUT.tsv [--split test] [--count 800] [--seed 0]
    python recipes/benchmarks/squares.py sentences OUT.tsv --text SENTENCES.txt[.gz] [--last 6000] \
        [--web TREEBANK.conllu[.gz]] [--antonyms-only]

The first makes them from the antonym lexicon: polarity-lexicon.tsv and polarity-lexicon-dev.tsv in
sda_hf/evaluation/tasks/polarity are its output with --split test --count 800 and with --split dev --count 240. Squares
are left out whose antonyms, as they stand, are words of another split ("locked" is an adjective as well as a form of
"lock"). The second makes them from the last sentences of a text, one per line, and from those of a treebank: antonym
squares, and "It is not true that" squares of sentences without a safe antonym. Squares are turned at random, so that
each corner is the claim in a quarter of them, and each claim is written once.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import random
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import conllu

from sda_hf import LexiconSquares, OppositionSquares
from sda_hf.grammar.english import thesaurus

COLUMNS = ("claim", "denial", "contrary", "equivalent")
# Of comparatives: "flatter", "more hilly".
DEGREES = {"more", "less"}
# The corners in the order of the columns, seen from each corner.
TURNS = ((0, 1, 2, 3), (1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0))


def read(path: Path) -> str:
    """Return the text of a file, gzipped or not."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return str(file.read())


def sentences(options: argparse.Namespace) -> list[str]:
    """Return the sentences to rewrite."""
    found = [line.strip() for line in read(options.text).splitlines() if line.strip()][-options.last :]
    if options.web is not None:
        found += [tree.metadata["text"] for tree in conllu.parse(read(options.web))]
    return found


def splits_of(row: Mapping[str, str]) -> set[str]:
    """Return the splits of the words that only one of claim and contrary has."""
    claim, contrary = (set(re.findall(r"[a-z]+", row[name].lower())) for name in ("claim", "contrary"))
    splits = thesaurus.splits()
    return {splits[word] for word in (claim ^ contrary) - DEGREES if word in splits}


def squares(options: argparse.Namespace) -> Iterable[Mapping[str, str]]:
    """Return the squares that the options ask for."""
    if options.source == "lexicon":
        rows = LexiconSquares(count=options.count, split=options.split, seed=options.seed)
        return [row for row in rows if splits_of(row) == {options.split}]
    augmenter = OppositionSquares(fallback=None) if options.antonyms_only else OppositionSquares()
    made = augmenter({"text": sentences(options)})
    return [dict(zip(COLUMNS, row, strict=True)) for row in zip(*(made[name] for name in COLUMNS), strict=True)]


def turned(rows: Iterable[Mapping[str, str]], seed: int) -> list[dict[str, str]]:
    """Return squares seen from a random corner."""
    rng = random.Random(seed)
    found = []
    for row in rows:
        order = rng.choice(TURNS)
        found.append({name: row[COLUMNS[corner]] for name, corner in zip(COLUMNS, order, strict=True)})
    return found


def write(path: Path, rows: Iterable[Mapping[str, str]]) -> int:
    """Write the first square of each claim that fits on a line of a TSV file; return how many."""
    fitting = [row for row in rows if not any(set('\t\r\n"') & set(text) for text in row.values())]
    first = {row["claim"]: row for row in reversed(fitting)}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(reversed(first.values()))
    return len(first)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    sources = parser.add_subparsers(dest="source", required=True)
    lexicon = sources.add_parser("lexicon", help="from the antonym lexicon")
    lexicon.add_argument("out", type=Path)
    lexicon.add_argument("--split", default="test")
    lexicon.add_argument("--count", type=int, default=800)
    natural = sources.add_parser("sentences", help="from sentences")
    natural.add_argument("out", type=Path)
    natural.add_argument("--text", type=Path, required=True)
    natural.add_argument("--last", type=int, default=8000)
    natural.add_argument("--web", type=Path)
    natural.add_argument("--antonyms-only", action="store_true")
    for source in (lexicon, natural):
        source.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"{write(options.out, turned(squares(options), options.seed)):,} squares")


if __name__ == "__main__":
    main()
