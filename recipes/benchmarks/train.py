"""How fast and how large training is, as ratios of one run, on random weights and random tokens.

    OMP_NUM_THREADS=2 python recipes/benchmarks/train.py [--steps 12] [--batch 32] [--cache 4096]

Prints steps/s of `MarginNegationInfoNCELoss` against sentence-transformers' `MultipleNegativesRankingLoss` on the same
triples, of `SimCSEEdaCSELoss` against the bare passes of its three views, and the peak memory of a gradient-cached
batch against that of a plain one of 64 rows.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
from sentence_transformers.sentence_transformer.modules import Pooling
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from sda_hf.losses import MarginNegationInfoNCELoss, SimCSEEdaCSELoss

WIDTH, LAYERS, HEADS, VOCABULARY, TOKENS = 384, 6, 12, 30_522, 32  # all-MiniLM-L6-v2's shape
Features = list[dict[str, Tensor]]
Loss = Callable[[Features, None], Tensor]


class Encoder(nn.Module):
    """A BERT that answers like a module of sentence-transformers, without a tokenizer."""

    def __init__(self) -> None:
        super().__init__()
        config = BertConfig(
            vocab_size=VOCABULARY,
            hidden_size=WIDTH,
            num_hidden_layers=LAYERS,
            num_attention_heads=HEADS,
            intermediate_size=4 * WIDTH,
        )
        self.bert = BertModel(config, add_pooling_layer=False)

    def forward(self, features: dict[str, Tensor]) -> dict[str, Tensor]:
        given = {name: features[name] for name in ("input_ids", "attention_mask")}
        features["token_embeddings"] = self.bert(**given).last_hidden_state
        return features


def encoder() -> SentenceTransformer:
    torch.manual_seed(0)
    return SentenceTransformer(modules=[Encoder(), Pooling(WIDTH, "mean")], device="cpu").train()


def columns(count: int, rows: int) -> Features:
    generator = torch.Generator().manual_seed(1)
    shape = (rows, TOKENS)
    return [
        {
            "input_ids": torch.randint(1000, VOCABULARY, shape, generator=generator),
            "attention_mask": torch.ones(shape, dtype=torch.long),
        }
        for _ in range(count)
    ]


def stepper(model: SentenceTransformer, loss: Loss, features: Features) -> Callable[[], None]:
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)

    def step() -> None:
        value = loss([dict(column) for column in features], None)
        (sum(value.values()) if isinstance(value, dict) else value).backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def bare(model: SentenceTransformer) -> Loss:
    """The floor: each column through the model and a sum of what comes out."""
    return lambda features, _: sum(model(column)["sentence_embedding"].sum() for column in features)


def rates(steps: dict[str, Callable[[], None]], rounds: int) -> dict[str, float]:
    """Steps a second of each; they take turns, so that a slow moment of the machine does not fall on one alone."""
    spent = dict.fromkeys(steps, 0.0)
    for turn in range(rounds + 1):
        for name, step in steps.items():
            began = time.perf_counter()
            step()
            spent[name] += (time.perf_counter() - began) * (turn > 0)
    return {name: rounds / seconds for name, seconds in spent.items()}


def speed(rounds: int, batch: int) -> None:
    triples, pairs = columns(3, batch), columns(2, batch)
    views = [pairs[0], pairs[0], pairs[1]]
    runs = {}
    for name, make, features in (
        ("MultipleNegativesRankingLoss, triples", MultipleNegativesRankingLoss, triples),
        ("MarginNegationInfoNCELoss, triples", MarginNegationInfoNCELoss, triples),
        ("three bare passes", bare, views),
        ("SimCSEEdaCSELoss, pairs", SimCSEEdaCSELoss, pairs),
    ):
        model = encoder()
        runs[name] = stepper(model, make(model), features)
    found = rates(runs, rounds)
    for name, rate in found.items():
        print(f"{name:40} {rate:6.2f} steps/s")
    theirs, ours, floor, edacse = found.values()
    print(f"MarginNegationInfoNCELoss / MultipleNegativesRankingLoss: {ours / theirs:.2f}  (bar: 1.00)")
    print(f"SimCSEEdaCSELoss / three bare passes:                     {edacse / floor:.2f}  (bar: 0.95)")


def peak(rows: int, mini_batch: int | None) -> float:
    """Peak memory in MiB of two steps, in a process of its own."""
    command = [sys.executable, __file__, "--peak", str(rows), str(mini_batch or 0)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def measure(rows: int, mini_batch: int) -> None:
    model = encoder()
    loss = MarginNegationInfoNCELoss(model, mini_batch_size=mini_batch or None)
    step = stepper(model, loss, columns(3, rows))
    step()
    step()  # with the optimizer's state there
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--cache", type=int, default=4096, help="rows of the cached batch")
    parser.add_argument("--peak", type=int, nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peak:
        measure(*args.peak)
        return
    speed(args.steps, args.batch)
    plain, cached = peak(64, None), peak(args.cache, 64)
    print(f"peak memory, 64 rows: {plain:.0f} MiB; {args.cache:,} rows in mini-batches of 64: {cached:.0f} MiB")
    print(f"cached / plain: {cached / plain:.2f}  (bar: 1.30)")


if __name__ == "__main__":
    main()
