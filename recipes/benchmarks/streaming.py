"""Steps a second and memory of training on a stream, compared with training on rows that were made before.

    python recipes/benchmarks/streaming.py SENTENCES.txt.gz [--rows 1000000] [--steps 200] [--batch 32] [--workers 1]

The sentences are repeated, with numbers in them, until there are enough. An encoder with the architecture of
all-MiniLM-L6-v2 and random weights is trained twice, each time by `sda-hf train` in a process of its own: on triplets
that are made of a stream of all sentences in the workers of the data loader, and on as many triplets as it needs, made
before. Only the steps are timed; the start of the workers counts. The memory is that of all processes of a run
together, so that what they share counts more than once.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml
from scale import memory_watched, write_input

from sda_hf.files import read_rows
from sda_hf.training.encoder import build
from sda_hf.training.recipe import Build

MINILM = Build(layers=6, hidden_size=384, heads=12, intermediate_size=1536, vocab_size=30_522, max_length=128)
VOCABULARY = 50_000  # sentences that it is learned from
AUGMENTATION = {"name": "triplets", "positive": {"name": "modal-verbs"}, "negative": {"name": "negation"}}
BAR, MOST = 0.95, 3 * 2**30


def write_encoder(sentences: Path, target: Path) -> None:
    texts = (str(row["text"]) for _, row in itertools.islice(read_rows(sentences), VOCABULARY))
    build(MINILM, texts).save_pretrained(str(target), create_model_card=False)


def write_recipe(top: Path, args: argparse.Namespace) -> Path:
    path = top / "recipe.yaml"
    arguments = {"dataloader_num_workers": args.workers, "disable_tqdm": True}
    training = {"max_steps": args.steps, "batch_size": args.batch, "arguments": arguments}
    recipe = {
        "model": str(top / "encoder"),
        "data": {"files": [str(top / "sentences.txt")]},
        "augmentation": AUGMENTATION,
        "training": training,
        "evaluation": {"every_steps": args.steps},
    }
    path.write_text(yaml.safe_dump(recipe), encoding="utf-8")
    return path


def train(recipe: Path, output: Path, *overrides: str) -> tuple[float, int]:
    """Run a recipe; return its steps a second and the peak memory in bytes."""
    command = [sys.executable, "-m", "sda_hf", "train", str(recipe), "--output", str(output)]
    for override in overrides:
        command += ["--set", override]
    job = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    with memory_watched(lambda: [job.pid]) as peaks:
        if job.wait() != 0:
            raise SystemExit(f"exit code {job.returncode}: {' '.join(command)}")
    training = json.loads((output / "metrics.json").read_text(encoding="utf-8"))["training"]
    return training["steps"] / training["seconds"], peaks["all"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sentences", type=Path, help="a file of sentences")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        top = Path(place)
        os.environ["HF_DATASETS_CACHE"] = str(top / "cache")
        write_input(args.sentences, top / "sentences.txt", args.rows)
        write_encoder(top / "sentences.txt", top / "encoder")
        recipe = write_recipe(top, args)
        needed = 2 * args.steps * args.batch  # some have no negative
        before, most = train(recipe, top / "before", f"data.limit={needed}")
        print(f"rows made before: {before:6.2f} steps/s, {most / 2**20:6.0f} MiB", flush=True)
        streamed, most = train(recipe, top / "streamed", "data.streaming=true")
        print(f"streamed:         {streamed:6.2f} steps/s, {most / 2**20:6.0f} MiB, of {args.rows:,} sentences")
        print(f"ratio: {streamed / before:.3f}  (bar: {BAR}); memory of the stream: bar {MOST / 2**20:.0f} MiB")
    sys.exit(streamed < BAR * before or most > MOST)


if __name__ == "__main__":
    main()
