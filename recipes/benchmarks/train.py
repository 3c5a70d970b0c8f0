"""Measure the speed and memory of training as ratios within one run, on random weights and random tokens.

    OMP_NUM_THREADS=2 python recipes/benchmarks/train.py [--steps 12] [--batch 32] [--cache 4096]

Prints, on the CPU, with the architecture of all-MiniLM-L6-v2 and the sentence lengths of Wikipedia: the steps per
second of `MarginNegationInfoNCELoss` compared with sentence-transformers' `MultipleNegativesRankingLoss` on the same
triples, and of `SimCSEEdaCSELoss` compared with bare forward passes of its three views, with peak memory and wall time
of 1,000 steps; and the peak memory of a gradient-cached batch compared with a plain one of 64 rows.

    python recipes/benchmarks/train.py --gpu [--steps 50]

Prints, for BERT-base in batches of 128 triples of at most 32 tokens: sentences per second in bfloat16 compared with
SimCSE's published training loop (all padded to 32, float16 with a scaler, each column separately), and the model's
FLOPs as a share of the GPU's peak.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
from sentence_transformers.sentence_transformer.modules import Pooling
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from sda_hf.losses import MarginNegationInfoNCELoss, SimCSEEdaCSELoss

MINILM = {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}
BERT_BASE = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072}
VOCABULARY = 30_522
# Mean and deviation of the logarithm of the number of tokens of an English Wikipedia sentence.
LENGTHS = (3.22, 0.42)
PEAK_TFLOPS = {"H100": 989, "H200": 989, "A100": 312, "L4": 121}  # dense, bfloat16, from the makers' data sheets
Features = list[dict[str, Tensor]]
Step = Callable[[], None]


class Encoder(nn.Module):
    """A BERT as a module of sentence-transformers, without a tokenizer."""

    def __init__(self, shape: dict[str, int]) -> None:
        super().__init__()
        self.bert = BertModel(BertConfig(vocab_size=VOCABULARY, **shape), add_pooling_layer=False)

    def forward(self, features: dict[str, Tensor]) -> dict[str, Tensor]:
        given = {name: features[name] for name in ("input_ids", "attention_mask")}
        features["token_embeddings"] = self.bert(**given).last_hidden_state
        return features


def encoder(shape: dict[str, int] = MINILM, device: str = "cpu") -> SentenceTransformer:
    torch.manual_seed(0)
    modules = [Encoder(shape), Pooling(shape["hidden_size"], "mean")]
    return SentenceTransformer(modules=modules, device=device).train()


def columns(count: int, rows: int, longest: int = 64, device: str = "cpu") -> Features:
    """Return columns of random sentences and their rewrites, which are up to three tokens longer."""
    generator = torch.Generator().manual_seed(1)
    sentences = torch.empty(rows).log_normal_(*LENGTHS, generator=generator).long()
    features = []
    for _ in range(count):
        lengths = (sentences + torch.randint(0, 4, (rows,), generator=generator)).clamp(4, longest)
        mask = (torch.arange(int(lengths.max())) < lengths[:, None]).long()
        tokens = torch.randint(1000, VOCABULARY, mask.shape, generator=generator) * mask
        features.append({"input_ids": tokens.to(device), "attention_mask": mask.to(device)})
    return features


def total(value: Tensor | dict[str, Tensor]) -> Tensor:
    return sum(value.values()) if isinstance(value, dict) else value


def stepper(model: SentenceTransformer, loss: Callable, features: Features) -> Step:
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)

    def step() -> None:
        total(loss([dict(column) for column in features], None)).backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


class BarePasses(nn.Module):
    """A lower bound for a loss of pairs with three views: each goes through the model, and the outputs are summed."""

    def __init__(self, model: SentenceTransformer) -> None:
        super().__init__()
        self.model = model

    def forward(self, features: Features, labels: None) -> Tensor:
        anchors, augmented = features
        views = (dict(anchors), dict(anchors), augmented)
        return sum(self.model(view)["sentence_embedding"].sum() for view in views)


def rates(steps: dict[str, Step], rounds: int) -> dict[str, float]:
    """Return the steps per second of each; they alternate, so that a slow moment of the machine affects all of them."""
    spent = dict.fromkeys(steps, 0.0)
    for turn in range(rounds + 1):
        for name, step in steps.items():
            began = time.perf_counter()
            step()
            spent[name] += (time.perf_counter() - began) * (turn > 0)
    return {name: rounds / seconds for name, seconds in spent.items()}


RUNS = {
    "MultipleNegativesRankingLoss, triples": (MultipleNegativesRankingLoss, 3),
    "MarginNegationInfoNCELoss, triples": (MarginNegationInfoNCELoss, 3),
    "three bare passes": (BarePasses, 2),
    "SimCSEEdaCSELoss, pairs": (SimCSEEdaCSELoss, 2),
}


def run(name: str, rows: int, **options: int) -> Step:
    make, count = RUNS[name]
    model = encoder()
    return stepper(model, make(model, **options), columns(count, rows))


def speed(rounds: int, batch: int) -> None:
    found = rates({name: run(name, batch) for name in RUNS}, rounds)
    print(f"{batch} rows, CPU                          steps/s   s per 1,000 steps   peak MiB")
    for name, rate in found.items():
        print(f"{name:40} {rate:6.2f}   {1000 / rate:17.0f}   {peak(name, batch):8.0f}")
    theirs, ours, floor, edacse = found.values()
    print(f"MarginNegationInfoNCELoss / MultipleNegativesRankingLoss: {ours / theirs:.2f}  (bar: 1.00)")
    print(f"SimCSEEdaCSELoss / three bare passes:                     {edacse / floor:.2f}  (bar: 0.95)")


def peak(name: str, rows: int, mini_batch: int = 0) -> float:
    """Return the peak memory in MiB of two steps, in a process of its own."""
    command = [sys.executable, __file__, "--peak", name, str(rows), str(mini_batch)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def measure(name: str, rows: int, mini_batch: int) -> None:
    step = run(name, rows, **({"mini_batch_size": mini_batch} if mini_batch else {}))
    step()
    step()  # with the optimizer's state
    # Not ru_maxrss, which a process inherits from its parent.
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    print(int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024)


def memory(rows: int) -> None:
    name = "MarginNegationInfoNCELoss, triples"
    plain, cached = peak(name, 64), peak(name, rows, 64)
    print(f"peak memory, 64 rows: {plain:.0f} MiB; {rows:,} rows in mini-batches of 64: {cached:.0f} MiB")
    print(f"cached / plain: {cached / plain:.2f}  (bar: 1.30)")


def simcse_loop(model: SentenceTransformer, features: Features, length: int, device: str) -> Step:
    """Return a step of SimCSE's published training loop."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
    scaler = torch.amp.GradScaler(device, enabled=device == "cuda")
    loss = MultipleNegativesRankingLoss(model)
    padded = [
        {name: nn.functional.pad(value, (0, length - value.shape[1])) for name, value in column.items()}
        for column in features
    ]

    def step() -> None:
        with torch.autocast(device, dtype=torch.float16):
            value = loss([dict(column) for column in padded], None)
        scaler.scale(value).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        value.item()

    return step


def our_loop(model: SentenceTransformer, features: Features, device: str) -> Step:
    """Return a step of `MarginNegationInfoNCELoss` with the defaults of sentence-transformers' trainer."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)
    loss = MarginNegationInfoNCELoss(model)

    def step() -> None:
        with torch.autocast(device, dtype=torch.bfloat16):
            value = loss([dict(column) for column in features], None)
        value.backward()
        optimizer.step()
        optimizer.zero_grad()
        value.item()

    return step


def gpu(rounds: int, batch: int = 128, length: int = 32) -> None:
    """Print the figures for a GPU; on a machine without one, the same code runs on the CPU, to try it out."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    features = columns(3, batch, length, device)
    models = [encoder(BERT_BASE, device) for _ in range(2)]
    steps = {
        "SimCSE's loop, float16": simcse_loop(models[0], features, length, device),
        "MarginNegationInfoNCELoss, bfloat16": our_loop(models[1], features, device),
    }
    found = rates(steps, rounds)
    for name, rate in found.items():
        print(f"{name:40} {rate * 3 * batch:8.0f} sentences/s")
    theirs, ours = found.values()
    print(f"ratio: {ours / theirs:.2f}  (bar: 2.50)")
    tokens = sum(int(column["attention_mask"].sum()) for column in features)
    weights = sum(p.numel() for layer in models[1][0].bert.encoder.layer for p in layer.parameters())
    flops = 6 * weights * tokens * ours  # forward and backward, without the products inside attention
    name = torch.cuda.get_device_name() if device == "cuda" else "CPU"
    top = next((top for part, top in PEAK_TFLOPS.items() if part in name), None)
    share = "" if top is None else f", {flops / 1e12 / top:.1%} of its peak in bfloat16"
    print(f"{name}: {flops / 1e12:.1f} TFLOP/s of the model{share}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--cache", type=int, default=4096, help="rows of the cached batch")
    parser.add_argument("--gpu", action="store_true", help="print the figures for a GPU")
    parser.add_argument("--peak", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peak:
        name, rows, mini_batch = args.peak
        measure(name, int(rows), int(mini_batch))
    elif args.gpu:
        gpu(args.steps)
    else:
        speed(args.steps, args.batch)
        memory(args.cache)


if __name__ == "__main__":
    main()
