"""Run every augmenter on the same sentences: how often and how much it changes them, and how fast.

    OMP_NUM_THREADS=1 python recipes/benchmarks/augmenters.py SENTENCES.txt[.gz] [--sentences 5000] [--model ENCODER]
        [--models] [--only NAME,NAME]

Prints the share of the sentences that are changed, the sentences per second and, over the changed sentences, the mean
Jaccard index of their words with those of the original, the mean cosine by an encoder (on 500 of them) and an example.
Augmenters that run a model of their own are left out unless --models is given.
"""

from __future__ import annotations

import argparse
import gzip
import re
import time

from rich.console import Console
from rich.table import Table

from sda_hf.augmentation import Augmenter, Rewrite, from_config
from sda_hf.augmentation.listing import PARTS
from sda_hf.registry import AUGMENTERS

EMBEDDED = 500


def sentences(path: str, count: int) -> list[str]:
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as lines:
        return [line.strip() for _, line in zip(range(count), lines, strict=False)]


def jaccard(rewrite: Rewrite) -> float:
    """Return the Jaccard index of the words, ignoring case and punctuation."""
    one, other = (set(re.findall(r"\w+", text.lower())) for text in (rewrite.original, rewrite.text))
    return len(one & other) / len(one | other) if one | other else 1.0


def cosine(encoder, rewrites: list[Rewrite]) -> float:
    vectors = encoder.encode(
        [text for rewrite in rewrites for text in (rewrite.original, rewrite.text)], normalize_embeddings=True
    )
    return float((vectors[0::2] * vectors[1::2]).sum(axis=1).mean())


def measure(augmenter: Augmenter, texts: list[str], encoder) -> dict[str, str]:
    fitted = augmenter if augmenter.is_fitted else augmenter.fit(texts)
    fitted.augment(texts[:5])  # the parser and other tables
    began = time.perf_counter()
    rewrites = fitted.rewrite(texts)
    rate = len(texts) / (time.perf_counter() - began)
    done = [rewrite for rewrite in rewrites if rewrite.skipped is None]
    short = min(done, key=lambda rewrite: abs(len(rewrite.original) - 40))
    return {
        "role": augmenter.role,
        "changed (%)": f"{100 * len(done) / len(texts):.1f}",
        "sentences/s": f"{rate:,.0f}",
        "Jaccard": f"{sum(map(jaccard, done)) / len(done):.3f}",
        "cosine": "" if encoder is None else f"{cosine(encoder, done[:EMBEDDED]):.3f}",
        "example": f"{short.original} → {short.text}",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--sentences", type=int, default=5000)
    parser.add_argument("--model", help="a sentence encoder, by Hub id or folder")
    parser.add_argument("--models", action="store_true", help="include augmenters that run a model of their own")
    parser.add_argument("--only", help="names of augmenters, separated by commas")
    args = parser.parse_args()
    encoder = None
    if args.model:
        from sentence_transformers import SentenceTransformer

        encoder = SentenceTransformer(args.model)
    texts = sentences(args.file, args.sentences)
    table = Table(title=f"{len(texts):,} sentences", title_justify="left")
    for name in args.only.split(",") if args.only else sorted(set(AUGMENTERS) - {"triplets"}):
        augmenter = from_config({"name": name, **PARTS.get(name, {})})
        if augmenter.models and not args.models:
            continue
        row = measure(augmenter, texts, encoder)
        if not table.columns:
            for column in ("augmenter", *row):
                table.add_column(column, overflow="fold")
        table.add_row(name, *row.values())
    Console(width=200).print(table)


if __name__ == "__main__":
    main()
