"""Benchmark TF-IDF negatives on a corpus as large as the paper's, and against loops in plain Python.

    python recipes/benchmarks/tfidf.py SENTENCES.txt.gz [--sentences 1000000] [--loops 2000]

If the file has too few sentences, more are made by mixing words of others and a rare word into them, so that the
vocabulary grows. Prints the time and memory of `fit`, the speed of `augment`, and the speed of both relative to loops
over dictionaries that follow the paper's Algorithm 1 sentence by sentence and term by term.
"""

from __future__ import annotations

import argparse
import bisect
import gzip
import math
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sda_hf import TfidfNegatives
from sda_hf.augmentation.vocabulary import terms_of


def sentences(path: str, count: int) -> Iterator[str]:
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as lines:
        base = [line.strip() for line in lines]
    draw = random.Random(0)
    for i in range(count):
        text = base[i % len(base)]
        if i >= len(base):
            words = text.split()
            words[draw.randrange(len(words))] = draw.choice(draw.choice(base).split())
            text = " ".join([*words, f"name{draw.randrange(400_000)}"])
        yield text


def memory() -> int:
    """Return the peak memory so far, in MiB."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) // 1024


class Loops:
    """Algorithm 1, implemented literally."""

    def __init__(self, corpus: list[str]) -> None:
        documents = [[term.lower() for term in terms_of(text)] for text in corpus]
        frequency: Counter[str] = Counter()
        for terms in documents:
            for term in set(terms):
                frequency[term] += 1
        self.idf = {term: math.log(len(documents) / count) for term, count in frequency.items()}
        self.largest: dict[str, float] = {}
        for terms in documents:
            for term in terms:
                score = math.log(1 + terms.count(term) / len(terms)) * self.idf[term]
                self.largest[term] = max(self.largest.get(term, 0.0), score)
        self.order = sorted(self.largest, key=lambda term: self.largest[term])
        self.scores = [self.largest[term] for term in self.order]

    def augment(self, text: str, beta: float = 0.5, radius: int = 4000) -> str:
        terms = [term.lower() for term in terms_of(text)]
        scores = [math.log(1 + terms.count(term) / len(terms)) * self.idf[term] for term in terms]
        above = [score - min(scores) for score in scores]
        mean = sum(above) / len(above) or 1.0
        new = []
        for term, score, excess in zip(terms, scores, above, strict=True):
            if score < max(scores) and random.random() >= beta * excess / mean:
                new.append(term)
                continue
            place = bisect.bisect_left(self.scores, self.largest[term])
            near = [t for t in self.order[max(place - radius, 0) : place + radius] if t != term]
            new.append(random.choices(near, [self.largest[t] for t in near])[0])
        return " ".join(new)


def timed(function, *args):
    began = time.perf_counter()
    return function(*args), time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--sentences", type=int, default=1_000_000)
    parser.add_argument("--loops", type=int, default=2000, help="number of sentences for the plain loops")
    args = parser.parse_args()
    stream = sentences(args.file, args.sentences)
    augmenter, seconds = timed(TfidfNegatives().fit, stream)
    terms = len(augmenter.vocabulary.terms)
    print(f"fit: {args.sentences:,} sentences, {terms:,} terms: {seconds:.0f} s  (bar: 180)")
    print(f"peak memory: {memory():,} MiB  (bar: 2,048)")
    some = list(sentences(args.file, 50_000))
    augmenter.augment(some[:10])
    _, spent = timed(augmenter.augment, some)
    print(f"augment: {len(some) / spent:,.0f} sentences/s on one core  (bar: 20,000)")
    small = some[: args.loops]
    loops, theirs = timed(Loops, small)
    _, ours = timed(TfidfNegatives().fit, small)
    print(f"fit, {len(small):,} sentences: {theirs / ours:.1f} times as fast as the loops")
    _, theirs = timed(lambda: [loops.augment(text) for text in small])
    fitted = TfidfNegatives().fit(small)
    fitted.augment(small[:10])
    _, ours = timed(fitted.augment, small)
    print(f"augment, {len(small):,} sentences: {theirs / ours:.0f} times as fast as the loops")


if __name__ == "__main__":
    main()
