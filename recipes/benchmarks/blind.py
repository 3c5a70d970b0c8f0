"""Blind readings: draw samples of rewrites for a reader who knows nothing of the rules, and score the marks.

    python recipes/benchmarks/blind.py draw TREEBANK.conllu[.gz] SENTENCES.txt[.gz] --augmenter negation \
        [--language zh] [--config '{"coverage": "full"}'] [--count 150] [--seed 0] [--round 1] [--rounds 6] \
        --output FOLDER
    python recipes/benchmarks/blind.py score FOLDER

`draw` shuffles the texts of each file and splits them into rounds, so that no round sees a sentence of another one.
It rewrites the texts of one round until `count` are changed, and writes `sample.tsv` (id, text, rewrite), which is
all that the reader sees, and `key.tsv` (id, source, method, rule). Several calls with the same folder extend the
sample: the ids do not tell one method from another. `--augmenter baseline --language zh` is a plain baseline, for
scale: 不 before the first verb.

The reader writes `marks.tsv`: id, G, R and N (0 or 1 each), and a remark. G: as grammatical as the text. R: it does
what it claims. N: a native speaker could have written it. `score` prints the shares of each method and source with
95 % Wilson intervals, where "right" is G and R, and lists every rewrite that is not right.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import math
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sda_hf import ClauseAugmenter, Edit, Skip, register
from sda_hf.augmentation import from_config
from sda_hf.syntax.clause import Clause

SAMPLE = ("id", "text", "rewrite")
KEY = ("id", "source", "method", "rule")
MARKS = ("id", "G", "R", "N", "remark")
Row = dict[str, str]


@register("baseline")
@dataclass(frozen=True, kw_only=True)
class NotBeforeVerb(ClauseAugmenter):
    """Negative: 不 before the first verb of a Chinese sentence."""

    role = "negative"
    languages = ("zh",)

    def edit(self, clause: Clause, rng: random.Random) -> list[Edit] | Skip:
        verb = next((word for word in clause.words if word.pos in ("VERB", "AUX")), None)
        return Skip("no verb") if verb is None else [Edit(verb.start, verb.start, "不", "baseline")]


def read_texts(path: Path) -> list[str]:
    """Return the sentences of a file: the `# text` lines of CoNLL-U, or all lines."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        if ".conllu" in path.suffixes:
            return [line.removeprefix("# text = ").rstrip("\n") for line in lines if line.startswith("# text = ")]
        return [line.rstrip("\n") for line in lines]


def texts_of_round(texts: Sequence[str], number: int, rounds: int, seed: int = 0) -> list[str]:
    """Return the texts of one round, in random order."""
    shuffled = list(dict.fromkeys(texts))
    random.Random(seed).shuffle(shuffled)
    return shuffled[number::rounds]


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a table; none if there is no such file."""
    if not path.exists():
        return []
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Write a table; tabs and line breaks in its cells become spaces."""
    with open(path, "w", encoding="utf-8") as lines:
        for cells in (columns, *([row[name] for name in columns] for row in rows)):
            lines.write("\t".join(" ".join(cell.split()) for cell in cells) + "\n")


def draw(arguments: argparse.Namespace) -> None:
    """Add rewrites of new texts to the sample in a folder."""
    folder: Path = arguments.output
    folder.mkdir(parents=True, exist_ok=True)
    sample, key = read_rows(folder / "sample.tsv"), read_rows(folder / "key.tsv")
    config = {"name": arguments.augmenter, "language": arguments.language, "seed": arguments.seed}
    # The configuration is typed by whoever runs this.
    augmenter = from_config(config | json.loads(arguments.config), trust_parser=True)
    method = arguments.method or arguments.augmenter
    ids = random.Random(f"{method} {arguments.seed} {arguments.round} {len(sample)}")
    for path in arguments.texts:
        texts = texts_of_round(read_texts(path), arguments.round - 1, arguments.rounds)
        changed = seen = 0
        for rewrite in augmenter.rewrite(texts):
            if changed == arguments.count:
                break
            seen += 1
            if rewrite.skipped is None:
                changed += 1
                name = f"{ids.randrange(16**8):08x}"
                sample.append({"id": name, "text": rewrite.original, "rewrite": rewrite.text})
                key.append({"id": name, "source": path.name, "method": method, "rule": rewrite.rule or ""})
        print(f"{path.name}: {changed} of {seen} sentences changed ({100 * changed / seen:.1f} %)")
    order = random.Random(0).sample(range(len(sample)), len(sample))
    write_rows(folder / "sample.tsv", SAMPLE, [sample[i] for i in order])
    write_rows(folder / "key.tsv", KEY, [key[i] for i in order])


def wilson(successes: int, count: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share, in per cent."""
    z, share = 1.96, successes / count
    centre, spread = share + z * z / (2 * count), z * math.sqrt(share * (1 - share) / count + z * z / (4 * count**2))
    scale = 100 / (1 + z * z / count)
    return (centre - spread) * scale, (centre + spread) * scale


def score(arguments: argparse.Namespace) -> None:
    """Print the shares of each method and source, and what is not right."""
    sample, key, marks = (
        {row["id"]: row for row in read_rows(arguments.folder / f"{name}.tsv")} for name in ("sample", "key", "marks")
    )
    missing = [name for name in sample if name not in marks]
    if missing:
        raise SystemExit(f"{len(missing)} rewrites have no marks: {' '.join(missing[:10])}")
    groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for name in sample:
        groups[key[name]["method"], key[name]["source"]].append(marks[name])
    for (method, source), rows in sorted(groups.items()):
        cells = []
        for title, letters in (("right", "GR"), ("natural", "N"), ("all three", "GRN")):
            hits = sum(all(row[letter] == "1" for letter in letters) for row in rows)
            low, high = wilson(hits, len(rows))
            cells.append(f"{title} {100 * hits / len(rows):.1f} ({low:.1f}-{high:.1f})")
        print(f"{method}, {source}, {len(rows)}: {'; '.join(cells)}")
    for name, row in sample.items():
        if marks[name]["G"] != "1" or marks[name]["R"] != "1":
            print(f"\n{key[name]['method']}, {key[name]['source']}, {key[name]['rule']}")
            print(f"  {row['text']}\n  {row['rewrite']}")
            print("  G {G}, R {R}: {remark}".format(**marks[name]))


def main() -> None:
    """Run a command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("texts", type=Path, nargs="+")
    drawing.add_argument("--augmenter", required=True)
    drawing.add_argument("--language", default="en")
    drawing.add_argument("--config", default="{}")
    drawing.add_argument("--method", help="a name for the score, if not the augmenter's")
    drawing.add_argument("--count", type=int, default=150)
    drawing.add_argument("--seed", type=int, default=0)
    drawing.add_argument("--round", type=int, default=1)
    drawing.add_argument("--rounds", type=int, default=6)
    drawing.add_argument("--output", type=Path, required=True)
    drawing.set_defaults(run=draw)
    scoring = commands.add_parser("score")
    scoring.add_argument("folder", type=Path)
    scoring.set_defaults(run=score)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
