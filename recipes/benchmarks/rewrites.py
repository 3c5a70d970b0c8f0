"""Rewrite real text, and print the share changed, the share of each rule and the share that is still grammatical.

    python recipes/benchmarks/rewrites.py TREEBANK.conllu[.gz] SENTENCES.txt[.gz] \
        [--sentences 5000] [--grammar-check CHECKER.py] [--out FOLDER]

Reads the `# text` lines of CoNLL-U files, and all lines of others. The embedded pipeline parses the raw text.
The checker is a script that reads `original<TAB>rewrite` lines, prints "... still grammatical <count> (<share>)"
and writes the lines that fail to its `--failures` file; it runs with the system's Python.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import re
import subprocess
import tempfile
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from sda_hf import DoubleNegation, ModalVerbs, Negation, PunctuationInsertion
from sda_hf.augmentation import Augmenter, Rewrite

AUGMENTERS: dict[str, Augmenter] = {
    "Punctuation": PunctuationInsertion(),
    "Modal": ModalVerbs(),
    "Double": DoubleNegation(),
    "Negation": Negation(),
}
WORD = re.compile(r"\w+")
SYSTEM_PYTHON = ("/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "python3")


def read(path: Path) -> list[str]:
    """Return the sentences of a file."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        if ".conllu" in path.suffixes:
            return [line.removeprefix("# text = ").rstrip("\n") for line in lines if line.startswith("# text = ")]
        return [line.strip() for line in lines if line.strip()]


def checked(rewrites: list[Rewrite], checker: Path, folder: Path) -> str:
    """Return the summary line of the checker, which writes the rewrites that fail to the folder."""
    pairs = [(r.original, r.text) for r in rewrites if not set("\t\n") & set(r.original)]
    source = folder / "pairs.tsv"
    source.write_text("".join(f"{a}\t{b}\n" for a, b in pairs), encoding="utf-8")
    command = [*SYSTEM_PYTHON, str(checker.resolve()), str(source), "--failures", str(folder / "failures.tsv")]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"the grammar checker failed with code {done.returncode}: {done.stderr[-300:]}")
    return next(line for line in done.stdout.splitlines() if "still grammatical" in line)


def report(name: str, rewrites: list[Rewrite], grammar: Future[str] | None) -> None:
    changed = [r for r in rewrites if r.skipped is None]
    print(f"\n{name}: {len(changed) / len(rewrites):.1%} of {len(rewrites):,} changed")
    for rule, count in Counter(r.rule for r in changed).most_common():
        print(f"  {count / len(rewrites):6.1%}  {rule}")
    for reason, count in Counter(r.skipped for r in rewrites if r.skipped).most_common():
        print(f"  {count / len(rewrites):6.1%}  skipped: {reason}")
    if name == "Punctuation":
        same = sum(WORD.findall(r.text) == WORD.findall(r.original) for r in changed)
        print(f"  words unchanged in {same:,} of {len(changed):,}")
    if grammar is not None:
        print(f"  {grammar.result()}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--sentences", type=int, default=5000, help="number of sentences from the start of each file")
    parser.add_argument("--grammar-check", type=Path, help="a checker script")
    parser.add_argument("--out", type=Path, help="folder to keep pairs and failures in")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(2) as pool:
        jobs = []
        for source, (name, augmenter) in itertools.product(args.sources, AUGMENTERS.items()):
            rewrites = augmenter.rewrite(read(source)[: args.sentences])
            folder = (args.out or Path(scratch)) / source.name / name.lower()
            folder.mkdir(parents=True, exist_ok=True)
            wanted = args.grammar_check if name != "Punctuation" else None
            grammar = pool.submit(checked, rewrites, wanted, folder) if wanted else None
            jobs.append((source, name, rewrites, grammar))
        for source, group in itertools.groupby(jobs, key=lambda job: job[0]):
            print(f"\n# {source.name}")
            for _, name, rewrites, grammar in group:
                report(name, rewrites, grammar)


if __name__ == "__main__":
    main()
