"""Measure the speed of augmentation as ratios within one run, which depend less on the machine than timings.

    OMP_NUM_THREADS=1 python recipes/benchmarks/augment.py SENTENCES.txt[.gz] [--sentences 5000]

Prints sentences/s of spaCy with the embedded pipeline, of the embedded parser, which runs the same weights on arrays,
of `Triplets` in batches and of `Dataset.map` in both forms, their ratios, and the peak memory at 10,000 and at 100,000
sentences. Row by row, each sentence is parsed alone, by spaCy.
"""

from __future__ import annotations

import argparse
import gzip
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from datasets import Dataset, disable_progress_bars

from sda_hf import ModalVerbs, Negation, Triplets
from sda_hf.grammar.base import grammar_of

BATCH = 1000


def read(path: Path) -> list[str]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [line.strip() for line in lines if line.strip()]


def rate(run: Callable[[], object], sentences: int) -> float:
    began = time.process_time()
    run()
    return sentences / (time.process_time() - began)


def exhaust(items: Iterable[object]) -> None:
    for _ in items:
        pass


def speed(texts: list[str], rounds: int) -> None:
    parser = grammar_of("en").parser()
    triplets = Triplets(ModalVerbs(), Negation())
    batches = [{"text": texts[i : i + BATCH]} for i in range(0, len(texts), BATCH)]
    dataset = Dataset.from_dict({"text": texts})
    few = dataset.take(min(len(texts), 1000))

    def mapped(data: Dataset, **how: object) -> Dataset:
        return data.map(triplets, load_from_cache_file=False, remove_columns=["text"], **how)

    runs: dict[str, tuple[Callable[[], object], int]] = {
        "spaCy's nlp.pipe": (lambda: exhaust(parser.parse(texts)), len(texts)),
        "embedded parser": (lambda: exhaust(map(exhaust, parser.sentences(texts))), len(texts)),
        "Triplets, batches": (lambda: exhaust(map(triplets, batches)), len(texts)),
        "Dataset.map, batched": (lambda: mapped(dataset, batched=True), len(texts)),
        "Dataset.map, row by row": (lambda: mapped(few), len(few)),
    }
    exhaust(map(triplets, batches[:1]))
    # The runs alternate, so that a slow moment of the machine affects all of them.
    best = dict.fromkeys(runs, 0.0)
    for _ in range(rounds):
        for name, (run, n) in runs.items():
            best[name] = max(best[name], rate(run, n))
    for name, value in best.items():
        print(f"{name:26} {value:8.0f} sentences/s")
    spacy, batched = best["spaCy's nlp.pipe"], best["Dataset.map, batched"]
    print(f"embedded parser / spaCy's nlp.pipe:    {best['embedded parser'] / spacy:.2f}")
    print(f"Triplets in batches / nlp.pipe:        {best['Triplets, batches'] / spacy:.2f}  (bar: 0.80)")
    print(f"map row by row / map batched:          {best['Dataset.map, row by row'] / batched:.2f}")


def peak(source: Path, count: int) -> None:
    """Augment `count` sentences from a file, and print the peak memory; run it in a process of its own."""
    texts = read(source)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "in.txt"
        path.write_text("\n".join(f"{texts[i % len(texts)]}" for i in range(count)), encoding="utf-8")
        data = Dataset.from_text(str(path), cache_dir=folder)
        data.map(Triplets(ModalVerbs(), Negation()), batched=True, remove_columns=["text"])
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def memory(source: Path) -> None:
    peaks = []
    for count in (10_000, 100_000):
        command = [sys.executable, __file__, str(source), "--peak", str(count)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        peaks.append(float(done.stdout))
        print(f"peak memory at {count:7,} sentences: {peaks[-1]:6.0f} MiB")
    print(f"growth: {peaks[1] / peaks[0]:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--sentences", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-memory", action="store_true")
    parser.add_argument("--peak", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    disable_progress_bars()
    if args.peak:
        peak(args.source, args.peak)
        return
    speed(read(args.source)[: args.sentences], args.rounds)
    if not args.no_memory:
        memory(args.source)


if __name__ == "__main__":
    main()
