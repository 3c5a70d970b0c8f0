"""Train a small Chinese encoder on each kind of rewrite, with and without negations as hard negatives.

    OMP_NUM_THREADS=1 python recipes/benchmarks/chinese_ablation.py SENTENCES.txt[.gz] PAIRS.tsv[.gz] \
        --data-dir FOLDER --output FOLDER [--seeds 0,1,2] [--steps 120] [--only SimCSE,PI]

The sentences of both files are used without their labels: all columns of PAIRS.tsv whose name begins with "sentence".
FOLDER of --data-dir has the Chinese STS-B: zh_stsb-dev.tsv and zh_stsb-test.tsv. A character BERT is built on the spot;
every setting starts from the same weights per seed, and trains on the same sentences, those that have a negation, for
the same number of steps. The checkpoint that scores best on STS-B dev is measured on STS-B test.

The sentences are rewritten once, to rows.jsonl in the output folder; results.tsv gets a line after each run, and a
command that was stopped continues where it was. At the end, or with --table alone, the table is printed: mean ±
standard deviation over the seeds, beside the scores of SDA 2024, Table 7, whose encoder is a pretrained RoBERTa.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch
from datasets import Dataset
from sentence_transformers import (
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
)
from torch import Tensor, nn

from sda_hf import DoubleNegation, ModalVerbs, Negation, PunctuationInsertion, PunctuationNoise, evaluation
from sda_hf.augmentation.base import CHUNK, Augmenter, views
from sda_hf.files import read_rows
from sda_hf.losses import MarginNegationInfoNCELoss, SimCSEEdaCSELoss
from sda_hf.training.encoder import build
from sda_hf.training.recipe import Build

# Setting → its score in SDA 2024, Table 7, which is with negations; SimCSE is without.
SETTINGS = {"SimCSE": 71.10, "EdaCSE": None, "PI": 71.98, "MV": 72.12, "DN": 71.65}
NEGATIVE = "negative"
EDACSE_WEIGHT = 0.6
COLUMNS = ("setting", "negation", "seed", "untrained", "dev", "test", "seconds")
Row = dict[str, str]


def tools(coverage: str) -> dict[str, Augmenter]:
    """Return the augmenter of each column; those that skip a sentence leave it as it is."""
    fields = {"language": "zh", "coverage": coverage}
    return {
        "EdaCSE": PunctuationNoise(language="zh", marks="english", max_marks=3),
        "PI": PunctuationInsertion(strategy="random", **fields),
        "MV": ModalVerbs(**fields),
        "DN": DoubleNegation(**fields),
        NEGATIVE: Negation(**fields),
    }


def sentences_of(paths: Sequence[Path]) -> list[str]:
    """Return the distinct sentences of the files: every column of a table whose name begins with "sentence"."""
    found: dict[str, None] = {}
    for path in paths:
        for _, row in read_rows(path):
            cells = [value for name, value in row.items() if name == "text" or name.startswith("sentence")]
            found.update(dict.fromkeys(cell.strip() for cell in cells if isinstance(cell, str) and cell.strip()))
    return list(found)


def rewritten(texts: Sequence[str], coverage: str) -> Iterable[Row]:
    """Yield the rows: the sentences that have a negation, with all their rewrites, from one parse."""
    augmenters = tools(coverage)
    for start in range(0, len(texts), CHUNK):
        chunk = texts[start : start + CHUNK]
        viewed = list(views(chunk, list(augmenters.values())[::-1]))
        rewrites = {name: tool.rewrite_views(viewed) for name, tool in augmenters.items()}
        for i, text in enumerate(chunk):
            if rewrites[NEGATIVE][i].skipped is None:
                yield {"SimCSE": text, **{name: rewrites[name][i].text for name in augmenters}}


def read_or_rewrite(arguments: argparse.Namespace) -> list[Row]:
    """Return the rows, which are written to the output folder the first time."""
    path: Path = arguments.output / "rows.jsonl"
    if not path.exists():
        texts = sentences_of(arguments.files)[: arguments.limit]
        rows = list(rewritten(texts, arguments.coverage))
        print(f"{len(rows):,} of {len(texts):,} sentences have a negation", flush=True)
        path.with_suffix(".part").write_text(
            "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8"
        )
        path.with_suffix(".part").replace(path)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for name in rows[0]:
        changed = sum(row[name] != row["SimCSE"] for row in rows)
        print(f"{name}: {100 * changed / len(rows):.1f} % of {len(rows):,} sentences changed")
    return rows


class EdaCSEWithNegation(nn.Module):
    """The loss of EdaCSE with the anchor's negation in both denominators: (anchor, augmented, negative)."""

    def __init__(self, model: SentenceTransformer, temperature: float, margin: float) -> None:
        super().__init__()
        self.model = model
        self.inner = MarginNegationInfoNCELoss(model, temperature=temperature, margin=margin)

    def forward(self, features: list[dict[str, Tensor]], labels: Tensor | None = None) -> Tensor:
        anchor, augmented, negative = features
        embedded = [self.model(dict(view))["sentence_embedding"] for view in (anchor, anchor, augmented, negative)]
        first, again, noisy, denied = embedded
        own = self.inner.compute_loss_from_embeddings([first, again, denied])
        return own + EDACSE_WEIGHT * self.inner.compute_loss_from_embeddings([first, noisy, denied])


def loss_of(model: SentenceTransformer, setting: str, negation: bool, arguments: argparse.Namespace) -> nn.Module:
    if setting == "EdaCSE" and negation:
        return EdaCSEWithNegation(model, arguments.temperature, arguments.margin)
    if setting == "EdaCSE":
        return SimCSEEdaCSELoss(model, temperature=arguments.temperature, weight=EDACSE_WEIGHT)
    return MarginNegationInfoNCELoss(model, temperature=arguments.temperature, margin=arguments.margin)


def dataset_of(rows: Sequence[Row], setting: str, negation: bool) -> Dataset:
    columns = {"anchor": [row["SimCSE"] for row in rows], "positive": [row[setting] for row in rows]}
    if negation:
        columns[NEGATIVE] = [row[NEGATIVE] for row in rows]
    return Dataset.from_dict(columns)


def encoder(rows: Sequence[Row], seed: int) -> SentenceTransformer:
    """Return an untrained character BERT; its weights depend on the seed alone."""
    torch.manual_seed(seed)
    spec = Build(layers=2, hidden_size=128, heads=4, intermediate_size=512, vocab_size=100, max_length=48)
    return build(spec, [text for row in rows for text in row.values()])


def run(rows: Sequence[Row], setting: str, negation: bool, seed: int, arguments: argparse.Namespace) -> dict[str, str]:
    """Train one setting with one seed, and measure the checkpoint that is best on STS-B dev."""
    began = time.perf_counter()
    model = encoder(rows, seed)
    before = _score(model, arguments) if setting == "SimCSE" and not negation else math.nan  # the same for all
    with tempfile.TemporaryDirectory() as folder:
        every = max(arguments.steps // arguments.evaluations, 1)
        training = SentenceTransformerTrainingArguments(
            output_dir=folder,
            max_steps=arguments.steps,
            per_device_train_batch_size=arguments.batch,
            learning_rate=arguments.rate,
            warmup_steps=arguments.steps // 10,
            seed=seed,
            eval_strategy="steps",
            eval_steps=every,
            save_strategy="steps",
            save_steps=every,
            save_total_limit=1,
            load_best_model_at_end=True,
            metric_for_best_model=evaluation.metric_key(evaluation.resolve("zh-stsb-dev")),
            report_to="none",
            use_cpu=True,
            disable_tqdm=True,
            logging_strategy="no",
            dataloader_pin_memory=False,
        )
        trainer = SentenceTransformerTrainer(
            model=model,
            args=training,
            train_dataset=dataset_of(rows, setting, negation),
            loss=loss_of(model, setting, negation, arguments),
            evaluator=evaluation.evaluator("zh-stsb-dev", data_dir=arguments.data_dir),
        )
        trainer.train()
    numbers = (f"{value:.2f}" for value in (before, 100 * trainer.state.best_metric, _score(model, arguments)))
    cells = (setting, "yes" if negation else "no", str(seed), *numbers, f"{time.perf_counter() - began:.0f}")
    return dict(zip(COLUMNS, cells, strict=True))


def _score(model: SentenceTransformer, arguments: argparse.Namespace) -> float:
    return evaluation.evaluate(model, ["zh-stsb"], data_dir=arguments.data_dir)["zh-stsb"]["spearman"]


def read_results(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [dict(zip(COLUMNS, line.split("\t"), strict=True)) for line in lines[1:]]


def add_result(path: Path, result: dict[str, str]) -> None:
    with open(path, "a", encoding="utf-8") as lines:
        if not lines.tell():
            lines.write("\t".join(COLUMNS) + "\n")
        lines.write("\t".join(result[name] for name in COLUMNS) + "\n")


def cell_of(results: Sequence[dict[str, str]], column: str) -> str:
    values = [float(result[column]) for result in results]
    if not values:
        return ""
    return f"{statistics.fmean(values):.2f} ± {statistics.stdev(values) if len(values) > 1 else 0:.2f}"


def table(results: Sequence[dict[str, str]]) -> str:
    """Return the means and standard deviations over the seeds, as a Markdown table."""
    first = [result for result in results if result["untrained"] != "nan"]
    lines = [
        "| positive | negation | seeds | STS-B dev | STS-B test | SDA 2024, Table 7 |",
        "|---|---|---:|---:|---:|---:|",
        f"| untrained | | {len(first)} | | {cell_of(first, 'untrained')} | |",
    ]
    for setting, published in SETTINGS.items():
        for negation in ("no", "yes"):
            own = [result for result in results if (result["setting"], result["negation"]) == (setting, negation)]
            # The paper's augmentations are with negation, its SimCSE is without.
            paper = f"{published:.2f}" if published and (negation == "no") == (setting == "SimCSE") else ""
            scores = " | ".join(cell_of(own, column) for column in ("dev", "test"))
            lines.append(f"| {setting} | {negation} | {len(own)} | {scores} | {paper} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*", help="files of sentences, or of pairs of sentences")
    parser.add_argument("--data-dir", type=Path, help="folder with zh_stsb-dev.tsv and zh_stsb-test.tsv")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--seeds", default="0,1,2")
    parser.add_argument("--only", default=",".join(SETTINGS), help="settings, separated by commas")
    parser.add_argument("--coverage", default="sound", choices=("sound", "full"))
    parser.add_argument("--limit", type=int, help="use only the first sentences")
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--temperature", type=float, default=0.05)
    parser.add_argument("--margin", type=float, default=0.5, help="that of SDA 2024, Table 3, by default")
    parser.add_argument("--evaluations", type=int, default=4, help="how often STS-B dev is measured in training")
    parser.add_argument("--table", action="store_true", help="only print the table of the results so far")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    results = arguments.output / "results.tsv"
    if not arguments.table:
        rows = read_or_rewrite(arguments)
        random.Random(0).shuffle(rows)
        done = {(result["setting"], result["negation"], result["seed"]) for result in read_results(results)}
        for seed in arguments.seeds.split(","):
            for setting in arguments.only.split(","):
                for negation in (False, True):
                    if (setting, "yes" if negation else "no", seed) not in done:
                        result = run(rows, setting, negation, int(seed), arguments)
                        add_result(results, result)
                        print("  ".join(f"{name} {value}" for name, value in result.items()), flush=True)
    print(table(read_results(results)))


if __name__ == "__main__":
    main()
